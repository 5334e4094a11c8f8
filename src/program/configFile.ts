import { constants, open } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, TomlError } from 'smol-toml';
import { reasonOf } from '../text/errno.ts';
import { orSuggestion } from './nearest.ts';
import { modeText, quoted, settingRules, UsageError } from './rules.ts';

/** One checked `[profiles.NAME]` of the configuration. */
export interface Profile {
  base_url?: string;
  token_env?: string;
  token_file?: string;
  token_command?: readonly string[];
  read_only?: boolean;
  critical?: boolean;
  theme?: string;
  /** The number of colours, as text. */
  colors?: string;
  mouse?: boolean;
  screen_reader?: boolean;
  /** In seconds. */
  refresh?: number;
  vocabulary?: Readonly<Record<string, string>>;
  /** Whether the token may be sent unencrypted to another machine. */
  insecure_http?: boolean;
}

/** The configuration: where it was read from and its profiles; no profile where there is no file. */
export interface Config {
  file: string;
  found: boolean;
  profiles: Readonly<Record<string, Profile>>;
}

type Table = Record<string, unknown>;
type Check = (value: unknown) => string | undefined;

const text =
  (rule: (value: string) => string | undefined = () => undefined): Check =>
  (value) =>
    typeof value === 'string' && value !== '' ? rule(value) : `must be a text; it is ${quoted(value)}`;
const flag: Check = (value) =>
  typeof value === 'boolean' ? undefined : `must be true or false; it is ${quoted(value)}`;
const words: Check = (value) =>
  Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === 'string' && word !== '')
    ? undefined
    : `must be a list of texts like ["pass", "show", "cloud"]; it is ${quoted(value)}`;

const checks: Readonly<Record<keyof Profile, Check>> = {
  base_url: text(settingRules.baseUrl),
  token_env: text(),
  token_file: text(),
  token_command: words,
  read_only: flag,
  critical: flag,
  theme: text(settingRules.theme),
  colors: text(settingRules.colors),
  mouse: flag,
  screen_reader: flag,
  refresh: settingRules.refresh,
  insecure_http: flag,
  vocabulary: (value) =>
    isTable(value) ? undefined : `must be a table like { server = "acme" }; it is ${quoted(value)}`,
};
const profileKeys = Object.keys(checks);
const sources: readonly (keyof Profile)[] = ['token_env', 'token_file', 'token_command'];

/** Words in paths and fields of the documents that a deployment may replace by its own. */
const standIns = ['server', 'servers', 'monitor', 'kube', 'watchdog', 'console', 'avatar'];
const word: Check = (value) =>
  typeof value === 'string' && /^[a-z][a-z0-9_-]*$/.test(value)
    ? undefined
    : `must be a word of lower-case letters, digits, - and _; it is ${quoted(value)}`;

/** The file of the configuration unless another is named. */
export const defaultConfigFile = (configHome: string): string => join(configHome, 'skydeck', 'config.toml');

/**
 * Reads and checks the configuration.
 * @param wanted whether the file was named by the user, so that its absence is a mistake
 * Throws a UsageError that names the file, the line, the key and the rule.
 */
export async function readConfig(file: string, wanted: boolean): Promise<Config> {
  let source: string;
  try {
    source = await readOwn(file);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' && !wanted) return { file, found: false, profiles: {} };
    throw new UsageError(`The configuration ${file} cannot be read: ${reasonOf(error)}.`);
  }
  return { file, found: true, profiles: profilesOf(file, source) };
}

/** The text of a file that nobody else can have written, as it may name a program to run. */
async function readOwn(file: string): Promise<string> {
  // With O_NONBLOCK a pipe opens at once, and is refused.
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = await handle.stat();
    if (!stat.isFile() && !stat.isDirectory()) throw new UsageError(`The configuration ${file} is not a file.`);
    if (stat.isFile() && stat.mode & 0o022) {
      throw new UsageError(
        `The configuration ${file} can be changed by others (mode ${modeText(stat.mode)}), and it may name a program to run; run: chmod go-w ${file}`,
      );
    }
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

function profilesOf(file: string, source: string): Record<string, Profile> {
  const complain = (path: readonly string[], says: string): never => {
    throw new UsageError(`${file}, line ${lineOf(source, path)}: ${path.join('.')} ${says}`);
  };
  const table = parsed(file, source);
  for (const key of Object.keys(table)) {
    if (key !== 'profiles') complain([key], `is unknown; settings belong in [profiles.NAME].`);
  }
  const profiles = table.profiles ?? {};
  if (!isTable(profiles)) return complain(['profiles'], 'must be made of tables like [profiles.work].');
  for (const [name, profile] of Object.entries(profiles)) checkProfile(['profiles', name], profile, complain);
  return profiles as Record<string, Profile>;
}

function checkProfile(
  path: readonly string[],
  profile: unknown,
  complain: (path: readonly string[], says: string) => never,
) {
  if (!isTable(profile)) return complain(path, `must be a table like [${path.join('.')}].`);
  for (const [key, value] of Object.entries(profile)) {
    if (key === 'token') complain([...path, key], `must not be in this file; use one of ${sources.join(', ')}.`);
    if (!profileKeys.includes(key)) {
      complain(
        [...path, key],
        `is unknown${orSuggestion(key, profileKeys)} The settings are ${profileKeys.join(', ')}.`,
      );
    }
    const wrong = checks[key as keyof Profile](value);
    if (wrong) complain([...path, key], `${wrong}.`);
  }
  for (const [key, value] of Object.entries((profile.vocabulary ?? {}) as Table)) {
    if (!standIns.includes(key))
      complain([...path, 'vocabulary', key], `is unknown; the words are ${standIns.join(', ')}.`);
    const wrong = word(value);
    if (wrong) complain([...path, 'vocabulary', key], `${wrong}.`);
  }
  const [one, other] = sources.filter((key) => profile[key] !== undefined);
  if (one && other)
    complain([...path, other], `cannot be set together with ${one}; keep exactly one of ${sources.join(', ')}.`);
}

function parsed(file: string, source: string): Table {
  try {
    return parse(source);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [first = ''] = error.message.split('\n');
    const says = first.replace(/^Invalid TOML document: /, '');
    const [line = ''] = (source.split('\n')[error.line - 1] ?? '').trim().split('=');
    throw new UsageError(`${file}, line ${error.line}: ${quoted(line.trim())} is not valid TOML: ${says}.`);
  }
}

/** The line number of a key, from 1: the first lines are parsed, one more each time, until they have the key. */
function lineOf(source: string, path: readonly string[]): number {
  const lines = source.split('\n');
  let start = 1;
  for (let count = 1; count <= lines.length; count++) {
    let table: unknown;
    try {
      table = parse(lines.slice(0, count).join('\n'));
    } catch {
      continue; // The text ends within a value of several lines.
    }
    for (const key of path) table = isTable(table) ? table[key] : undefined;
    if (table !== undefined) return start;
    start = count + 1;
  }
  return start;
}

const isTable = (value: unknown): value is Table =>
  value !== null && typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date);
