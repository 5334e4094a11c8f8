/**
 * Bundles the program, minified and with React in production mode, into `dist`: `node scripts/build.ts`.
 * `--readable` bundles it into `dist-dev` for a debugger: not minified, with whole source maps that the scripts name.
 */

import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import { manifest } from './commit.ts';
import { inkOutput } from './ink/plugin.ts';
import { runOptions, runVariable } from './node.ts';
import { materialsOf, noticesOf } from './notices.ts';
import { demoReplacements, patchedDependencies, replacements } from './patches.ts';
import { divided, type Part } from './rest.ts';
import { linesOnly } from './sourceMaps.ts';

const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };

const readable = process.argv.includes('--readable');
const folder = readable ? 'dist-dev' : 'dist';
const unfinished = join(folder, `unfinished-${process.pid}`);
const entry = 'skydeck.js';
/** The bill of materials. */
const materials = 'materials.cdx.json';

// The bundler has printed its own errors already.
process.on('uncaughtException', (error) => {
  if (!('errors' in error)) console.error(error);
  process.exit(1);
});

const options = {
  outdir: unfinished,
  bundle: true,
  minify: !readable,
  platform: 'node',
  format: 'cjs',
  target: 'node22.19',
  // Every supported Node has these; by default esbuild would compile each literal to a call of the constructor.
  supported: {
    'regexp-unicode-property-escapes': true,
    'regexp-set-notation': true,
    'regexp-lookbehind-assertions': true,
    // A script that is run from what was compiled of it has no dynamic import; the bundler makes it a require.
    'dynamic-import': false,
  },
  jsx: 'automatic',
  // External maps are not named by the scripts: only a crash report reads them.
  sourcemap: readable ? 'linked' : 'external',
  sourcesContent: readable,
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
} satisfies BuildOptions;

/** Constants of the sources that the build replaces. */
const constants = {
  'process.env.NODE_ENV': '"production"',
  'process.env.DEV': '"false"',
  'import.meta.url': 'moduleUrl',
  'import.meta.dirname': '__dirname',
  SKYDECK_VERSION: JSON.stringify(version),
  SKYDECK_DEMO_MAIN: '"./demo.js"',
};

const moduleUrl = "const moduleUrl=require('node:url').pathToFileURL(__filename).href;";

/** The inputs of each bundle. */
const metafiles: Metafile[] = [];

/** The options of a script, wrapped in the module function of CommonJS. */
const optionsOf = ({ inject, define }: typeof replacements) =>
  ({
    ...options,
    inject,
    define: { ...constants, ...define },
    banner: { js: `(function(exports,require,module,__filename,__dirname){${moduleUrl}` },
    footer: { js: '})' },
    plugins: [inkOutput, patchedDependencies],
  }) satisfies BuildOptions;

/** Builds a script of a source. Returns its file name. */
async function scriptOf(name: string, { source, plugin }: Partial<Part>, given: BuildOptions): Promise<string> {
  const plugins = [entryOf(source ?? ''), ...(plugin ? [plugin] : []), ...(given.plugins ?? [])];
  const entryPoints = { [name]: 'entry' };
  const { metafile } = await build({ ...given, metafile: true, entryPoints, entryNames: '[name]-[hash]', plugins });
  metafiles.push(metafile);
  const script = basename(Object.keys(metafile.outputs).find((output) => output.endsWith('.js')) ?? '');
  if (readable) return script;
  const text = await readFile(join(unfinished, script), 'utf8');
  const [nonAscii] = /[^\0-\x7f]/.exec(text) ?? [];
  if (nonAscii) throw new Error(`${script} has ${nonAscii} in a regular expression; escape it there`);
  const [, whole] = /\w\(require\("rest:(\d+)"/.exec(text) ?? [];
  if (whole) throw new Error(`the start takes line ${Number(whole) + 1} of scripts/rest.txt as a whole`);
  return script;
}

/** An entry that is no file. */
const entryOf = (contents: string): Plugin => ({
  name: 'entry',
  setup(hooks) {
    hooks.onResolve({ filter: /^entry$/ }, ({ path }) => ({ path, namespace: 'entry' }));
    hooks.onLoad({ filter: /.*/, namespace: 'entry' }, () => ({ contents, resolveDir: '.' }));
  },
});

const demo = { source: "export * from './src/demo/child.ts';" };
const api = { SKYDECK_DEMO: JSON.stringify(await scriptOf('api', demo, optionsOf(demoReplacements))) };
const own = optionsOf({ ...replacements, define: { ...replacements.define, ...api } });
const { start, rest } = await divided('src/program/run.ts', own);
const names = {
  ...api,
  SKYDECK_PROGRAM: JSON.stringify(await scriptOf('program', start, own)),
  SKYDECK_REST: JSON.stringify(await scriptOf('rest', rest, own)),
};
const ofEntries = { ...options, define: { ...constants, ...names } } satisfies BuildOptions;
const entries = await build({
  ...ofEntries,
  entryPoints: { skydeck: 'src/main.tsx', demo: 'src/program/demoMain.ts' },
  // To a shell the second line is a command that does nothing, and then Node with options, which no first line can have on
  // every system; to Node it is a text and a comment.
  banner: { js: `#!/bin/sh\n":" //; ${runVariable} exec node ${runOptions.join(' ')} "$0" "$@"\n${moduleUrl}` },
});
const executable = await build({
  ...ofEntries,
  entryPoints: { executable: 'src/executable.ts' },
  // Node takes the name from the command line, and that is no path where a shell has looked the program up.
  banner: { js: `__dirname='/';__filename='/executable.js';${moduleUrl}` },
});
metafiles.push(entries.metafile, executable.metafile);
await writeFile(join(unfinished, 'THIRD-PARTY-NOTICES'), await noticesOf(metafiles));
await writeFile(join(unfinished, materials), `${JSON.stringify(await materialsOf(metafiles), null, 2)}\n`);
await writeFile(join(unfinished, 'package.json'), await manifest());
await chmod(join(unfinished, entry), 0o755);

for (const name of readable ? [] : await readdir(unfinished)) {
  const file = join(unfinished, name);
  if (name.endsWith('.map')) await writeFile(file, linesOnly(await readFile(file, 'utf8'), file));
}

// A program that starts meanwhile finds all parts: they are moved in before the entry, and old ones removed after it.
const parts = (await readdir(unfinished)).filter((name) => name !== entry);
await mkdir(folder, { recursive: true });
for (const name of [...parts, entry]) await rename(join(unfinished, name), join(folder, name));
const current = new Set([...parts, entry]);
for (const name of await readdir(folder)) {
  if (!current.has(name) && !/^skydeck[-_]/.test(name)) await rm(join(folder, name), { recursive: true });
}
