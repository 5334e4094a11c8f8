import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** The bundled program that every test of the whole runs. */
export const bundle = 'dist/skydeck.js';

/** Tells of which sources the bundle was made, and what came out: times lie where files were copied or restored. */
const stamp = 'node_modules/.cache/skydeck-bundle';

/**
 * Bundles the program, before all tests and once, where the last bundle is not of these very sources.
 * Where it cannot be bundled there is none: the tests that run it fail, and the others still tell what they find.
 */
export default async function build(): Promise<void> {
  if ((await readFile(stamp, 'utf8').catch(() => '')) === (await digest())) return;
  await promisify(execFile)(process.execPath, ['scripts/build.ts']).then(
    async () => {
      await mkdir(dirname(stamp), { recursive: true });
      await writeFile(stamp, await digest());
    },
    async ({ stderr }: { stderr: string }) => {
      await rm(bundle, { force: true });
      console.error(`The program cannot be bundled.\n${stderr}`);
    },
  );
}

/** The digest of all that the bundle is made of, and of the bundle. */
async function digest(): Promise<string> {
  const folders = await Promise.all(['src', 'scripts', 'dist'].map(filesIn));
  const hash = createHash('sha256');
  for (const file of [...folders.flat().sort(), 'package.json', 'package-lock.json'])
    hash.update(`${file}\0`).update(await readFile(file));
  return hash.digest('hex');
}

async function filesIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile() && !(directory === 'dist' && /^skydeck[-_]/.test(entry.name)))
    .map(({ parentPath, name }) => join(parentPath, name));
}
