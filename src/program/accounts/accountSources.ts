import { withinTime } from '../../store/accounts/withinTime.ts';
import type { OwnView } from '../../store/views/userViews.ts';
import type { Environment } from '../../terminal/capabilities.ts';
import type { Timestamp } from '../../text/times.ts';
import type { AreaTarget } from '../areas.ts';
import { brokenViews } from '../config/readConfig.ts';
import { type Connection, whyRefused } from '../connection.ts';
import type { Invocation, Options } from '../invocation.ts';
import { UsageError } from '../rules.ts';
import { profilesIn, type RunSettings, readNamedConfig, settingsOfProfile } from '../settings.ts';
import { type SnapshotOptions, takeSnapshot } from '../snapshot.ts';
import { areaOf, checkViewWords, printedView } from '../views/viewWords.ts';
import type { AccountSource } from './mergedSnapshot.ts';

interface SourceParts {
  invocation: Invocation;
  target: AreaTarget;
  /** Connects to an account, read-only. */
  connect: (settings: RunSettings) => Connection;
  /** Finds what is kept of an account, of which the API may have said the own id. */
  keptOf: (settings: RunSettings, euuid: string | undefined) => Pick<SnapshotOptions, 'isAcknowledged' | 'journal'>;
  /** When they are taken. */
  now: () => Timestamp;
  snapshot: Omit<SnapshotOptions, 'isAcknowledged' | 'rules' | 'view' | 'account' | 'journal'>;
}

/**
 * The accounts of several profiles, of which the configuration is read once.
 * Throws a UsageError where it cannot be read, or where a profile is not in it.
 */
export async function accountSources(
  profiles: readonly string[],
  options: Options,
  env: Environment,
  { invocation, target, connect, keptOf, now, snapshot }: SourceParts,
): Promise<{ sources: readonly AccountSource[]; area: string; view: OwnView | undefined }> {
  const read = await readNamedConfig(options, env);
  const known = profilesIn(read);
  const unknown = profiles.find((profile) => !known.includes(profile));
  // Its sentence names the profiles that there are.
  if (unknown !== undefined) await settingsOfProfile(read, unknown, options, env);
  checkViewWords(invocation, Object.keys(read.config.views), brokenViews(read));
  const view = printedView(read.config, target, invocation.list);
  const printed = areaOf(target, view);
  const sources = profiles.map(
    (profile): AccountSource => ({
      profile,
      take: async () => {
        const settings = await settingsOfProfile(read, profile, options, env).catch((error: unknown) => {
          if (error instanceof UsageError) return error.message;
          throw error;
        });
        if (typeof settings === 'string') return settings;
        const { api, close } = connect(settings);
        try {
          let euuid: string | undefined;
          const why = await withinTime(
            whyRefused(api, settings.account?.baseUrl ?? '', (own) => {
              euuid = own;
            }),
          );
          if (why !== undefined) return why;
          const { rules } = settings.configuration;
          const own = { ...keptOf(settings, euuid), rules, view, account: { readOnly: settings.readOnly } };
          return await takeSnapshot(api, printed, invocation.format, now(), { ...snapshot, ...own });
        } finally {
          await close();
        }
      },
    }),
  );
  return { sources, area: printed.area, view };
}
