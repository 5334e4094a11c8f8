import type { Api } from '../../api/client.ts';
import { resourceNamed } from '../../resources/index.ts';
import { at, type CacheView } from '../../resources/resource.ts';
import { type Cache, queryKey, viewQuery } from '../cache.ts';
import type { Settings } from '../session.ts';
import type { Plan } from './plan.ts';

/** The account that a plan is for, as far as it is known without a request. */
export function accountOf({
  api,
  view,
  settings,
}: {
  api: Pick<Api, 'preview'>;
  view: CacheView;
  settings: Settings;
}): Pick<Plan, 'host' | 'euuid' | 'profile'> {
  const account = resourceNamed('account');
  const euuid = at(view.rows(account.name)[0], 'euuid');
  return {
    host: account.view ? new URL(api.preview(account.view, {}).url).host : '',
    ...(typeof euuid === 'string' && { euuid }),
    ...(settings.host === undefined && { profile: settings.profile }),
  };
}

/** The key of the query for the account. */
export const accountKey = queryKey(viewQuery(resourceNamed('account'), {}));

/** Reads which account it is; a token that may not leaves it unknown. */
export const readAccount = (cache: Pick<Cache, 'readAnswer'>): Promise<void> =>
  cache.readAnswer(viewQuery(resourceNamed('account'), {}));

/** Why a plan may be for another account where it is not known which one it is for, as a clause: it is of another profile. */
export const otherProfile = (plan: Pick<Plan, 'profile'>, own: Pick<Plan, 'profile'>): string | undefined =>
  plan.profile === undefined || own.profile === undefined || plan.profile === own.profile
    ? undefined
    : `the plan is of the profile ${plan.profile}, and this is ${own.profile}; its account is not known, so it may be another one; use that profile, or take it out of the file`;
