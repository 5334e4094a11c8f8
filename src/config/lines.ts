import { parse } from 'smol-toml';
import { attempt } from '../text/errno.ts';
import { quoted } from './settingRules.ts';

/** A key of a TOML text by its tables, and the index within an array of tables. */
export type KeyPath = readonly (string | number)[];

/** A mistake at a key; `says` is the end of a sentence. */
export interface KeyMistake {
  path: KeyPath;
  says: string;
}

/** Finds the line of a key, from 1; of one that is not there, that of its table. */
export type LineOf = (path: KeyPath) => number;

/** Finds the lines of the keys of a valid TOML text; undefined for one that is not there. */
export function exactLinesOf(source: string): (path: KeyPath) => number | undefined {
  const lines = new Map<string, number>();
  const note = (path: KeyPath, line: number) => {
    for (let length = 1; length <= path.length; length++) {
      const key = JSON.stringify(path.slice(0, length));
      if (!lines.has(key)) lines.set(key, line);
    }
  };
  for (const { path, line } of placesIn(source)) note(path, line);
  return (path) => lines.get(JSON.stringify(path));
}

/** Finds the lines of the keys of a valid TOML text. */
export function linesOf(source: string): LineOf {
  const exact = exactLinesOf(source);
  return (path) => {
    for (let length = path.length; length > 0; length--) {
      const line = exact(path.slice(0, length));
      if (line !== undefined) return line;
    }
    return 1;
  };
}

/** The column of a key in its line, from 1; that of the first word, where the line has no name of its path. */
export function columnOf(source: string, line: number, path: KeyPath): number {
  const text = source.replace(/^\ufeff/, '').split(/\r?\n/, line)[line - 1] ?? '';
  for (const key of path.toReversed()) {
    if (typeof key === 'number') continue;
    const name = key.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    const found = new RegExp(`(?<![\\w-])${name}(?=["']?\\s*[=.\\]])`).exec(text);
    if (found) return found.index + 1;
  }
  return text.length - text.trimStart().length + 1;
}

/** The paths of all headers and values, with their lines. */
function* placesIn(source: string): Iterable<{ path: KeyPath; line: number }> {
  /** The number of tables in each array of tables. */
  const counts = new Map<string, number>();
  let table: KeyPath = [];
  for (const { line, isHeader, value } of statementsOf(source)) {
    if (isHeader) table = tableAt(value, counts);
    for (const path of isHeader ? [[]] : pathsIn(value)) yield { path: [...table, ...path], line };
  }
}

/** The line where what stands in a line stood before; undefined where that cannot be told. */
export function earlierLine(source: string, line: number): number | undefined {
  const again = [...placesIn(source)].find((place) => place.line === line);
  return again && linesOf(source.split('\n', line - 1).join('\n'))(again.path);
}

/** The first line of what is never closed, in a text that ends within it. */
export const unclosedLine = (source: string): number => 1 + ([...statementsOf(source)].at(-1)?.end ?? 0);

/** A header or a key with its value, each of which is valid TOML alone. */
interface Statement {
  line: number;
  /** Its last line. */
  end: number;
  isHeader: boolean;
  value: unknown;
}

/** A value of many lines is read again at each that may be its end; keys behind more than this are in no line. */
const maxCharacters = 2 ** 22;

function* statementsOf(source: string): Iterable<Statement> {
  const lines = source.replace(/^\ufeff/, '').split(/\r?\n/);
  let start = 0;
  let characters = 0;
  for (const [nth, text] of lines.entries()) {
    // A value of several lines can end only where something is closed.
    if (nth > start && !/"""|'''|[\]}]/.test(text)) continue;
    const statement = lines.slice(start, nth + 1).join('\n');
    characters += statement.length;
    if (characters > maxCharacters) return;
    const value = attempt(() => parse(statement));
    if (value === undefined) continue;
    yield { line: start + 1, end: nth + 1, isHeader: nth === start && text.trimStart().startsWith('['), value };
    start = nth + 1;
  }
}

/** The names in a header, of which each table has one key; an array at their end makes a new table of several. */
function namesIn(value: unknown): { names: readonly string[]; isNew: boolean } {
  if (Array.isArray(value)) return { names: [], isNew: true };
  const [entry] = value !== null && typeof value === 'object' ? Object.entries(value) : [];
  if (!entry) return { names: [], isNew: false };
  const { names, isNew } = namesIn(entry[1]);
  return { names: [entry[0], ...names], isNew };
}

/** The path of the table that a header begins, with the indices of the arrays of tables on its way. */
function tableAt(header: unknown, counts: Map<string, number>): KeyPath {
  const { names, isNew } = namesIn(header);
  const path: (string | number)[] = [];
  for (const [nth, name] of names.entries()) {
    path.push(name);
    const key = JSON.stringify(path);
    if (isNew && nth === names.length - 1) counts.set(key, (counts.get(key) ?? 0) + 1);
    const count = counts.get(key);
    if (count !== undefined) path.push(count - 1);
  }
  return path;
}

function pathsIn(value: unknown): readonly KeyPath[] {
  if (value === null || typeof value !== 'object') return [[]];
  const entries = Array.isArray(value) ? value.map((item, nth) => [nth, item] as const) : Object.entries(value);
  return entries.length === 0 ? [[]] : entries.flatMap(([key, inner]) => pathsIn(inner).map((path) => [key, ...path]));
}

/** The deepest nesting of a file; what reads a value recurses for each level. */
export const maxDepth = 40;

/** The objects and lists within a value, each before those that lie in it; below the deepest level, none. */
export function* nestedIn(value: unknown, path: KeyPath = []): Iterable<{ path: KeyPath; value: object }> {
  if (value === null || typeof value !== 'object') return;
  yield { path, value };
  if (path.length > maxDepth) return;
  for (const [name, inner] of Object.entries(value))
    yield* nestedIn(inner, [...path, Array.isArray(value) ? Number(name) : name]);
}

/** Whether objects of the language have a name for themselves, which a schema passes over. */
export const isReserved = (name: string): boolean => ['__proto__', 'constructor', 'prototype'].includes(name);

/** The path as it is written in a sentence: `commands[2].key`, the second from 1. */
export const keyText = (path: KeyPath): string =>
  path
    .map((key, index) => {
      if (typeof key === 'number') return `[${key + 1}]`;
      const name = /^[\w$-]+$/.test(key) ? key : quoted(key);
      return index > 0 ? `.${name}` : name;
    })
    .join('');
