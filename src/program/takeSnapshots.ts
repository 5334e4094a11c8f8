import type { Configuration } from '../config/configuration.ts';
import type { Severity } from '../resources/problems/rule.ts';
import { onFailedRule } from '../resources/safeDescription.ts';
import { withinTime } from '../store/accounts/accounts.ts';
import type { UserView } from '../store/views/userViews.ts';
import type { Timestamp } from '../text/times.ts';
import { keptOf } from './accounts/printedState.ts';
import { accountsOf } from './accounts/profiles.ts';
import type { AreaTarget } from './areas.ts';
import { brokenViews } from './config/readConfig.ts';
import { hostOf, openConnection, whyRefused } from './connection.ts';
import type { SnapshotDocument } from './document.ts';
import type { Invocation, Options } from './invocation.ts';
import { callEntry, openLog } from './log.ts';
import { sentenceOf } from './rules.ts';
import { type CommandRun, type RunSettings, readProfiles, secretsOf, settingsOfProfile } from './settings.ts';
import type { SnapshotOptions } from './snapshot.ts';
import { areaOf, checkViewWords, printedView } from './views/listFlags.ts';
import { contextOf, repeated, type Snapshot, type SnapshotRun, written } from './writeSnapshot.ts';

/** The longest that rate limits may delay a run that ends by itself, in all. */
export const pauseBudgetMs = 60_000;

/** Whether a problem fails a run by `--fail-on`; notices never do. */
export const isFailure = (severity: Severity, failOn: Options['failOn']): boolean =>
  failOn !== undefined && (severity === 'critical' || (severity === 'warning' && failOn === 'problem'));

/** Takes the snapshot of what was asked for; resolves with a sentence where the API refuses the settings. */
export async function takenOf(run: SnapshotRun): Promise<Snapshot | string> {
  const { invocation, host, complain } = run;
  const { area } = invocation.target ?? home;
  if (area === 'audit' || area === 'requests') return (await import('./accounts/journalSnapshot.ts')).takeLog(run);
  const accounts = run.profiles ?? (await accountsOf(invocation, host.env)) ?? (await run.settings());
  const log = openCallLog(run);
  const unsubscribe = onFailedRule(complain);
  try {
    return await ('profile' in accounts
      ? takeOfOne(accounts, run, log.onCall)
      : takeOfSeveral(accounts, run, log.onCall));
  } finally {
    unsubscribe();
    log.close();
  }
}

const home: AreaTarget = { area: 'home' };

/** The view and the target of a snapshot. Throws a UsageError where options cannot mean them. */
export function shownOf({ target = home, list, options }: Invocation, config: Pick<Configuration, 'views'>) {
  const view = printedView(config, target, list);
  return { view, area: areaOf(target, view, options) };
}

type OnCall = ReturnType<typeof openCallLog>['onCall'];

/** Connects to an account, read-only, of which snapshots are taken. */
function openAccount(settings: RunSettings, { invocation, host, child, complain }: SnapshotRun, onCall: OnCall) {
  const { account, configuration, demo } = settings;
  const { format, list, options } = invocation;
  const { failOn, all } = options;
  const given = { ...settings, readOnly: true };
  const { api, close } = openConnection(given, invocation.demo, { onCall, child, pauseBudgetMs });
  let euuid: string | undefined;
  return {
    /** Asks the API once whether it accepts the token; resolves with a sentence where it does not. */
    whyRefused: async () =>
      account && !demo
        ? whyRefused(api, account.baseUrl, (own) => {
            euuid = own;
          })
        : undefined,
    take: async (
      area: AreaTarget,
      now: Timestamp,
      more: Pick<SnapshotOptions, 'view' | 'account' | 'code'>,
    ): Promise<SnapshotDocument> => {
      const { takeSnapshot } = await import('./snapshot.ts');
      // With --watch, somebody may have acknowledged more since.
      const kept = keptOf(settings, euuid, host, complain);
      const fails = (severity: Severity) => isFailure(severity, failOn);
      const asked = { examine: failOn !== undefined, fails, all, list };
      return takeSnapshot(api, area, format, now, { ...kept, ...asked, rules: configuration.rules, ...more });
    },
    close,
  };
}

/** Takes the snapshot of one account; resolves with a sentence where the API refuses the settings. */
async function takeOfOne(settings: RunSettings, run: SnapshotRun, onCall: OnCall): Promise<Snapshot | string> {
  const { invocation, host, complain } = run;
  const { configuration, profile: name, readOnly } = settings;
  const { view, area } = shownOf(invocation, configuration);
  const opened = openAccount(settings, run, onCall);
  settings.exchanges?.onEnd?.(complain);
  try {
    const refused = await opened.whyRefused();
    if (refused) return refused;
    const more = { view, account: { name, readOnly }, code: codeOf(invocation, settings, area, view) };
    return await repeated(run, async () => {
      const context = contextOf(settings.ascii, host);
      return written(await opened.take(area, context.now, more), { invocation, view }, context);
    });
  } finally {
    await opened.close();
  }
}

/** The format of an export, and how it is made; undefined for a snapshot. */
function codeOf({ code, target, options }: Invocation, settings: RunSettings, { area }: AreaTarget, view?: UserView) {
  const what = [target ? area : 'all areas', ...(view?.filter ? [`filter ${view.filter}`] : [])];
  const made = `Made by Skydeck at ${new Date().toISOString()} from ${hostOf(settings)}: ${what.join(', ')}.`;
  return code && { format: code, ssh: settings.configuration.ssh, made, prefix: options.providerPrefix };
}

/** Takes the snapshots of several accounts as one, of which the configuration is read once. */
async function takeOfSeveral(profiles: readonly string[], run: SnapshotRun, onCall: OnCall): Promise<Snapshot> {
  const { invocation, host } = run;
  const { options } = invocation;
  const { takeMerged } = await import('./accounts/mergedSnapshot.ts');
  const read = await readProfiles(profiles, options, host.env);
  checkViewWords(invocation, Object.keys(read.config.views), brokenViews(read));
  const { view, area } = shownOf(invocation, read.config);
  const take = async (profile: string, now: Timestamp): Promise<SnapshotDocument | string> => {
    const settings = await settingsOfProfile(read, profile, options, host.env).catch(sentenceOf);
    if (typeof settings === 'string') return settings;
    run.secrets.push(...secretsOf(settings));
    const opened = openAccount(settings, run, onCall);
    try {
      const refused = await withinTime(opened.whyRefused());
      return refused ?? (await opened.take(area, now, { view, account: { readOnly: settings.readOnly } }));
    } finally {
      await opened.close();
    }
  };
  return repeated(run, async () => {
    const context = contextOf(options.ascii, host);
    const one = (profile: string) => take(profile, context.now);
    return written(await takeMerged(profiles, one, area.area, view?.sort !== undefined), { invocation, view }, context);
  });
}

/** The log of `--log-file` as a hook of the client. */
export function openCallLog({ invocation, complain }: Pick<CommandRun, 'invocation' | 'complain'>) {
  const { logFile } = invocation.options;
  const log = logFile === undefined ? undefined : openLog(logFile, complain);
  return { onCall: (call: Parameters<typeof callEntry>[0]) => log?.write(callEntry(call)), close: () => log?.close() };
}
