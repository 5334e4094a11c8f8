import type { Accounts } from '../../store/accounts/accounts.ts';
import type { Stores } from '../../store/stores.ts';
import { areaId } from './areas.ts';
import type { Thing } from './thing.ts';

/** The list of all accounts, and each of them where there are several. */
export function accountThings({ navigation }: Stores, accounts: Accounts | undefined): readonly Thing[] {
  if (!accounts) return [];
  const profiles = accounts.profiles();
  const { current, opened } = accounts.getState();
  const all: Thing = {
    id: areaId({ screen: 'accounts' }),
    label: 'Accounts',
    names: ['profiles', ...(profiles.length < 2 ? ['profile'] : [])],
    kind: 'area',
    detail: 'all profiles, a line each',
    run: () => navigation.go({ screen: 'accounts' }),
  };
  if (profiles.length < 2) return [all];
  const each = profiles.map(
    (profile): Thing => ({
      id: `profile ${profile}`,
      label: `Profile ${accounts.nameOf(profile)}`,
      kind: 'account',
      detail: profile === current ? 'on the screen' : profile in opened ? 'open' : 'another account',
      run: () => {
        navigation.close();
        void accounts.show(profile);
      },
    }),
  );
  return [all, ...each];
}
