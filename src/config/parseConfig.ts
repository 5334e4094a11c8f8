import { parse, TomlError } from 'smol-toml';
import * as v from 'valibot';
import { withStop } from '../text/words.ts';
import { addBeside, type BesideSource } from './beside.ts';
import {
  columnOf,
  earlierLine,
  type KeyPath,
  keyText,
  type LineOf,
  linesOf,
  maxDepth,
  nestedIn,
  unclosedLine,
} from './lines.ts';
import { compacted, inside, maxUnknown, meantBy, partOf, pathOf, remove, type TomlTable, unseen } from './meant.ts';
import { type CommandConfig, type ConfigFile, configSchema, withDefaults } from './schema.ts';
import { quoted } from './settingRules.ts';

/** A mistake in the configuration. */
export interface Mistake {
  /** From 1, as is the column. */
  line: number;
  column: number;
  path: KeyPath;
  /** A sentence that names line, key and rule, without the file. */
  says: string;
  /** `start`: nothing may be started by this file; the name of a profile: that one; `part`: what it is in is left out. */
  stops: 'start' | 'part' | { profile: string };
  /** Where it is not in the configuration itself. */
  file?: string;
}

/** Something that is no mistake, and hardly meant so. */
export type Warning = Pick<Mistake, 'line' | 'column' | 'says' | 'file'>;

/** The configuration without the parts that have mistakes, and these. */
export type ParsedConfig = ReturnType<typeof parseConfig>;

/** Reports that a key of the configuration is wrong; `says` is the end of a sentence. */
export type Complain = (path: KeyPath, says: string) => void;

/**
 * Finds mistakes that need more than the file, such as unknown areas; a warning leaves nothing out. It sees the parts with
 * other mistakes as they were probably meant, so that all are told at once.
 * @param commandNames the names of all commands, also of those that cannot be read
 */
export type ConfigCheck = (
  config: ConfigFile,
  complain: Complain,
  warn: Complain,
  commandNames: readonly string[],
) => void;

/**
 * Checks a configuration. A part with a mistake is left out: a view, a rule, a hook, a key, a command that changes
 * nothing. One in a profile stops that profile; one in a command that changes something, or outside of all parts, stops
 * every start, because a misspelt safeguard must not be missed.
 * @param checks further checks, on what is left
 * @param beside has further parts, or commands and nothing else
 */
export function parseConfig(source: string, checks: readonly ConfigCheck[] = [], beside: readonly BesideSource[] = []) {
  const mistakes: Mistake[] = [];
  const warnings: Warning[] = [];
  let lineOf: LineOf | undefined;
  const told = (path: KeyPath, says: string): Warning => {
    const other = besideAt(path);
    if (other) return toldOf(other.from.source, other.path, says, other.from.file);
    lineOf ??= linesOf(source);
    return toldOf(source, path, says, undefined, lineOf);
  };
  const found = (path: KeyPath, says: string, stops: Mistake['stops']) =>
    mistakes.push({ path, ...told(path, says), stops });
  let besideAt: ReturnType<typeof addBeside> = () => undefined;
  const unused = { config: v.parse(configSchema, {}), mistakes, warnings, tokenVariables: [] };
  const table = tableOf(source, (mistake) => mistakes.push(mistake));
  if (!table) return unused;
  besideAt = addBeside(table, beside, {
    tableOf: ({ source, file }, path) => tableOf(source, (mistake) => mistakes.push({ ...mistake, path, file })),
    note: ({ source, file }, path, says) =>
      mistakes.push({ ...toldOf(source, path, says, file), path, stops: 'start' }),
  });

  const rest = copyOf(table) as TomlTable;
  const leaveOut = (path: KeyPath, says: string) => {
    found(path, says, stoppedBy(path, table));
    remove(rest, partOf(path));
  };
  // Most files have no mistake, and a start waits for the check of one.
  const read = v.safeParse(configSchema, rest);
  const isFine = read.success && unseen(table).length === 0;
  const meant = isFine ? undefined : meantBy(copyOf(table) as TomlTable);
  if (meant && !meant.isWhole) {
    for (const { path, says } of meant.mistakes) found(path, says, 'start');
    const says = `line 1: More than ${maxUnknown} keys of one table are unknown; these are told, and nothing of the file is used.`;
    mistakes.unshift({ line: 1, column: 1, path: [], says, stops: 'start' });
    return unused;
  }
  for (const { path, says } of meant?.mistakes ?? []) leaveOut(path, says);
  const config = meant ? meant.config : (read.output as ConfigFile);
  const inFile = meant?.inFile ?? ((path: KeyPath) => path);
  const warn: Complain = (path, says) => warnings.push(told(inFile(path), says));
  const complain: Complain = (path, says) => {
    if (!meant?.isDoubtful(inFile(path))) leaveOut(inFile(path), says);
  };
  for (const check of checks) check(config, complain, warn, namesOfCommands(table));
  return {
    config: withDefaults(mistakes.length === 0 ? config : withoutMistakes(rest)),
    mistakes: mistakes.toSorted(inOrder),
    warnings: warnings.toSorted(inOrder),
    /** The variables that any profile names as `token_env`, also one with a mistake. */
    tokenVariables: tokenVariablesIn(table),
  };
}

const inOrder = (one: Warning, other: Warning): number =>
  Number(one.file !== undefined) - Number(other.file !== undefined) ||
  (one.file ?? '').localeCompare(other.file ?? '') ||
  one.line - other.line;

function toldOf(source: string, path: KeyPath, says: string, file?: string, lineOf = linesOf(source)): Warning {
  const line = lineOf(path);
  const column = columnOf(source, line, path);
  return { line, column, says: `line ${line}: ${keyText(path)} ${withStop(says)}`, ...(file && { file }) };
}

/** The configuration of a file without the parts that have mistakes, which are taken out of `rest`. */
function withoutMistakes(rest: TomlTable): ConfigFile {
  for (;;) {
    const { value, inFile } = compacted(rest);
    const { success, output, issues } = v.safeParse(configSchema, value);
    if (success) return output;
    // A part of which another mistake is told.
    for (const issue of issues) remove(rest, partOf(inFile(pathOf(issue))));
  }
}

const namesOfCommands = ({ commands }: TomlTable): readonly string[] =>
  (Array.isArray(commands) ? commands : []).map((command) => String(inside(command, 'name') ?? ''));

function tokenVariablesIn({ profiles }: TomlTable): readonly string[] {
  const named = Object.values(profiles ?? {}).map((profile) => inside(profile, 'token_env'));
  return [...new Set(named.filter((name) => typeof name === 'string' && name !== ''))] as string[];
}

/** A copy to take things from, with times as texts. */
function copyOf(value: unknown): unknown {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? String(value) : value.toISOString();
  if (Array.isArray(value)) return value.map(copyOf);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, copyOf(inner)]));
}

function tableOf(source: string, note: (mistake: Mistake) => void): TomlTable | undefined {
  try {
    const table = parse(source.replace(/^\ufeff/, ''));
    const deep = [...nestedIn(table)].find(({ path }) => path.length > maxDepth);
    if (!deep) return table;
    const says = `line 1: ${keyText(deep.path.slice(0, 6))}… lies more than ${maxDepth} tables deep; the configuration has no such key.`;
    note({ line: 1, column: 1, path: [], says, stops: 'start' });
    return undefined;
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    note({ ...tomlMistake(source, error), path: [], stops: 'start' });
    return undefined;
  }
}

/** Finds the consequence of a mistake at this key. */
function stoppedBy([part, name]: KeyPath, table: TomlTable): Mistake['stops'] {
  if (part === 'profiles' && name !== undefined) return { profile: String(name) };
  if (part === 'commands' && typeof name === 'number') {
    const command = Array.isArray(table.commands) ? (table.commands[name] as Partial<CommandConfig>) : undefined;
    return command?.changes === false ? 'part' : 'start';
  }
  // All profiles may have their safeguards there.
  if (part === 'defaults') return 'start';
  return name !== undefined && Object.hasOwn(configSchema.entries, String(part)) ? 'part' : 'start';
}

/** The line of a mistake of TOML, from 1, and a sentence about it in the words of who wrote it. */
function tomlMistake(source: string, { message, line, column }: TomlError): Warning {
  const lines = source.split(/\r?\n/);
  const reason = (message.split('\n')[0] ?? '').replace(/^Invalid TOML document: /, '');
  const at = lines[line - 1] ?? '';
  const rest = at.slice(column - 1);
  const isAtEnd = rest.trim() === '' && lines.slice(line).every((one) => one.trim() === '');
  const open = isAtEnd ? unclosedLine(source) : line;
  const [key = '', value = ''] = (lines[open - 1] ?? '').trim().split(/=(.*)/s);
  const says = (why: string, where = line) => ({
    line: where,
    column: where === line ? column : 1,
    says: `line ${where}: ${quoted(key.trim())} is not valid TOML: ${why}.`,
  });
  if (reason.startsWith('control characters') ? rest === '' : reason === 'unfinished string')
    return says('a text has no closing quote');
  if (isAtEnd && /^\s*[[{]/.test(value))
    return says(`what ${value.trim().charAt(0)} opens there is never closed`, open);
  if (reason === 'invalid value') {
    if (rest.trim() === '') return says('it has no value');
    const word = rest.replace(/\s*(#.*)?$/, '');
    // It would be the value of another kind, misspelt.
    if (/^[^\W\d]/.test(word)) return says(`a text needs quotes: ${key.trim()} = ${quoted(word)}`);
  }
  if (reason.startsWith('trying to redefine')) {
    const before = earlierLine(source, line);
    return says(before === undefined ? 'it stands there twice' : `it stands in line ${before} already`);
  }
  return says(reason);
}
