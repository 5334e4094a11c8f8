import type { Api } from '../../api/client.ts';
import { quoted } from '../../config/settingRules.ts';
import { euuidOf } from '../../resources/account/account.ts';
import { resourceNamed } from '../../resources/index.ts';
import type { CacheView } from '../../resources/resource.ts';
import { withoutStop } from '../../text/words.ts';
import { type Cache, queryKey, viewQuery } from '../cache.ts';
import type { Settings } from '../session.ts';
import type { Plan } from './plan.ts';

/** The account that a plan is for. */
export type AccountOfPlan = Pick<Plan, 'host' | 'euuid' | 'profile'>;

/** The account that a plan is for, as far as it is known without a request. */
export function accountOf(api: Pick<Api, 'preview'>, view: CacheView, settings: Settings): AccountOfPlan {
  const account = resourceNamed('account');
  const euuid = euuidOf(view.rows(account.name)[0]);
  return {
    host: account.view ? new URL(api.preview(account.view, {}).url).host : '',
    ...(euuid !== undefined && { euuid }),
    ...(settings.host === undefined && { profile: settings.profile }),
  };
}

/** The key of the query for the account. */
export const accountKey = queryKey(viewQuery(resourceNamed('account'), {}));

/** Calls a function with the account's own id once the API has told it; returns a function that ends this. */
export const whenKnown = (cache: Pick<Cache, 'subscribe'>, tell: (euuid: string) => void): (() => void) =>
  cache.subscribe(({ answers }, before) => {
    const euuid = answers === before.answers ? undefined : euuidOf(answers[accountKey]?.body);
    if (euuid !== undefined) tell(euuid);
  });

/** Reads which account it is; a token that may not leaves it unknown. */
export const readAccount = (cache: Pick<Cache, 'readAnswer'>): Promise<void> =>
  cache.readAnswer(viewQuery(resourceNamed('account'), {}));

/**
 * Why a plan is not for an account, or may be for another one, as a field of its file and a clause.
 * @param why the account cannot be read, as a sentence
 */
export function otherAccount(
  plan: Omit<AccountOfPlan, 'host'>,
  own: Omit<AccountOfPlan, 'host'>,
  why?: string,
): { field: 'euuid' | 'profile'; says: string } | undefined {
  if (plan.euuid !== undefined && plan.euuid !== own.euuid) {
    const is = `the plan is for the account ${quoted(plan.euuid)}, and`;
    return own.euuid === undefined
      ? { field: 'euuid', says: `${is} it is not known which this is${why ? ` (${withoutStop(why)})` : ''}` }
      : { field: 'euuid', says: `${is} this is ${quoted(own.euuid)}` };
  }
  if (plan.euuid !== undefined || plan.profile === undefined || own.profile === undefined) return undefined;
  return plan.profile === own.profile
    ? undefined
    : {
        field: 'profile',
        says: `the plan is of the profile ${plan.profile}, and this is ${own.profile}; it does not name its account, so that may be another one; use that profile, or take it out of the file`,
      };
}
