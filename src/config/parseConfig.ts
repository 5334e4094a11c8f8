import { parse, TomlError } from 'smol-toml';
import * as v from 'valibot';
import { type KeyPath, keyText, type LineOf, linesOf } from './lines.ts';
import { type CommandConfig, type Config, configSchema } from './schema.ts';
import { quoted } from './settingRules.ts';

/** A mistake in the configuration. */
export interface Mistake {
  /** From 1. */
  line: number;
  path: KeyPath;
  /** A sentence that names line, key and rule, without the file. */
  says: string;
  /** `start`: nothing may be started by this file; the name of a profile: that one; `part`: what it is in is left out. */
  stops: 'start' | 'part' | { profile: string };
}

/** Something that is no mistake, and hardly meant so. */
export type Warning = Pick<Mistake, 'line' | 'says'>;

/** The configuration without the parts that have mistakes, and these. */
export interface ParsedConfig {
  config: Config;
  mistakes: readonly Mistake[];
  warnings: readonly Warning[];
  /** The variables that any profile names as `token_env`, also one with a mistake. */
  tokenVariables: readonly string[];
}

/** Reports that a key of the configuration is wrong; `says` is the end of a sentence. */
export type Complain = (path: KeyPath, says: string) => void;

/** Finds mistakes that need more than the file, such as unknown areas; a warning leaves nothing out. */
export type ConfigCheck = (config: Config, complain: Complain, warn: Complain) => void;

type Table = Record<string, unknown>;

/**
 * Checks a configuration. A part with a mistake is left out: a view, a rule, a hook, a key, a command that changes
 * nothing. One in a profile stops that profile; one in a command that changes something, or outside of all parts, stops
 * every start, because a misspelt safeguard must not be missed.
 * @param checks further checks, on what is left
 */
export function parseConfig(source: string, checks: readonly ConfigCheck[] = []): ParsedConfig {
  const mistakes: Mistake[] = [];
  const warnings: Warning[] = [];
  let lineOf: LineOf | undefined;
  const told = (path: KeyPath, says: string): Warning => {
    lineOf ??= linesOf(source);
    const line = lineOf(path);
    return { line, says: `line ${line}: ${keyText(path)} ${says.replace(/[^.?]$/, '$&.')}` };
  };
  const found = (path: KeyPath, says: string, stops: Mistake['stops']) =>
    mistakes.push({ path, ...told(path, says), stops });
  const unused = { config: v.parse(configSchema, {}), mistakes, warnings, tokenVariables: [] };
  const table = tableOf(source, (mistake) => mistakes.push(mistake));
  if (!table) return unused;

  const rest = copyOf(table) as Table;
  const first = v.safeParse(configSchema, rest);
  const { issues, isWhole } = first.success ? { issues: [], isWhole: true } : issuesIn(rest, first.issues);
  if (!isWhole) {
    for (const issue of issues) found(pathOf(issue), issue.message, 'start');
    const says = `line 1: More than ${maxUnknown} keys of one table are unknown; these are told, and nothing of the file is used.`;
    mistakes.unshift({ line: 1, path: [], says, stops: 'start' });
    return unused;
  }
  const left = new Set<string>();
  const leaveOut = (path: KeyPath, says: string) => {
    found(path, says, stoppedBy(path, table));
    remove(rest, partOf(path));
    left.add(JSON.stringify(partOf(path)));
  };
  for (const path of reservedIn(table)) leaveOut(path, 'cannot be a name here; choose another');
  for (const part of ['profiles', 'keys', 'views'])
    if (Array.isArray(rest[part])) leaveOut([part], `must be made of tables like [${part}.work], not [[${part}]]`);
  const ofNames = new Set(left);
  for (const issue of issues) {
    const path = pathOf(issue);
    if (!ofNames.has(JSON.stringify(partOf(path)))) leaveOut(path, issue.message);
  }
  // The checks know what is left by its present place.
  const places = new Map(Object.entries(rest).map(([part, items]) => [part, Object.keys(items ?? {}).map(Number)]));
  const inFile = (path: KeyPath): KeyPath => {
    const [part = '', index, ...inner] = path;
    return typeof index === 'number' ? [part, places.get(String(part))?.[index] ?? index, ...inner] : path;
  };
  // Most files have no mistake, and a start waits for the check of one.
  const config = first.success && left.size === 0 ? first.output : v.parse(configSchema, withoutGaps(rest));
  const known = mistakes.length;
  const warn: Complain = (path, says) => warnings.push(told(inFile(path), says));
  for (const check of checks) check(config, (path, says) => leaveOut(inFile(path), says), warn);
  return {
    config: mistakes.length === known ? config : v.parse(configSchema, withoutGaps(rest)),
    mistakes: mistakes.toSorted((one, other) => one.line - other.line),
    warnings: warnings.toSorted((one, other) => one.line - other.line),
    tokenVariables: tokenVariablesIn(table),
  };
}

function tokenVariablesIn({ profiles }: Table): readonly string[] {
  const named = Object.values(profiles ?? {}).map((profile) => inside(profile, 'token_env'));
  return [...new Set(named.filter((name) => typeof name === 'string' && name !== ''))] as string[];
}

/** So many unknown keys of one table are told. */
const maxUnknown = 30;

/**
 * All that the schema has against a table. Of unknown keys it tells one of each table, so it is asked again without them;
 * `isWhole` says whether these were all.
 */
function issuesIn(table: Table, all: readonly Issue[]): { issues: readonly Issue[]; isWhole: boolean } {
  const probe = copyOf(table) as Table;
  const isUnknown = ({ expected }: Issue) => expected === 'never';
  const issues = [...all];
  let unknown = all.filter(isUnknown);
  for (let times = 1; unknown.length > 0 && times <= maxUnknown; times++) {
    for (const issue of unknown) remove(probe, pathOf(issue));
    unknown = (v.safeParse(configSchema, probe).issues ?? []).filter(isUnknown);
    if (times < maxUnknown) issues.push(...unknown);
  }
  return { issues, isWhole: unknown.length === 0 };
}

/** Names that objects of the language have for themselves, which a schema passes over. */
const reserved = new Set(['__proto__', 'constructor', 'prototype']);

function reservedIn(value: unknown, path: KeyPath = []): readonly KeyPath[] {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const key = Array.isArray(value) ? Number(name) : name;
    return reserved.has(name) ? [[...path, key]] : reservedIn(inner, [...path, key]);
  });
}

/** A copy to take things from, with times as texts. */
function copyOf(value: unknown): unknown {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? String(value) : value.toISOString();
  if (Array.isArray(value)) return value.map(copyOf);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, copyOf(inner)]));
}

/** Takes out what is at this path; an item of a list leaves a gap. */
function remove(table: Table, path: KeyPath): void {
  let holder: unknown = table;
  for (const key of path.slice(0, -1)) holder = inside(holder, key);
  const last = path.at(-1);
  if (last !== undefined && holder !== null && typeof holder === 'object') delete (holder as Table)[last];
}

const inside = (value: unknown, key: string | number): unknown =>
  value !== null && typeof value === 'object' && Object.hasOwn(value, key) ? (value as Table)[key] : undefined;

const withoutGaps = (table: Table): Table =>
  Object.fromEntries(
    Object.entries(table).map(([part, items]) => [part, Array.isArray(items) ? Object.values(items) : items]),
  );

/** No key of the configuration lies so deep; what reads a table recurses for each level. */
const maxDepth = 40;

/** The path of a value that lies deeper; undefined where there is none. */
function tooDeep(value: unknown, path: readonly string[] = []): KeyPath | undefined {
  if (value === null || typeof value !== 'object') return undefined;
  if (path.length > maxDepth) return path;
  for (const [name, inner] of Object.entries(value)) {
    const deep = tooDeep(inner, [...path, name]);
    if (deep) return deep;
  }
  return undefined;
}

function tableOf(source: string, note: (mistake: Mistake) => void): Table | undefined {
  try {
    const table = parse(source.replace(/^\ufeff/, ''));
    const deep = tooDeep(table);
    if (!deep) return table;
    const says = `line 1: ${keyText(deep.slice(0, 6))}… lies more than ${maxDepth} tables deep; the configuration has no such key.`;
    note({ line: 1, path: [], says, stops: 'start' });
    return undefined;
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [first = ''] = error.message.split('\n');
    const reason = first.replace(/^Invalid TOML document: /, '');
    const [key = ''] = (source.split('\n')[error.line - 1] ?? '').trim().split('=');
    const says = `line ${error.line}: ${quoted(key.trim())} is not valid TOML: ${reason}.`;
    note({ line: error.line, path: [], says, stops: 'start' });
    return undefined;
  }
}

type Issue = v.InferIssue<typeof configSchema>;

const pathOf = (issue: Issue): KeyPath => (issue.path ?? []).map(({ key }) => key as string | number);

/** Finds the consequence of a mistake at this key. */
function stoppedBy([part, name]: KeyPath, table: Table): Mistake['stops'] {
  if (part === 'profiles' && name !== undefined) return { profile: String(name) };
  if (part === 'commands' && typeof name === 'number') {
    const command = Array.isArray(table.commands) ? (table.commands[name] as Partial<CommandConfig>) : undefined;
    return command?.changes === false ? 'part' : 'start';
  }
  return name !== undefined && Object.hasOwn(configSchema.entries, String(part)) ? 'part' : 'start';
}

/** The path of what is left out for a mistake at this key: a profile, a view, a command; of the keys, one action. */
const partOf = (path: KeyPath): KeyPath => path.slice(0, path[0] === 'keys' ? 3 : 2);
