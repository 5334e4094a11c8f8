import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Plugin } from 'esbuild';

/** The version of Ink that the module in place of its `Output` was compared with. */
const comparedWith = '8.0.0';

/** The module that stands in for Ink's `Output`. */
const standIn = resolve('scripts/ink/output.ts');

/** Whether an import, by what it asks for and the module that asks, is of Ink's own `Output`. */
export const isInkOutput = (specifier: string, importer: string): boolean =>
  specifier === './output.js' && importer.endsWith('/ink/build/renderer.js');

/** Puts the module in the place of Ink's; the build fails with a version of Ink that it was not compared with. */
export const inkOutput: Plugin = {
  name: 'ink-output',
  setup(hooks) {
    const { version } = JSON.parse(readFileSync('node_modules/ink/package.json', 'utf8')) as { version: string };
    if (version !== comparedWith) {
      throw new Error(
        `scripts/ink/output.ts was compared with Ink ${comparedWith}, not ${version}: run its test with the new Ink, then name that here.`,
      );
    }
    hooks.onResolve({ filter: /^\.\/output\.js$/ }, ({ path, importer }) =>
      isInkOutput(path, importer) ? { path: standIn } : undefined,
    );
  },
};
