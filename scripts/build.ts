/** Bundles the program, minified and with React in production mode, into `dist`: `node scripts/build.ts`. */
import { chmod, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { patchedDependencies, replacements } from './patches.ts';

const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };

const folder = 'dist';
const unfinished = join(folder, `unfinished-${process.pid}`);
const entry = 'skydeck.js';

await build({
  entryPoints: { skydeck: 'src/main.tsx', demo: 'src/demo/thread.ts' },
  outdir: unfinished,
  chunkNames: 'part-[hash]',
  splitting: true,
  bundle: true,
  minify: true,
  platform: 'node',
  format: 'esm',
  target: 'node22.19',
  jsx: 'automatic',
  legalComments: 'none',
  logLevel: 'warning',
  inject: replacements.inject,
  define: {
    'process.env.NODE_ENV': '"production"',
    'process.env.DEV': '"false"',
    ...replacements.define,
    SKYDECK_DEMO_THREAD: '"./demo.js"',
    SKYDECK_VERSION: JSON.stringify(version),
  },
  banner: {
    js: "import { createRequire as createRequireForBundle } from 'node:module'; const require = createRequireForBundle(import.meta.url);",
  },
  plugins: [patchedDependencies],
});
await chmod(join(unfinished, entry), 0o755);

// Whoever runs the program meanwhile never finds half of it: the parts come before what names them, and go after it.
const parts = (await readdir(unfinished)).filter((name) => name !== entry);
await mkdir(folder, { recursive: true });
for (const name of [...parts, entry]) await rename(join(unfinished, name), join(folder, name));
const current = new Set([...parts, entry]);
for (const name of await readdir(folder)) {
  if (!current.has(name)) await rm(join(folder, name), { recursive: true });
}
