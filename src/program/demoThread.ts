import { Worker } from 'node:worker_threads';
import type { DemoFlags } from './arguments.ts';

/** A demo API in a thread of its own, so that neither its start nor its work holds up the screen. */
export interface DemoThread {
  /** Its address, as soon as it has one; what is asked before its cloud is built waits for that. */
  url: Promise<string>;
  /** Ends it; open requests are cut off. */
  close(): Promise<void>;
}

/** Has the thread load what it needs before it is known how the demo API is to be. What is compiled of it is kept in the directory. */
export const loadDemoThread = (cacheDirectory?: string): Worker =>
  new Worker(new URL(SKYDECK_DEMO_THREAD, import.meta.url), { workerData: { cacheDirectory }, execArgv: [] });

/** Starts the demo API. */
export function startDemoThread(options: DemoFlags, worker = loadDemoThread()): DemoThread {
  // Nobody can go on without it: a fault in it is a fault of the program.
  worker.on('error', (error) => {
    throw error;
  });
  const url = new Promise<string>((resolve) => worker.once('message', resolve));
  worker.postMessage(options);
  return { url, close: async () => void (await worker.terminate()) };
}
