import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { resourceNamed } from '../../src/resources/index.ts';
import { heldIn } from '../../src/store/held.ts';
import { createRecords } from '../../src/store/records.ts';
import { fakeApi } from './fakeApi.ts';

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

const noEvents = { events: [] };

test('what is loaded is told with what it was asked for, and whether it is all', async () => {
  const api = fakeApi();
  const records = createRecords(api, Date.now);
  const lists = () =>
    heldIn(records.getState(), noEvents)
      .filter(({ rows }) => rows.length > 0)
      .map(({ resource, params, rows, whole }) => [resource, params, rows.map(({ id }) => id), whole]);
  expect(lists()).toEqual([]);

  const disks = { resource: 'disks', operation: 'list', params: { serverId: '1' } };
  const reading = records.readCollection(disks);
  await api.next('disks.list').page([{ id: 5 }]);
  await reading;
  expect(lists()).toEqual([['disks', { serverId: '1' }, [5], true]]);

  const attached = records.readCollection({ resource: 'servers', operation: 'volumes', params: { serverId: '1' } });
  await api.next('servers.volumes').page([{ id: 6 }]);
  await attached;
  expect(lists()).toContainEqual(['volumes', { serverId: '1' }, [6], false]);

  const viewing = records.readRow(resourceNamed('servers'), { serverId: '4' });
  await api.next('servers.view').answer({ id: 4 });
  await viewing;
  expect(lists()).toContainEqual(['servers', { serverId: '4' }, [4], false]);
});

test('a list that is still arriving is not all, and statistics are no rows', async () => {
  const api = fakeApi();
  const records = createRecords(api, Date.now);
  void records.readCollection({ resource: 'volumes', operation: 'list', params: {} });
  await api.next('volumes.list');
  void records.readAnswer({ resource: 'servers', operation: 'stats', params: { serverId: '1' } });
  await api.next('servers.stats').answer({ title: 'CPU' });
  expect(heldIn(records.getState(), noEvents).map(({ resource, rows, whole }) => [resource, rows, whole])).toEqual([
    ['events', [], false],
    ['volumes', [], false],
  ]);
});

test('the newest events count, too', () => {
  const records = createRecords(fakeApi(), Date.now);
  const event = { id: 9, action: 'server_boot', status: 'finished', created: '2024-05-01T00:00:00' };
  const held = heldIn(records.getState(), { events: [event] });
  expect(held).toEqual([{ resource: 'events', params: {}, rows: [event], whole: false }]);
});
