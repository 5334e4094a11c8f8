/**
 * Loaded by each worker before all else. Node loads the sources itself: in the module runner of the test framework each
 * use of what a module imports asks a getter, which costs journeys a quarter of their processor time.
 */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';
import { isInkOutput } from '../scripts/ink/plugin.ts';
import { patches } from '../scripts/patches.ts';

Object.assign(globalThis, { SKYDECK_VERSION: '0.0.0-test', SKYDECK_DEMO_MAIN: '../../dist/demo.js' });

const ours = import.meta.resolve('../scripts/ink/output.ts');
/** As the bundle has a module of a dependency. */
function patchOf(path: string): (source: string) => string {
  const patch = patches.find(({ file }) => file.test(path));
  if (!patch) throw new Error(`there is no patch of ${path}`);
  return patch.apply;
}

const stringWidth = patchOf('string-width/index.js');

/** Behind the address of a module of a dependency that is as the bundle has it. */
const patched = '?patched';

/** JSX, of which Node knows nothing; a stack has the lines of the file. */
const withoutJsx = (source: string, sourcefile: string) =>
  transformSync(source, { loader: 'tsx', jsx: 'automatic', sourcefile, sourcemap: 'inline' }).code;

/** Makes modules of what Node cannot read as it is. */
const readings: readonly [path: RegExp, read: (source: string, file: string) => string][] = [
  [/\.tsx$/, withoutJsx],
  [/\/ink-table\/dist\/index\.js$/, patchOf('ink-table/dist/index.js')],
];

/**
 * Draws with the same lines as the bundle, and measures them as it does where dependencies measure; tests have
 * string-width as it is.
 */
registerHooks({
  resolve: (specifier, context, next) => {
    if (isInkOutput(specifier, context.parentURL ?? '')) return { url: ours, shortCircuit: true };
    const resolved = next(specifier, context);
    const isMeasure = specifier === 'string-width' && context.parentURL?.includes('/node_modules/');
    return isMeasure ? { ...resolved, url: resolved.url + patched } : resolved;
  },
  load: (url, context, next) => {
    const { protocol, pathname, search } = new URL(url);
    if (protocol !== 'file:') return next(url, context);
    const isPatched = search === patched && pathname.endsWith('/string-width/index.js');
    const read = isPatched ? stringWidth : readings.find(([path]) => path.test(pathname))?.[1];
    if (!read) return next(url, context);
    const file = fileURLToPath(url);
    return { format: 'module', source: read(readFileSync(file, 'utf8'), file), shortCircuit: true };
  },
});
