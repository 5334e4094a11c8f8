import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { resourceNamed } from '../../src/resources/index.ts';
import type { Action } from '../../src/resources/resource.ts';
import { createAccounts, type OpenedAccount } from '../../src/store/accounts/accounts.ts';
import { sendChanges } from '../../src/store/changes/send.ts';
import { type FakeApi, fakeApi, settled } from './fakeApi.ts';
import { openStores } from './openStores.ts';

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

const servers = { resource: 'servers', operation: 'list', params: {} };

/** Accounts of three profiles, of which `home` is on the screen and `broken` cannot be opened. */
function openAccounts(whyRefused: OpenedAccount['whyRefused'] = async () => undefined) {
  const opened: string[] = [];
  const closed: string[] = [];
  const apis: Record<string, FakeApi> = {};
  const storesOf = (profile: string) => {
    const api = fakeApi();
    apis[profile] = api;
    return openStores(api);
  };
  const home = storesOf('home');
  const accounts = createAccounts({
    first: 'home',
    stores: home,
    profiles: () => ['home', 'work', 'lab', 'broken'],
    openOther: async (profile) => {
      opened.push(profile);
      if (profile === 'broken') return 'The variable BROKEN is not set.';
      return { stores: storesOf(profile), whyRefused, close: async () => void closed.push(profile) };
    },
  });
  return {
    accounts,
    home,
    opened,
    closed,
    api: (profile: string) => apis[profile] ?? fakeApi(),
    said: () => accounts.current().notices.getState().notices.at(-1)?.text,
    shown: () => accounts.getState().current,
  };
}

test('an account is opened when it is first shown, and once', async () => {
  const { accounts, opened, shown } = openAccounts();
  expect(accounts.profiles()).toEqual(['home', 'work', 'lab', 'broken']);
  expect(opened).toEqual([]);
  await accounts.show('work');
  await accounts.show('home');
  await accounts.show('work');
  expect(shown()).toBe('work');
  expect(opened).toEqual(['work']);
});

test('one in the background reads nothing until it is shown again, or wanted', async () => {
  const { accounts, home, api } = openAccounts();
  home.scheduler.subscribe([servers]);
  home.events.start();
  await accounts.show('work');
  const asked = () => api('home').all.length;
  const before = asked();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(asked()).toBe(before);

  const sleep = accounts.wake('home', () => () => {});
  await api('home').next('servers.list').page([]);
  await api('home').next('events.list').page([]);
  await vi.advanceTimersByTimeAsync(60_000);
  const awake = asked();
  expect(awake).toBeGreaterThan(before);
  accounts.pause(true);
  for (const one of api('home').open) await one.page([]);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(asked()).toBe(awake);
  accounts.pause(false);
  await settled();
  expect(asked()).toBeGreaterThan(awake);
  sleep();
  for (const one of api('home').open) await one.page([]);
  const asleep = asked();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(asked()).toBe(asleep);
  await accounts.show('home');
  await settled();
  expect(asked()).toBeGreaterThan(asleep);
});

test('one that cannot be opened says why, the present one stays, and it is tried again', async () => {
  const { accounts, opened, said, shown } = openAccounts();
  await accounts.show('broken');
  expect(said()).toBe('broken was not opened: The variable BROKEN is not set.');
  await accounts.show('broken');
  expect(opened).toEqual(['broken', 'broken']);
  expect(accounts.getState().failures).toEqual({ broken: 'The variable BROKEN is not set.' });
  expect(shown()).toBe('home');
});

test('one whose token is refused is forgotten, so that the token is read again', async () => {
  const { accounts, opened, closed, said, shown } = openAccounts(async () => 'The token is wrong.');
  await accounts.show('work');
  expect(said()).toBe('work was not opened: The token is wrong.');
  expect(closed).toEqual(['work']);
  await accounts.show('work');
  expect(opened).toEqual(['work', 'work']);
  expect(shown()).toBe('home');
});

test('one that hangs is not waited for', async () => {
  const { accounts, said, shown } = openAccounts(() => new Promise(() => {}));
  void accounts.show('work');
  await vi.advanceTimersByTimeAsync(1000);
  expect(said()).toBe('Opening work …');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(said()).toBe('work was not opened: There was no answer within 10 seconds.');
  expect(shown()).toBe('home');
});

test('of two that are asked for, the last is shown', async () => {
  const { accounts, shown } = openAccounts();
  await Promise.all([accounts.show('work'), accounts.show('lab')]);
  expect(shown()).toBe('lab');
});

test('of two that are asked for, the first is not shown once its API answers at last', async () => {
  const late = Promise.withResolvers<undefined>();
  let asked = 0;
  const { accounts, shown } = openAccounts(() => (asked++ === 0 ? late.promise : Promise.resolve(undefined)));
  const first = accounts.show('work');
  await settled();
  await accounts.show('lab');
  expect(shown()).toBe('lab');
  late.resolve(undefined);
  await first;
  expect(shown()).toBe('lab');
});

test('an open form keeps the keys: the account that was opened meanwhile is not shown', async () => {
  const { accounts, home, said, shown } = openAccounts();
  const showing = accounts.show('work');
  home.navigation.open({ kind: 'help' });
  await showing;
  expect(shown()).toBe('home');
  expect(said()).toBe('work is open now; :profile work shows it.');
});

test('the result of a change in the background is told with the name of its account', async () => {
  const { accounts, home, api, said } = openAccounts();
  const volumes = resourceNamed('volumes');
  const by = { resource: volumes, action: volumes.remove as Action };
  const deletion = (id: string) => ({ ...by, params: { volumeId: id }, label: `data-${id}` });
  const done = sendChanges(home, by, [deletion('1')]);
  const failing = sendChanges(home, by, [deletion('2')]);
  await accounts.show('work');
  await api('home').next('volumes.delete').answer({});
  await done;
  expect(said()).toBe('home: Delete (data-1): done; :profile home shows it.');
  await api('home').next('volumes.delete').fail({ status: 400, message: 'It is attached.' });
  await failing;
  expect(said()).toBe('home: Delete (data-2): It is attached; :profile home shows it.');
  await accounts.show('home');
  await sendOne();
  expect(said() ?? '').not.toContain('data-3');

  async function sendOne(): Promise<void> {
    const sent = sendChanges(home, by, [deletion('3')]);
    await api('home').next('volumes.delete').answer({});
    await sent;
  }
});

test('why an action at a tempo goes no further is told as well, also while another account is shown', async () => {
  const { accounts, home, said } = openAccounts();
  await accounts.show('work');
  const why = 'Reboot 3 servers: 1 of 3 done. web-2 is still offline, after 10 min. 1 node still drains.';
  home.notices.say('bad', why, { stays: true });
  expect(said()).toBe(`home: ${why.slice(0, -1)}; :profile home shows it.`);
  await accounts.show('home');
  home.notices.say('bad', why, { stays: true });
  expect(said()).toBe(why);
});

test('a theme that was chosen goes along', async () => {
  const { accounts, home } = openAccounts();
  home.session.setState({ theme: 'light' });
  await accounts.show('work');
  expect(accounts.current().session.getState().theme).toBe('light');
});
