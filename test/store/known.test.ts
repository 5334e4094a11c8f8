import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { resourceNamed } from '../../src/resources/index.ts';
import type { Row } from '../../src/resources/resource.ts';
import { knownFrom } from '../../src/store/known.ts';
import { createRecords, type Question } from '../../src/store/records.ts';
import { fakeApi } from './fakeApi.ts';

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

function open() {
  const api = fakeApi();
  const records = createRecords(api, Date.now);
  const load = async (question: Question, rows: readonly Row[]) => {
    void records.readCollection(question);
    await api.next(`${question.resource}.${question.operation}`).page(rows);
  };
  return { api, records, known: knownFrom(records, Date.now), load };
}

const disksOf = (serverId: string): Question => ({ resource: 'disks', operation: 'list', params: { serverId } });

test('nothing is known of what is not loaded, nor of what there is not', () => {
  const { api, known } = open();
  expect(known.rows('servers')).toEqual([]);
  expect(known.row('servers', 1)).toBeUndefined();
  expect(known.rows('unheard')).toEqual([]);
  expect(known.row('unheard', 1)).toBeUndefined();
  expect(known.now).toBe(1_000_000);
  expect(api.all).toHaveLength(0);
});

test('rows are known by their parents and by their ids', async () => {
  const { known, load } = open();
  await load(disksOf('1'), [{ id: 5 }, { id: 6 }]);
  await load(disksOf('2'), [{ id: 7 }]);
  expect(known.rows('disks', { serverId: '1' })).toEqual([{ id: 5 }, { id: 6 }]);
  expect(known.rows('disks', { serverId: '3' })).toEqual([]);
  expect(known.rows('disks')).toEqual([{ id: 5 }, { id: 6 }, { id: 7 }]);
  expect([known.row('disks', 7), known.row('disks', '5')]).toEqual([{ id: 7 }, { id: 5 }]);
});

test('each row is known once, and the list is the same as long as nothing changes', async () => {
  const { records, known, load } = open();
  const servers: Question = { resource: 'volumes', operation: 'list', params: {} };
  await load(servers, [{ id: 1 }, { id: 2 }]);
  expect(known.rows('volumes')).toBe(known.rows('volumes'));
  await load({ resource: 'servers', operation: 'volumes', params: { serverId: '9' } }, [{ id: 2 }]);
  const before = known.rows('volumes');
  expect(before).toEqual([{ id: 1 }, { id: 2 }]);
  await load(disksOf('1'), [{ id: 5 }]);
  expect(known.rows('volumes')).toBe(before);
  records.putRow(resourceNamed('volumes'), { volumeId: '3' }, { id: 3 });
  expect(known.rows('volumes')).toHaveLength(3);
  expect(known.row('volumes', 3)).toEqual({ id: 3 });
});

test('a row that was viewed alone is known, too', async () => {
  const { api, records, known } = open();
  void records.readRow(resourceNamed('servers'), { serverId: '4' });
  await api.next('servers.view').answer({ id: 4 });
  expect(known.row('servers', 4)).toEqual({ id: 4 });
});

test('a row that went out of its list is remembered, until it is there again', async () => {
  const { records, known, load } = open();
  const servers: Question = { resource: 'servers', operation: 'list', params: {} };
  await load(servers, [{ id: 1, label: 'web-1' }, { id: 2, label: 'web-2' }, { id: 3 }]);
  expect(known.gone('servers')).toEqual([]);
  records.dropRow(resourceNamed('servers'), { serverId: '1' });
  expect(known.gone('servers')).toEqual([{ id: 1, label: 'web-1' }]);
  await load(servers, [{ id: 3 }]);
  expect(known.gone('servers').map(({ id }) => id)).toEqual([1, 2]);
  records.putRow(resourceNamed('servers'), { serverId: '1' }, { id: 1 });
  expect(known.gone('servers').map(({ id }) => id)).toEqual([2]);
  expect(known.gone('volumes')).toEqual([]);
});
