import type { ConfigFile, Profile } from './schema.ts';

/** The configuration of one account as the dashboard uses it. */
export interface Configuration
  extends Omit<ConfigFile, 'profiles'>,
    Pick<Profile, 'guards' | 'ssh' | 'color' | 'theme'> {
  /** The views that were left out, each with its first mistake as a sentence. */
  brokenViews?: ReadonlyMap<string, string>;
}

/** The configuration of an account, read again while it runs. */
export interface Reread {
  /** Named where it could be read. */
  file?: string;
  /** Absent where a mistake leaves the one that runs as it is. */
  configuration?: Configuration;
  /** Sentences. */
  mistakes: readonly string[];
  /** The settings that are different, and count from the next start. */
  later: readonly string[];
}

/** The parts where there is no file. */
export const noConfig: ConfigFile = { profiles: {}, keys: {}, views: {}, commands: [], rules: [], hooks: [] };

/** The configuration of an account where there is no file. */
export const noConfiguration: Configuration = configurationOf(noConfig, '');

/** The configuration for the account of this profile. */
export function configurationOf({ profiles, ...parts }: ConfigFile, profile: string): Configuration {
  const { guards = [], ssh, color, theme } = profiles[profile] ?? parts.defaults ?? {};
  return { ...parts, guards, ssh, color, theme };
}
