import type { PlanFile } from '../../config/planSchema.ts';
import { quoted } from '../../config/settingRules.ts';
import { euuidOf } from '../../resources/account/account.ts';
import { accountKey, otherAccount, readAccount } from '../../store/plans/planAccount.ts';
import { createStores, type Stores } from '../../store/stores.ts';
import { openFiles } from '../../terminal/files.ts';
import { accountOpener } from '../accounts/accountOpener.ts';
import { exit } from '../commandLine/exitCodes.ts';
import { hostOf } from '../connection.ts';
import type { CommandRun, RunSettings } from '../settings.ts';
import { openCallLog, pauseBudgetMs } from '../takeSnapshots.ts';

/** The account on which a plan is carried out. */
export type PlanAccount = ReturnType<typeof openPlanAccount>;

/** Opens the account of these settings, whose changes are written to the audit log. Throws a UsageError. */
export function openPlanAccount(settings: RunSettings, { invocation, host, child, complain }: CommandRun) {
  const files = openFiles(host.env.HOME);
  const { onCall, close } = openCallLog({ invocation, complain });
  const opener = accountOpener({ invocation, host, files, child, onCall, pauseBudgetMs, onFailure: complain });
  opener.state.onNotice(complain);
  const { parts, whyRefused } = opener.open(settings);
  const { persist, ...shared } = parts;
  const stores = createStores({ parts: shared, start: { screen: 'home' }, now: Date.now });
  return {
    stores,
    /** Absent with the demo. */
    state: persist.state,
    whyRefused,
    close: async () => {
      stores.close();
      await opener.close();
      close();
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
 * @returns why the plan is not for it, or that this is not known, as a sentence with its exit code
 */
export async function checkAccount(
  plan: PlanFile,
  { cache }: Stores,
  { profile, host }: Pick<RunSettings, 'profile' | 'host'>,
): Promise<{ other?: string; code?: number; note?: string }> {
  if (plan.euuid !== undefined) await readAccount(cache);
  const { body, error } = cache.getState().answers[accountKey] ?? {};
  const own = { euuid: euuidOf(body), ...(host === undefined && { profile }) };
  const other = otherAccount(plan, own, error?.message);
  const code = error === undefined ? exit.usage : exit.unreachable;
  if (other) return { other: `${other.field}: ${other.says}. Nothing was sent.`, code };
  return plan.euuid === undefined ? { note: 'The plan does not name its account, so its host alone decides.' } : {};
}
