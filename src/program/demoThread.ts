import { once } from 'node:events';
import nodeModule from 'node:module';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { DemoFlags } from './arguments.ts';

/** A demo API in a thread of its own, so that neither its start nor its work holds up the screen. */
export interface DemoThread {
  url: string;
  /** May do everything. */
  token: string;
  /** Ends it; open requests are cut off. */
  close(): Promise<void>;
}

/** Starts the demo API. Resolves when it has an address: what is asked before its cloud is built waits for that. */
export async function startDemoThread(options: DemoFlags): Promise<DemoThread> {
  const cache = nodeModule.getCompileCacheDir();
  const workerData = { options, cacheDirectory: cache && dirname(cache) };
  const worker = new Worker(new URL(SKYDECK_DEMO_THREAD, import.meta.url), { workerData, execArgv: [] });
  const [{ url, token }] = await once(worker, 'message');
  // Nobody can go on without it: a fault in it is a fault of the program.
  worker.on('error', (error) => {
    throw error;
  });
  return { url, token, close: async () => void (await worker.terminate()) };
}
