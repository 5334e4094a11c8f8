/** The entry of the demo API's process; its argument is the directory of the code cache. */
import { writeSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { loadScript } from './compiled.ts';
import { crashCode, errorDetails } from './crash.ts';

/** The first requests are answered by then. */
const saveDelayMs = 2000;

// Without a listener Node would open a debugger.
process.on('SIGUSR1', () => process.exit(128 + constants.signals.SIGUSR1));

// The parent reports it. Node itself would print the whole minified line.
process.on('uncaughtException', (error) => {
  try {
    writeSync(process.stderr.fd, errorDetails(error));
  } finally {
    process.exit(crashCode);
  }
});

const { run, saveCache } = loadScript(join(import.meta.dirname, SKYDECK_DEMO), process.argv[2] ?? '', process);
const { serveParent } = run() as typeof import('../demo/child.ts');
serveParent(process, () => saveCache('short').then(() => process.exit()));
setTimeout(() => void saveCache('long'), saveDelayMs).unref();
