import { execFile } from 'node:child_process';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The bundled program that every test of the whole runs. */
export const bundle = 'dist/skydeck.js';

/**
 * Bundles the program, before all tests and once, where that was not done since its sources changed last.
 * Where it cannot be bundled there is none: the tests that run it fail, and the others still tell what they find.
 */
export default async function build(): Promise<void> {
  const built = await stat(bundle).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
  if (built > (await lastChange())) return;
  await promisify(execFile)(process.execPath, ['scripts/build.ts']).catch(async ({ stderr }: { stderr: string }) => {
    await rm(bundle, { force: true });
    console.error(`The program cannot be bundled.\n${stderr}`);
  });
}

async function lastChange(): Promise<number> {
  const files = [...(await filesIn('src')), ...(await filesIn('scripts')), 'package.json'];
  const times = await Promise.all(files.map(async (file) => (await stat(file)).mtimeMs));
  return Math.max(...times);
}

async function filesIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}
