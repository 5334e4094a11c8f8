import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isInkOutput } from '../scripts/ink/plugin.ts';
import { patches } from '../scripts/patches.ts';

const ours = import.meta.resolve('../scripts/ink/output.ts');
const stringWidth = patches.find(({ file }) => file.test('string-width/index.js'));

/** Behind the address of a module of a dependency that is as the bundle has it. */
const patched = '?patched';

/**
 * Draws with the same lines as the bundle, and measures them as it does where dependencies measure; tests have
 * string-width as it is. Takes effect before Ink is loaded.
 */
registerHooks({
  resolve: (specifier, context, next) => {
    if (isInkOutput(specifier, context.parentURL ?? '')) return { url: ours, shortCircuit: true };
    const resolved = next(specifier, context);
    const isMeasure = specifier === 'string-width' && context.parentURL?.includes('/node_modules/');
    return isMeasure ? { ...resolved, url: resolved.url + patched } : resolved;
  },
  load: (url, context, next) => {
    if (!url.endsWith(`/string-width/index.js${patched}`) || !stringWidth) return next(url, context);
    const source = readFileSync(fileURLToPath(url.slice(0, -patched.length)), 'utf8');
    return { format: 'module', source: stringWidth.apply(source), shortCircuit: true };
  },
});
