import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { DemoFlags } from './arguments.ts';

/** A demo API in a process of its own, so that neither its start nor its work holds up the screen. */
export interface DemoProcess {
  /** Its address, as soon as it has one; what is asked before its cloud is built waits for that. */
  url: Promise<string>;
  /** Ends it; open requests are cut off. */
  close(): Promise<void>;
}

/**
 * Has the process load what it needs before it is known how the demo API is to be. It ends with this one, however that
 * ends, and no signal of the terminal reaches it before.
 * @param node the file of Node
 * @param cacheDirectory where what is compiled of it is kept
 */
export const loadDemoProcess = (node: string, cacheDirectory: string): ChildProcessWithoutNullStreams =>
  spawn(node, [fileURLToPath(new URL(SKYDECK_DEMO_MAIN, import.meta.url)), cacheDirectory], {
    detached: true,
    env: {},
  });

/** Starts the demo API in a process that has begun. */
export function startDemoProcess(child: ChildProcessWithoutNullStreams, options: DemoFlags): DemoProcess {
  let isOver = false;
  const complaints: string[] = [];
  child.stderr.on('data', (chunk) => complaints.push(String(chunk)));
  // Nobody can go on without it: a fault in it is a fault of the program.
  child.on('close', () => {
    if (!isOver) throw new Error(['the demo API has ended', ...complaints].join(': '));
  });
  child.stdin.on('error', () => {});
  child.stdin.write(`${JSON.stringify(options)}\n`);
  const url = once(createInterface(child.stdout), 'line').then(([line]) => line as string);
  return {
    url,
    close: async () => {
      isOver = true;
      // It has nothing to save, and a process that is stopped hears of no other signal.
      child.kill('SIGKILL');
      await once(child, 'close');
    },
  };
}
