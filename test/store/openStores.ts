import { onTestFinished } from 'vitest';
import type { Api } from '../../src/api/client.ts';
import { noConfiguration } from '../../src/config/configuration.ts';
import type { Row } from '../../src/resources/resource.ts';
import { type Accounts, createAccounts } from '../../src/store/accounts/accounts.ts';
import type { Files } from '../../src/store/machine.ts';
import { createSession, type Session } from '../../src/store/session.ts';
import { type AccountParts, createStores, type Stores } from '../../src/store/stores.ts';
import { type FakeApi, settled } from './fakeApi.ts';

/** A machine with one file, `report.txt`. */
const files: Files = {
  resolve: (path) => `/home/me/${path}`,
  complete: async (path) => ({ path, names: [] }),
  look: async () => ({ kind: 'nothing', free: true }),
  read: async (path) => {
    if (path !== 'report.txt') throw new Error(`There is no file ${path}.`);
    return new TextEncoder().encode('all is well');
  },
  save: async () => {},
};

/** The settings of a dashboard in a test. */
export const settings = {
  profile: 'test',
  readOnly: false,
  critical: false,
  refreshSeconds: 60,
  theme: 'dark',
  ascii: false,
  color: true,
  demo: false,
};

/** An account with this API; what is on screen is read every 60 seconds. */
export const partsOf = (api: Api, more: Partial<AccountParts> = {}): AccountParts => ({
  api,
  settings,
  session: createSession(Date.now),
  configuration: noConfiguration,
  files,
  ...more,
});

/** All stores, as a dashboard has them, closed after the test. */
export function openStores(api: Api, session?: Session): Stores {
  const parts = partsOf(api, session && { session });
  const stores = createStores({ parts, start: { screen: 'home' }, now: Date.now });
  onTestFinished(() => stores.close());
  return stores;
}

/** The account of these stores, beside which there is no other. */
export const onlyAccount = (stores: Stores): Accounts =>
  createAccounts({
    first: stores.settings.profile,
    stores,
    profiles: () => [],
    openOther: async () => 'There is no other.',
  });

/** Has the poller ask, and answers it with these events. */
export async function polled(api: FakeApi, stores: Stores, ...events: readonly Row[]): Promise<void> {
  void stores.events.poll();
  await settled();
  await api.next('events.list').page(events);
}

/** An event of the API about a row. */
export const eventOf = (id: number, action: string, status: string, entity: Row | null, further: Row = {}): Row => ({
  id,
  action,
  status,
  entity,
  created: '2025-06-10T10:00:00',
  percent_complete: status === 'finished' ? 100 : 0,
  ...further,
});
