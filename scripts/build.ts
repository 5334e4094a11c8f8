/**
 * Bundles the program, minified and with React in production mode, into `dist`: `node scripts/build.ts`.
 * `--readable` bundles it into `dist-dev` for a debugger: not minified, with whole source maps that the scripts name.
 */
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import { inkOutput } from './ink/plugin.ts';
import { noticesOf } from './notices.ts';
import { demoReplacements, patchedDependencies, replacements } from './patches.ts';
import { linesOnly } from './sourceMaps.ts';

const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };

const readable = process.argv.includes('--readable');
const folder = readable ? 'dist-dev' : 'dist';
const unfinished = join(folder, `unfinished-${process.pid}`);
const entry = 'skydeck.js';

// The bundler has told already what it could not build, with the lines.
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
  // Node has had these for long; without a word the bundler has them made anew wherever they are used.
  supported: {
    'regexp-unicode-property-escapes': true,
    'regexp-set-notation': true,
    'regexp-lookbehind-assertions': true,
  },
  jsx: 'automatic',
  // Read when the program crashes, and only then: the scripts do not name theirs.
  sourcemap: readable ? 'linked' : 'external',
  sourcesContent: readable,
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
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

/** The inputs of each bundle. */
const metafiles: Metafile[] = [];

/** Builds a script as a function that is given what CommonJS gives to a module. Answers its name. */
async function scriptOf(name: string, source: string, { inject, define }: typeof replacements): Promise<string> {
  const { metafile } = await build({
    ...options,
    entryPoints: { [name]: source },
    entryNames: '[name]-[hash]',
    inject,
    define: { ...known, ...define },
    banner: {
      js: `(function(exports,require,module,__filename,__dirname){${moduleUrl}`,
    },
    footer: { js: '})' },
    plugins: [inkOutput, patchedDependencies],
  });
  metafiles.push(metafile);
  const script = basename(Object.keys(metafile.outputs).find((output) => output.endsWith('.js')) ?? '');
  if (readable) return script;
  const [wide] = /[^\0-\x7f]/.exec(await readFile(join(unfinished, script), 'utf8')) ?? [];
  if (wide) throw new Error(`${script} holds ${wide}, which belongs in a text and not in a regular expression`);
  return script;
}

const program = await scriptOf('program', 'src/program/run.ts', replacements);
const api = await scriptOf('api', 'src/demo/child.ts', demoReplacements);

const entries = await build({
  ...options,
  entryPoints: { skydeck: 'src/main.tsx', demo: 'src/program/demoMain.ts' },
  banner: { js: moduleUrl },
  define: { ...known, SKYDECK_PROGRAM: JSON.stringify(program), SKYDECK_DEMO: JSON.stringify(api) },
});
metafiles.push(entries.metafile);
await writeFile(join(unfinished, 'THIRD-PARTY-NOTICES'), await noticesOf(metafiles));
await writeFile(join(unfinished, 'package.json'), '{ "type": "commonjs" }\n');
await chmod(join(unfinished, entry), 0o755);

for (const name of readable ? [] : await readdir(unfinished)) {
  const file = join(unfinished, name);
  if (name.endsWith('.map')) await writeFile(file, linesOnly(await readFile(file, 'utf8'), file));
}

// A program that runs meanwhile never finds half of it: the parts come before what names them, and go after it.
const parts = (await readdir(unfinished)).filter((name) => name !== entry);
await mkdir(folder, { recursive: true });
for (const name of [...parts, entry]) await rename(join(unfinished, name), join(folder, name));
const current = new Set([...parts, entry]);
for (const name of await readdir(folder)) {
  if (!current.has(name)) await rm(join(folder, name), { recursive: true });
}
