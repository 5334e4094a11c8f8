/** Bundles the program into one minified, executable file with React in production mode: `node scripts/build.ts`. */
import { chmod, readFile, rename } from 'node:fs/promises';
import { build } from 'esbuild';
import { inkTableAsModule } from './inkTable.ts';

const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };

const bundle = 'dist/skydeck.js';
const unfinished = `dist/unfinished-${process.pid}.js`;

await build({
  entryPoints: ['src/main.tsx'],
  outfile: unfinished,
  bundle: true,
  minify: true,
  platform: 'node',
  format: 'esm',
  target: 'node22.19',
  jsx: 'automatic',
  legalComments: 'none',
  logLevel: 'warning',
  define: {
    'process.env.NODE_ENV': '"production"',
    'process.env.DEV': '"false"',
    SKYDECK_VERSION: JSON.stringify(version),
  },
  banner: {
    js: "#!/usr/bin/env node\nimport { createRequire as createRequireForBundle } from 'node:module'; const require = createRequireForBundle(import.meta.url);",
  },
  plugins: [
    {
      name: 'modules-that-need-a-hand',
      setup(hooks) {
        hooks.onLoad({ filter: /ink-table\/dist\/index\.js$/ }, async ({ path }) => ({
          contents: inkTableAsModule(await readFile(path, 'utf8')),
        }));
        // Only ink's developer tools want it, and they are never on.
        hooks.onResolve({ filter: /^react-devtools-core$/ }, () => ({ path: 'none', namespace: 'none' }));
        hooks.onLoad({ filter: /.*/, namespace: 'none' }, () => ({ contents: 'export default {}' }));
      },
    },
  ],
});
await chmod(unfinished, 0o755);
// Whoever runs the program meanwhile never reads half of it.
await rename(unfinished, bundle);
