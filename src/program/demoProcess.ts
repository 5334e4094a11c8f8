import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import type { DemoFlags } from './invocation.ts';
import { isExecutable } from './parts.ts';

/** Saving the compiled code takes some 50 ms. */
const endMs = 500;

/**
 * Spawns the process, which loads its modules while the command line is parsed. It ends when this process ends, however
 * that ends; detached, it gets no signals of the terminal.
 * @param node the path of Node
 * @param cacheDirectory the directory of the code cache
 */
export const loadDemoProcess = (node: string, cacheDirectory: string): ChildProcessWithoutNullStreams =>
  spawn(node, [...(isExecutable ? [] : [join(import.meta.dirname, SKYDECK_DEMO_MAIN)]), cacheDirectory], {
    detached: true,
    env: isExecutable ? { SKYDECK_PART: 'demo' } : {},
  });

/** Starts the demo API in a spawned process, so that it never blocks the screen. */
export function startDemoProcess(child: ChildProcessWithoutNullStreams, options: DemoFlags) {
  let isOver = false;
  const complaints: string[] = [];
  child.stderr.on('data', (chunk) => complaints.push(String(chunk)));
  // A crash of the demo API is a crash of the program.
  child.on('close', () => {
    if (!isOver) throw new Error(['the demo API has ended', ...complaints].join(': '));
  });
  child.stdin.on('error', () => {});
  child.stdin.write(`${JSON.stringify(options)}\n`);
  /** Its address, as soon as it listens; requests wait until its data is there. */
  const url = once(createInterface(child.stdout), 'line').then(([line]) => line as string);
  return {
    url,
    /** Ends it; open requests are cut off. */
    close: async () => {
      isOver = true;
      const closed = once(child, 'close');
      // At its first end it saves its compiled code. A process that is stopped gets no other signal.
      child.stdin.end();
      await Promise.race([closed, wait(endMs, undefined, { ref: false })]);
      child.kill('SIGKILL');
      await closed;
    },
  };
}
