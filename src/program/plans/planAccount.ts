import type { Call } from '../../api/request.ts';
import type { PlanFile } from '../../config/planSchema.ts';
import { quoted } from '../../config/settingRules.ts';
import { at } from '../../resources/resource.ts';
import { accountKey, otherAccount, readAccount } from '../../store/plans/planAccount.ts';
import { createSession } from '../../store/session.ts';
import { createStores, type Stores } from '../../store/stores.ts';
import { openFiles } from '../../terminal/files.ts';
import { stateFor } from '../accounts/acknowledgedIn.ts';
import { accountAudit } from '../auditLog/accountAudit.ts';
import { auditLimits, openAuditLog } from '../auditLog/auditLog.ts';
import { auditHooks, auditOwner } from '../auditLog/hooks.ts';
import type { CommandRun } from '../commandRun.ts';
import { hostOf, openConnection, whyRefused } from '../connection.ts';
import { stateDirectory } from '../directories.ts';
import type { RunSettings } from '../settings.ts';
import { pauseBudgetMs } from '../takeSnapshots.ts';

/** The account on which a plan is carried out. */
export type PlanAccount = ReturnType<typeof openPlanAccount>;

/** Opens the account of these settings, whose changes are written to the audit log. Throws a UsageError. */
export function openPlanAccount(
  settings: RunSettings,
  { invocation, host, child, complain }: CommandRun,
  onCall: (call: Call) => void,
) {
  const { env } = host;
  const { account, configuration, profile, readOnly } = settings;
  const state = stateFor(settings, host, complain);
  const directory = stateDirectory(env);
  const log =
    settings.demo || readOnly ? undefined : openAuditLog(directory, complain, auditLimits(settings.configuration));
  const audit = log && accountAudit(auditOwner(profile, hostOf(settings)), { log, directory }, Date.now);
  const session = createSession(Date.now);
  const { api, close } = openConnection(settings, invocation.demo, {
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
    /** Absent with the demo. */
    state: state?.account,
    /** Asks the API once whether it accepts the token; resolves with a sentence where it does not. */
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
export const otherHost = ({ host }: PlanFile, settings: RunSettings): string | undefined =>
  host === hostOf(settings)
    ? undefined
    : `host: the plan is for ${quoted(host)}, and ${settings.demo ? 'this is the demo' : `${settings.host === undefined ? `the profile ${settings.profile} is for` : 'this account is on'} ${quoted(hostOf(settings))}`}; nothing was sent.`;

/**
 * Compares the account of the API with that of a plan; where that names none, host and profile decide.
 * @returns why the plan is not for it, or that this is not known, as a sentence
 */
export async function checkAccount(
  plan: PlanFile,
  { cache }: Stores,
  { profile, host }: Pick<RunSettings, 'profile' | 'host'>,
): Promise<{ other?: string; note?: string }> {
  if (plan.euuid !== undefined) await readAccount(cache);
  const { body, error } = cache.getState().answers[accountKey] ?? {};
  const euuid = at(body, 'euuid');
  const own = { ...(typeof euuid === 'string' && { euuid }), ...(host === undefined && { profile }) };
  const other = otherAccount(plan, own, error?.message);
  if (other) return { other: `${other.field}: ${other.says}. Nothing was sent.` };
  return plan.euuid === undefined ? { note: 'The plan does not name its account, so its host alone decides.' } : {};
}
