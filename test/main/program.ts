import { spawn } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

const bundle = 'dist/skydeck.js';

/** Bundles the program where that was not done since its sources changed last. */
export async function build(): Promise<void> {
  const built = await stat(bundle).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
  if (built > (await lastChange())) return;
  const { code, stderr } = await run(['scripts/build.ts']);
  if (code !== 0) throw new Error(`the program cannot be bundled: ${stderr}`);
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

/** How a program ended and what it said. */
export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** An environment of its own, in which no file of the user is found. */
export const environment = (home: string, more: Record<string, string> = {}) => ({
  PATH: process.env.PATH,
  HOME: home,
  LANG: 'C.UTF-8',
  TERM: 'xterm-256color',
  ...more,
});

/** Runs the bundled program without a terminal until it ends. */
export const skydeck = (args: string[], env: NodeJS.ProcessEnv): Promise<Ended> => run([bundle, ...args], env);

/** Starts the bundled program without a terminal. */
export const start = (args: string[], env: NodeJS.ProcessEnv) =>
  spawn(process.execPath, [bundle, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });

function run(args: string[], env = process.env): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr.setEncoding('utf8').on('data', (chunk) => {
      stderr += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}
