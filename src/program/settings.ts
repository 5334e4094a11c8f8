import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { proxiesIn } from '../api/proxies.ts';
import type { ApiOptions } from '../api/request.ts';
import { type Configuration, configurationOf, noConfiguration } from '../config/configuration.ts';
import type { Profile } from '../config/schema.ts';
import { addressMistake, colorDepths, isUnencrypted } from '../config/settingRules.ts';
import type { Settings } from '../store/session.ts';
import type { Environment } from '../terminal/capabilities.ts';
import { orSuggestion } from '../text/nearest.ts';
import {
  brokenViews,
  type CachedConfig,
  configFile,
  mistakeText,
  type ReadConfig,
  readConfig,
} from './config/readConfig.ts';
import type { Invocation, Options } from './invocation.ts';
import { explained, UsageError } from './rules.ts';
import { checkedToken, type Token, tokenOf } from './token.ts';

/** Thrown where nothing names an account: neither a profile nor the environment. */
export class NoAccountError extends UsageError {}

/**
 * The settings of a run: options before environment before profile before defaults. The account is that of a profile which
 * an option names, whatever the environment says.
 */
export interface RunSettings extends Settings, Pick<ApiOptions, 'proxies' | 'exchanges' | 'vocabulary'> {
  /** The address and the token; absent with the demo, which has its own. */
  account?: { baseUrl: string; token: Token };
  /** The profile itself, where one is used. */
  own?: Profile;
  configFile?: string;
  /** Where the configuration is or would be, with the files beside it; absent with the demo. */
  configPath?: string;
  /** The file of commands beside it, where one was read. */
  commandsFile?: string;
  /** The parts of the file that concern this account, and those for all. */
  configuration: Configuration;
  /** The names of all profiles of the configuration. */
  profiles: readonly string[];
  /** The variables that any profile names as `token_env`, which no other program gets. */
  tokenVariables: readonly string[];
  /** Sentences about the parts of the configuration that were left out. */
  leftOut: readonly string[];
  followsBackground: boolean;
  /** Clicks and the wheel are of use; the terminal itself selects text only with shift. */
  mouse: boolean;
  screenReader: boolean;
}

/** The settings in force where nothing says otherwise. */
export const defaults = { theme: 'dark', refreshSeconds: 15 };

/** The configuration of a run. Throws a UsageError where it cannot be read. */
export function readNamedConfig(options: Options, env: Environment, kept?: CachedConfig): Promise<ReadConfig> {
  const { file, wanted } = configFile(options.config, env);
  return readConfig(file, wanted, kept);
}

/** The configuration of several profiles. Throws a UsageError where it cannot be read, or where one is not in it. */
export async function readProfiles(
  profiles: readonly string[],
  options: Options,
  env: Environment,
): Promise<ReadConfig> {
  const read = await readNamedConfig(options, env);
  const known = profilesIn(read);
  const unknown = profiles.find((profile) => !known.includes(profile));
  // Its sentence names the profiles that there are.
  if (unknown !== undefined) await settingsOfProfile(read, unknown, options, env);
  return read;
}

/** The texts of settings that no report may have. */
export const secretsOf = ({ account, proxies }: RunSettings): readonly string[] => [
  ...(account ? [account.token.value] : []),
  ...[proxies?.http, proxies?.https].flatMap((proxy) => proxy?.secrets ?? []),
];

/**
 * Merges options, environment and configuration and reads the token.
 * Throws a UsageError of one sentence where something is missing or wrong.
 */
export async function readSettings(options: Options, env: Environment, kept?: CachedConfig): Promise<RunSettings> {
  if (options.replay !== undefined) {
    const { settingsOfReplay } = await import('./recording/replay.ts');
    return { ...withoutFile(options, env), ...settingsOfReplay(options.replay) };
  }
  if (options.demo) return { ...withoutFile(options, env), profile: 'demo', demo: true };
  const read = await readNamedConfig(options, env, kept);
  return settingsOf(read, options, env);
}

/**
 * The settings of a profile that is one of several: address and token are its own, whatever options and environment say
 * of the account that they mean.
 * Throws a UsageError of one sentence where something is missing or wrong.
 */
export const settingsOfProfile = (
  read: ReadConfig,
  profile: string,
  options: Options,
  env: Environment,
): Promise<RunSettings> => settingsOf(read, { ...options, profile, baseUrl: undefined }, env, true);

async function settingsOf(
  read: ReadConfig,
  options: Options,
  env: Environment,
  isOneOfSeveral = false,
): Promise<RunSettings> {
  const { config } = read;
  const { SKYDECK_TOKEN, SKYDECK_BASE_URL } = isOneOfSeveral ? {} : env;
  const { name, profile } = chosenProfile(read, options, env);
  const { token: isOwnToken, address: isOwnAddress } = ownSources(profile, options);
  const token =
    SKYDECK_TOKEN && !isOwnToken
      ? checkedToken(SKYDECK_TOKEN, 'The variable SKYDECK_TOKEN')
      : await tokenOf(profile, env, read.file, read.tokenVariables);
  if (!token)
    throw name === undefined ? new NoAccountError(withoutToken(name, read)) : new UsageError(withoutToken(name, read));
  const fromEnvironment = isOwnAddress ? undefined : nonEmpty(SKYDECK_BASE_URL);
  const baseUrl = baseUrlOf(options.baseUrl, fromEnvironment, profile);
  return {
    ...preferences(options, profile, env),
    profile: name ?? 'environment',
    host: name === undefined ? new URL(baseUrl).host : undefined,
    demo: false,
    account: { baseUrl, token },
    tlsWarning: tlsWarningOf(baseUrl, env),
    accountOf: overridden(profile, {
      token: Boolean(SKYDECK_TOKEN) && !isOwnToken,
      address: options.baseUrl === undefined && fromEnvironment !== undefined,
    }),
    configFile: read.found ? read.file : undefined,
    configPath: read.file,
    commandsFile: read.commandsFile,
    own: name === undefined ? undefined : profile,
    configuration: {
      ...configurationOf(config, name ?? ''),
      brokenViews: brokenViews(read),
      ...(options.theme && { theme: undefined }),
    },
    profiles: profilesIn(read),
    tokenVariables: read.tokenVariables,
    leftOut: read.mistakes.filter(({ stops }) => stops === 'part').map((mistake) => mistakeText(read.file, mistake)),
    vocabulary: profile.vocabulary,
    proxies: explained(() => proxiesIn(env)),
  };
}

const noProfile: Profile = { guards: [] };

/** The settings where no configuration is read. */
const withoutFile = (options: Options, env: Environment) => ({
  ...preferences(options, noProfile, env),
  ...{ configuration: noConfiguration, profiles: [], tokenVariables: [], leftOut: [] },
});

const namesToken = ({ token_env, token_file, token_command }: Profile): boolean =>
  [token_env, token_file, token_command].some((source) => source !== undefined);

/** Whether token and address are the profile's own, whatever the environment says: where an option names it, and it has them. */
export const ownSources = (profile: Profile, { profile: named }: Options) => ({
  token: named !== undefined && namesToken(profile),
  address: named !== undefined && profile.base_url !== undefined,
});

/** Tells that variables of the environment take the place of what the profile says, in a few words. */
function overridden(profile: Profile, { token, address }: { token: boolean; address: boolean }): string | undefined {
  const isToken = token && namesToken(profile);
  const isAddress = address && profile.base_url !== undefined;
  if (isToken && isAddress) return 'account of the environment';
  if (isAddress) return 'address of SKYDECK_BASE_URL';
  return isToken ? 'token of SKYDECK_TOKEN' : undefined;
}

/** Throws a UsageError for the first mistake that stops every start, or that of a profile. */
function throwStopping({ file, mistakes }: ReadConfig, profile?: string): void {
  const stopping = mistakes.find(({ stops }) =>
    typeof stops === 'object' ? stops.profile === profile : profile === undefined && stops === 'start',
  );
  if (stopping) throw new UsageError(mistakeText(file, stopping));
}

/** An empty variable counts as unset. */
const nonEmpty = (value: string | undefined): string | undefined => value || undefined;

function preferences(options: Options, profile: Profile, env: Environment) {
  const withoutColor = options.noColor || Boolean(env.NO_COLOR);
  return {
    readOnly: options.readOnly || profile.read_only === true,
    critical: profile.critical === true,
    refreshSeconds: options.refresh ?? profile.refresh ?? defaults.refreshSeconds,
    theme: options.theme ?? profile.theme ?? defaults.theme,
    followsBackground: options.theme === undefined && profile.theme === undefined && !withoutColor,
    mouse: options.mouse || profile.mouse === true,
    // The variable is that of Ink, which programs of its kind share.
    screenReader: options.screenReader || profile.screen_reader === true || env.INK_SCREEN_READER === 'true',
    ascii: options.ascii === true,
    color: !withoutColor,
    colorDepth: colorDepths[options.colors ?? profile.colors ?? ''],
  };
}

/** The names of all profiles; one with a mistake may be named as well, and says which. */
export function profilesIn({ config, mistakes }: ReadConfig): readonly string[] {
  const broken = mistakes.flatMap(({ stops }) => (typeof stops === 'object' ? stops.profile : []));
  return [...new Set([...Object.keys(config.profiles), ...broken])];
}

/** The profile that options and environment name, with what all share. Throws a UsageError where it cannot be used. */
export function chosenProfile(read: ReadConfig, options: Options, env: Environment) {
  const { config } = read;
  throwStopping(read);
  const name = profileName(read, options, env);
  throwStopping(read, name);
  const profile: Profile = (name === undefined ? undefined : config.profiles[name]) ?? config.defaults ?? noProfile;
  return { name, profile };
}

/** The named profile, else `default`, else the only one; none where the environment has address and token. */
function profileName(read: ReadConfig, options: Options, env: Environment): string | undefined {
  const names = profilesIn(read);
  const { file } = read;
  const named = options.profile ?? nonEmpty(env.SKYDECK_PROFILE);
  if (named !== undefined) {
    if (names.includes(named)) return named;
    const known = names.length > 0 ? `has only ${names.join(', ')}` : 'has no profile';
    throw new UsageError(`There is no profile ${named}: ${file} ${known}${orSuggestion(named, names)}`);
  }
  if (names.includes('default')) return 'default';
  if (nonEmpty(env.SKYDECK_TOKEN) && (options.baseUrl ?? nonEmpty(env.SKYDECK_BASE_URL))) return undefined;
  if (names.length > 1)
    throw new UsageError(`${file} has the profiles ${names.join(', ')}; choose one with --profile NAME.`);
  return names[0];
}

function baseUrlOf(given: string | undefined, fromEnvironment: string | undefined, profile: Profile): string {
  const url = given ?? checkedAddress(fromEnvironment) ?? profile.base_url;
  if (url && isUnencrypted(url) && !profile.insecure_http)
    throw new UsageError(
      `${url} is not encrypted, so anyone on the network could read the token; use https, or set insecure_http = true in a profile.`,
    );
  if (url) return url;
  throw new UsageError(
    'The address of the API is missing: give it with --base-url, SKYDECK_BASE_URL or base_url in a profile, or run skydeck --demo.',
  );
}

/** The address that a variable has. Throws a UsageError, without a password in it, where it is none. */
export function checkedAddress(variable: string | undefined): string | undefined {
  const wrong = variable ? addressMistake(variable) : undefined;
  if (wrong) throw new UsageError(`SKYDECK_BASE_URL ${wrong}.`);
  return variable;
}

function tlsWarningOf(baseUrl: string, env: Environment): string | undefined {
  if (isUnencrypted(baseUrl)) return 'not encrypted';
  return baseUrl.startsWith('https:') && env.NODE_TLS_REJECT_UNAUTHORIZED === '0' ? 'TLS unchecked' : undefined;
}

const withoutToken = (profile: string | undefined, { file }: ReadConfig): string =>
  profile === undefined
    ? `There is no token: set SKYDECK_TOKEN (or a profile in ${file}) to use your account, or run skydeck --demo to look around without one.`
    : `The profile ${profile} in ${file} names no token: add token_env, token_file or token_command to it or set SKYDECK_TOKEN, or run skydeck --demo to look around without one.`;

/** A run of the program, as every command is given it. */
export interface CommandRun {
  invocation: Invocation;
  host: NodeJS.Process;
  /** The profiles, where several are named. */
  profiles?: readonly string[];
  /** Reads the settings of the account, of several those of the first. Rejects with a UsageError. */
  settings: () => Promise<RunSettings>;
  /** A spawned process for the demo API. */
  child?: ChildProcessWithoutNullStreams;
  /** Texts that no report may have, to which more are added. */
  secrets: string[];
  /** Told of what is no result, as a sentence, which may quote labels of the API. */
  complain: (says: string) => void;
}
