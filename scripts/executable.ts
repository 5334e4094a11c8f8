/**
 * Makes the program one executable file for this platform, `dist/skydeck-linux-x64`, which needs no Node:
 * `npm run executable [-- FOLDER]`. Two of the same commit are equal byte for byte.
 */
import { execFileSync } from 'node:child_process';
import { copyFile, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import build from '../test/build.ts';
import { manifest } from './commit.ts';
import { nodeFor, runOptions, withoutChance } from './node.ts';

const [folder = 'dist'] = process.argv.slice(2);
const platform = `${process.platform}-${process.arch}`;

/** The parts that are read while it runs. */
const isPart = (name: string): boolean => /^(?:program|rest|api)-|^executable\.js\.map$|^THIRD|\.json$/.test(name);
/** The scripts of which the compiled code is inside too. */
const isCode = (name: string): boolean => /^(?:program|rest|api)-.*\.js$/.test(name);

await build();
const node = nodeFor(platform);
// In the same file system as the file, which is moved when it is complete.
const unfinished = await mkdtemp(resolve(folder, 'skydeck-unfinished-'));
try {
  const assets: Record<string, string> = {};
  for (const name of (await readdir('dist')).filter(isPart)) {
    assets[name] = resolve('dist', name);
    if (!isCode(name)) continue;
    const compiled = join(unfinished, `${name}.compiled`);
    execFileSync(node, [...withoutChance, 'scripts/compile.ts', resolve('dist', name), compiled]);
    assets[`${name}.compiled`] = compiled;
  }
  // The bundle may be that of an earlier commit with the same sources.
  assets['package.json'] = join(unfinished, 'package.json');
  await writeFile(assets['package.json'], await manifest());
  const [executable, output, config] = ['node', 'skydeck', 'config.json'].map((name) => join(unfinished, name)) as [
    string,
    string,
    string,
  ];
  await copyFile(node, executable);
  // Its names of functions are a fifth of it.
  execFileSync('strip', [executable]);
  // Its path is inside, and in stack traces.
  const main = 'dist/executable.js';
  const about = { main, output, executable, execArgv: runOptions, disableExperimentalSEAWarning: true, assets };
  await writeFile(config, JSON.stringify(about));
  execFileSync(node, ['--build-sea', config], { stdio: ['ignore', 'ignore', 'inherit'] });
  await rename(output, join(folder, `skydeck-${platform}`));
} finally {
  await rm(unfinished, { recursive: true });
}
