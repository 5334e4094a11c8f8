import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import type { WriteStream } from 'node:tty';
import type { Severity } from '../resources/problems/rule.ts';
import { onFailedRule } from '../resources/safeDescription.ts';
import { capabilitiesOf, type Environment } from '../terminal/capabilities.ts';
import { acknowledgedIn } from './accounts/acknowledgedIn.ts';
import { openConnection, whyRefused } from './connection.ts';
import type { SnapshotDocument } from './document.ts';
import type { Format, Invocation } from './invocation.ts';
import { callEntry, openLog } from './log.ts';
import type { PrintContext } from './print.ts';
import { UsageError } from './rules.ts';
import type { RunSettings } from './settings.ts';
import { printedView } from './views/viewWords.ts';

/** The longest that rate limits may delay a run that ends by itself, in all. */
export const pauseBudgetMs = 60_000;

/** Whether a problem fails a run by `--fail-on`; notices never do. */
export const isFailure = (severity: Severity, failOn: Invocation['failOn']): boolean =>
  failOn !== undefined && (severity === 'critical' || (severity === 'warning' && failOn === 'problem'));

/** The parts of a run that take a snapshot. */
interface Parts {
  invocation: Invocation;
  env: Environment;
  stdout: WriteStream;
  /** The only user who may have written what is kept; absent on Windows. */
  owner: number | undefined;
  /** Told of rules that fail and of files that cannot be read, as sentences. */
  say: (says: string) => void;
}

/** A snapshot that is written. */
export interface Snapshot extends SnapshotDocument {
  text: string;
}

/** Takes the snapshot of one account; resolves with a sentence where the API refuses the settings. */
export async function takeOfOne(
  settings: RunSettings,
  { invocation, env, stdout, owner, say, child }: Parts & { child?: ChildProcessWithoutNullStreams },
): Promise<Snapshot | string> {
  const { demo, target = { area: 'home' }, format, failOn, all } = invocation;
  const log = openCallLog(invocation);
  const { onCall } = log;
  const { api, close } = openConnection({ ...settings, readOnly: true }, demo, { onCall, child, pauseBudgetMs });
  const unsubscribe = onFailedRule(say);
  try {
    let euuid: string | undefined;
    const refused =
      settings.account &&
      (await whyRefused(api, settings.account.baseUrl, (own) => {
        euuid = own;
      }));
    if (refused) return refused;
    const { takeSnapshot } = await import('./snapshot.ts');
    const isAcknowledged = acknowledgedIn(settings, euuid, { env, owner }, say);
    const { rules } = settings.configuration;
    const view = target.view === undefined ? undefined : printedView(settings.configuration, target.view);
    const account = { name: settings.profile, readOnly: settings.readOnly };
    const fails = (severity: Severity) => isFailure(severity, failOn);
    const options = { examine: failOn !== undefined, fails, all, isAcknowledged, rules, view, account };
    const area = view ? { area: view.resource.name } : target;
    if (failOn && area.area === 'costs')
      throw new UsageError('--fail-on looks for problems, and costs have none; name another area, such as servers.');
    const context = contextOf(settings.ascii, env, stdout);
    return await written(await takeSnapshot(api, area, format, context.now, options), format, context);
  } finally {
    unsubscribe();
    await close();
    log.close();
  }
}

/** Takes the snapshots of several accounts as one; `onSecrets` is told of the settings of each. */
export async function takeOfSeveral(
  profiles: readonly string[],
  { invocation, env, stdout, owner, say, onSecrets }: Parts & { onSecrets: (settings: RunSettings) => void },
): Promise<Snapshot> {
  const { options, target = { area: 'home' }, format, failOn, all } = invocation;
  const log = openCallLog(invocation);
  const unsubscribe = onFailedRule(say);
  try {
    const { accountSources } = await import('./accounts/accountSources.ts');
    const { takeMerged } = await import('./accounts/mergedSnapshot.ts');
    const context = contextOf(options.ascii, env, stdout);
    const { sources, area } = await accountSources(profiles, options, env, {
      invocation,
      target,
      connect: (settings) => {
        onSecrets(settings);
        return openConnection({ ...settings, readOnly: true }, {}, { onCall: log.onCall, pauseBudgetMs });
      },
      acknowledgedIn: (settings, euuid) => acknowledgedIn(settings, euuid, { env, owner }, say),
      now: context.now,
      snapshot: { examine: failOn !== undefined, fails: (severity) => isFailure(severity, failOn), all },
    });
    return await written(await takeMerged(sources, area), format, context);
  } finally {
    unsubscribe();
    log.close();
  }
}

async function written(document: SnapshotDocument, format: Format, context: PrintContext): Promise<Snapshot> {
  const { printDocument } = await import('./document.ts');
  return { ...document, text: printDocument(document, format, context) };
}

function contextOf(ascii: boolean, env: Environment, stdout: WriteStream): PrintContext {
  const { glyphs, columns } = capabilitiesOf(env, stdout);
  return { now: Date.now(), glyphs: ascii ? 'ascii' : glyphs, width: columns };
}

/** The log of `--log-file` as a hook of the client. */
export function openCallLog({ options: { logFile } }: Invocation) {
  const log = logFile === undefined ? undefined : openLog(logFile);
  return { onCall: (call: Parameters<typeof callEntry>[0]) => log?.write(callEntry(call)), close: () => log?.close() };
}
