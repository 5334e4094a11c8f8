import { quoted } from '../../config/settingRules.ts';
import type { Environment } from '../../terminal/capabilities.ts';
import type { Invocation } from '../invocation.ts';
import { UsageError } from '../rules.ts';
import { profilesIn, readNamedConfig } from '../settings.ts';

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
