import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** The files and folders whose path begins with this text, folders with a slash at their end. */
export function filesAt(begun: string): readonly string[] {
  const folder = begun.endsWith('/') ? begun : begun.includes('/') ? `${dirname(begun).replace(/\/$/, '')}/` : '';
  try {
    return readdirSync(folder || '.', { withFileTypes: true })
      .map((entry) => folder + entry.name + (entry.isDirectory() ? '/' : ''))
      .filter((path) => path.startsWith(begun) && (!/(^|\/)\.[^/]*\/?$/.test(path) || /(^|\/)\.[^/]*$/.test(begun)));
  } catch {
    return [];
  }
}
