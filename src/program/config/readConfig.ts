import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { BesideSource } from '../../config/beside.ts';
import { noConfig } from '../../config/configuration.ts';
import type { Mistake, ParsedConfig, Warning } from '../../config/parseConfig.ts';
import type { ConfigFile } from '../../config/schema.ts';
import { isRow, type Row } from '../../resources/row.ts';
import type { Environment } from '../../terminal/capabilities.ts';
import { attempt, reasonOf } from '../../text/errno.ts';
import { readCache, saveCache } from '../compiled.ts';
import { configHome } from '../directories.ts';
import { readPrivate, type Trusted } from '../privateFile.ts';
import { UsageError } from '../rules.ts';

/** The configuration as it was read; without a file it is empty. */
export interface ReadConfig {
  file: string;
  found: boolean;
  config: ConfigFile;
  /** The mistakes because of which parts were left out, by line; those of another file name it. */
  mistakes: readonly Mistake[];
  warnings: readonly Warning[];
  /** The file of commands beside it, where there is one. */
  commandsFile?: string;
  /** The files of its folder, in the order in which they are read. */
  further?: readonly string[];
  /** The variables that any profile names as `token_env`. */
  tokenVariables: readonly string[];
}

/**
 * The file of the configuration: the named one, else that of the environment, else that of the user.
 * `wanted` says whether it was named, so that its absence is a mistake.
 */
export function configFile(named: string | undefined, env: Environment): { file: string; wanted: boolean } {
  const wanted = named ?? (env.SKYDECK_CONFIG || undefined);
  return { file: wanted ?? join(configHome(env), 'skydeck', 'config.toml'), wanted: wanted !== undefined };
}

/** The file of the views that are saved while the program runs, beside the configuration. */
export const viewsFileOf = (configFile: string): string => join(dirname(configFile), 'views.toml');

/** The file of further commands, beside the configuration; none beside itself. */
export const commandsFileOf = (configFile: string): string => join(dirname(configFile), commandsName);

const commandsName = 'commands.toml';

/** Reads and checks the configuration with the commands and the saved views beside it; of two with one name, that of the configuration counts. */
export async function readConfig(file: string, wanted: boolean, cached?: CachedConfig): Promise<ReadConfig> {
  const read = await readConfigFile(file, wanted, cached, besideOf(file));
  const views = viewsFileOf(file);
  const saved = await readConfigFile(views, false, cached).catch((error: Error) => error);
  if (saved instanceof Error) {
    // A file of views that cannot be read stops nothing.
    const unread: Mistake = { line: 1, column: 1, path: [], says: saved.message, stops: 'part', file: views };
    return { ...read, mistakes: [...read.mistakes, unread] };
  }
  if (!saved.found) return read;
  return {
    ...read,
    config: { ...read.config, views: { ...saved.config.views, ...read.config.views } },
    mistakes: [...read.mistakes, ...saved.mistakes.map((one): Mistake => ({ ...one, stops: 'part', file: views }))],
    warnings: [...read.warnings, ...saved.warnings.map((one) => ({ ...one, file: views }))],
  };
}

/** The folder of further files beside a configuration, read in the order of their names as if they stood in it. */
const folderOf = (configFile: string): string => join(dirname(configFile), 'config.d');

/**
 * The files beside a configuration: those of its folder, then that of commands.
 * Throws a UsageError of one sentence, as the configuration does.
 */
export function besideOf(configFile: string): readonly BesideSource[] {
  const folder = folderOf(configFile);
  const names = basename(configFile) === commandsName || dirname(configFile) === folder ? [] : tomlFilesIn(folder);
  const read = (file: string, more: Pick<BesideSource, 'isOfCommands'> = {}): readonly BesideSource[] => {
    const source = textOf(file, false);
    return source === undefined ? [] : [{ file, source, ...more }];
  };
  const commands =
    basename(configFile) === commandsName ? [] : read(commandsFileOf(configFile), { isOfCommands: true });
  return [...names.flatMap((name) => read(join(folder, name))), ...commands];
}

function tomlFilesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^[^.].*\.toml$/.test(name))
      .sort();
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw new UsageError(`The folder ${folder} cannot be read: ${reasonOf(error)}.`);
  }
}

/**
 * Reads and checks the configuration; mistakes in it are returned.
 * @param wanted whether the file was named by the user, so that its absence is a mistake
 * @param cached results of earlier starts
 * Throws a UsageError of one sentence where the file cannot be read, or others may have written it.
 */
async function readConfigFile(
  file: string,
  wanted: boolean,
  cached?: CachedConfig,
  beside: readonly BesideSource[] = [],
): Promise<ReadConfig> {
  const source = textOf(file, wanted);
  const found = source !== undefined;
  if (!found && beside.length === 0)
    return { file, found, config: noConfig, mistakes: [], warnings: [], tokenVariables: [] };
  const commandsFile = beside.find(({ isOfCommands }) => isOfCommands)?.file;
  const further = beside.filter(({ isOfCommands }) => !isOfCommands).map((one) => one.file);
  const known = { file, found, commandsFile, further };
  const whole = beside.length > 0 ? JSON.stringify([source, beside]) : (source ?? '');
  const before = cached?.read(file, whole);
  if (before) return { ...known, ...before };
  // Without a file the start does not wait for the schema and its checks.
  const { parseConfig } = await import('../../config/parseConfig.ts');
  const { configChecks } = await import('./checks.ts');
  const parsed = parseConfig(source ?? '', configChecks, beside);
  cached?.keep(file, whole, parsed);
  return { ...known, ...parsed };
}

/** The text of a file; undefined where there is none, and none is wanted. Throws a UsageError of one sentence. */
export function textOf(file: string, wanted: boolean): string | undefined {
  try {
    return readOwn(file);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' && !wanted) return undefined;
    throw new UsageError(`The configuration ${file} cannot be read: ${reasonOf(error)}.`);
  }
}

/** The names of profiles, and of views with those that are saved, without a check; none of a file that cannot be read. */
export async function configNames(file: string): Promise<{ profiles: readonly string[]; views: readonly string[] }> {
  const { parse } = await import('smol-toml');
  const tablesOf = (file: string) => attempt(() => parse(readOwn(file))) ?? {};
  const further = tomlFilesIn(folderOf(file)).map((name) => join(folderOf(file), name));
  const tables = [viewsFileOf(file), file, ...further].map(tablesOf);
  const tableIn = (all: Row, part: string) => (isRow(all[part]) ? all[part] : {});
  const named = (part: string) => Object.keys(Object.assign({}, ...tables.map((all) => tableIn(all, part))));
  return { profiles: named('profiles'), views: named('views') };
}

/** The views that were left out, each with its first mistake; that of the whole file of saved views has an empty name. */
export const brokenViews = ({ file, mistakes }: ReadConfig): ReadonlyMap<string, string> =>
  new Map(
    mistakes
      .filter(({ path, file: own }) => (path[0] === 'views' && path[1] !== undefined) || (own && path.length === 0))
      .toReversed()
      .map((mistake) => [String(mistake.path[1] ?? ''), mistakeText(file, mistake)]),
  );

/** A sentence about a mistake, with the file. */
export const mistakeText = (file: string, { says, file: own = file }: Pick<Mistake, 'says' | 'file'>): string =>
  `${own}, ${says}`;

/** It is the user's, and may name a program to run. */
export const trustedConfig: Trusted = {
  called: 'The configuration',
  because: 'and it may name a program to run',
  isUsers: true,
};

/** The text of a file that nobody else can have written. Throws a UsageError, and errors of the system. */
const readOwn = (file: string): string => readPrivate(file, trustedConfig).toString();

/**
 * The results of checking configurations, kept beside the compiled code until the text or the program is another one:
 * checking takes longer than all else of a start.
 */
export type CachedConfig = ReturnType<typeof cachedConfig>;

type Entries = Readonly<Record<string, { source: string; parsed: ParsedConfig }>>;

/** The configuration and the saved views, of a few users of this directory. */
const maxEntries = 8;

/**
 * @param directory of the compiled code, which nobody else can write
 * @param build names the program
 */
export function cachedConfig(directory: string, build: string, owner: number | undefined) {
  const cacheFile = join(directory, `config-${build}`);
  let entries: Entries | undefined;
  const all = (): Entries => {
    entries ??= attempt<Entries>(() => JSON.parse(String(readCache(cacheFile, build, owner) ?? '{}'))) ?? {};
    return entries;
  };
  return {
    /** The result for this text; undefined where it was not checked by this program. */
    read(file: string, source: string) {
      const entry = Object.hasOwn(all(), file) ? all()[file] : undefined;
      return entry?.source === source ? entry.parsed : undefined;
    },
    keep(file: string, source: string, parsed: ParsedConfig) {
      const others = Object.entries(all()).filter(([name]) => name !== file);
      entries = Object.fromEntries([[file, { source, parsed }] as const, ...others].slice(0, maxEntries));
      void saveCache(cacheFile, build, owner, Buffer.from(JSON.stringify(entries)));
    },
  };
}
