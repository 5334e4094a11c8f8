import type { Api } from '../../api/client.ts';
import { resourceNamed } from '../../resources/index.ts';
import { at, type CacheView } from '../../resources/resource.ts';
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
  const euuid = at(view.row(account.name, account.param), 'euuid');
  return {
    host: account.view ? new URL(api.preview(account.view, {}).url).host : '',
    ...(typeof euuid === 'string' && { euuid }),
    profile: settings.profile,
  };
}
