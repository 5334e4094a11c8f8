import { describe, expect, test } from 'vitest';
import { resourceNamed } from '../../src/resources/index.ts';
import type { Row } from '../../src/resources/resource.ts';
import { baselineOf } from '../../src/store/changes/baseline.ts';
import { verify } from '../../src/store/changes/lostAnswers.ts';
import { second } from '../../src/text/times.ts';
import { actionOf } from '../resources/actionOf.ts';
import { apiOn, onePage } from './apiOn.ts';
import { apiError } from './fakeApi.ts';
import { eventOf, openStores } from './openStores.ts';

/** The id of the newest event before a change was sent, long ago. */
const last = 1000;
const sentAt = Date.UTC(2026, 0, 5, 10);

/** The state before a change was sent. */
const before = {
  ...{ at: sentAt, ids: ['5'], whole: ['list'], event: last, user: 'me' },
  sent: { from: sentAt, to: sentAt + second },
};

const timeAt = (nth: number) => new Date(sentAt + nth * second).toISOString().slice(0, 19);

/** Stores of a later session, in an account in which that many events have come since, of which `first` was the earliest. */
function openLater(count: number, first: Row | undefined, rows: readonly Row[], newest: Partial<Row> = {}) {
  const others = Array.from({ length: count }, (_, nth) =>
    eventOf(last + 2 + nth, 'server_boot', 'finished', { type: 'server', id: 99 }, { created: timeAt(2 + nth) }),
  ).map((event, nth): Row => ({ ...event, username: 'you', ...(nth === count - 1 && newest) }));
  const early = eventOf(last, 'server_boot', 'finished', { type: 'server', id: 98 }, { created: timeAt(-60) });
  const events = [early, ...(first ? [{ ...first, id: last + 1, created: timeAt(0) }] : []), ...others].toReversed();
  const api = apiOn(async ({ path }, { query = {} } = {}) => {
    const all = path.endsWith('/events') ? events : path.endsWith('}') ? undefined : rows;
    if (!all) return { body: rows[0], status: 200 };
    const [page, size] = [Number(query.page ?? 1), Number(query.page_size ?? 100)];
    const data = all.slice((page - 1) * size, page * size);
    return { body: { data, page, pages: Math.ceil(all.length / size), results: all.length }, status: 200 };
  });
  return openStores(api);
}

const [servers, records] = [resourceNamed('servers'), resourceNamed('records')];
const web = { id: 7, label: 'web-1', status: 'running', type: 'g6-standard-1', tags: [] };

/** The outcome of a snapshot whose answer was lost, looked for when that many events have come since. */
async function snapshot(count: number, isDone: boolean, username: string | null = 'me') {
  const own = { ...eventOf(0, 'server_snapshot', 'finished', { type: 'server', id: 7 }), username };
  const stores = openLater(count, isDone ? own : undefined, [web]);
  const change = {
    resource: servers,
    action: actionOf(servers, 'snapshot'),
    params: { serverId: '7' },
    label: 'web-1',
  };
  return await verify(stores, change, before);
}

describe('an event of a change whose answer was lost', () => {
  test.each<[number, boolean, string, RegExp]>([
    [20, true, 'done', /^It was done, although/],
    [150, true, 'done', /^It was done, although/],
    [150, false, 'not done', /does not show it so far; try again/],
    [1200, true, 'unclear', /Not all events since then can be read/],
    [1200, false, 'unclear', /Not all events since then can be read/],
  ])('behind %i others, which is there: %s, is told of as %s', async (count, isDone, outcome, says) => {
    expect(await snapshot(count, isDone)).toMatchObject({ outcome, says: expect.stringMatching(says) });
  });

  test.each([{ id: 'evt-7' }, { id: null }])(
    'that has the id of %j, and so no place among others, may be any',
    async (odd) => {
      const stores = openLater(20, undefined, [web], {
        action: 'server_snapshot',
        entity: { type: 'server', id: 7 },
        ...odd,
      });
      const action = actionOf(servers, 'snapshot');
      const change = { resource: servers, action, params: { serverId: '7' }, label: 'web-1' };
      const says = 'The answer was lost, so it is unknown whether it was done. Not all events since then can be read.';
      expect(await verify(stores, change, before)).toMatchObject({ outcome: 'unclear', says });
    },
  );

  const late = { entity: { type: 'server', id: 7 }, username: 'me' };

  test.each([
    [timeAt(-30), 'unclear', 'so it is unknown whether it was done. The newest event about it since then: '],
    [timeAt(0), 'done', 'It was done, although the answer was lost: '],
    [timeAt(-1), 'unclear', 'so it is unknown'],
    [undefined, 'done', 'It was done'],
  ])('that came late and is of %s may be of an earlier one like it: %s', async (created, outcome, says) => {
    const stores = openLater(20, undefined, [web], { ...late, action: 'server_snapshot', created });
    const action = actionOf(servers, 'snapshot');
    const change = { resource: servers, action, params: { serverId: '7' }, label: 'web-1' };
    const found = await verify(stores, change, before);
    expect(found).toMatchObject({ outcome, says: expect.stringContaining(says) });
  });

  test.each([
    [timeAt(2), 'unclear', 'so it is unknown whether it was done. The newest event about it since then: '],
    [timeAt(0), 'not done', 'does not show it so far; try again'],
  ])('that has a lower id than one before it, and is of %s, may be its own: %s', async (created, outcome, says) => {
    const own = { ...late, id: last - 1, action: 'server_snapshot', created };
    const stores = openLater(20, undefined, [web], own);
    const action = actionOf(servers, 'snapshot');
    const change = { resource: servers, action, params: { serverId: '7' }, label: 'web-1' };
    const found = await verify(stores, change, before);
    expect(found).toMatchObject({ outcome, says: expect.stringContaining(says) });
  });

  test.each([
    [timeAt(-30), true, 'so it is unknown whether by this request.'],
    [timeAt(0), undefined, 'but it was done.'],
  ])('of an edit that came late and is of %s may be of an earlier one', async (created, mayBeOthers, says) => {
    const stores = openLater(20, undefined, [web], { ...late, action: 'server_update', created });
    const action = actionOf(servers, 'edit');
    const body = { label: 'web-1' };
    const change = { resource: servers, action, params: { serverId: '7' }, label: 'web-1', body };
    const found = await verify(stores, { ...change, before: { label: 'old' } }, before);
    expect(found).toEqual(expect.objectContaining({ outcome: 'done', says: expect.stringContaining(says) }));
    expect(found.mayBeOthers).toBe(mayBeOthers);
  });

  test('that names nobody, where others name who did it, is of the platform or of anybody', async () => {
    expect(await snapshot(20, true, null)).toMatchObject({ outcome: 'unclear' });
  });

  test.each([{}, { data: null }, { status: 'maintenance' }])('is not missed in %j, which is no list', async (body) => {
    const api = apiOn(async ({ path }) => ({ body: path.endsWith('/events') ? body : web, status: 200 }));
    const change = {
      resource: servers,
      action: actionOf(servers, 'snapshot'),
      params: { serverId: '7' },
      label: 'web-1',
    };
    expect(await verify(openStores(api), change, before)).toMatchObject({ outcome: 'unreachable' });
  });

  test.each([
    [20, 'web-1 is as it was sent: you did it.'],
    [1200, 'web-1 is as it was sent: the answer was lost, so it is unknown whether by this request.'],
  ])(
    'behind %i others may be that of an edit, of which somebody else is not said to have done it where not all are known',
    async (count, says) => {
      const newest = { action: 'server_update', entity: { type: 'server', id: 7 } };
      const change = {
        resource: servers,
        action: actionOf(servers, 'edit'),
        params: { serverId: '7' },
        label: 'web-1',
      };
      const stores = openLater(count, undefined, [web], newest);
      const found = await verify(stores, { ...change, body: { label: 'web-1' }, before: { label: 'old' } }, before);
      expect(found).toMatchObject({ outcome: 'done', says, mayBeOthers: true });
    },
  );

  test.each<[number, string]>([
    [150, 'you made it'],
    [1200, 'not all events since then can be read'],
  ])('behind %i others tells who has made a row', async (count, says) => {
    const body = { type: 'A', name: 'www', target: '192.0.2.9' };
    const made = { ...eventOf(0, 'dns_record_create', 'notification', { type: 'domain', id: 3 }), username: 'you' };
    const stores = openLater(count, made, [{ id: 8, ...body }]);
    const params = { domainId: '3' };
    const change = { resource: records, action: actionOf(records, 'create'), params, label: 'A www', body };
    const found = await verify(stores, change, before);
    expect(found).toMatchObject({ outcome: 'unclear', says: expect.stringContaining(says) });
  });
});

describe('a change before which the events could not be read', () => {
  const snapshotAt = (id: number, ms: number): Row => ({
    ...eventOf(id, 'server_snapshot', 'finished', { type: 'server', id: 7 }),
    ...{ created: new Date(ms).toISOString().slice(0, 19), username: 'me' },
  });

  /** The outcome of a snapshot, half a minute after another session of the same user has made one. */
  async function outcomeOf(isClockKnown: boolean, isDone: boolean) {
    const now = Date.now();
    let events = [eventOf(1, 'server_boot', 'finished', { type: 'server', id: 98 }, { created: timeAt(0) })];
    let isAway = false;
    const api = apiOn(async ({ path }) => {
      if (isAway) throw apiError({ status: 503 });
      return { body: path.endsWith('/events') ? onePage(events) : web, status: 200 };
    });
    const time = () => (isClockKnown ? { from: now - 500, to: now + 500 } : undefined);
    const stores = openStores({ ...api, time });
    await stores.events.poll();
    stores.changes.own.user = 'me';
    events = [snapshotAt(2, now - 30 * second), ...events];
    isAway = true;
    const action = actionOf(servers, 'snapshot');
    const change = { resource: servers, action, params: { serverId: '7' }, label: 'web-1' };
    const sent = await baselineOf(stores, change);
    isAway = false;
    if (isDone) events = [snapshotAt(3, now), ...events];
    return (await verify(stores, change, sent)).outcome;
  }

  test.each([
    [true, true, 'done'],
    [true, false, 'not done'],
    [false, true, 'unclear'],
    [false, false, 'unclear'],
  ])('where the clock of the API is known: %s, and it was done: %s, is %s', async (isClockKnown, isDone, outcome) => {
    expect(await outcomeOf(isClockKnown, isDone)).toBe(outcome);
  });
});
