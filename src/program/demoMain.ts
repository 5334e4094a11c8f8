/** What the thread of the demo API begins with. */
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import { loadCompiled } from './compiled.ts';

/** By then the first questions were answered. */
const settledMs = 2000;

const { keep } = loadCompiled(join(import.meta.dirname, SKYDECK_DEMO), workerData.cacheDirectory);
if (keep) setTimeout(keep, settledMs).unref();
