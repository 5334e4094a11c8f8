/** Reads files with mistakes as they were probably meant, so that the mistakes beside them are found as well. */

import * as v from 'valibot';
import { isReserved, type KeyMistake, type KeyPath, nestedIn } from './lines.ts';
import { type ConfigFile, configSchema } from './schema.ts';

export type TomlTable = Record<string, unknown>;

type Issue = v.InferIssue<typeof configSchema>;

interface Meant {
  /** Whether all was read: a table with more unknown keys than are told is given up. */
  isWhole: boolean;
  /** All that can be read, with misspelt keys and words as they were probably meant, and without the rest. */
  config: ConfigFile;
  /** All that the schema has against the file; `says` is the end of a sentence. */
  mistakes: readonly KeyMistake[];
  /** The path in the file of a path in `config`. */
  inFile: (path: KeyPath) => KeyPath;
  /** Whether a complaint about this path of the file may come from what was changed alone. */
  isDoubtful: (path: KeyPath) => boolean;
}

/** Mistakes that a schema passes over: names that objects of the language have for themselves, and lists in the place of tables. */
export function unseen(table: TomlTable): readonly KeyMistake[] {
  const lists = ['profiles', 'keys', 'views'].filter((part) => Array.isArray(table[part]));
  return [
    ...[...nestedIn(table)].flatMap(({ path, value }) =>
      Object.keys(value)
        .filter(isReserved)
        .map((name) => ({ path: [...path, name], says: 'cannot be a name here; choose another' })),
    ),
    ...lists.map((part) => ({ path: [part], says: `must be made of tables like [${part}.work], not [[${part}]]` })),
  ];
}

/** So many unknown keys of one table are told; the schema tells one at a time. */
export const maxUnknown = 30;

/** Reads a file that has mistakes; `table` is changed. */
export function meantBy(table: TomlTable): Meant {
  const mistakes: KeyMistake[] = [];
  const told = new Set<string>();
  /** Paths that are no longer as in the file, and all that they lie in. */
  const changed = new Set<string>();
  const say = (path: KeyPath, says: string) => {
    if (!told.has(JSON.stringify(path))) mistakes.push({ path, says });
    told.add(JSON.stringify(path));
  };
  const change = (path: KeyPath) => {
    for (let length = 0; length <= path.length; length++) changed.add(JSON.stringify(path.slice(0, length)));
  };
  for (const { path, says } of unseen(table)) {
    say(path, says);
    remove(table, path);
    change(path);
  }
  const isDoubtful = (path: KeyPath) => {
    const needed = needs[String(path[2])] ?? '';
    return told.has(JSON.stringify(path)) || changed.has(JSON.stringify([...path.slice(0, 2), needed]));
  };
  for (let round = 0; ; round++) {
    const { value, inFile } = compacted(table);
    const { typed, output, issues = [] } = v.safeParse(configSchema, value);
    if (round >= maxUnknown && issues.some(({ expected }) => expected === 'never'))
      return { isWhole: false, config: v.parse(configSchema, {}), mistakes, inFile, isDoubtful };
    for (const issue of issues) {
      const path = inFile(pathOf(issue));
      // A complaint about a table that lacks a key of the file may not be so.
      const isAgain = changed.has(JSON.stringify(path));
      if (!isAgain || issue.type === 'raw_check' || issue.expected === 'never') say(path, issue.message);
      // Tables within tables are given up in the end.
      if (round > 9) remove(table, partOf(path));
      else if (!isOfSeveralKeys(issue)) for (const one of mended(table, path, issue, isAgain)) change(one);
    }
    if (typed && issues.every(isOfSeveralKeys)) return { isWhole: true, config: output, mistakes, inFile, isDoubtful };
  }
}

/** Keys that are judged by another one of their table. */
const needs: Readonly<Record<string, string>> = {
  sort: 'columns',
  filter: 'columns',
  base_url: 'insecure_http',
  request: 'ask',
  run: 'ask',
};

/** Whether a rule is about several keys of a table; each of them stays as it is. */
const isOfSeveralKeys = ({ kind, input }: Issue): boolean =>
  kind === 'validation' && input !== null && typeof input === 'object' && !Array.isArray(input);

export const pathOf = ({ path }: v.BaseIssue<unknown>): KeyPath =>
  (path ?? []).map(({ key }) => key as string | number);

/** The path of what is left out for a mistake at this key: a profile, a view, a command; of the keys, one action. */
export const partOf = (path: KeyPath): KeyPath => path.slice(0, path[0] === 'keys' ? 3 : 2);

/** Puts what was probably meant in the place of a mistake, or takes it out. Returns the paths that have changed. */
function mended(table: TomlTable, path: KeyPath, issue: Issue, isAgain: boolean): readonly KeyPath[] {
  const [, nearest] = /; did you mean ([\w-]+)\?/.exec(issue.message) ?? [];
  const holder = path.slice(0, -1);
  if (issue.expected === 'never') {
    const own = nearest === undefined ? path : [...holder, nearest];
    const isFree = at(table, own) === undefined;
    if (isFree) put(table, own, at(table, path));
    remove(table, path);
    return isFree ? [path, own] : [path];
  }
  // A table that lacks a key goes as a whole.
  if (issue.input === undefined) remove(table, holder);
  const word = isAgain ? undefined : wordFor(path, issue, nearest);
  if (word === undefined) remove(table, path);
  else put(table, path, word);
  return issue.input === undefined ? [holder] : [path];
}

/** Any value that can stand in the place of one that cannot; undefined where there is none. */
function wordFor([part]: KeyPath, { type, expected }: Issue, nearest?: string): unknown {
  if (type === 'picklist') return nearest ?? /"(.+?)"/.exec(expected ?? '')?.[1];
  // A key that is none takes away the usual one, which others may have then.
  return part === 'keys' ? '' : undefined;
}

export const inside = (value: unknown, key: string | number): unknown =>
  value !== null && typeof value === 'object' && Object.hasOwn(value, key) ? (value as TomlTable)[key] : undefined;

const at = (table: TomlTable, path: KeyPath): unknown => path.reduce<unknown>(inside, table);

function put(table: TomlTable, path: KeyPath, value: unknown): void {
  const holder = at(table, path.slice(0, -1));
  if (holder !== null && typeof holder === 'object') (holder as TomlTable)[path.at(-1) ?? ''] = value;
}

/** Takes out what is at this path; an item of a list leaves a gap. */
export function remove(table: TomlTable, path: KeyPath): void {
  const holder = at(table, path.slice(0, -1));
  const last = path.at(-1);
  if (last !== undefined && holder !== null && typeof holder === 'object') delete (holder as TomlTable)[last];
}

/** A value without the gaps of its lists, and the way back: the path of what was there before. */
export function compacted(whole: unknown): { value: unknown; inFile: (path: KeyPath) => KeyPath } {
  const places = new Map<string, readonly number[]>();
  const without = (value: unknown, path: KeyPath): unknown => {
    if (Array.isArray(value)) {
      const left = Object.keys(value).map(Number);
      if (left.length < value.length) places.set(JSON.stringify(path), left);
      return left.map((place, index) => without(value[place], [...path, index]));
    }
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, without(inner, [...path, key])]));
  };
  const value = without(whole, []);
  // A schema of a table takes a list as one, and its places as names.
  const inFile = (path: KeyPath) =>
    path.map((key, index) => places.get(JSON.stringify(path.slice(0, index)))?.[Number(key)] ?? key);
  return { value, inFile };
}
