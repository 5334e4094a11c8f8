/** What the process of the demo API begins with; its argument is the directory for what is compiled of it. */
import { join } from 'node:path';
import { loadCompiled } from './compiled.ts';

/** By then the first questions were answered. */
const settledMs = 2000;

const { run, keep } = loadCompiled(join(import.meta.dirname, SKYDECK_DEMO), process.argv[2] ?? '', process);
const { serveParent } = run() as typeof import('../demo/child.ts');
serveParent(process);
if (keep) setTimeout(keep, settledMs).unref();
