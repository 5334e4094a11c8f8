import { type Proxies, proxiesIn } from '../api/proxies.ts';
import type { Options } from './arguments.ts';
import { type Config, defaultConfigFile, type Profile, readConfig } from './configFile.ts';
import { configHome } from './directories.ts';
import { isUnencrypted, settingRules, UsageError } from './rules.ts';
import { checkedToken, type Environment, type Token, tokenOf } from './token.ts';

/** The settings of a run: options before environment before profile before defaults. */
export interface Settings {
  /** The name of the profile; `demo`, or `environment` where no profile is used. */
  profile: string;
  /** The address and the token; none with the demo, which brings its own. */
  account?: { baseUrl: string; token: Token };
  /** The file of the configuration, where it was read. */
  configFile?: string;
  readOnly: boolean;
  critical: boolean;
  refreshSeconds: number;
  theme: string;
  ascii: boolean;
  color: boolean;
  demo: boolean;
  vocabulary?: Readonly<Record<string, string>>;
  /** Why somebody on the way to the API could read the token, in two words; it stays in the header. */
  tlsWarning?: string;
  /** Those that the environment names; the demo is on this machine and needs none. */
  proxies?: Proxies;
}

const usual = { theme: 'dark', refreshSeconds: 15 };

/**
 * Brings options, environment and configuration together and fetches the token.
 * Throws a UsageError of one sentence where something is missing or wrong.
 */
export async function readSettings(options: Options, env: Environment): Promise<Settings> {
  if (options.demo) return { ...look(options, {}, env), profile: 'demo', demo: true };
  const wanted = options.config ?? set(env.SKYDECK_CONFIG);
  const config = await readConfig(wanted ?? defaultConfigFile(configHome(env)), wanted !== undefined);
  const name = profileName(config, options, env);
  const profile = name === undefined ? {} : (config.profiles[name] ?? {});
  const token = set(env.SKYDECK_TOKEN)
    ? checkedToken(env.SKYDECK_TOKEN ?? '', 'The variable SKYDECK_TOKEN')
    : await tokenOf(profile, env, config.file);
  if (!token) throw new UsageError(withoutToken(name, config));
  const baseUrl = baseUrlOf(options, env, profile);
  return {
    ...look(options, profile, env),
    profile: name ?? 'environment',
    demo: false,
    account: { baseUrl, token },
    tlsWarning: dangerOf(baseUrl, env),
    configFile: config.found ? config.file : undefined,
    vocabulary: profile.vocabulary,
    proxies: proxiesOf(env),
  };
}

function proxiesOf(env: Environment): Proxies | undefined {
  try {
    return proxiesIn(env);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** An empty variable counts as not set. */
const set = (value: string | undefined): string | undefined => value || undefined;

function look(options: Options, profile: Profile, env: Environment) {
  return {
    readOnly: options.readOnly || profile.read_only === true,
    critical: profile.critical === true,
    refreshSeconds: options.refreshSeconds ?? profile.refresh ?? usual.refreshSeconds,
    theme: options.theme ?? profile.theme ?? usual.theme,
    ascii: options.ascii,
    color: !options.noColor && !env.NO_COLOR,
  };
}

/** The profile that was named, else `default`, else the only one, unless the environment says all. */
function profileName({ file, profiles }: Config, options: Options, env: Environment): string | undefined {
  const names = Object.keys(profiles);
  const named = options.profile ?? set(env.SKYDECK_PROFILE);
  if (named !== undefined) {
    if (Object.hasOwn(profiles, named)) return named;
    const known = names.length > 0 ? `has only ${names.join(', ')}` : 'has no profile';
    throw new UsageError(`There is no profile ${named}: ${file} ${known}.`);
  }
  if (Object.hasOwn(profiles, 'default')) return 'default';
  if (set(env.SKYDECK_TOKEN) && (options.baseUrl ?? set(env.SKYDECK_BASE_URL))) return undefined;
  if (names.length > 1) {
    throw new UsageError(`${file} has the profiles ${names.join(', ')}; choose one with --profile NAME.`);
  }
  return names[0];
}

function baseUrlOf(options: Options, env: Environment, profile: Profile): string {
  const fromEnvironment = set(env.SKYDECK_BASE_URL);
  const wrong = !options.baseUrl && fromEnvironment ? settingRules.baseUrl(fromEnvironment) : undefined;
  if (wrong) throw new UsageError(`SKYDECK_BASE_URL ${wrong}.`);
  const url = options.baseUrl ?? fromEnvironment ?? profile.base_url;
  if (url && isUnencrypted(url) && !profile.insecure_http) {
    throw new UsageError(
      `${url} is not encrypted, so anyone on the way could read the token; use https, or set insecure_http = true in a profile.`,
    );
  }
  if (url) return url;
  throw new UsageError(
    'The address of the API is missing: give it with --base-url, SKYDECK_BASE_URL or base_url in a profile, or run skydeck --demo.',
  );
}

function dangerOf(baseUrl: string, env: Environment): string | undefined {
  if (isUnencrypted(baseUrl)) return 'not encrypted';
  return baseUrl.startsWith('https:') && env.NODE_TLS_REJECT_UNAUTHORIZED === '0' ? 'TLS unchecked' : undefined;
}

const withoutToken = (profile: string | undefined, { file }: Config): string =>
  profile === undefined
    ? `There is no token: set SKYDECK_TOKEN (or a profile in ${file}) to use your account, or run skydeck --demo to look around without one.`
    : `The profile ${profile} in ${file} names no token: add token_env, token_file or token_command to it or set SKYDECK_TOKEN, or run skydeck --demo to look around without one.`;
