import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { resourceNamed } from '../../src/resources/index.ts';
import type { Row } from '../../src/resources/resource.ts';
import { freshnessOf } from '../../src/screens/freshness.ts';
import type { Query } from '../../src/store/cache.ts';
import { changeOn } from '../../src/store/changes/change.ts';
import { sendChanges } from '../../src/store/changes/send.ts';
import { actionOf } from '../resources/actionOf.ts';
import { fakeApi, settled } from './fakeApi.ts';
import { eventOf, openStores, polled } from './openStores.ts';

const servers = resourceNamed('servers');
const list: Query = { resource: 'servers', operation: 'list', params: {} };
const stats = (id: number): Query => ({ resource: 'servers', operation: 'stats', params: { serverId: `${id}` } });
const server = (id: number, ...tags: readonly string[]): Row => ({ id, label: `web-${id}`, status: 'running', tags });
const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1000);
const setBack = () => void vi.setSystemTime(Date.now() - 3_600_000);

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2025, 5, 10, 12) }));
afterEach(() => void vi.useRealTimers());

async function open(...rows: readonly Row[]) {
  const api = fakeApi();
  const stores = openStores(api);
  stores.scheduler.subscribe([list]);
  await api.next('servers.list').page(rows);
  return { api, stores };
}

describe('where the clock of this machine is set back', () => {
  test('a guard looks at no row that was read before', async () => {
    const row = server(1);
    const { api, stores } = await open(row);
    stores.configuration.setState({
      guards: [{ actions: ['shutdown'], for: 'servers', where: 'tag:prod', deny: true }],
    });
    setBack();
    const change = changeOn(servers, actionOf(servers, 'shutdown'), row, {});
    const sending = sendChanges(stores, change, [change], {});
    await settled();
    expect(api.open.map(({ name }) => name)).toEqual(['servers.view']);
    await api.next('servers.view').answer(server(1, 'prod'));
    expect((await sending).results.map(({ state }) => state)).toEqual(['not sent']);
    expect(api.count('servers.shutdown')).toBe(0);
  });

  test.each([
    ['a row whose turn comes late is read before a tag is added to it', -3_600_000, 15],
    ['so it is after this machine slept, while the monotonic clock stood still', 3_600_000, 0],
  ])('%s', async (_, by, later) => {
    const rows = Array.from({ length: 9 }, (_, id) => server(id + 1, 'a'));
    const { api, stores } = await open(...rows);
    const changes = rows.map((row) => ({
      ...changeOn(servers, actionOf(servers, 'edit'), row, {}, { tags: ['a', 'x'] }),
      changes: { add: { tags: ['x'] } },
    }));
    const [first] = changes;
    if (!first) throw new Error('there are no changes');
    const sending = sendChanges(stores, first, changes, {});
    await settled();
    vi.setSystemTime(Date.now() + by);
    await seconds(later);
    // Those that are not under way yet wait for their turns.
    expect(api.count('servers.edit')).toBeLessThan(9);
    await api.next('servers.edit').answer(server(1, 'a', 'x'));
    expect(api.open.filter(({ name }) => /servers\.(?:view|list)/.test(name))).toHaveLength(1);
    for (let [asked] = api.open; asked; [asked] = api.open)
      await (asked.name === 'servers.list' ? asked.page(rows) : asked.answer(server(1, 'a')));
    expect((await sending).results).toHaveLength(9);
  });

  test('a guard has each row of many read again, and refuses none because of the clock', async () => {
    const rows = Array.from({ length: 9 }, (_, id) => server(id + 1));
    const { api, stores } = await open(...rows);
    stores.configuration.setState({
      guards: [{ actions: ['shutdown'], for: 'servers', where: 'tag:prod', deny: true }],
    });
    const changes = rows.map((row) => changeOn(servers, actionOf(servers, 'shutdown'), row, {}));
    const [first] = changes;
    if (!first) throw new Error('there are no changes');
    const sending = sendChanges(stores, first, changes, {});
    await settled();
    setBack();
    for (let [asked] = api.open; asked; [asked] = api.open) {
      const { serverId } = asked.request.params ?? {};
      if (asked.name.endsWith('.list')) await asked.page(asked.name.startsWith('events') ? [] : rows);
      else await asked.answer(asked.name === 'servers.view' ? server(Number(serverId)) : {});
    }
    expect((await sending).results.map(({ state, says }) => says ?? state)).toEqual(rows.map(() => 'done'));
  });

  test('data that nobody can say the age of is not told to be new while the API is away', async () => {
    const { api, stores } = await open(server(1));
    const polled = stores.events.poll();
    await api.next('events.list').page([]);
    await polled;
    setBack();
    const failed = stores.events.poll();
    await api.next('events.list').fail({ message: 'It broke.' });
    await failed;
    expect(freshnessOf(stores, Date.now())).toMatchObject({ level: 'blind', dataAt: undefined, since: undefined });
    const answered = stores.events.poll();
    await api.next('events.list').page([]);
    await answered;
    expect(freshnessOf(stores, Date.now())).toMatchObject({ level: 'fresh' });
  });

  test('what is on the screen is read again when it is due', async () => {
    const { api } = await open(server(1));
    setBack();
    await seconds(120);
    expect(api.count('servers.list')).toBe(2);
  });

  test('as many single rows are asked about as ever', async () => {
    const { api, stores } = await open();
    stores.scheduler.subscribe(
      Array.from({ length: 200 }, (_, id) => stats(id + 1)),
      'row',
    );
    const answerAll = async () => {
      while (api.open.length > 0) for (const asked of api.open) await asked.answer({ cpu: [] });
    };
    await answerAll();
    expect(api.count('servers.stats')).toBe(90);
    setBack();
    await seconds(61);
    await answerAll();
    expect(api.count('servers.stats')).toBeGreaterThan(150);
  });

  test('events are polled no more often than before', async () => {
    const { api, stores } = await open(server(1));
    stores.events.start();
    await api.next('events.list').page([]);
    void stores.events.poll();
    await api.next('events.list').page([]);
    setBack();
    for (let second = 0; second < 60; second++) {
      await seconds(1);
      for (const asked of api.open.filter(({ name }) => name === 'events.list')) await asked.page([]);
    }
    expect(api.count('events.list')).toBeLessThan(13);
  });

  test('rows that events name are read', async () => {
    const { api, stores } = await open(server(1), server(2));
    stores.events.start();
    await api.next('events.list').page([]);
    setBack();
    await polled(api, stores, eventOf(1, 'server_shutdown', 'started', { type: 'server', id: 2, label: 'web-2' }));
    expect(api.open.map(({ name }) => name)).toContain('servers.view');
  });
});
