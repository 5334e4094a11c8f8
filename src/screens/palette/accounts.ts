import type { Accounts } from '../../store/accounts/accounts.ts';
import type { Stores } from '../../store/stores.ts';
import type { Thing } from './thing.ts';

/** The accounts of the other profiles, and the present one; nothing where there is only one. */
export function accountThings({ navigation }: Stores, accounts: Accounts | undefined): readonly Thing[] {
  const profiles = accounts?.profiles() ?? [];
  if (!accounts || profiles.length < 2) return [];
  const { current, opened } = accounts.getState();
  return profiles.map((profile) => ({
    id: `profile ${profile}`,
    label: `Profile ${profile}`,
    kind: 'account',
    detail: profile === current ? 'on the screen' : profile in opened ? 'open' : 'another account',
    run: () => {
      navigation.close();
      void accounts.show(profile);
    },
  }));
}
