import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Plugin } from 'esbuild';

/** The version of Ink that the replacement was compared with. */
const comparedVersion = '8.0.0';

/** The replacement of Ink's `Output`. */
const replacement = resolve('scripts/ink/output.ts');

/** Whether an import is that of `Output` in Ink. */
export const isInkOutput = (specifier: string, importer: string): boolean =>
  specifier === './output.js' && importer.endsWith('/ink/build/renderer.js');

/** Replaces Ink's module; the build fails with a version of Ink that was not compared. */
export const inkOutput: Plugin = {
  name: 'ink-output',
  setup(hooks) {
    const { version } = JSON.parse(readFileSync('node_modules/ink/package.json', 'utf8')) as { version: string };
    if (version !== comparedVersion) {
      throw new Error(
        `scripts/ink/output.ts was compared with Ink ${comparedVersion}, not ${version}: run its test with the new Ink, then name that here.`,
      );
    }
    hooks.onResolve({ filter: /^\.\/output\.js$/ }, ({ path, importer }) =>
      isInkOutput(path, importer) ? { path: replacement } : undefined,
    );
  },
};
