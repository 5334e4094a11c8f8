import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { drawingPatches } from '../scripts/patches.ts';

/** Patches Ink as the bundle does, so that the tests draw with what is shipped; takes effect before Ink is loaded. */
registerHooks({
  load: (url, context, next) => {
    const patch = drawingPatches.find(({ file }) => file.test(url));
    if (!patch) return next(url, context);
    return { format: 'module', source: patch.apply(readFileSync(fileURLToPath(url), 'utf8')), shortCircuit: true };
  },
});
