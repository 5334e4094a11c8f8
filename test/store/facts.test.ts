import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { resourceNamed } from '../../src/resources/index.ts';
import { idIndex } from '../../src/resources/problems/rowIndex.ts';
import { isLoaded } from '../../src/resources/problems/rule.ts';
import { type Looked, watched } from '../../src/store/facts.ts';
import { viewOf } from '../../src/store/records.ts';
import { listOf, openProblems } from './openProblems.ts';

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

test('a list is whole when it was read to its end, and not before', async () => {
  const { api, records, facts } = openProblems([]);
  expect(facts.lists('volumes')).toEqual([]);
  void records.readCollection(listOf('volumes'));
  await api.next('volumes.list').page([{ id: 1 }], 2, 2);
  expect(facts.lists('volumes')).toEqual([{ params: {}, rows: [{ id: 1 }], whole: false }]);
  expect(isLoaded(facts, 'volumes')).toBe(false);
  await api.next('volumes.list').page([{ id: 2 }], 2, 2);
  expect(facts.lists('volumes')).toEqual([{ params: {}, rows: [{ id: 1 }, { id: 2 }], whole: true }]);
  expect(isLoaded(facts, 'volumes')).toBe(true);
});

test('a list that is read only as far as somebody looks is not whole while there is more', async () => {
  const { api, records, facts } = openProblems([]);
  void records.readCollection(listOf('stackscripts'));
  await api.next('stackscripts.list').page([{ id: 1 }], 2, 2);
  expect(facts.lists('stackscripts')).toMatchObject([{ rows: [{ id: 1 }], whole: false }]);
});

test('lists are told apart by their parents; what a tab lists is part of another list', async () => {
  const { facts, load } = openProblems([]);
  await load(listOf('disks', { serverId: '1' }), [{ id: 5 }]);
  await load(listOf('disks', { serverId: '2' }), []);
  await load({ resource: 'servers', operation: 'volumes', params: { serverId: '1' } }, [{ id: 7 }]);
  expect(facts.lists('disks')).toEqual([
    { params: { serverId: '1' }, rows: [{ id: 5 }], whole: true },
    { params: { serverId: '2' }, rows: [], whole: true },
  ]);
  expect(isLoaded(facts, 'disks', { serverId: '2' })).toBe(true);
  expect(isLoaded(facts, 'disks', { serverId: '3' })).toBe(false);
  expect(facts.lists('volumes')).toEqual([]);
});

test('what there is only one of is a list of one, the same as long as it says the same', async () => {
  const { api, records, facts } = openProblems([]);
  expect(facts.lists('account')).toEqual([]);
  expect(facts.rows('account')).toEqual([]);
  const read = async () => {
    void records.readAnswer(viewOf(resourceNamed('account'), {}));
    await api.next('account.view').answer({ balance: 5 });
  };
  await read();
  const before = facts.rows('account');
  expect(facts.lists('account')).toEqual([{ params: {}, rows: [{ balance: 5 }], whole: true }]);
  await read();
  expect(facts.rows('account')).toBe(before);
});

test('further answers and the newest events are seen as they are', async () => {
  const { api, records, facts, events } = openProblems([]);
  const params = { serverId: '1' };
  expect(facts.answer('servers', 'transfer', params)).toBeUndefined();
  void records.readAnswer({ resource: 'servers', operation: 'transfer', params });
  await api.next('servers.transfer').answer({ used: 3 });
  expect(facts.answer('servers', 'transfer', params)).toEqual({ used: 3 });
  void events.poll();
  await api.next('events.list').page([{ id: 9, action: 'server_boot' }]);
  events.stop();
  expect(facts.events).toEqual([{ id: 9, action: 'server_boot' }]);
  expect(facts.lists('events')).toEqual([{ params: {}, rows: facts.events, whole: false }]);
  expect(facts.now).toBe(Date.now());
});

test('everything that is looked at is told', () => {
  const { facts } = openProblems([]);
  const looked: Looked[] = [];
  const noted = watched(facts, (one) => looked.push(one));
  const params = { serverId: '1' };
  noted.rows('servers');
  noted.rows('disks', params);
  noted.row('volumes', 1);
  noted.gone('images');
  noted.lists('domains');
  noted.isWhole('disks', params);
  noted.find('events', idIndex('entity.id'), '1');
  noted.answer('servers', 'transfer', params);
  expect([noted.events, noted.usage('1'), noted.now]).toEqual([[], undefined, Date.now()]);
  expect(looked).toEqual([
    { kind: 'rows', resource: 'servers' },
    { kind: 'below', resource: 'disks', under: params },
    { kind: 'row', resource: 'volumes', id: '1' },
    { kind: 'gone', resource: 'images' },
    { kind: 'rows', resource: 'domains' },
    { kind: 'whole', resource: 'disks', under: params },
    { kind: 'found', resource: 'events', index: idIndex('entity.id'), value: '1' },
    { kind: 'answer', resource: 'servers', operation: 'transfer', params },
    { kind: 'rows', resource: 'events' },
    { kind: 'usage', serverId: '1' },
    { kind: 'now' },
  ]);
});
