import { quoted } from '../../config/settingRules.ts';
import type { OtherAccounts } from '../../screens/dashboard.ts';
import type { Environment } from '../../terminal/capabilities.ts';
import type { Invocation, Options } from '../invocation.ts';
import { sentenceOf, UsageError } from '../rules.ts';
import { profilesIn, type RunSettings, readNamedConfig, readProfiles, settingsOfProfile } from '../settings.ts';
import type { AccountOpener } from './accountOpener.ts';

/**
 * The profiles of `--profile a,b`; undefined where one is named or none.
 * Throws a UsageError where several have no meaning.
 */
export function profilesOf({ command, options, target }: Invocation): readonly string[] | undefined {
  const { profile, baseUrl, record } = options;
  if (!profile?.includes(',')) return undefined;
  const names = [...new Set(profile.split(',').map((name) => name.trim()))];
  if (names.includes('')) throw new UsageError(`--profile ${quoted(profile)} has an empty name between its commas.`);
  if (command !== 'watch' && command !== 'snapshot') {
    throw new UsageError(
      '--profile with several names works only with skydeck watch and skydeck snapshot; the dashboard changes its account with :profile.',
    );
  }
  if (baseUrl !== undefined)
    throw new UsageError('--base-url works only with one profile; each of several has its own address.');
  if (record !== undefined) throw new UsageError(oneRecorded);
  if (target && (target.id ?? target.under) !== undefined)
    throw new UsageError(
      `${target.area}${target.id === undefined ? '' : `/${target.id}`} is ${target.id === undefined ? 'a list' : 'a row'} of one account; name one profile.`,
    );
  return names;
}

/** The profiles of the list of accounts: the named one, else all; undefined for anything else, and where no file has any. */
export async function accountsOf(
  { options, target }: Invocation,
  env: Environment,
): Promise<readonly string[] | undefined> {
  if (target?.area !== 'accounts' || options.demo || options.replay !== undefined) return undefined;
  const named = options.profile ?? (env.SKYDECK_PROFILE || undefined);
  const profiles = named === undefined ? profilesIn(await readNamedConfig(options, env)) : [named];
  if (profiles.length > 0 && options.record !== undefined) throw new UsageError(oneRecorded);
  return profiles.length > 0 ? profiles : undefined;
}

const oneRecorded = '--record writes down one account, so name one profile, and another list than accounts.';

/**
 * The profiles beside that of the first settings; each is read from the configuration when it is opened.
 * @param named those of a wall: no other one is opened, and nothing but GET leaves
 */
export function otherAccounts(
  first: RunSettings,
  options: Options,
  env: Environment,
  opener: AccountOpener,
  onSecrets: (settings: RunSettings) => void,
  named?: readonly string[],
): OtherAccounts {
  let { profiles } = first;
  return {
    profiles: () => named ?? profiles,
    open: async (profile) => {
      if (options.record !== undefined)
        return `--record writes down the account of ${first.profile} alone; without it, ${profile} can be opened, too.`;
      try {
        const settings = await settingsOfProfile(await readNamedConfig(options, env), profile, options, env);
        profiles = settings.profiles;
        onSecrets(settings);
        const { ascii, color, colorDepth, screenReader } = first;
        const readOnly = settings.readOnly || named !== undefined;
        return opener.open({ ...settings, readOnly, ascii, color, colorDepth, screenReader });
      } catch (error) {
        return sentenceOf(error);
      }
    },
  };
}

/**
 * The settings of the first of several profiles that can be read; the others are tried later on.
 * Throws a UsageError where a profile is not in the configuration, or none can be read.
 */
export async function firstSettings(
  profiles: readonly string[],
  options: Options,
  env: Environment,
): Promise<RunSettings> {
  const read = await readProfiles(profiles, options, env);
  let why: UsageError | undefined;
  for (const profile of profiles) {
    try {
      return await settingsOfProfile(read, profile, options, env);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      why ??= error;
    }
  }
  throw why ?? new UsageError('There is no profile to watch.');
}
