import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { paramsOf, withListPosition } from '../../src/resources/identity.ts';
import { resourceNamed, resources } from '../../src/resources/index.ts';
import { observeView, type ViewRead } from '../../src/resources/observe.ts';
import { idIndex } from '../../src/resources/problems/rowIndex.ts';
import { type CacheView, emptyView, type Row, viewWith } from '../../src/resources/resource.ts';
import { createCache, type Query, queryKey, viewQuery } from '../../src/store/cache.ts';
import { createPoller } from '../../src/store/events.ts';
import { createView } from '../../src/store/view.ts';
import { fakeApi } from './fakeApi.ts';
import { listOf, openProblems } from './openProblems.ts';

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

function open() {
  const api = fakeApi();
  const cache = createCache(api, Date.now);
  const load = async (query: Query, rows: readonly Row[]) => {
    void cache.readCollection(query);
    await api.next(`${query.resource}.${query.operation}`).page(rows);
  };
  const events = createPoller(api, Date.now, () => {});
  return { api, cache, events, view: createView({ cache, events, now: Date.now }), load };
}

const disksOf = (serverId: string): Query => ({ resource: 'disks', operation: 'list', params: { serverId } });

test('nothing is known of what is not loaded, nor of what there is not', () => {
  const { api, view } = open();
  expect(view.rows('servers')).toEqual([]);
  expect(view.row('servers', 1)).toBeUndefined();
  expect(view.rows('unheard')).toEqual([]);
  expect(view.row('unheard', 1)).toBeUndefined();
  expect(view.now).toBe(1_000_000);
  expect(api.all).toHaveLength(0);
});

test('columns look for answers by the parameters of their row, whatever its shape', () => {
  const { view } = open();
  const looked: string[] = [];
  const observed: CacheView = {
    ...view,
    answer: (resource, operation, params) => {
      looked.push(queryKey({ resource, operation, params }));
      return view.answer(resource, operation, params);
    },
  };
  const shapes = ['a', '', 'a/b', '\ud800', 7, 0, true, null, [], {}, undefined];
  const asking = resources.flatMap((resource) =>
    resource.columns.flatMap(({ fetches, value }) =>
      fetches !== undefined && typeof value === 'function' ? [{ resource, fetches, value }] : [],
    ),
  );
  expect(asking.length).toBeGreaterThan(4);
  for (const { resource, fetches, value } of asking)
    for (const shape of shapes) {
      const row = withListPosition({ id: shape, label: shape, cluster: shape, region: shape }, 'here');
      value(row, observed);
      const key = queryKey({ resource: resource.name, operation: fetches, params: paramsOf(resource, row) });
      // The load of a server is folded elsewhere.
      if (resource.name !== 'servers') expect(looked, key).toContain(key);
      looked.length = 0;
    }
});

test('rows are known by their parents and by their ids', async () => {
  const { view, load } = open();
  await load(disksOf('1'), [{ id: 5 }, { id: 6 }]);
  await load(disksOf('2'), [{ id: 7 }]);
  expect(view.rows('disks', { serverId: '1' })).toEqual([{ id: 5 }, { id: 6 }]);
  expect(view.rows('disks', { serverId: '3' })).toEqual([]);
  expect(view.rows('disks')).toEqual([{ id: 5 }, { id: 6 }, { id: 7 }]);
  expect([view.row('disks', 7), view.row('disks', '5')]).toEqual([{ id: 7 }, { id: 5 }]);
});

test('a row whose id is unique in its list alone is known by its parents as well', async () => {
  const { api, cache, view, load } = open();
  const configs = resourceNamed('nodebalancer-configs');
  await load(listOf(configs.name, { nodeBalancerId: '1' }), [{ id: 5, port: 80 }]);
  await load(listOf(configs.name, { nodeBalancerId: '2' }), [{ id: 5, port: 443 }]);
  const portOf = (nodeBalancerId: string) => view.row(configs.name, 5, { nodeBalancerId, configId: '5' })?.port;
  expect([portOf('1'), portOf('2'), portOf('3')]).toEqual([80, 443, undefined]);
  void cache.readRow(configs, { nodeBalancerId: '3', configId: '5' });
  await api.next('nodebalancer-configs.view').answer({ id: 5, port: 8080 });
  expect([portOf('1'), portOf('3')]).toEqual([80, 8080]);
});

test('each row is known once, and the list is the same as long as nothing changes', async () => {
  const { cache, view, load } = open();
  const servers: Query = { resource: 'volumes', operation: 'list', params: {} };
  await load(servers, [{ id: 1 }, { id: 2 }]);
  expect(view.rows('volumes')).toBe(view.rows('volumes'));
  await load({ resource: 'servers', operation: 'volumes', params: { serverId: '9' } }, [{ id: 2 }]);
  const before = view.rows('volumes');
  expect(before).toEqual([{ id: 1 }, { id: 2 }]);
  await load(disksOf('1'), [{ id: 5 }]);
  expect(view.rows('volumes')).toBe(before);
  cache.putRow(resourceNamed('volumes'), { volumeId: '3' }, { id: 3 });
  expect(view.rows('volumes')).toHaveLength(3);
  expect(view.row('volumes', 3)).toEqual({ id: 3 });
});

test('a row that was viewed alone is known, too', async () => {
  const { api, cache, view } = open();
  void cache.readRow(resourceNamed('servers'), { serverId: '4' });
  await api.next('servers.view').answer({ id: 4 });
  expect(view.row('servers', 4)).toEqual({ id: 4 });
});

test('a row that went out of its list is remembered, until it is there again', async () => {
  const { cache, view, load } = open();
  const servers: Query = { resource: 'servers', operation: 'list', params: {} };
  await load(servers, [{ id: 1, label: 'web-1' }, { id: 2, label: 'web-2' }, { id: 3 }]);
  expect(view.deleted('servers')).toEqual([]);
  cache.dropRow(resourceNamed('servers'), { serverId: '1' });
  expect(view.deleted('servers')).toEqual([{ id: 1, label: 'web-1' }]);
  await load(servers, [{ id: 3 }]);
  expect(view.deleted('servers').map(({ id }) => id)).toEqual([1, 2]);
  cache.putRow(resourceNamed('servers'), { serverId: '1' }, { id: 1 });
  expect(view.deleted('servers').map(({ id }) => id)).toEqual([2]);
  expect(view.deleted('volumes')).toEqual([]);
});

test('a list is whole when it was read to its end, and not before', async () => {
  const { api, cache, view } = openProblems([]);
  expect(view.lists('volumes')).toEqual([]);
  void cache.readCollection(listOf('volumes'));
  await api.next('volumes.list').page([{ id: 1 }], 2, 2);
  expect(view.lists('volumes')).toEqual([{ params: {}, rows: [{ id: 1 }], whole: false }]);
  expect(view.isRead('volumes')).toBe(false);
  await api.next('volumes.list').page([{ id: 2 }], 2, 2);
  expect(view.lists('volumes')).toEqual([{ params: {}, rows: [{ id: 1 }, { id: 2 }], whole: true }]);
  expect(view.isRead('volumes')).toBe(true);
});

test('a list that is read only as far as somebody looks is not whole while there is more', async () => {
  const { api, cache, view } = openProblems([]);
  void cache.readCollection(listOf('stackscripts'));
  await api.next('stackscripts.list').page([{ id: 1 }], 2, 2);
  expect(view.lists('stackscripts')).toMatchObject([{ rows: [{ id: 1 }], whole: false }]);
});

test('lists are told apart by their parents; what a tab lists is part of another list', async () => {
  const { view, load } = openProblems([]);
  await load(listOf('disks', { serverId: '1' }), [{ id: 5 }]);
  await load(listOf('disks', { serverId: '2' }), []);
  await load({ resource: 'servers', operation: 'volumes', params: { serverId: '1' } }, [{ id: 7 }]);
  expect(view.lists('disks')).toEqual([
    { params: { serverId: '1' }, rows: [{ id: 5 }], whole: true },
    { params: { serverId: '2' }, rows: [], whole: true },
  ]);
  expect(view.isRead('disks', { serverId: '2' })).toBe(true);
  expect(view.isRead('disks', { serverId: '3' })).toBe(false);
  expect(view.lists('volumes')).toEqual([]);
});

test('what there is only one of is a list of one, the same as long as it says the same', async () => {
  const { api, cache, view } = openProblems([]);
  expect(view.lists('account')).toEqual([]);
  expect(view.rows('account')).toEqual([]);
  const read = async () => {
    void cache.readAnswer(viewQuery(resourceNamed('account'), {}));
    await api.next('account.view').answer({ balance: 5 });
  };
  await read();
  const before = view.rows('account');
  expect(view.lists('account')).toEqual([{ params: {}, rows: [{ balance: 5 }], whole: true }]);
  await read();
  expect(view.rows('account')).toBe(before);
});

test('further answers and the newest events are seen as they are', async () => {
  const { api, cache, view, events } = openProblems([]);
  const params = { serverId: '1' };
  expect(view.answer('servers', 'transfer', params)).toBeUndefined();
  void cache.readAnswer({ resource: 'servers', operation: 'transfer', params });
  await api.next('servers.transfer').answer({ used: 3 });
  expect(view.answer('servers', 'transfer', params)).toEqual({ used: 3 });
  void events.poll();
  await api.next('events.list').page([{ id: 9, action: 'server_boot' }]);
  events.stop();
  expect(view.events).toEqual([{ id: 9, action: 'server_boot' }]);
  expect(view.lists('events')).toEqual([{ params: {}, rows: view.events, whole: false }]);
  expect(view.now).toBe(Date.now());
});

test('everything that is looked at is told', () => {
  const { view } = openProblems([]);
  const looked: ViewRead[] = [];
  const noted = observeView(view, (one) => looked.push(one));
  const params = { serverId: '1' };
  noted.rows('servers');
  noted.rows('disks', params);
  noted.row('volumes', 1);
  noted.deleted('images');
  noted.lists('domains');
  noted.isRead('disks', params);
  noted.find('events', idIndex('entity.id'), '1');
  noted.answer('servers', 'transfer', params);
  noted.loaded('domains');
  expect([noted.day('1'), noted.transferShare('2'), [...noted.measured()]]).toEqual([undefined, undefined, []]);
  expect([noted.events, noted.usage('1'), noted.now, noted.standing]).toEqual([[], undefined, Date.now(), undefined]);
  expect(looked).toEqual([
    ['rows', ['servers'], []],
    ['rows', ['disks', params], []],
    ['row', ['volumes', 1], undefined],
    ['deleted', ['images'], []],
    ['lists', ['domains'], []],
    ['isRead', ['disks', params], false],
    ['find', ['events', idIndex('entity.id'), '1'], []],
    ['answer', ['servers', 'transfer', params], undefined],
    ['loaded', ['domains'], []],
    ['day', ['1'], undefined],
    ['transferShare', ['2'], undefined],
    ['measured', [], expect.anything()],
    ['events', [], []],
    ['usage', ['1'], undefined],
    ['now', [], Date.now()],
    ['standing', [], undefined],
  ]);
  expect(new Set(looked.map(([name]) => name))).toEqual(new Set(Object.keys(emptyView)));
});

/** All that is loaded of some resources: the resource, the parameters, the ids of the rows, and whether it is all. */
const loadedIn = (view: CacheView) =>
  ['servers', 'disks', 'volumes', 'events'].flatMap((resource) =>
    view.loaded(resource).map(({ params, rows, whole }) => [resource, params, rows.map(({ id }) => id), whole]),
  );
const newest = ['events', {}, [], false];

test('what is loaded is told with what it was asked for, and whether it is all', async () => {
  const { api, cache, view, load } = open();
  expect(loadedIn(view)).toEqual([newest]);

  await load(disksOf('1'), [{ id: 5 }]);
  expect(loadedIn(view)).toEqual([['disks', { serverId: '1' }, [5], true], newest]);

  await load({ resource: 'servers', operation: 'volumes', params: { serverId: '1' } }, [{ id: 6 }]);
  expect(loadedIn(view)).toContainEqual(['volumes', { serverId: '1' }, [6], false]);

  void cache.readRow(resourceNamed('servers'), { serverId: '4' });
  await api.next('servers.view').answer({ id: 4 });
  expect(loadedIn(view)).toContainEqual(['servers', { serverId: '4' }, [4], false]);
  await load(listOf('servers'), [{ id: 4 }]);
  // The list is the fresher one.
  expect(loadedIn(view).slice(0, 2)).toEqual([
    ['servers', { serverId: '4' }, [4], false],
    ['servers', {}, [4], true],
  ]);
});

test('a list that is still arriving is not all, and statistics are no rows', async () => {
  const { api, cache, view } = open();
  void cache.readCollection(listOf('volumes'));
  await api.next('volumes.list');
  void cache.readAnswer({ resource: 'servers', operation: 'stats', params: { serverId: '1' } });
  await api.next('servers.stats').answer({ title: 'CPU' });
  expect(loadedIn(view)).toEqual([['volumes', {}, [], false], newest]);
});

test('the newest events count, too', async () => {
  const { api, view, events } = open();
  void events.poll();
  await api.next('events.list').page([{ id: 9, action: 'server_boot' }]);
  events.stop();
  expect(loadedIn(view)).toEqual([['events', {}, [9], false]]);
});

test('lists are the same as long as nothing in them changes', async () => {
  const { view, load } = open();
  await load(disksOf('1'), [{ id: 5 }]);
  await load(disksOf('2'), [{ id: 6 }]);
  const before = view.lists('disks');
  await load(disksOf('2'), [{ id: 6 }]);
  await load(listOf('volumes'), [{ id: 1 }]);
  expect(view.lists('disks')).toBe(before);
  expect(view.lists('events')).toBe(view.lists('events'));
  await load(disksOf('2'), [{ id: 7 }]);
  expect(view.lists('disks').map(({ rows }) => rows)).toEqual([[{ id: 5 }], [{ id: 7 }]]);
});

test('a view with selectors of its own keeps the others, and the time goes on', async () => {
  const { view, load } = open();
  const other = viewWith(view, { rows: () => [{ id: 8 }] });
  await load(listOf('volumes'), [{ id: 1 }]);
  expect([other.rows('volumes'), other.row('volumes', 1)]).toEqual([[{ id: 8 }], { id: 1 }]);
  vi.advanceTimersByTime(1000);
  expect(other.now).toBe(Date.now());
  expect(viewWith(view, { now: 5 }).now).toBe(5);
});

test('the health of a NodeBalancer is that of the later reading of its ports, the list or the answer', async () => {
  const { api, cache, view, load } = open();
  const params = { nodeBalancerId: '7' };
  const port = (up: number, down: number, id = 1) => ({ id, port: 80 * id, nodes_status: { up, down } });
  const health = () => {
    const value = resourceNamed('nodebalancers').columns.find(({ name }) => name === 'health')?.value;
    const listed = view.rows('nodebalancer-configs', params).map(({ nodes_status }) => nodes_status);
    return [typeof value === 'function' && value({ id: 7 }, view), listed];
  };
  const answer = async (...data: readonly Row[]) => {
    void cache.readAnswer({ resource: 'nodebalancers', operation: 'configs', params });
    await api.next('nodebalancers.configs').answer({ data });
  };
  await answer(port(4, 0));
  expect(health()).toEqual(['4 up 0 down', []]);
  await load({ resource: 'nodebalancer-configs', operation: 'list', params }, [port(3, 1)]);
  expect(health()).toEqual(['3 up 1 down', [{ up: 3, down: 1 }]]);
  await answer(port(2, 2), port(1, 0, 2));
  expect(health()).toEqual([
    '3 up 2 down',
    [
      { up: 2, down: 2 },
      { up: 1, down: 0 },
    ],
  ]);
  // A port that is gone.
  await load({ resource: 'nodebalancer-configs', operation: 'list', params }, []);
  expect(health()).toEqual(['0 up 0 down', []]);
});
