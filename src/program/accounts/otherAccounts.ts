import type { OtherAccounts } from '../../screens/dashboard.ts';
import type { Environment } from '../../terminal/capabilities.ts';
import type { Options } from '../invocation.ts';
import { sentenceOf, UsageError } from '../rules.ts';
import { type RunSettings, readNamedConfig, readProfiles, settingsOfProfile } from '../settings.ts';
import type { AccountOpener } from './accountOpener.ts';

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
