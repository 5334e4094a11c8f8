import type { Accounts } from '../../store/accounts/accounts.ts';
import { reload } from '../../store/accounts/reload.ts';
import type { Stores } from '../../store/stores.ts';
import type { Thing } from './thing.ts';

/** Reads the configuration again; nothing where there is none, as with the demo. */
export const reloadThings = (stores: Stores, accounts: Accounts | undefined): readonly Thing[] =>
  stores.reread ? [reloadThing(stores, accounts)] : [];

const reloadThing = (stores: Stores, accounts: Accounts | undefined): Thing => ({
  id: 'reload',
  label: 'Reload the configuration',
  names: ['reload'],
  kind: 'command',
  detail: 'keys, views, commands, rules, guards',
  run: () => {
    stores.navigation.close();
    const opened = Object.values(accounts?.getState().opened ?? {});
    void reload(
      stores,
      opened.filter((one) => one !== stores),
    );
  },
});
