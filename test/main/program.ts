import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { bundle } from '../build.ts';

/** The end of a program and its output. */
export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Compiled code is kept here for all tests but those about it: without it a start costs twice as much. */
export const sharedCache = resolve('node_modules/.cache');

/** An environment of its own, in which no file of the user is found. */
export const environment = (home: string, more: Record<string, string> = {}) => ({
  PATH: process.env.PATH,
  HOME: home,
  XDG_CACHE_HOME: sharedCache,
  LANG: 'C.UTF-8',
  TZ: process.env.TZ,
  TERM: 'xterm-256color',
  ...more,
});

/** Writes a configuration in which the profile `work` is an API, with the token of the variable WORK; `more` is added to it. */
export async function configureWork(home: string, url: string, more = ''): Promise<void> {
  const folder = join(home, '.config', 'skydeck');
  await mkdir(folder, { recursive: true });
  const profile = `[profiles.work]\nbase_url = "${url}"\ntoken_env = "WORK"\n${more}`;
  await writeFile(join(folder, 'config.toml'), profile, { mode: 0o600 });
}

/** Runs the bundled program without a terminal until it ends; `node` are arguments of Node itself. */
export const skydeck = (args: string[], env: NodeJS.ProcessEnv, node: string[] = []): Promise<Ended> =>
  run([...node, bundle, ...args], env);

/** Starts the bundled program without a terminal. */
export const start = (args: string[], env: NodeJS.ProcessEnv) =>
  spawn(process.execPath, [bundle, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });

/** Runs Node with these arguments until it ends. */
export const run = (args: string[], env: NodeJS.ProcessEnv): Promise<Ended> => runProgram(process.execPath, args, env);

/** Runs a program until it ends. */
export const runProgram = (program: string, args: string[], env: NodeJS.ProcessEnv): Promise<Ended> =>
  endOf(spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] }));

/** The end of a program that was started. */
export function endOf(child: ReturnType<typeof start>): Promise<Ended> {
  return new Promise((resolve, reject) => {
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
