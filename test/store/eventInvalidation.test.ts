import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { resourceNamed } from '../../src/resources/index.ts';
import type { Row } from '../../src/resources/resource.ts';
import { type Query, queryKey } from '../../src/store/cache.ts';
import { progressOf } from '../../src/store/events.ts';
import { onePage } from './apiOn.ts';
import { fakeApi, settled } from './fakeApi.ts';
import { eventOf, openStores, polled } from './openStores.ts';

const servers: Query = { resource: 'servers', operation: 'list', params: {} };
const ofServer = (resource: string, operation: string, serverId: string): Query => ({
  resource,
  operation,
  params: { serverId },
});
const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1000);
const entity = (id: number) => ({ type: 'server', id, label: `web-${id}` });

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2025, 5, 10, 12) }));
afterEach(() => void vi.useRealTimers());

/** A stores whose poller runs, with two servers on screen; `poll` answers the next poll with these events. */
async function open() {
  const api = fakeApi();
  const stores = openStores(api);
  const watch = async (query: Query, body: unknown) => {
    const away = stores.scheduler.subscribe([query]);
    await api.next(`${query.resource}.${query.operation}`).answer(body);
    return away;
  };
  const list = (...rows: readonly Row[]) => onePage(rows);
  await watch(servers, list({ id: 1, status: 'running' }, { id: 2, status: 'running' }));
  stores.events.start();
  await api.next('events.list').page([]);
  const poll = (...events: readonly Row[]) => polled(api, stores, ...events);
  const status = (id: number) =>
    stores.cache.getState().collections[queryKey(servers)]?.rows.find((row) => row.id === id)?.status;
  const asked = () => api.open.map(({ name }) => name).sort();
  return { api, stores, watch, list, poll, status, asked };
}

describe('an event', () => {
  test('has exactly its row read again', async () => {
    const { api, poll, status, asked } = await open();
    await poll(eventOf(1, 'server_shutdown', 'started', entity(2)));
    expect(asked()).toEqual(['servers.view']);
    expect(api.open[0]?.request.params).toEqual({ serverId: '2' });
    await api.next('servers.view').answer({ id: 2, status: 'shutting_down' });
    expect([status(1), status(2)]).toEqual(['running', 'shutting_down']);
  });

  test('that ends has it read again, and once more a little later', async () => {
    const { api, poll, status, asked } = await open();
    await poll(eventOf(1, 'server_create', 'started', entity(3)));
    await api.next('servers.view').answer({ id: 3, status: 'creating' });
    expect(status(3)).toBe('creating');
    await poll(eventOf(1, 'server_create', 'finished', entity(3)));
    await api.next('servers.view').answer({ id: 3, status: 'creating' });
    await seconds(2.9);
    expect(asked().filter((name) => name === 'servers.view')).toEqual([]);
    await seconds(0.1);
    await api.next('servers.view').answer({ id: 3, status: 'running' });
    expect(status(3)).toBe('running');
  });

  test('that ends while its row is read has it read once more: that answer may be old', async () => {
    const { api, poll, status } = await open();
    await poll(eventOf(1, 'server_boot', 'started', entity(1)));
    await poll(eventOf(1, 'server_boot', 'finished', entity(1)));
    expect(api.count('servers.view')).toBe(1);
    await api.next('servers.view').answer({ id: 1, status: 'booting' });
    await api.next('servers.view').answer({ id: 1, status: 'running' });
    expect(status(1)).toBe('running');
  });

  test('of a resize that ends before the boot after it leaves the row as the boot leaves it', async () => {
    const { api, stores, poll, status } = await open();
    const resize = (status: string) => eventOf(1, 'server_resize', status, entity(1));
    const boot = (status: string) => eventOf(2, 'server_boot', status, entity(1));
    const progress = () => progressOf(stores.events.getState().events, 'server', 1)?.action;
    await poll(resize('started'));
    await api.next('servers.view').answer({ id: 1, status: 'resizing' });
    expect(progress()).toBe('server_resize');
    await poll(resize('finished'));
    expect(progress()).toBeUndefined();
    await api.next('servers.view').answer({ id: 1, status: 'offline' });
    await poll(boot('started'), resize('finished'));
    expect(progress()).toBe('server_boot');
    await api.next('servers.view').answer({ id: 1, status: 'booting' });
    await poll(boot('finished'), resize('finished'));
    await api.next('servers.view').answer({ id: 1, status: 'running' });
    expect(status(1)).toBe('running');
  });

  test('of a deletion takes the row away', async () => {
    const { api, poll, status } = await open();
    await poll(eventOf(1, 'server_delete', 'finished', entity(2)));
    await api.next('servers.view').fail({ status: 404 });
    expect(status(2)).toBeUndefined();
    expect(status(1)).toBe('running');
  });

  test('shows in the list of events without that being read', async () => {
    const { api, stores, watch, list, poll } = await open();
    const events: Query = { resource: 'events', operation: 'list', params: {} };
    const first = eventOf(1, 'server_boot', 'started', entity(9));
    await watch(events, list(first));
    const reads = api.count('events.list');
    await poll(eventOf(2, 'server_boot', 'started', entity(9)), { ...first, status: 'finished' });
    const shown = stores.cache.getState().collections[queryKey(events)]?.rows;
    expect(shown?.map(({ id, status }) => [id, status])).toEqual([
      [1, 'finished'],
      [2, 'started'],
    ]);
    expect(api.count('events.list')).toBe(reads + 1);
  });

  test('about what is viewed alone has it read again although no list is loaded', async () => {
    const { api, stores, watch, poll } = await open();
    const volume: Query = { resource: 'volumes', operation: 'view', params: { volumeId: '7' } };
    await watch(volume, { id: 7, size: 10 });
    await poll(eventOf(1, 'volume_resize', 'started', { type: 'volume', id: 7 }));
    await api.next('volumes.view').answer({ id: 7, size: 20 });
    expect(stores.cache.getState().answers[queryKey(volume)]?.body).toEqual({ id: 7, size: 20 });
  });

  test('about what is neither listed nor viewed asks for nothing', async () => {
    const { poll, asked } = await open();
    await poll(
      eventOf(1, 'volume_resize', 'started', { type: 'volume', id: 7 }),
      eventOf(2, 'unheard_of', 'finished', { type: 'unheard', id: 7 }),
      eventOf(3, 'profile_update', 'notification', null),
      eventOf(4, 'user_update', 'notification', { type: 'user', id: null }),
    );
    expect(asked()).toEqual([]);
  });

  test('has lists below its row on screen read again, not those of other rows, nor statistics', async () => {
    const { api, watch, list, poll, asked } = await open();
    await watch(ofServer('disks', 'list', '1'), list({ id: 5 }));
    await watch(ofServer('disks', 'list', '2'), list({ id: 6 }));
    await watch(ofServer('servers', 'stats', '1'), { cpu: [] });
    const away = await watch(ofServer('configs', 'list', '1'), list());
    away();
    await settled();
    await poll(eventOf(1, 'disk_create', 'finished', entity(1)));
    expect(asked()).toEqual(['disks.list', 'servers.view']);
    expect(api.next('disks.list').request.params).toEqual({ serverId: '1' });
    await api.next('disks.list').page([]);
  });

  test('about a second thing has that read again, and lists that choose their rows themselves', async () => {
    const { api, stores, watch, list, poll, asked } = await open();
    await watch(ofServer('servers', 'volumes', '1'), list());
    await poll(eventOf(1, 'volume_attach', 'finished', { type: 'volume', id: 7 }, { secondary_entity: entity(1) }));
    expect(asked()).toEqual(['servers.view', 'servers.volumes', 'volumes.view']);
    await api.next('servers.volumes').page([{ id: 7 }]);
    expect(stores.cache.getState().collections[queryKey(ofServer('servers', 'volumes', '1'))]?.rows).toEqual([
      { id: 7 },
    ]);
  });

  test('that changes rows it does not name has their list read again', async () => {
    const { watch, list, poll, asked } = await open();
    await watch({ resource: 'images', operation: 'list', params: {} }, list());
    await poll(eventOf(1, 'disk_imagize', 'finished', entity(1)));
    expect(asked()).toEqual(['images.list', 'servers.view']);
  });

  test('about what there is only one of needs no id', async () => {
    const { watch, poll, asked } = await open();
    await watch({ resource: 'account', operation: 'view', params: {} }, { euuid: 'x' });
    await poll(eventOf(1, 'account_update', 'notification', { type: 'account', id: null }));
    expect(asked()).toEqual(['account.view']);
  });
});

describe('many events', () => {
  const about = (ids: readonly number[]) =>
    ids.toReversed().map((id) => eventOf(id, 'server_reboot', 'started', entity(id)));
  const range = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

  test('have their rows read four at a time, each once', async () => {
    const { api, poll } = await open();
    await poll(...about([1, 2, 3, 4, 5]), eventOf(0, 'server_boot', 'finished', entity(1)));
    expect(api.open).toHaveLength(4);
    while (api.open.some(({ name }) => name === 'servers.view')) await api.next('servers.view').answer({ id: 1 });
    expect(api.count('servers.view')).toBe(5);
  });

  test('about a long list have rows on the screen read at once, and others a few a second after the first', async () => {
    const { api, stores, poll } = await open();
    const resource = resourceNamed('servers');
    const answerAll = async () => {
      for (;;) {
        const asked = api.open.find(({ name }) => name === 'servers.view');
        if (!asked) return api.count('servers.view');
        await asked.answer({ id: Number(asked.request.params?.serverId) });
      }
    };
    stores.cache.putRows(
      resource,
      range(7000).map((id) => ({ id })),
    );
    await poll(...about(range(70)));
    expect(await answerAll()).toBe(60);
    stores.visibleRows.show(resource, [{ id: 69 }, { id: 70 }]);
    expect(await answerAll()).toBe(62);
    await seconds(1);
    expect(await answerAll()).toBe(66);
    await seconds(1);
    expect(await answerAll()).toBe(70);
  });

  test('have the list read where that is less', async () => {
    const { poll, asked } = await open();
    await poll(...about(range(20)));
    expect(asked()).toEqual(['servers.list']);
  });
});

describe('the stores', () => {
  test('reads what failed when the API is back', async () => {
    const { api, stores, asked } = await open();
    void stores.scheduler.refresh();
    await api.next('servers.list').fail({ status: 503 });
    void stores.events.poll();
    await api.next('events.list').fail({ status: 503 });
    expect(asked()).toEqual([]);
    await seconds(4);
    await api.next('events.list').page([]);
    expect(asked()).toEqual(['servers.list']);
  });

  test('asks for nothing once it is closed', async () => {
    const { api, stores, poll } = await open();
    await poll(eventOf(1, 'server_boot', 'finished', entity(1)));
    await api.next('servers.view').answer({ id: 1 });
    stores.close();
    const before = api.all.length;
    await seconds(3600);
    expect(api.all).toHaveLength(before);
  });
});
