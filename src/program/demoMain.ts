/** What the thread of the demo API begins with. */
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import { loadCompiled } from './compiled.ts';
import { keepCompiled } from './engine.ts';

/** By then the first questions were answered. */
const settledMs = 2000;

const { keep } = loadCompiled(join(import.meta.dirname, SKYDECK_DEMO), workerData.cacheDirectory);
// By then the program has set flags of its own, which are those of the whole process.
if (keep) setTimeout(() => keepCompiled(keep), settledMs).unref();
