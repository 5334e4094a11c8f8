import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import type { Call } from '../../api/request.ts';
import type { PlanFile } from '../../config/planSchema.ts';
import { quoted } from '../../config/settingRules.ts';
import { at } from '../../resources/resource.ts';
import type { AccountState } from '../../store/kept/accountState.ts';
import { accountKey, readAccount } from '../../store/plans/planAccount.ts';
import { createSession } from '../../store/session.ts';
import { createStores, type Stores } from '../../store/stores.ts';
import { openFiles } from '../../terminal/files.ts';
import { stateFor } from '../accounts/acknowledgedIn.ts';
import type { DemoFlags } from '../arguments.ts';
import { accountAudit } from '../auditLog/accountAudit.ts';
import { auditLimits, openAuditLog } from '../auditLog/auditLog.ts';
import { auditHooks, auditOwner } from '../auditLog/hooks.ts';
import { hostOf, openConnection, whyRefused } from '../connection.ts';
import { stateDirectory } from '../directories.ts';
import type { Settings } from '../settings.ts';
import type { RunOwner } from '../state/runs.ts';
import { pauseBudgetMs } from '../takeSnapshots.ts';

/** The account on which a plan is carried out. */
export interface PlanAccount {
  stores: Stores;
  /** Absent with the demo. */
  state: AccountState | undefined;
  /** Asks the API once whether it accepts the token; resolves with a sentence where it does not. */
  whyRefused: () => Promise<string | undefined>;
  close(): Promise<void>;
}

interface AccountOptions {
  host: RunOwner & Pick<NodeJS.Process, 'env' | 'geteuid'>;
  demo: DemoFlags;
  child?: ChildProcessWithoutNullStreams;
  onCall: (call: Call) => void;
  /** Told, as a sentence, when the audit log lacks lines. */
  onFailure: (says: string) => void;
}

/** Opens the account of these settings, whose changes are written to the audit log. Throws a UsageError. */
export function openPlanAccount(
  settings: Settings,
  { host, demo, child, onCall, onFailure }: AccountOptions,
): PlanAccount {
  const { env } = host;
  const { account, configuration, profile, readOnly } = settings;
  const state = stateFor(settings, { env, owner: host.geteuid?.(), process: host }, onFailure);
  const directory = stateDirectory(env);
  const log =
    settings.demo || readOnly ? undefined : openAuditLog(directory, onFailure, auditLimits(settings.configuration));
  const audit = log && accountAudit(auditOwner(profile, hostOf(settings)), { log, directory }, Date.now);
  const session = createSession(Date.now);
  const { api, close } = openConnection(settings, demo, {
    child,
    pauseBudgetMs,
    onCall: (call) => {
      session.noteCall(call);
      onCall(call);
    },
    ...(audit && auditHooks(audit.lines)),
  });
  const parts = { api, session, settings, configuration, files: openFiles(env.HOME), audit: audit?.source };
  const stores = createStores({ parts, start: { screen: 'home' }, now: Date.now });
  return {
    stores,
    state: state?.account,
    whyRefused: async () =>
      account &&
      whyRefused(api, account.baseUrl, (euuid) => {
        state?.account.confirm(euuid);
        audit?.source.owner.setState({ account: euuid });
      }),
    close: async () => {
      stores.close();
      await close();
      state?.close();
      log?.close();
    },
  };
}

/** Why a plan is not for an API, as a sentence; undefined where it is. */
export const otherHost = ({ host }: PlanFile, settings: Settings): string | undefined =>
  host === hostOf(settings)
    ? undefined
    : `host: the plan is for ${quoted(host)}, and ${settings.demo ? 'this is the demo' : `${settings.host === undefined ? `the profile ${settings.profile} is for` : 'this account is on'} ${quoted(hostOf(settings))}`}; nothing was sent.`;

/** The account as the API names it, compared with that of a plan. */
export interface AccountCheck {
  /** Why the plan is not for it. */
  other?: string;
  /** That it is not known whether it is. */
  note?: string;
}

/** Compares the account of the API with that of a plan; where one of them is not known, the host alone decides. */
export async function checkAccount({ euuid }: PlanFile, { cache }: Stores): Promise<AccountCheck> {
  if (euuid === undefined) return { note: 'The plan does not name its account, so its host alone decides.' };
  await readAccount(cache);
  const { body, error } = cache.getState().answers[accountKey] ?? {};
  const own = at(body, 'euuid');
  if (own === euuid) return {};
  if (typeof own === 'string')
    return {
      other: `euuid: the plan is for the account ${quoted(euuid)}, and this is ${quoted(own)}; nothing was sent.`,
    };
  const why = error ? `: ${error.message}` : '.';
  return { note: `It is not known whether this is the account of the plan, so its host alone decides${why}` };
}
