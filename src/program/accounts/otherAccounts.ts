import type { OtherAccounts } from '../../screens/dashboard.ts';
import type { Environment } from '../../terminal/capabilities.ts';
import type { Options } from '../arguments.ts';
import { UsageError } from '../rules.ts';
import { readNamedConfig, type Settings, settingsOfProfile } from '../settings.ts';
import type { AccountOpener } from './accountOpener.ts';

/** The profiles beside that of the first settings; each is read from the configuration when it is opened. */
export function otherAccounts(
  first: Settings,
  options: Options,
  env: Environment,
  opener: AccountOpener,
  onSecrets: (settings: Settings) => void,
): OtherAccounts {
  let { profiles } = first;
  return {
    profiles: () => profiles,
    open: async (profile) => {
      try {
        const settings = await settingsOfProfile(await readNamedConfig(options, env), profile, options, env);
        profiles = settings.profiles;
        onSecrets(settings);
        const { ascii, color, colorDepth, screenReader } = first;
        return opener.open({ ...settings, ascii, color, colorDepth, screenReader });
      } catch (error) {
        if (error instanceof UsageError) return error.message;
        throw error;
      }
    },
  };
}
