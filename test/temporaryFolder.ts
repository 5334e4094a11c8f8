import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Makes a folder that is removed at the end of the test, after all that its hooks stop. */
export function temporaryFolder(name: string): string {
  const path = mkdtempSync(join(tmpdir(), `skydeck-${name}-`));
  // A program that was killed may still write for a moment, so that it is tried again.
  onTestFinished(() => rm(path, { recursive: true, force: true, maxRetries: 5 }));
  return path;
}
