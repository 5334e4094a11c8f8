import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import type { Severity } from '../resources/problems/rule.ts';
import { onFailedRule } from '../resources/safeDescription.ts';
import { keptOf } from './accounts/acknowledgedIn.ts';
import { accountsOf, profilesOf } from './accounts/profileList.ts';
import { hostOf, openConnection, whyRefused } from './connection.ts';
import type { Invocation, Options } from './invocation.ts';
import { callEntry, openLog } from './log.ts';
import { UsageError } from './rules.ts';
import type { RunSettings } from './settings.ts';
import { areaOf, printedView } from './views/viewWords.ts';
import { contextOf, repeated, type Snapshot, type SnapshotParts, written } from './writeSnapshot.ts';

/** The longest that rate limits may delay a run that ends by itself, in all. */
export const pauseBudgetMs = 60_000;

/** Whether a problem fails a run by `--fail-on`; notices never do. */
export const isFailure = (severity: Severity, failOn: Options['failOn']): boolean =>
  failOn !== undefined && (severity === 'critical' || (severity === 'warning' && failOn === 'problem'));

/** Takes the snapshot of what was asked for; resolves with a sentence where the API refuses the settings. */
export async function takenOf({
  settings,
  onSecrets,
  child,
  ...parts
}: SnapshotParts & OfAccounts & { settings: () => Promise<RunSettings> }): Promise<Snapshot | string> {
  const { invocation, env } = parts;
  const { target } = invocation;
  if (target?.area === 'audit' || target?.area === 'requests')
    return (await import('./auditLog/printedLogs.ts')).takeLog(parts);
  const profiles = profilesOf(invocation) ?? (await accountsOf(invocation, env));
  return profiles ? takeOfSeveral(profiles, { ...parts, onSecrets }) : takeOfOne(await settings(), { ...parts, child });
}

/** Told of the settings of each account, and a process for the demo. */
interface OfAccounts {
  onSecrets: (settings: RunSettings) => void;
  child?: ChildProcessWithoutNullStreams;
}

/** Takes the snapshot of one account; resolves with a sentence where the API refuses the settings. */
async function takeOfOne(
  settings: RunSettings,
  { invocation, env, stdout, place, say, child, onTaken }: SnapshotParts & Pick<OfAccounts, 'child'>,
): Promise<Snapshot | string> {
  const { demo, target = { area: 'home' }, format, list } = invocation;
  const { failOn, all, providerPrefix: prefix } = invocation.options;
  const log = openCallLog(invocation);
  const { onCall } = log;
  const { api, close } = openConnection({ ...settings, readOnly: true }, demo, { onCall, child, pauseBudgetMs });
  const unsubscribe = onFailedRule(say);
  settings.exchanges?.onEnd?.(say);
  try {
    let euuid: string | undefined;
    const refused =
      settings.account &&
      !settings.demo &&
      (await whyRefused(api, settings.account.baseUrl, (own) => {
        euuid = own;
      }));
    if (refused) return refused;
    const { takeSnapshot } = await import('./snapshot.ts');
    const kept = keptOf(settings, euuid, place, say);
    const { rules } = settings.configuration;
    const view = printedView(settings.configuration, target, list);
    const account = { name: settings.profile, readOnly: settings.readOnly };
    const fails = (severity: Severity) => isFailure(severity, failOn);
    const area = areaOf(target, view);
    const what = [invocation.target ? area.area : 'all areas', ...(view?.filter ? [`filter ${view.filter}`] : [])];
    const made = `Made by Skydeck at ${new Date().toISOString()} from ${hostOf(settings)}: ${what.join(', ')}.`;
    const { ssh } = settings.configuration;
    const code = invocation.code && { format: invocation.code, ssh, made, prefix };
    const options = { examine: failOn !== undefined, fails, all, ...kept, rules, view, list, account, code };
    if (failOn && (area.area === 'costs' || area.area === 'journal'))
      throw new UsageError(
        `--fail-on looks for problems, and snapshot ${area.area} has none; name another area, such as servers.`,
      );
    return await repeated(invocation, onTaken, async () => {
      const context = contextOf(settings.ascii, env, stdout);
      const taken = await takeSnapshot(api, area, format, context.now, options);
      return written(taken, { invocation, view }, context);
    });
  } finally {
    unsubscribe();
    await close();
    log.close();
  }
}

/** Takes the snapshots of several accounts as one; `onSecrets` is told of the settings of each. */
async function takeOfSeveral(
  profiles: readonly string[],
  { invocation, env, stdout, place, say, onSecrets, onTaken }: SnapshotParts & Pick<OfAccounts, 'onSecrets'>,
): Promise<Snapshot> {
  const { options, target = { area: 'home' }, list } = invocation;
  const { failOn, all } = options;
  const log = openCallLog(invocation);
  const unsubscribe = onFailedRule(say);
  try {
    const { accountSources } = await import('./accounts/accountSources.ts');
    const { takeMerged } = await import('./accounts/mergedSnapshot.ts');
    const context = contextOf(options.ascii, env, stdout);
    const { sources, area, view } = await accountSources(profiles, options, env, {
      invocation,
      target,
      connect: (settings) => {
        onSecrets(settings);
        return openConnection({ ...settings, readOnly: true }, {}, { onCall: log.onCall, pauseBudgetMs });
      },
      keptOf: (settings, euuid) => keptOf(settings, euuid, place, say),
      now: () => context.now,
      snapshot: { examine: failOn !== undefined, fails: (severity) => isFailure(severity, failOn), all, list },
    });
    return await repeated(invocation, onTaken, async () => {
      context.now = Date.now();
      return written(await takeMerged(sources, area, view?.sort !== undefined), { invocation, view }, context);
    });
  } finally {
    unsubscribe();
    log.close();
  }
}

/** The log of `--log-file` as a hook of the client. */
export function openCallLog({ options: { logFile } }: Invocation) {
  const log = logFile === undefined ? undefined : openLog(logFile);
  return { onCall: (call: Parameters<typeof callEntry>[0]) => log?.write(callEntry(call)), close: () => log?.close() };
}
