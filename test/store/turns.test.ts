import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiError } from '../../src/api/error.ts';
import { resourceNamed } from '../../src/resources/index.ts';
import type { Row } from '../../src/resources/resource.ts';
import { isRow, textsOf } from '../../src/resources/row.ts';
import type { Submission, Target } from '../../src/store/changes/change.ts';
import { submit } from '../../src/store/changes/submit.ts';
import { foundFor } from '../../src/store/changes/takeBack.ts';
import type { Undo, UndoLevel } from '../../src/store/changes/undoable.ts';
import { actionOf } from '../resources/actionOf.ts';
import { apiOn } from './apiOn.ts';
import { settled } from './fakeApi.ts';
import { openStores } from './openStores.ts';

const volumes = resourceNamed('volumes');
const listed = { resource: 'volumes', operation: 'list', params: {} };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A cloud of so many volumes in which each change takes a while, of which somebody else may change them meanwhile. */
async function open(count: number, { msEach = 2000, shown = count } = {}) {
  const named = (id: number): [string, Row] => [String(id), { id, label: `data-${id}`, tags: ['old'], size: 20 }];
  const rows = new Map(Array.from({ length: count }, (_, nth) => named(nth + 1)));
  const going: { at: number; end: () => void }[] = [];
  const reads: string[] = [];
  const writes: { id: string; body: Row }[] = [];
  const cloud = { isDown: false, failures: 0 };
  const api = apiOn(async ({ method, path }, { params = {}, query = {}, body } = {}) => {
    const { volumeId = '' } = params;
    if (method === 'PUT') {
      await new Promise<void>((end) => going.push({ at: Date.now() + msEach, end }));
      if (!isRow(body)) throw new Error('a body is expected');
      writes.push({ id: volumeId, body });
      const row = { ...rows.get(volumeId), ...body };
      rows.set(volumeId, row);
      return { body: row, status: 200 };
    }
    const isRows = path.includes('/volumes');
    const all = isRows ? [...rows.values()] : [];
    if (isRows) reads.push(volumeId === '' ? `page ${query.page ?? 1}` : volumeId);
    const row = rows.get(volumeId);
    const failed = (status: number, message: string) => new ApiError({ kind: 'answer', status, message, method, path });
    if (isRows && cloud.isDown) throw failed(503, 'The API is down.');
    if (isRows && cloud.failures-- > 0) throw failed(500, 'It failed.');
    if (volumeId !== '' && !row) throw failed(404, 'Not found.');
    if (row) return { body: row, status: 200 };
    const page = Number(query.page ?? 1);
    const data = all.slice((page - 1) * 100, page * 100);
    return { body: { data, page, pages: Math.ceil(all.length / 100), results: all.length }, status: 200 };
  });
  const stores = openStores(api);
  await stores.cache.readCollection(listed);
  reads.length = 0;
  const targets = [...rows.values()]
    .slice(0, shown)
    .map((row) => ({ row: stores.view.row('volumes', String(row.id)) as Row, params: { volumeId: String(row.id) } }));
  /** Begins to change tags of these volumes by what is entered in a form. */
  const begin = (action: string, tags: readonly string[], opened: readonly string[] = []) => {
    const edits: Submission['edits'] = { opened: { tags: opened }, mine: { tags } };
    return submit(stores, {
      ...{ resource: volumes, action: actionOf(volumes, action), targets, params: {}, draft: { tags }, edits },
    });
  };
  const tagsOf = (id: number) => textsOf(rows.get(String(id))?.tags);
  const giveTag = (id: number, tag: string) =>
    void rows.set(String(id), { ...rows.get(String(id)), tags: [...tagsOf(id), tag] });
  /** Lets time pass, in which changes come to their ends. */
  const pass = async (ms: number) => {
    const end = Date.now() + ms;
    for (let next = going[0]; next && next.at <= end; next = going[0]) {
      await vi.advanceTimersByTimeAsync(next.at - Date.now());
      going.shift();
      next.end();
      await settled();
    }
    await vi.advanceTimersByTimeAsync(end - Date.now());
  };
  return { pass, stores, rows, reads, writes, cloud, begin, tagsOf, giveTag };
}

describe('what a change of many rows adds or removes', () => {
  test.each([
    ['tag', ['new'], [], ['old', 'his', 'new']],
    ['untag', ['old'], [], ['his']],
    ['edit', ['new'], ['old'], ['his', 'new']],
  ])('by %s is worked out on each row as it is when its turn comes', async (action, mine, opened, tags) => {
    const { pass, begin, tagsOf, giveTag } = await open(200);
    const done = begin(action, mine, opened);
    await pass(60_000);
    giveTag(199, 'his');
    await pass(60_000);
    expect((await done).every(({ state }) => state === 'done')).toBe(true);
    expect(tagsOf(199)).toEqual(tags);
  });

  test('is taken back by what was sent, not by what was confirmed', async () => {
    const { pass, stores, begin, tagsOf, giveTag } = await open(200);
    const done = begin('tag', ['new']);
    await pass(60_000);
    giveTag(199, 'his');
    await pass(60_000);
    await done;
    const { undos } = stores.changes.getState().undo.at(-1) as UndoLevel;
    const undo = undos.find(({ label }) => label === 'data-199') as Undo;
    const [target] = foundFor(stores, volumes, actionOf(volumes, undo.inverse.action), undo);
    const edit = actionOf(volumes, 'edit');
    const back = submit(stores, {
      resource: volumes,
      action: edit,
      targets: [target as Target],
      params: {},
      draft: {},
    });
    await pass(2000);
    await back;
    expect(tagsOf(199)).toEqual(['old', 'his']);
  });

  test('takes what an event has told meanwhile, with no request of its own', async () => {
    const { pass, stores, begin, tagsOf, reads } = await open(8);
    const done = begin('tag', ['new']);
    stores.cache.putRow(volumes, { volumeId: '8' }, { id: 8, label: 'data-8', tags: ['old', 'his'], size: 20 });
    await pass(4000);
    await done;
    expect([reads, tagsOf(8)]).toEqual([[], ['old', 'his', 'new']]);
  });

  test('is read by a page for all rows of the next moments, and never where the rows go at once', async () => {
    const many = await open(200);
    const done = many.begin('tag', ['new']);
    await many.pass(100_000);
    await done;
    expect(many.writes.length).toBe(200);
    // Two pages every ten seconds, less than one request for a row.
    expect(many.reads).toEqual(Array.from({ length: 9 }, () => ['page 1', 'page 2']).flat());
    const two = await open(2, { msEach: 60_000 });
    const both = two.begin('tag', ['new']);
    await two.pass(60_000);
    await both;
    expect([two.reads, two.writes.length]).toEqual([[], 2]);
  });

  test('is read from the row alone where its list has more pages than rows have their turn soon', async () => {
    const { pass, begin, reads, writes } = await open(1200, { shown: 12, msEach: 8000 });
    const done = begin('tag', ['new']);
    await pass(24_000);
    await done;
    expect([reads, writes.length]).toEqual([['9', '10', '11', '12'], 12]);
  });

  test('is not sent where the row cannot be read, is gone, or has it already', async () => {
    const { pass, cloud, rows, begin, giveTag, reads, writes } = await open(20, { msEach: 12_000 });
    const done = begin('tag', ['new']);
    giveTag(5, 'new');
    rows.delete('6');
    await pass(23_900);
    cloud.isDown = true;
    await pass(40_000);
    const results = await done;
    const says = (id: number) => [results[id - 1]?.state, results[id - 1]?.says];
    expect(says(1)).toEqual(['done', undefined]);
    expect(says(5)).toEqual(['not sent', 'It is so already, so nothing was sent.']);
    expect(says(6)).toEqual(['not sent', 'There is no such volume any more, so nothing was sent.']);
    expect(results.map((one) => one.says)).toContain('The API is down, so nothing was sent.');
    // Nothing was asked for it any more.
    expect(says(20)).toEqual(['not sent', undefined]);
    expect(reads).not.toContain('20');
    expect(writes.map(({ id }) => id)).not.toContain('20');
  });

  test('is sent to all but those whose turn it was when reading failed', async () => {
    const { pass, cloud, begin } = await open(200);
    const done = begin('tag', ['new']);
    cloud.failures = 1;
    await pass(100_000);
    expect((await done).filter(({ state }) => state !== 'done').length).toBeLessThanOrEqual(4);
  });
});

test('what many rows are set to is sent as it was confirmed, and nothing else', async () => {
  const { pass, stores, rows, writes } = await open(80);
  const targets = [...rows].map(([volumeId, row]) => ({ row, params: { volumeId } }));
  const edits = { opened: {}, mine: { label: 'same' } };
  const edit = actionOf(volumes, 'edit');
  const done = submit(stores, { resource: volumes, action: edit, targets, params: {}, draft: edits.mine, edits });
  await pass(10_000);
  rows.set('79', { ...rows.get('79'), label: 'his', size: 40 });
  await pass(30_000);
  await done;
  expect(writes.find(({ id }) => id === '79')?.body).toEqual({ label: 'same' });
});
