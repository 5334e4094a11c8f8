/**
 * Builds the readable program and runs it in this terminal, and does both again whenever a source changes:
 * `npm run dev -- [ARGUMENTS]`, with `--demo` where there are none. It ends when the program is quit.
 * While the sources do not build, the errors stand in place of the program.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

/** Changes within this time make one restart. */
const mergeWindowMs = 100;

const given = process.argv.slice(2);
const program = ['--enable-source-maps', 'dist-dev/skydeck.js', ...(given.length > 0 ? given : ['--demo'])];

let running: ChildProcess | undefined;
let isStale = false;
let restart: AbortController | undefined;

async function builds(): Promise<boolean> {
  const build = spawn(process.execPath, ['scripts/build.ts', '--readable'], { stdio: 'inherit' });
  const [code] = await once(build, 'exit');
  return code === 0;
}

async function runUntilChange(): Promise<void> {
  isStale = false;
  restart = new AbortController();
  const changed = once(restart.signal, 'abort');
  if (!(await builds())) return void (await changed);
  running = spawn(process.execPath, program, { stdio: 'inherit' });
  const ended = once(running, 'exit').then(([code, signal]) => ({ code, signal }));
  const end = await Promise.race([ended, changed.then(() => undefined)]);
  if (!end) {
    running.kill('SIGTERM');
    await ended;
  } else if (end.code !== 0) {
    process.stderr.write(`The program ended with ${end.code ?? end.signal}; it starts again when a source changes.\n`);
    await changed;
  } else process.exit(0);
}

async function changeSeen(): Promise<void> {
  if (isStale) return;
  isStale = true;
  await setTimeout(mergeWindowMs);
  restart?.abort();
}

// The program restores the terminal at these signals; this process ends after it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, async () => {
    if (running?.exitCode === null && running.kill(signal)) await once(running, 'exit');
    process.exit();
  });
}

watch('src', { recursive: true }, changeSeen);
for (;;) await runUntilChange();
