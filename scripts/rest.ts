import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { type BuildOptions, build, type Metafile, type Plugin, transform } from 'esbuild';

/**
 * The modules of the script `rest`, by their paths from the root, in order. The program is two scripts: each start reads
 * that of the start, and the rest is read when something of it is first needed. No start calls a function of these modules, nor
 * takes a value of theirs; a module that is not in the list belongs to the start.
 */
const modules = readFileSync('scripts/rest.txt', 'utf8').split('\n').filter(Boolean);

/** A module of the start from which the rest takes something. */
interface Shared {
  /** A path from the root, or what a package is imported by. */
  module: string;
  /** The names of all that is taken. */
  names: ReadonlySet<string>;
}

const fromRoot = (path: string): string => relative('.', path);

/** The module that an import leads to: a path from the root, or the name itself where it is no path. */
const targetOf = (specifier: string, importer: string): string =>
  /^\.\.?\//.test(specifier) ? fromRoot(join(dirname(resolve(importer)), specifier)) : specifier;

/** The package of a path below `node_modules`. */
const packageIn = (path: string): string | undefined => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1];

/** The packages and the modules of the program that a script consists of. */
const partsOf = ({ inputs }: Metafile): ReadonlySet<string> =>
  new Set(Object.keys(inputs).flatMap((path) => packageIn(path) ?? (path.startsWith('src/') ? path : [])));

/** Imports as the bundler prints them: at first, and later of some names. */
const importLine = /^import (?:([\w$]+)(?:, )?)?(?:\{([^}]*)\}|(\*) as [\w$]+)?(?: from )?"([^"]+)";$/gm;
const lateImport = /(?:\{([^}]*)\} = )?\(?await import\("([^"]+)"\)(?:\)\.(\w+))?/g;

/** The imports of a source, with their names; `default` and `*` stand for the whole. */
async function importsOf(file: string): Promise<{ target: string; names: string[] }[]> {
  const loader = file.endsWith('x') ? 'tsx' : 'ts';
  const { code } = await transform(readFileSync(file, 'utf8'), { loader, format: 'esm', jsx: 'automatic' });
  const namesIn = (list = '', separator = ' as ') =>
    list.split(',').flatMap((name) => name.trim().split(separator)[0] || []);
  return [
    ...[...code.matchAll(importLine)].map(([, whole, list, all, specifier = '']) => ({
      target: targetOf(specifier, file),
      names: [...namesIn(list), ...(whole ? ['default'] : []), ...(all ? ['*'] : [])],
    })),
    ...[...code.matchAll(lateImport)].map(([, list, specifier = '', name]) => ({
      target: targetOf(specifier, file),
      names: list || name ? namesIn(list ?? name, ':') : ['*'],
    })),
  ];
}

/** All that the rest takes from the start, which has these packages. Throws where a module is taken as a whole. */
async function sharedWith(packages: ReadonlySet<string>): Promise<Shared[]> {
  const shared = new Map<string, Set<string>>();
  const isOfStart = (target: string) =>
    target.startsWith('src/') ? !modules.includes(target) : packages.has(packageIn(`node_modules/${target}`) ?? '');
  for (const file of modules) {
    for (const { target, names } of await importsOf(file)) {
      if (!isOfStart(target)) continue;
      if (names.includes('*') || names.includes('default'))
        throw new Error(`${file} takes ${target} of the start as a whole; name what it takes`);
      shared.set(target, new Set([...(shared.get(target) ?? []), ...names]));
    }
  }
  return [...shared].map(([module, names]) => ({ module, names }));
}

/** In the script of the start, a module of the rest is required as `rest:N`, and where it is imported late as `rest now:N`. */
const startPlugin = (shared: readonly Shared[]): Plugin => ({
  name: 'start',
  setup(hooks) {
    hooks.onResolve({ filter: /^\.\.?\// }, ({ path, kind, importer }) => {
      const place = modules.indexOf(targetOf(path, importer));
      const when = kind === 'import-statement' ? 'rest' : 'rest now';
      return place < 0 ? undefined : { path: `${when}:${place}`, external: true };
    });
    hooks.onResolve({ filter: /^shared:/ }, ({ path }) => ({
      path: path.slice('shared:'.length),
      namespace: 'shared',
    }));
    hooks.onLoad({ filter: /.*/, namespace: 'shared' }, ({ path }) => {
      const { module = '', names = [] } = shared[Number(path)] ?? {};
      const from = module.startsWith('src/') ? `./${module}` : module;
      const [taken, given] = ['as', ':'].map((sign) => [...names].map((name, index) => `${name} ${sign} n${index}`));
      return {
        contents: `import { ${taken} } from '${from}'; Object.assign(require('start:${path}'), { ${given} });`,
        resolveDir: '.',
      };
    });
    hooks.onResolve({ filter: /^start:/ }, ({ path }) => ({ path, external: true }));
  },
});

/** In the script of the rest, a module of the start is required as `start:N`. */
const restPlugin = (shared: readonly Shared[]): Plugin => ({
  name: 'rest',
  setup(hooks) {
    hooks.onResolve({ filter: /.*/ }, ({ path, importer }) => {
      const place = modules.includes(fromRoot(importer))
        ? shared.findIndex(({ module }) => module === targetOf(path, importer))
        : -1;
      return place < 0 ? undefined : { path: `start:${place}`, external: true };
    });
  },
});

/** A script: its source, and the plugin that it is bundled with. */
export interface Part {
  source: string;
  plugin: Plugin;
}

/** Divides the program of an entry. The start exports, beside what the entry does, functions that fill what is shared. */
export async function divided(entry: string, options: BuildOptions): Promise<{ start: Part; rest: Part }> {
  const bundled = async (source: string, plugin: Plugin) => {
    const stdin = { contents: source, resolveDir: '.' };
    const plugins = [plugin, ...(options.plugins ?? [])];
    return partsOf((await build({ ...options, stdin, plugins, write: false, metafile: true })).metafile);
  };
  const parts = await bundled(`import './${entry}';`, startPlugin([]));
  const shared = await sharedWith(parts);
  const list = (all: readonly unknown[], of: (index: number) => string) =>
    `[${all.map((_, index) => `() => require('${of(index)}')`)}]`;
  const start = {
    source: `export * from './${entry}'; export const shared = ${list(shared, (index) => `shared:${index}`)};`,
    plugin: startPlugin(shared),
  };
  const rest = {
    source: `module.exports = ${list(modules, (index) => `./${modules[index]}`)};`,
    plugin: restPlugin(shared),
  };
  // A module in both would have two states, and each React would know only its own components.
  const own = modules.flatMap((path) => packageIn(path) ?? []);
  const twice = [...(await bundled(rest.source, rest.plugin))].filter((name) => parts.has(name) && !own.includes(name));
  if (twice.length > 0) throw new Error(`start and rest would both have ${twice.join(', ')}`);
  return { start, rest };
}
