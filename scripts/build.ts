/** Bundles the program, minified and with React in production mode, into `dist`: `node scripts/build.ts`. */
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { patchedDependencies, replacements } from './patches.ts';

const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };

const folder = 'dist';
const unfinished = join(folder, `unfinished-${process.pid}`);
const entry = 'skydeck.js';

const options = {
  outdir: unfinished,
  bundle: true,
  minify: true,
  platform: 'node',
  format: 'cjs',
  target: 'node22.19',
  // Node has had these for long; without a word the bundler has them made anew wherever they are used.
  supported: {
    'regexp-unicode-property-escapes': true,
    'regexp-set-notation': true,
    'regexp-lookbehind-assertions': true,
  },
  jsx: 'automatic',
  legalComments: 'none',
  logLevel: 'warning',
} satisfies BuildOptions;

/** Names in the sources for what a script of CommonJS knows of itself, and for what the build knows. */
const known = {
  'process.env.NODE_ENV': '"production"',
  'process.env.DEV': '"false"',
  'import.meta.url': 'moduleUrl',
  'import.meta.dirname': '__dirname',
  SKYDECK_VERSION: JSON.stringify(version),
  SKYDECK_DEMO_MAIN: '"./demo.js"',
};

const moduleUrl = "const moduleUrl=require('node:url').pathToFileURL(__filename).href;";

const sources = { program: 'src/program/run.ts', api: 'src/demo/child.ts' };

/** The scripts, each as a function that is given what CommonJS gives to a module. */
const scripts = await build({
  ...options,
  entryPoints: sources,
  entryNames: '[name]-[hash]',
  inject: replacements.inject,
  define: { ...known, ...replacements.define },
  banner: {
    js: `(function(exports,require,module,__filename,__dirname){${moduleUrl}`,
  },
  footer: { js: '})' },
  plugins: [patchedDependencies],
  metafile: true,
});
const [program = '', api = ''] = [sources.program, sources.api].map((source) =>
  basename(Object.entries(scripts.metafile.outputs).find(([, { entryPoint }]) => entryPoint === source)?.[0] ?? ''),
);
for (const script of [program, api]) {
  const [wide] = /[^\0-\x7f]/.exec(await readFile(join(unfinished, script), 'utf8')) ?? [];
  if (wide) throw new Error(`${script} holds ${wide}, which belongs in a text and not in a regular expression`);
}

await build({
  ...options,
  entryPoints: { skydeck: 'src/main.tsx', demo: 'src/program/demoMain.ts' },
  banner: { js: moduleUrl },
  define: { ...known, SKYDECK_PROGRAM: JSON.stringify(program), SKYDECK_DEMO: JSON.stringify(api) },
});
await writeFile(join(unfinished, 'package.json'), '{ "type": "commonjs" }\n');
await chmod(join(unfinished, entry), 0o755);

// Whoever runs the program meanwhile never finds half of it: the parts come before what names them, and go after it.
const parts = (await readdir(unfinished)).filter((name) => name !== entry);
await mkdir(folder, { recursive: true });
for (const name of [...parts, entry]) await rename(join(unfinished, name), join(folder, name));
const current = new Set([...parts, entry]);
for (const name of await readdir(folder)) {
  if (!current.has(name)) await rm(join(folder, name), { recursive: true });
}
