import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';
import { singleCell } from '../src/text/cells.ts';
import { inkTableAsModule } from './inkTable.ts';
import { allReplaced, type Patch, replaced } from './patch.ts';

/**
 * Yoga reads its WebAssembly with `fetch` from a `data:` address, and the first use of `fetch` loads Node's own HTTP
 * client. Instantiated from the bytes at once, it saves that client and a turn of the event loop.
 */
function yogaInstantiatedAtOnce(source: string): string {
  const bytes = /H="data:application\/octet-stream;base64,([A-Za-z0-9+/=]+)"/.exec(source)?.[1];
  if (bytes === undefined) throw new Error('the WebAssembly of yoga is not where it was');
  const without = replaced(replaced(source, bytes, ''), 'return loadYoga.ready', 'return loadYoga');
  return replaced(
    without,
    'loadYoga = loadYoga || {};',
    `loadYoga = {
      instantiateWasm(imports, done) {
        const module = new WebAssembly.Module(Buffer.from('${bytes}', 'base64'));
        const instance = new WebAssembly.Instance(module, imports);
        done(instance);
        return instance.exports;
      },
    };`,
  );
}

/**
 * string-width compiles the pattern of all emoji when it is loaded, which takes 10 ms and more. Here it is compiled when
 * a text first needs it, and texts of characters that are one cell wide each are measured without it.
 */
function stringWidthCompiledLate(source: string): string {
  const pattern = 'const rgiEmojiRegex = /^\\p{RGI_Emoji}$/v;';
  const late = replaced(
    source,
    pattern,
    `let rgiEmojiPattern;\nconst isEmoji = (segment) => (rgiEmojiPattern ??= /^\\p{RGI_Emoji}$/v).test(segment);`,
  );
  const asked = replaced(late, 'rgiEmojiRegex.test(segment)', 'isEmoji(segment)');
  return replaced(
    asked,
    'let width = 0;\n\tconst eastAsianWidthOptions',
    `if (ambiguousIsNarrow && /^${singleCell.source}*$/.test(string)) {\n\t\treturn string.length;\n\t}\n\n\tlet width = 0;\n\tconst eastAsianWidthOptions`,
  );
}

/** A value that is ready at once need not be waited for, which no script could while it is loaded. */
const yogaWithoutWaiting = (source: string): string => replaced(source, 'await loadYoga()', 'loadYoga()');

/** Ink's ways to developer tools wait while it is loaded; they are never on. */
const inkWithoutDevelopment = (source: string): string =>
  allReplaced(source, [
    ["await import('./devtools.js')", "throw new Error('there are no developer tools')"],
    ['await loadPackageJson()', '{}'],
  ]);

/** zsh takes what follows a colon for the description of a word, so a colon in the word needs a backslash, as in `tags:prod`. */
const colonsForZsh = (source: string): string => replaced(source, '{comp//:/\\\\:}', '{comp//:/\\\\\\\\:}');

/** A line that is completed is never run: PowerShell ends a quoted word at any of the four single quotes of Unicode, too. */
const quotesForPowerShell = (source: string): string =>
  replaced(source, `-replace "'", "''"`, `-replace "['\\\\u2018-\\\\u201b]", '$&$&'`);

/** Of all that `crypto` loads, object-hash needs one function, and only when a table is drawn. */
const objectHashWithoutCrypto = (source: string): string =>
  replaced(
    source,
    "var crypto = require('crypto');",
    "var crypto = { createHash: (algorithm) => require('crypto').createHash(algorithm) };",
  );

/** HTTP/2, which is switched off, is not loaded; it would bring TLS and cryptography with it. */
const undiciWithoutHttp2 = (source: string): string =>
  replaced(
    source,
    "const connectH2 = require('./client-h2.js')",
    "const connectH2 = (...given) => require('./client-h2.js')(...given)",
  );

/** The demo API speaks HTTP/1 and opens no web sockets, whose events would bring all of Node's own fetch with them. */
const honoWithoutHttp2 = (source: string): string =>
  allReplaced(source, [
    [
      'import { Http2ServerRequest, constants } from "node:http2";',
      'const Http2ServerRequest = class {};\nconst constants = {};',
    ],
    ['globalThis.CloseEvent ?? ', ''],
  ]);

/** Those without a saving are needed: ink-table is no module, zsh needs its colons and PowerShell its quotes, and a script that is compiled once and kept must not wait while it loads. */
export const patches: readonly Patch[] = [
  { file: /ink-table\/dist\/index\.js$/, apply: inkTableAsModule },
  { file: /yoga-layout\/dist\/binaries\/yoga-wasm-base64-esm\.js$/, apply: yogaInstantiatedAtOnce },
  { file: /yoga-layout\/dist\/src\/index\.js$/, apply: yogaWithoutWaiting },
  { file: /ink\/build\/reconciler\.js$/, apply: inkWithoutDevelopment },
  { file: /string-width\/index\.js$/, apply: stringWidthCompiledLate, savesMs: 34 },
  { file: /undici\/lib\/dispatcher\/client\.js$/, apply: undiciWithoutHttp2, savesMs: 21 },
  { file: /object-hash\/index\.js$/, apply: objectHashWithoutCrypto, savesMs: 14 },
  { file: /@hono\/node-server\/dist\/index\.mjs$/, apply: honoWithoutHttp2, savesMs: 11 },
  {
    file: /@bomb\.sh\/tab\/dist\/powershell-[\w-]+\.mjs$/,
    apply: (source) => quotesForPowerShell(colonsForZsh(source)),
  },
];

/** Other replacements, with the milliseconds of a start that each saves. */
export const replacedParts: Readonly<Record<string, number>> = {
  'imports of `react`, by one `require`': 13,
  '`Intl.Segmenter`, by one that knows plain texts': 10,
  '`performance`, by a clock': 7,
  'the classes of `fetch` in the demo API, by those of undici': 7,
};

/** Where a bundle has something else in the place of a global: options of the bundler. */
export const replacements = { inject: ['scripts/replacements.ts'], define: { 'Intl.Segmenter': 'Segmenter' } };

/** The same for the demo API. What is put in is loaded with the first module, so the program does without. */
export const demoReplacements = {
  inject: [...replacements.inject, 'scripts/fetchClasses.ts'],
  define: {
    ...replacements.define,
    'globalThis.Headers': 'Headers',
    'global.Request': 'Request',
    'global.Response': 'Response',
  },
};

/** Modules of CommonJS, and of Node, that many others import; each import would copy all that they export. */
const importedOften = /^(react(\/jsx-runtime)?|node:(fs|os|process|tty))$/;

/** Dependencies import what Node has as a whole, the program by names, which copies nothing. */
const isCopied = (path: string, importer: string): boolean => !/^node:/.test(path) || /\/node_modules\//.test(importer);

/** An ES module that requires one of CommonJS; whatever nobody imports falls away when it is bundled. */
async function requiring(path: string): Promise<string> {
  const names = Object.keys(await import(path)).filter((name) => !['default', 'module.exports'].includes(name));
  const exported = names.map((name) => `export const ${name} = /* @__PURE__ */ (() => required.${name})();`);
  return [`const required = require('${path}');`, 'export default required;', ...exported].join('\n');
}

/** Modules of Node with functions that no start calls. */
const neededLate = /^node:(child_process|crypto|stream\/consumers)$/;

/** An ES module that loads one of Node at the first call of its functions or classes; it has nothing but these. */
async function requiringLate(path: string): Promise<string> {
  const functions = Object.entries(await import(path)).filter(([, value]) => typeof value === 'function');
  return functions
    .filter(([name]) => name !== 'default')
    .map(
      ([name]) =>
        `export function ${name}(...given) { const { ${name}: one } = require('${path}'); return new.target ? new one(...given) : one(...given); }`,
    )
    .join('\n');
}

/** Changes dependencies as they are bundled; the build fails where the text to be changed is not there. */
export const patchedDependencies: Plugin = {
  name: 'patched-dependencies',
  setup(hooks) {
    for (const { file, apply } of patches) {
      hooks.onLoad({ filter: file }, async ({ path }) => ({ contents: apply(await readFile(path, 'utf8')) }));
    }
    hooks.onResolve({ filter: importedOften }, ({ path, kind, importer }) =>
      kind === 'import-statement' && isCopied(path, importer) ? { path, namespace: 'required' } : undefined,
    );
    hooks.onLoad({ filter: /.*/, namespace: 'required' }, async ({ path }) => ({
      contents: await requiring(path),
      resolveDir: '.',
    }));
    hooks.onResolve({ filter: neededLate }, ({ path, kind, namespace }) =>
      kind === 'import-statement' && namespace === 'file' ? { path, namespace: 'late' } : undefined,
    );
    hooks.onLoad({ filter: /.*/, namespace: 'late' }, async ({ path }) => ({ contents: await requiringLate(path) }));
    // Only ink's developer tools want it, and they are never on.
    hooks.onResolve({ filter: /^react-devtools-core$/ }, () => ({ path: 'none', namespace: 'none' }));
    hooks.onLoad({ filter: /.*/, namespace: 'none' }, () => ({ contents: 'export default {}' }));
  },
};
