import { posix } from 'node:path';
import { transformSync } from 'esbuild';

/** One source file: its path from the repository's root, with `/`, and its text. */
export interface Source {
  path: string;
  text: string;
}

/** Each folder of `src` may import these folders of ours, and these packages (all where not said). */
const table: Readonly<Record<string, { ours: readonly string[]; packages?: readonly string[] }>> = {
  text: { ours: [], packages: ['string-width'] },
  resources: { ours: ['text'], packages: ['ipaddr.js'] },
  config: { ours: ['resources', 'text'], packages: ['@valibot/to-json-schema', 'smol-toml', 'valibot'] },
  api: { ours: ['resources', 'text'] },
  store: { ours: ['api', 'config', 'resources', 'text'] },
  components: { ours: ['text'], packages: ['ink', 'react', 'ink-table', 'ink-text-input', 'chalk'] },
  screens: { ours: ['components', 'config', 'store', 'resources', 'terminal', 'text'] },
  terminal: { ours: ['text'] },
  demo: { ours: ['resources', 'text'] },
  program: { ours: ['api', 'components', 'config', 'demo', 'resources', 'screens', 'store', 'terminal', 'text'] },
};

const bannedNames = ['utils', 'helpers', 'common', 'types', 'manager'];
const maxLines = 300;
const maxFiles = 30;
const versionPath = ['', 'v4', ''].join('/');
/** A process begins with one of these. */
const mains = ['src/main.tsx', 'src/executable.ts', 'src/program/demoMain.ts'];
const outlawed = '__process_outside_main__';

const topFolder = (path: string) => (path.split('/').length > 2 ? path.split('/')[1] : undefined);

/** Every module that a text imports, also for types only, also dynamically. */
export function importsOf(text: string): readonly string[] {
  const code = withoutComments(text);
  const found = code.matchAll(/(?:\bfrom\s*|\bimport\s*\(\s*|\bimport\s*)(['"])([^'"\n]+)\1/g);
  return [...found].map(([, , module = '']) => module);
}

const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');

/** Several rules read the code of a source. */
const compiledSources = new WeakMap<Source, string>();

/** The code as it runs: no comments, no types; each free `process` bears another name. */
function compiled(source: Source): string {
  const { path, text } = source;
  if (path.endsWith('.d.ts')) return '';
  const known = compiledSources.get(source);
  if (known !== undefined) return known;
  const { code } = transformSync(text, {
    loader: path.endsWith('x') ? 'tsx' : 'ts',
    jsx: 'automatic',
    legalComments: 'none',
    define: { process: outlawed, 'globalThis.process': outlawed },
  });
  compiledSources.set(source, code);
  return code;
}

/** Imports that the table does not allow; `main.tsx` lies in none of the folders and may import all. */
export function wrongArrows(sources: readonly Source[]): readonly string[] {
  return sources.flatMap(({ path, text }) => {
    const folder = topFolder(path);
    if (folder === undefined) return [];
    const allowed = table[folder];
    if (!allowed) return [`${path}: there is no folder ${folder} in the house`];
    return importsOf(text).flatMap((module) => {
      const wrong = module.startsWith('.') ? wrongOurs(path, folder, module) : wrongPackage(allowed.packages, module);
      return wrong ? [`${path}: ${folder} must not import ${module}: ${wrong}`] : [];
    });
  });
}

function wrongOurs(path: string, folder: string, module: string): string | undefined {
  const target = posix.join(posix.dirname(path), module);
  if (!/\.[jt]sx?$/.test(target)) return 'an import is written with its extension';
  if (!target.startsWith('src/')) return 'it lies outside src';
  const to = topFolder(target);
  if (to === folder || (to !== undefined && table[folder]?.ours.includes(to))) return undefined;
  return `of ours it may import ${table[folder]?.ours.join(', ') || 'nothing'}`;
}

function wrongPackage(packages: readonly string[] | undefined, module: string): string | undefined {
  if (!packages || packages.some((name) => module === name || module.startsWith(`${name}/`))) return undefined;
  return `of packages it may import ${packages.join(', ') || 'nothing'}`;
}

/** The first frame is drawn by this. */
const firstFrame = 'src/screens/drawDashboard.tsx';
/** Packages that a start does not wait for: they make their schemas and tables when they are loaded. */
const latePackages = ['valibot', 'smol-toml', 'dns-packet'];

/** Loads that the first frame would wait for without need: packages that only files need, and tables of ICU. */
export function wrongAtStart(sources: readonly Source[], start = firstFrame): readonly string[] {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const wrong: string[] = [];
  const seen = new Set([start]);
  // The set grows while it is gone through.
  for (const path of seen) {
    const source = byPath.get(path);
    if (!source) continue;
    const code = compiled(source);
    if (/^(?:export )?(?:const|let|var) \w+ = (?!.*=>).*new Intl\./m.test(code))
      wrong.push(`${path}: makes a part of Intl`);
    for (const [, module = ''] of code.matchAll(/^(?:import|export)\b[^'"]*["']([^'"]+)["'];$/gm)) {
      if (latePackages.includes(module)) wrong.push(`${path}: imports ${module}`);
      if (module.startsWith('.')) seen.add(posix.join(posix.dirname(path), module));
    }
  }
  return wrong;
}

/** Files that are too long, folders that are too full or too deep, names that say nothing. */
export function wrongShapes(sources: readonly Source[]): readonly string[] {
  const folders = Object.groupBy(sources, ({ path }) => posix.dirname(path));
  return [
    ...sources.flatMap(({ path, text }) => {
      const lines = text.replace(/\n$/, '').split('\n').length;
      return lines > maxLines ? [`${path}: ${lines} lines; no file has more than ${maxLines}`] : [];
    }),
    ...Object.entries(folders).flatMap(([folder, files = []]) =>
      files.length > maxFiles ? [`${folder}: ${files.length} files; no folder has more than ${maxFiles}`] : [],
    ),
    ...sources.flatMap(({ path }) =>
      path.split('/').length > 4 ? [`${path}: more than two folder levels below src`] : [],
    ),
    ...sources.flatMap(({ path }) => {
      const banned = path.split('/').find((part) => bannedNames.includes(part.split('.')[0]?.toLowerCase() ?? ''));
      return banned ? [`${path}: ${banned} says nothing about what is in it`] : [];
    }),
  ];
}

/** `process` outside of what a process begins with, and a `switch` on the name of a resource. */
export function wrongCode(sources: readonly Source[]): readonly string[] {
  return sources.flatMap((source) => {
    const code = compiled(source);
    const importsProcess = importsOf(source.text).some((module) => /^(node:)?process$/.test(module));
    const reads = !mains.includes(source.path) && (importsProcess || code.includes(outlawed));
    const switches = /\bswitch\s*\(\s*(?:[\w.?$[\]]+\.)?(?:name|resource)\s*\)/.exec(code);
    return [
      ...(reads ? [`${source.path}: only ${mains.join(', ')} read process`] : []),
      ...(switches ? [`${source.path}: ${switches[0]}: no switch on a resource's name; its description knows`] : []),
    ];
  });
}

/** Paths of the API outside the descriptions and the contract tests; the configuration has them in the user's requests. */
export function wrongPaths(sources: readonly Source[]): readonly string[] {
  return sources.flatMap((source) => {
    if (/^(src\/(resources|config)|test\/(contract|config))\//.test(source.path)) return [];
    return compiled(source).includes(versionPath)
      ? [`${source.path}: ${versionPath} is written only in src/resources and src/config`]
      : [];
  });
}

/** Folders that import each other, at any distance; a folder and those within it count as one step down. */
export function folderCycles(sources: readonly Source[]): readonly string[] {
  const edges = new Map<string, Set<string>>();
  for (const { path, text } of sources) {
    const from = posix.dirname(path);
    for (const module of importsOf(text).filter((name) => name.startsWith('.'))) {
      const to = posix.dirname(posix.join(from, module));
      if (`${to}/`.startsWith(`${from}/`) || `${from}/`.startsWith(`${to}/`)) continue;
      edges.set(from, (edges.get(from) ?? new Set()).add(to));
    }
  }
  return circles(edges, 'folders');
}

/** Files that import each other, at any distance, also for types only. */
export function fileCycles(sources: readonly Source[]): readonly string[] {
  const edges = new Map<string, Set<string>>();
  for (const { path, text } of sources) {
    const near = importsOf(text).filter((name) => name.startsWith('.'));
    edges.set(path, new Set(near.map((module) => posix.join(posix.dirname(path), module))));
  }
  // Files that lead to no circle are left out first: the ways from them would be long.
  for (let size = 0; size !== edges.size; ) {
    size = edges.size;
    for (const [path, targets] of edges) {
      for (const target of targets) if (!edges.has(target)) targets.delete(target);
      if (targets.size === 0) edges.delete(path);
    }
  }
  return circles(edges, 'files');
}

/** Each circle once, with its way. */
const circles = (edges: ReadonlyMap<string, ReadonlySet<string>>, what: string): readonly string[] =>
  [...edges.keys()].flatMap((start) => {
    const way = wayBack(edges, start);
    return way && [...way].sort()[0] === start
      ? [`${[...way, start].join(' → ')}: ${what} must not import in a circle`]
      : [];
  });

/** Timers that repeat: each due time is worked out anew, and nothing runs while nobody waits for it. */
export const repeatingTimers = (sources: readonly Source[]): readonly string[] =>
  sources.flatMap((source) =>
    /\bsetInterval\b/.test(compiled(source)) ? [`${source.path}: setInterval; set a timer for the next due time`] : [],
  );

/** Where a test may set a timer, and why that is no sleep. */
const timed: Readonly<Record<string, string>> = {
  'test/emulator.ts': 'the limit of a wait for a condition',
  'test/house.test.ts': 'examples in texts',
  'test/screen.ts': 'runs behind a timer of Ink, in the order of their due times',
  'test/store/storm.test.ts': 'on a clock that the test moves',
  'test/terminal/pty.ts': 'the time that a slow line takes',
  'test/terminal/warnings.test.ts': 'timers of which Node warns, in the program under test',
};

/** Tests that sleep: a timer of their own, one that is awaited, or a process that waits. */
export const wrongSleeps = (sources: readonly Source[]): readonly string[] =>
  sources.flatMap((source) => {
    if (source.path in timed) return [];
    const code = compiled(source);
    const own = /\bset(?:Timeout|Interval)\s*\(|promisify\(\s*setTimeout|\bscheduler\.wait\b|\bAtomics\.wait\b/.exec(
      code,
    );
    const awaited = /import[^;]*\bset(?:Timeout|Interval)\b[^;]*from\s*['"](?:node:)?timers(?:\/promises)?['"]/.exec(
      code,
    );
    const found = own ?? awaited;
    return found ? [`${source.path}: ${found[0]}; wait for a condition`] : [];
  });

/** Contract tests that reach the descriptions, by whatever way through the tests: a misread limit would agree with itself. */
export function wrongContracts(sources: readonly Source[]): readonly string[] {
  const tests = new Map(sources.map((source) => [source.path, source]));
  const reached = (path: string, seen: ReadonlySet<string>): string | undefined => {
    if (path.startsWith('src/resources/')) return path;
    const source = tests.get(path);
    if (!source || seen.has(path) || !path.startsWith('test/')) return undefined;
    const next = importsOf(source.text).filter((name) => name.startsWith('.'));
    const ways = next.map((name) => reached(posix.join(posix.dirname(path), name), new Set([...seen, path])));
    return ways.find((way) => way !== undefined);
  };
  return sources.flatMap(({ path }) => {
    if (!path.startsWith('test/contract/')) return [];
    const way = reached(path, new Set());
    return way === undefined ? [] : [`${path} reaches ${way}: a contract test never looks at the descriptions`];
  });
}

function wayBack(edges: ReadonlyMap<string, ReadonlySet<string>>, start: string): readonly string[] | undefined {
  const ways: string[][] = [[start]];
  const visited = new Set<string>();
  for (const way of ways) {
    for (const next of edges.get(way.at(-1) ?? '') ?? []) {
      if (next === start) return way;
      if (!visited.has(next)) ways.push([...way, next]);
      visited.add(next);
    }
  }
  return undefined;
}

/** Comments that begin with a noun phrase instead of a sentence; only those that stand on lines of their own. */
export const wrongComments = (sources: readonly Source[]): readonly string[] =>
  sources.flatMap(({ path, text }) => [
    ...[...text.matchAll(/^[ \t]*(?:\/\/|\/\*\*?(?:\s*\n\s*\*)?)[ \t]*((?:What|Whoever|How)[ \t].*)/gm)].map(
      ([, words]) => `${path}: ${words}: a comment is a sentence that says why, or units, shape or errors`,
    ),
    ...[...text.matchAll(/^[ \t]*(?:\/\/|\/?\*).*\b([a-z]+) \1\b.*/gm)].map(
      ([line, word]) => `${path}: ${line.trim()}: it says ${word} twice`,
    ),
    // The comment of a whole file stands before all else; any other is that of the line below it.
    ...[...text.matchAll(/(?<=\n)\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n\n/g)].map(
      ([, words = '']) => `${path}: ${words.trim()}: it stands above nothing`,
    ),
  ]);

/** Flags of V8 that are changed while the program runs, which Node documents as unsafe: with it programs hung as they ended. */
export const changedFlags = (sources: readonly Source[]): readonly string[] =>
  sources
    .filter((source) => /\bsetFlagsFromString\b/.test(compiled(source)))
    .map(({ path }) => `${path}: flags of V8 are given to Node at its start or not at all`);

/** Calls of `useInput`, when there is more than the one that feeds every layer. */
export function wrongInputs(sources: readonly Source[]): readonly string[] {
  const calls = sources.flatMap((source) => [...compiled(source).matchAll(/\buseInput\(/g)].map(() => source.path));
  return calls.length > 1
    ? calls.map((path) => `${path}: one useInput in the whole program; this is one of ${calls.length}`)
    : [];
}

/** The arguments of each call of a function, the brackets of other calls closed. */
function argumentsOf(code: string, name: string): readonly string[][] {
  return code
    .split(new RegExp(`\\b${name}\\(`))
    .slice(1)
    .map((rest) => {
      const found = [''];
      let depth = 0;
      for (const character of rest) {
        if (')]}'.includes(character) && --depth < 0) break;
        if ('([{'.includes(character)) depth++;
        if (character === ',' && depth === 0) found.push('');
        else found[found.length - 1] += character;
      }
      return found.map((argument) => argument.trim());
    });
}

/** Timers whose delay is neither a constant of the file nor clamped to what a timer can be given. */
export function wrongTimers(sources: readonly Source[]): readonly string[] {
  return sources.flatMap((source) => {
    const code = compiled(source);
    const constants = new Set(
      [...code.matchAll(/^(?:const|var|let) (\w+) = (?:[\de_]+|\{[\w\s:,]+\});/gm)].map(([, name]) => name),
    );
    const isFine = (delay: string) => constants.has(/^\w+/.exec(delay)?.[0] ?? '') || /^timerDelay\(/.test(delay);
    const delays = argumentsOf(code, 'setTimeout').map(([, delay = '']) => delay);
    return delays
      .filter((delay) => !isFine(delay))
      .map((delay) => `${source.path}: setTimeout after ${delay}: a delay that is computed goes through timerDelay`);
  });
}
