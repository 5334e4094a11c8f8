import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { resourceNamed } from '../../src/resources/index.ts';
import type { Action, Resource, Row } from '../../src/resources/resource.ts';
import { type Query, queryKey } from '../../src/store/cache.ts';
import { baselineOf } from '../../src/store/changes/baseline.ts';
import { type Change, changeKey, changeOn, type Result } from '../../src/store/changes/change.ts';
import { verify } from '../../src/store/changes/lostAnswers.ts';
import { changeCounts } from '../../src/store/changes/pendingChanges.ts';
import { sendChanges } from '../../src/store/changes/send.ts';
import { ownName } from '../../src/store/changes/whoDidIt.ts';
import type { Stores } from '../../src/store/stores.ts';
import { actionOf } from '../resources/actionOf.ts';
import { onePage } from './apiOn.ts';
import { fakeApi, settled } from './fakeApi.ts';
import { eventOf, openStores } from './openStores.ts';

const volumes = resourceNamed('volumes');

/** The time of the events that come after a change was sent. */
const created = '2025-06-10T12:00:00';

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2025, 5, 10, 12) }));
afterEach(() => void vi.useRealTimers());

const volume = (id: number, further: Row = {}): Row => ({
  id,
  label: `data-${id}`,
  size: 20,
  server_id: 7,
  tags: [],
  created: '2025-06-01T09:00:00',
  ...further,
});
/** One that was made just now. */
const newVolume = (id: number, further: Row = {}) => volume(id, { created: '2025-06-10T12:00:00', ...further });
const listOf = (resource: string): Query => ({ resource, operation: 'list', params: {} });

const lost = { kind: 'timeout', status: undefined, maybeSent: true, message: 'It did not answer.' } as const;
const away = { kind: 'unreachable', status: undefined, message: 'It cannot be reached.' } as const;

/** Stores with three volumes on screen, or such that have never looked at them; `events` are those of the API, newest first. */
async function open(isLoaded = true) {
  const events: Row[] = [];
  let areEventsAway = false;
  const api = fakeApi((name) => (name === 'events.list' && !areEventsAway ? onePage([...events]) : undefined));
  const stores = openStores(api);
  if (isLoaded) {
    stores.scheduler.subscribe([listOf('volumes')]);
    await api.next('volumes.list').page([volume(1), volume(2), volume(3)]);
  }
  const rows = () => stores.cache.getState().collections[queryKey(listOf('volumes'))]?.rows ?? [];
  /** The result of an action on one of the volumes, or of the creation of one. */
  const act = (name: string, on: number | undefined, body?: Row) =>
    send(
      stores,
      on === undefined ? making(volumes, name, body) : changeOn(volumes, actionOf(volumes, name), volume(on), {}, body),
    );
  return { api, stores, rows, act, events, noEvents: () => (areEventsAway = true) };
}

const making = (resource: Resource, name: string, body: Row = {}): Change => ({
  resource,
  action: actionOf(resource, name),
  params: {},
  label: String(body.label),
  body,
});

/** The result of a change: with why it failed, or what is to be known although it was done. */
async function send(stores: Stores, change: Change): Promise<Result & { failure?: string; note?: string }> {
  const [result, ...others] = (await sendChanges(stores, change, [change])).results;
  if (!result || others.length > 0) throw new Error('there is not one result');
  return { ...result, [result.state === 'done' ? 'note' : 'failure']: result.says };
}

describe('a row that was to be made', () => {
  test('is found by its label among what is new', async () => {
    const { api, stores, rows, act } = await open();
    const said = () => stores.notices.getState().current?.text ?? '';
    const done = act('create', undefined, { label: 'data-9', size: 20 });
    await api.next('volumes.create').fail(lost);
    const look = await api.next('volumes.list');
    expect(said()).toMatch(/checking whether it was done\.$/);
    look.page([volume(1), volume(2), volume(3), newVolume(9)]);
    const { failure, note, row } = await done;
    expect(said()).not.toMatch(/checking/);
    expect(failure).toBeUndefined();
    expect(note).toBe('data-9 is there now: the answer was lost, but it was done.');
    expect(row).toMatchObject({ id: 9 });
    expect(rows().map(({ id }) => id)).toEqual([1, 2, 3, 9]);
    expect(api.count('volumes.create')).toBe(1);
  });

  test('is not there so far, although an older one is called the same or a new one otherwise', async () => {
    const { api, act } = await open();
    const done = act('create', undefined, { label: 'data-1', size: 20 });
    await api.next('volumes.create').fail(lost);
    await api.next('volumes.list').page([volume(1), volume(2), volume(3), newVolume(9, { size: 50 })]);
    expect((await done).failure).toBe('The answer was lost: data-1 is not there so far; try again.');
  });

  test('is looked for in a reading that began after it was sent', async () => {
    const { api, stores, act } = await open();
    void stores.scheduler.refresh();
    const done = act('create', undefined, { label: 'data-9' });
    await api.next('volumes.create').fail(lost);
    await api.next('volumes.list').page([volume(1), volume(2), volume(3)]);
    await api.next('volumes.list').page([volume(1), volume(2), volume(3), newVolume(9)]);
    expect((await done).note).toMatch(/^data-9 is there now/);
  });

  test.each([
    ['2025-06-10T12:00:01', undefined, /is there now/],
    ['2025-06-10T12:00:00', undefined, /is there now/],
    ['2025-06-10T11:59:58', /data-9 \(created 2025-06-10 11:59 UTC\) is there, but it may be an older one/, undefined],
    ['2025-06-10T11:59:00', /may be an older one/, undefined],
    ['2025-06-10T09:00:00', /is not there so far/, undefined],
    [null, /may be an older one/, undefined],
  ])('where no list was loaded, one of %s is judged by its time', async (created, failure, note) => {
    const { api, act } = await open(false);
    const done = act('create', undefined, { label: 'data-9' });
    await api.next('volumes.create').fail(lost);
    await api.next('volumes.list').page([volume(9, { created })]);
    const found = await done;
    expect(found.failure ?? '').toMatch(failure ?? /^$/);
    expect(found.note ?? '').toMatch(note ?? /^$/);
  });

  const made = (id: number, username: string, label = 'x') =>
    eventOf(100 + id, 'volume_create', 'finished', { type: 'volume', id, label }, { username });

  /** Stores that know one event, of our own, with the state before a record was sent beside the one with the id 5. */
  async function openBefore() {
    const opened = await open();
    opened.events.push(made(1, 'me'));
    await opened.stores.events.poll();
    const now = Date.now();
    const sent = { from: now, to: now };
    return { ...opened, before: { at: now, ids: ['5'], whole: ['list'], event: 101, sent, user: 'me' } };
  }

  test.each([
    ['me', 'data-9', 'unknown', /^The answer was lost: volume 9 was made then, as the events tell, and is gone now\.$/],
    ['you', 'data-9', 'failed', /is not there so far; try again/],
    ['me', 'other', 'failed', /is not there so far; try again/],
  ])('and is gone before it is looked for, made by %s and called %s', async (maker, label, state, says) => {
    const { api, stores, act, events } = await open();
    events.push(made(1, 'you'));
    await stores.events.poll();
    stores.changes.own.user = 'me';
    const done = act('create', undefined, { label: 'data-9', size: 20 });
    await api.next('volumes.create').fail(lost);
    events.unshift(made(9, maker, label));
    await api.next('volumes.list').page([volume(1), volume(2), volume(3)]);
    const found = await done;
    expect([found.state, found.failure]).toEqual([state, expect.stringMatching(says)]);
  });

  test('is not made by what was there before, or by a row that was made here', async () => {
    const { api, stores, act, events } = await open();
    stores.changes.own.user = 'me';
    stores.changes.own.rows.set('volumes 8', 'volume 8');
    const done = act('create', undefined, { size: 20 });
    await api.next('volumes.list').page([volume(1), volume(2), volume(3)]);
    await api.next('volumes.create').fail(lost);
    events.push(made(8, 'me'), made(3, 'me'));
    await api.next('volumes.list').page([volume(1), volume(2)]);
    expect((await done).failure).toMatch(/is not there so far; try again/);
  });

  test.each([
    ['me', 'me', '2025-06-10T12:00:00', undefined, /is there now: the answer was lost, but it was done/],
    ['me', 'you', '2025-06-10T12:00:00', /but you made it/, undefined],
    [undefined, 'you', '2025-06-10T12:00:00', undefined, /is there now: the answer was lost, but it was done/],
    [
      undefined,
      'you',
      '2025-06-10T12:05:00',
      /you made it, and it is not known whether that was by this request/,
      undefined,
    ],
  ])('is that of %s where %s made it at %s, as far as can be told', async (user, maker, created, failure, note) => {
    const { api, stores, act, events } = await open();
    events.push(made(1, 'you'));
    await stores.events.poll();
    stores.changes.own.user = user;
    const done = act('create', undefined, { label: 'data-9', size: 20 });
    await api.next('volumes.create').fail(lost);
    events.unshift(made(9, maker));
    await api.next('volumes.list').page([volume(1), newVolume(9, { created })]);
    const found = await done;
    expect(found.failure ?? '').toMatch(failure ?? /^$/);
    expect(found.note ?? '').toMatch(note ?? /^$/);
  });

  test.each([
    ['me', 'unclear', /but you made it/],
    [undefined, 'done', /is there now: the answer was lost, but it was done/],
  ])('by %s is looked for by a session that does not know its user', async (user, outcome, says) => {
    const { api, stores, events } = await open();
    events.push(made(1, 'you'));
    await stores.events.poll();
    const now = Date.now();
    const sent = { from: now, to: now };
    const before = { at: now, ids: [], whole: [], event: 101, sent, ...(user && { user }) };
    events.unshift(made(9, 'you'));
    const found = verify(stores, making(volumes, 'create', { label: 'data-9', size: 20 }), before);
    await api.next('volumes.list').page([volume(1), newVolume(9)]);
    expect(await found).toMatchObject({ outcome, says: expect.stringMatching(says) });
  });

  test.each([
    ['me', 'unknown', /^The answer was lost: other \(.*\) is there, but not in all as it was sent\.$/],
    ['you', 'failed', /is not there so far; try again/],
  ])('and was given another name since is not missing where %s made it', async (maker, state, says) => {
    const { api, stores, act, events } = await open();
    events.push(made(1, 'you'));
    await stores.events.poll();
    stores.changes.own.user = 'me';
    const done = act('create', undefined, { label: 'data-9', size: 20 });
    await api.next('volumes.create').fail(lost);
    events.unshift(made(9, maker));
    await api.next('volumes.list').page([volume(1), newVolume(9, { label: 'other' })]);
    const found = await done;
    expect([found.state, found.failure]).toEqual([state, expect.stringMatching(says)]);
  });

  test('and was given another name since is not missing where neither the list nor the events were known', async () => {
    const { api, act, stores } = await open(false);
    const done = act('create', undefined, { label: 'data-9', size: 20 });
    await api.next('volumes.create').fail(lost);
    await api.next('volumes.list').page([volume(1), newVolume(9, { label: 'other' })]);
    expect(stores.events.getState().events).toEqual([]);
    const found = await done;
    expect([found.state, found.failure]).toEqual(['unknown', expect.stringMatching(/^The answer was lost: other \(/)]);
  });

  test.each([
    ['me', 'unclear', 'The answer was lost: A www is there, but not in all as it was sent.'],
    ['you', 'not done', 'The answer was lost: A www is not there so far; try again.'],
  ])('with a new row of its label that is not as it was sent, made by %s, is %s', async (maker, outcome, says) => {
    const { api, stores, events, before } = await openBefore();
    const body = { type: 'A', name: 'www', target: '192.0.2.9', ttl_sec: 300 };
    events.unshift({
      ...made(200, maker),
      ...{ id: 200, action: 'dns_record_create', entity: { type: 'domain', id: 3, label: 'example.com' } },
    });
    const records = resourceNamed('records');
    const change = { ...making(records, 'create', body), label: 'A www', params: { domainId: '3' } };
    const found = verify(stores, change, before);
    const other = { id: 9, type: 'A', name: 'mail', target: '192.0.2.9', ttl_sec: 600 };
    await api.next('records.list').page([{ id: 5, ...body }, { id: 8, ...body, ttl_sec: 3600 }, other]);
    expect(await found).toMatchObject({ outcome, says });
  });

  test.each([
    [1, [], 'unclear', /^The answer was lost: A www is there now, but you may have made it\.$/],
    [2, [], 'done', /^A www is there now: the answer was lost, but it was done\.$/],
    [2, ['inflight'], 'unclear', /you may have made it\.$/],
    [2, ['lost'], 'unclear', /you may have made it\.$/],
    [3, ['inflight', 'lost'], 'done', /but it was done\.$/],
  ])(
    'is told from that of another user by %i events of ours about what it lies under, beside others %j',
    async (own, others, outcome, says) => {
      const { api, stores, events, before } = await openBefore();
      const body = { type: 'A', name: 'www', target: '192.0.2.9' };
      for (const id of [5, 6]) stores.changes.own.rows.set(`records ${id}`, undefined);
      const told = ['you', ...Array.from({ length: own }, () => 'me')].map((username, nth) => ({
        ...made(200 + nth, username),
        ...{ id: 200 + nth, action: 'dns_record_create', entity: { type: 'domain', id: 3, label: 'example.com' } },
      }));
      events.unshift(...told.toReversed());
      const records = resourceNamed('records');
      const change = { ...making(records, 'create', body), params: { domainId: '3' } };
      const another = changeKey({ ...change, body: { ...body, name: 'mail' } });
      stores.changes.lostAnswers.set(changeKey(change), before);
      if (others.includes('inflight')) stores.changes.inflight.add(another);
      if (others.includes('lost')) stores.changes.lostAnswers.set(another, before);
      const found = verify(stores, change, before);
      await api.next('records.list').page([6, 8].map((id) => ({ id, ...body })));
      expect(await found).toMatchObject({ outcome, says: expect.stringMatching(says) });
    },
  );

  test.each([
    [
      'by us',
      ['me'],
      [],
      [5],
      'unclear',
      /^The answer was lost: one was made then, as the events tell, and is gone now\.$/,
    ],
    ['by somebody else', ['you'], [], [5], 'not done', /is not there so far; try again/],
    ['by us, and is of another request', ['me'], [], [5, 8], 'not done', /is not there so far; try again/],
    ['by another request here', ['me'], [8], [5], 'not done', /is not there so far; try again/],
    ['by us, as was another one', ['me', 'you'], [], [5, 8], 'unclear', /one was made then/],
  ])('and is gone, where events name what it lies under: made %s', async (_, makers, here, there, outcome, says) => {
    const { api, stores, events, before } = await openBefore();
    for (const id of here) stores.changes.own.rows.set(`records ${id}`, undefined);
    const under = { action: 'dns_record_create', entity: { type: 'domain', id: 3, label: 'example.com' } };
    events.unshift(...makers.map((username, nth) => ({ ...made(200 - nth, username), id: 200 - nth, ...under })));
    const body = { type: 'A', name: 'www', target: '192.0.2.9' };
    const change = { ...making(resourceNamed('records'), 'create', body), label: 'A www', params: { domainId: '3' } };
    const found = verify(stores, change, before);
    await api.next('records.list').page(there.map((id) => ({ id, type: 'TXT', name: '', target: 'v=spf1 -all' })));
    expect(await found).toMatchObject({ outcome, says: expect.stringMatching(says) });
  });

  test('and was seen before is gone, whatever events tell', async () => {
    const { api, stores } = await open();
    const before = { at: Date.now(), ids: ['1'], whole: ['list'], wasThere: true as const };
    const found = verify(stores, making(volumes, 'create', { label: 'data-9', size: 20 }), before);
    await api.next('volumes.list').page([volume(1)]);
    const says = 'The answer was lost: data-9 was there when it was looked for, and is gone now.';
    expect(await found).toMatchObject({ outcome: 'unclear', says });
  });

  test.each([
    [undefined, 'unclear', 'The answer was lost: A www is there now, and no event tells so far who made it.'],
    ['me', 'done', 'A www is there now: the answer was lost, but it was done.'],
  ])('that another may be like is done once an event tells who made it: %s', async (maker, outcome, says) => {
    const { api, stores, events, before } = await openBefore();
    const body = { type: 'A', name: 'www', target: '192.0.2.9' };
    const entity = { type: 'domain', id: 3, label: 'example.com' };
    if (maker) events.unshift({ ...made(200, maker), ...{ id: 200, action: 'dns_record_create', entity } });
    const change = { ...making(resourceNamed('records'), 'create', body), label: 'A www', params: { domainId: '3' } };
    const found = verify(stores, change, before);
    await api.next('records.list').page([{ id: 8, ...body }]);
    expect(await found).toMatchObject({ outcome, says });
  });

  test('out of another one is found by the name it was to have', async () => {
    const { api, act } = await open();
    const done = act('clone', 1, { label: 'copy' });
    await api.next('volumes.clone').fail(lost);
    await api.next('volumes.list').page([volume(1), volume(2), volume(3), newVolume(9, { label: 'copy' })]);
    expect((await done).note).toBe('copy is there now: the answer was lost, but it was done.');
  });

  test('is not taken for one that is called the same and differs, and is made again only when asked twice', async () => {
    const { api, act } = await open();
    const create = () => act('create', undefined, { label: 'data-9', size: 20 });
    const list = [volume(1), volume(2), volume(3), newVolume(9, { size: 50 })];
    const first = create();
    await api.next('volumes.create').fail(lost);
    await api.next('volumes.list').page(list);
    expect((await first).failure).toBe(
      'The answer was lost: data-9 (created 2025-06-10 12:00 UTC) is there, but not in all as it was sent.',
    );
    const second = create();
    await api.next('volumes.list').page(list);
    expect((await second).failure).toMatch(/^Nothing was sent\. .* sending it once more makes another one\.$/);
    expect(api.count('volumes.create')).toBe(1);
    const third = create();
    await api.next('volumes.create').answer(volume(10));
    expect((await third).failure).toBeUndefined();
  });

  test('and appears late is found before it is sent again', async () => {
    const { api, act } = await open();
    const create = () => act('create', undefined, { label: 'data-9', size: 20 });
    const first = create();
    await api.next('volumes.create').fail(lost);
    await api.next('volumes.list').page([volume(1), volume(2), volume(3)]);
    expect((await first).failure).toMatch(/is not there so far; try again/);
    const second = create();
    await api.next('volumes.list').page([volume(1), volume(2), volume(3), newVolume(9)]);
    expect((await second).note).toMatch(/^data-9 is there now/);
    expect(api.count('volumes.create')).toBe(1);
  });

  test('whose secret was in the lost answer is to be made anew', async () => {
    const { api, stores } = await open();
    const images = resourceNamed('images');
    const done = send(stores, making(images, 'upload', { label: 'ci', region: 'us-east' }));
    await api.next('images.list').page([]);
    await api.next('images.upload').fail(lost);
    await api.next('images.list').page([{ id: 'private/4', label: 'ci', created: '2025-06-10T12:00:00' }]);
    expect((await done).note).toMatch(/delete it and make another one/);
  });
});

describe('a row that was to be deleted', () => {
  test('is not gone by the page of a gateway', async () => {
    const { api, rows, act } = await open();
    const deleting = act('delete', 1);
    await settled();
    await api.next('volumes.view').answer(volume(1));
    await api.next('volumes.delete').fail(lost);
    await api.next('volumes.view').fail({ status: 404, isForeign: true, message: 'A page.' });
    expect(await deleting).toMatchObject({ state: 'unknown', says: expect.stringContaining('It is unknown whether') });
    expect(rows().map(({ id }) => id)).toContain(1);
  });

  test('is gone when it is not found', async () => {
    const { api, rows, act } = await open();
    const done = act('delete', 1);
    await api.next('volumes.view').answer(volume(1));
    await api.next('volumes.delete').fail(lost);
    expect(rows()).toHaveLength(3);
    await api.next('volumes.view').fail({ status: 404 });
    const says = 'data-1 is gone: the answer was lost, so it is unknown whether by this request.';
    expect(await done).toMatchObject({ state: 'done', says, mayBeOthers: true });
    expect(rows().map(({ id }) => id)).toEqual([2, 3]);
  });

  test('may be being deleted where the events cannot be read', async () => {
    const { api, act, noEvents } = await open();
    noEvents();
    const done = act('delete', 1);
    await api.next('volumes.view').answer(volume(1));
    await api.next('volumes.delete').fail(lost);
    await api.next('volumes.view').answer(volume(1));
    await api.next('events.list').fail(away);
    expect((await done).state).toBe('unknown');
  });

  test('may still be there', async () => {
    const { api, rows, act } = await open();
    const done = act('delete', 1);
    await api.next('volumes.view').answer(volume(1));
    await api.next('volumes.delete').fail(lost);
    await api.next('volumes.view').answer(volume(1));
    expect((await done).failure).toBe('The answer was lost: data-1 is still there; try again.');
    expect(rows()).toHaveLength(3);
  });
});

describe('a row that was to be changed', () => {
  const edited = { label: 'renamed', tags: ['b', 'a'] };

  // The same edit of another request leaves it so too: only an event of one's own tells of this one.
  test.each<[Row, string | undefined, Partial<Result>]>([
    [
      { label: 'renamed', tags: ['a', 'b'] },
      'me',
      { state: 'done', says: 'data-1 is as it was sent: the answer was lost, but it was done.' },
    ],
    [
      { label: 'renamed', tags: ['a', 'b'] },
      'you',
      { state: 'done', says: 'data-1 is as it was sent: you did it.', mayBeOthers: true },
    ],
    [
      { label: 'renamed', tags: ['a', 'b'] },
      undefined,
      {
        state: 'done',
        says: 'data-1 is as it was sent: the answer was lost, so it is unknown whether by this request.',
        mayBeOthers: true,
      },
    ],
    [
      { label: 'data-1' },
      undefined,
      { state: 'failed', says: 'The answer was lost: data-1 is not as it was sent; try again.' },
    ],
  ])('is compared by its fields: %j, with an event of %s', async (now, username, expected) => {
    const { api, stores, rows, act, events } = await open();
    const entity = { type: 'volume', id: 1, label: 'data-1' };
    events.push(eventOf(5, 'volume_update', 'finished', entity, { username: 'me' }));
    await stores.events.poll();
    stores.changes.own.user = 'me';
    const done = act('edit', 1, edited);
    await api.next('volumes.edit').fail(lost);
    if (username !== undefined) events.unshift(eventOf(9, 'volume_update', 'finished', entity, { username, created }));
    await api.next('volumes.view').answer(volume(1, now));
    const result = await done;
    expect(result).toMatchObject(expected);
    expect(result.mayBeOthers).toBe(expected.mayBeOthers);
    expect(rows()[0]).toMatchObject(now);
  });

  test.each<[string, Row, string]>([
    ['is as it was', {}, 'failed'],
    ['has what was sent', { label: 'DATA-1' }, 'done'],
    ['has the name that the platform makes of it', { label: 'Data-1' }, 'done'],
  ])('in its capitals alone %s', async (_, now, state) => {
    const { api, act } = await open();
    const done = act('edit', 1, { label: 'DATA-1' });
    await api.next('volumes.edit').fail(lost);
    await api.next('volumes.view').answer(volume(1, now));
    expect((await done).state).toBe(state);
  });

  test.each<[string, Row, string[], string]>([
    ['and changed again by somebody', { label: 'third' }, ['me', 'you'], 'unknown'],
    ['as far as its own event tells', {}, ['me'], 'unknown'],
    ['where nothing tells who has changed it', { label: 'third' }, [], 'unknown'],
    ['where somebody else has changed it', { label: 'third' }, ['you'], 'failed'],
  ])('may have been changed %s', async (_, now, users, state) => {
    const { api, stores, act, events } = await open();
    const entity = { type: 'volume', id: 1, label: 'data-1' };
    events.push(eventOf(5, 'volume_update', 'finished', entity, { username: 'me' }));
    await stores.events.poll();
    stores.changes.own.user = 'me';
    const done = act('edit', 1, { label: 'renamed' });
    await api.next('volumes.edit').fail(lost);
    events.unshift(
      ...users.map((username, index) => eventOf(9 - index, 'volume_update', 'finished', entity, { username, created })),
    );
    await api.next('volumes.view').answer(volume(1, now));
    expect((await done).state).toBe(state);
  });

  test("tells one's own name by no event that was read before its answer had come", async () => {
    const { api, stores, act, events, noEvents } = await open();
    const entity = { type: 'volume', id: 1, label: 'data-1' };
    const updated = (id: number, username: string, action = 'volume_update') =>
      eventOf(id, action, 'finished', entity, { username, created: '2025-06-10T12:00:00' });
    events.push(eventOf(5, 'volume_create', 'finished', entity));
    await stores.events.poll();
    const done = act('edit', 1, { label: 'renamed' });
    const sent = api.next('volumes.edit');
    events.unshift(updated(6, 'you'));
    await stores.events.poll();
    noEvents();
    await sent.answer(volume(1, { label: 'renamed' }));
    await done;
    // Its own event may come with the next reading.
    expect(ownName(stores)).toBeUndefined();
    events.unshift(updated(7, 'me'));
    await api.next('events.list').page([...events]);
    expect(ownName(stores)).toBeUndefined();
    const other = act('resize', 1, { size: 40 });
    await api.next('events.list').page([...events]);
    await api.next('volumes.resize').answer(volume(1, { size: 40 }));
    await other;
    events.unshift(updated(8, 'me', 'volume_resize'));
    await api.next('events.list').page([...events]);
    expect(ownName(stores)).toBe('me');
  });

  // A colleague may have put it back to what it was, so that only its time tells.
  test.each([
    ['2025-06-10T12:00:00', 'unknown'],
    ['2025-06-01T09:00:00', 'failed'],
  ])('is as it was before, with %s as its last update', async (updated, state) => {
    const { api, stores } = await open();
    const record = { id: 5, type: 'A', name: 'www', target: '192.0.2.9', updated: '2025-06-01T09:00:00' };
    const records = resourceNamed('records');
    const change = changeOn(records, actionOf(records, 'edit'), record, { domainId: '3' }, { target: '192.0.2.1' });
    const done = send(stores, change);
    await api.next('records.edit').fail(lost);
    await api.next('records.view').answer({ ...record, updated });
    expect((await done).state).toBe(state);
  });

  test('is not done where a part that it empties is not empty', async () => {
    const { api, stores } = await open();
    const configs = resourceNamed('configs');
    const config = { id: 3, label: 'boot', devices: { sda: { disk_id: 1, volume_id: null }, sdb: { volume_id: 7 } } };
    const devices = { sda: { disk_id: 1, volume_id: null }, sdb: { disk_id: null, volume_id: null } };
    const edit = () =>
      send(stores, changeOn(configs, configs.edit as Action, config, { serverId: '7', configId: '3' }, { devices }));
    const first = edit();
    await api.next('configs.edit').fail(lost);
    await api.next('configs.view').answer(config);
    expect((await first).failure).toMatch(/is not as it was sent; try again/);
    const second = edit();
    await api.next('configs.edit').fail(lost);
    await api.next('configs.view').answer({ ...config, devices: { ...devices, sdb: null } });
    expect((await second).note).toMatch(/is as it was sent: the answer was lost, so it is unknown whether by this/);
  });

  test('and is gone may have been changed before', async () => {
    const { api, act } = await open();
    const done = act('edit', 1, { label: 'renamed' });
    await api.next('volumes.edit').fail(lost);
    await api.next('volumes.view').fail({ status: 404 });
    const says = 'The answer was lost, and data-1 is not there any more.';
    expect(await done).toMatchObject({ state: 'unknown', says });
  });

  test('does not show what it cannot show', async () => {
    const { api, act } = await open();
    const done = act('edit', 1, { label: 'data-1', passphrase: 'x' });
    await api.next('volumes.edit').fail(lost);
    await api.next('volumes.view').answer(volume(1));
    expect((await done).failure).toMatch(/does not show whether it was done/);
  });
});

describe('an action', () => {
  test('whose job may be under way is not called undone where the events cannot be read', async () => {
    const { api, act, noEvents } = await open();
    noEvents();
    const done = act('detach', 1);
    await settled();
    await api.next('volumes.detach').fail(lost);
    await api.next('volumes.view').answer(volume(1));
    await api.next('events.list').fail({ status: 403, message: 'The API refuses it.' });
    expect(await done).toMatchObject({ state: 'unknown', says: expect.stringContaining('The API refuses it.') });
    // A refusal stays one, so whoever asks once more is told so, and may send it then.
    const refuse = () => api.next('events.list').fail({ status: 403, message: 'The API refuses it.' });
    await refuse();
    const again = act('detach', 1);
    await api.next('volumes.view').answer(volume(1));
    await refuse();
    expect((await again).says).toMatch(
      /^Nothing was sent\. It is unknown .* refuses it\. Look at it; sending it once more/,
    );
    await refuse();
    void act('detach', 1);
    await settled();
    await api.next('volumes.detach').answer({});
  });

  const detached = (id: number, status: string, username: string | null = null) =>
    eventOf(id, 'volume_detach', status, { type: 'volume', id: 1, label: 'data-1' }, { username, created });
  const earlier = eventOf(5, 'volume_detach', 'finished', { type: 'volume', id: 1, label: 'data-1' });

  /** The result of detaching a volume whose answer is lost, with what is told of it then; the user is `me`. */
  async function detach(now: Row, since: readonly Row[]) {
    const { api, stores, act, events } = await open();
    events.push(earlier);
    await stores.events.poll();
    stores.changes.own.user = 'me';
    const done = act('detach', 1);
    await settled();
    await api.next('volumes.detach').fail(lost);
    events.unshift(...since);
    await api.next('volumes.view').answer(volume(1, now));
    return await done;
  }

  test.each<[string, Row, Row[], string, RegExp]>([
    [
      'its event tells',
      {},
      [detached(9, 'finished', 'me')],
      'done',
      /^It was done, although the answer was lost: .*detach data-1, finished by me\.$/,
    ],
    ['its event goes on', {}, [detached(9, 'started', 'me')], 'done', /^It has begun, although the answer was lost/],
    ['its event has failed', {}, [detached(9, 'failed', 'me')], 'failed', /it was begun, but .*failed by me/],
    ['its row is so', { server_id: null }, [], 'done', /^data-1 is as it was sent/],
    [
      "its row is so by somebody else's",
      { server_id: null },
      [detached(9, 'finished', 'you')],
      'done',
      /^data-1 is as it was sent: you did it\.$/,
    ],
    ['nothing tells, its row least of all', {}, [], 'failed', /does not show it so far; try again/],
    [
      'no event tells yet, and its row is in another state',
      { status: 'resizing' },
      [],
      'unknown',
      /no event about data-1/,
    ],
    ["only somebody else's event tells", {}, [detached(9, 'failed', 'you')], 'failed', /try again/],
  ])('is known where %s', async (_, now, since, state, says) => {
    const result = await detach(now, since);
    expect(result.state).toBe(state);
    expect(result.says).toMatch(says);
    expect(result.mayBeOthers ?? false).toBe(/did it|unknown whether by this/.test(result.says ?? ''));
  });

  // Where one's own name is not known, the event may be of anybody, and so may be what it has done.
  test.each<[string | undefined, true | undefined]>([
    ['me', undefined],
    [undefined, true],
  ])(
    'whose event tells of it by a user of this name is that of %s, as far as can be told',
    async (user, mayBeOthers) => {
      const { api, stores, act, events } = await open();
      events.push(earlier);
      await stores.events.poll();
      stores.changes.own.user = user;
      const done = act('detach', 1);
      await settled();
      await api.next('volumes.detach').fail(lost);
      events.unshift(detached(9, 'finished', 'me'));
      await api.next('volumes.view').answer(volume(1, { server_id: null }));
      const result = await done;
      expect(result).toMatchObject({ state: 'done', says: expect.stringMatching(/finished by me\.$/) });
      expect(result.mayBeOthers).toBe(mayBeOthers);
    },
  );

  test.each([9, '9'])('is known by its row where the API writes ids as %j', async (id) => {
    const { api, act } = await open();
    const done = act('attach', 1, { server_id: 9 });
    await settled();
    await api.next('volumes.attach').fail(lost);
    await api.next('volumes.view').answer(volume(1, { server_id: id }));
    expect(await done).toMatchObject({ state: 'done' });
  });

  test.each<[string, Row, string, string, RegExp]>([
    ['is as it was sent', { size: 70 }, 'finished', 'done', /finished by me\.$/],
    [
      'is not so while it goes on',
      {},
      'started',
      'unknown',
      /resize data-1, started by me\. It may be of another session/,
    ],
    ['is not so once it has ended', { size: 40 }, 'finished', 'unknown', /It may be of another session/],
    ['is not so as it has failed', {}, 'failed', 'failed', /it was begun, but .*failed by me/],
  ])('with values is told by its event and its row, which %s', async (_, now, status, state, says) => {
    const { api, stores, act, events } = await open();
    events.push(earlier);
    await stores.events.poll();
    stores.changes.own.user = 'me';
    const done = act('resize', 1, { size: 70 });
    await settled();
    await api.next('volumes.resize').fail(lost);
    events.unshift(
      eventOf(9, 'volume_resize', status, { type: 'volume', id: 1, label: 'data-1' }, { username: 'me', created }),
    );
    await api.next('volumes.view').answer(volume(1, now));
    expect(await done).toMatchObject({ state, says: expect.stringMatching(says) });
  });

  test('that leaves no mark is unknown, and is done once more only when asked twice', async () => {
    const { api, stores } = await open();
    const servers = resourceNamed('servers');
    const server = { id: 7, label: 'web-1', status: 'running' };
    const rescue = () => send(stores, changeOn(servers, actionOf(servers, 'rescue'), server, {}, { devices: {} }));
    const first = rescue();
    await api.next('servers.rescue').fail(lost);
    await api.next('servers.view').answer(server);
    expect(await first).toMatchObject({
      state: 'unknown',
      says: expect.stringContaining('There is no event about web-1'),
    });
    const second = rescue();
    await api.next('servers.view').answer(server);
    expect(await second).toMatchObject({
      state: 'unknown',
      says: expect.stringMatching(/^Nothing was sent\. .*does it once more\.$/),
    });
    expect(api.count('servers.rescue')).toBe(1);
    const third = rescue();
    await settled();
    await api.next('servers.rescue').answer({});
    expect((await third).state).toBe('done');
  });
});

describe('while the API cannot be asked', () => {
  /** A creation whose answer was lost and that could not be looked for. */
  async function inDoubt() {
    const opened = await open();
    const { api, act } = opened;
    const done = act('create', undefined, { label: 'data-9', size: 20 });
    await api.next('volumes.create').fail(lost);
    await api.next('volumes.list').fail(away);
    await settled();
    const first = await done;
    for (const asked of api.open) await asked.page([]);
    return { ...opened, first };
  }

  test('that is said, and sending it again looks first', async () => {
    const { api, stores, act, first } = await inDoubt();
    expect(first.failure).toMatch(/^It is unknown whether it was done, and the API does not answer: .*checks first\.$/);
    expect(first.error?.maybeSent).toBe(true);
    const again = act('create', undefined, { label: 'data-9', size: 20 });
    await api.next('volumes.list').page([volume(1), newVolume(9)]);
    expect((await again).note).toMatch(/^data-9 is there now/);
    expect(api.count('volumes.create')).toBe(1);
    expect(stores.changes.lostAnswers.size).toBe(0);
  });

  test('nothing is sent again as long as it lasts', async () => {
    const { api, act } = await inDoubt();
    const again = act('create', undefined, { label: 'data-9', size: 20 });
    await api.next('volumes.list').fail(away);
    expect((await again).failure).toMatch(/^Nothing was sent\. It is unknown/);
    expect(api.count('volumes.create')).toBe(1);
  });

  test('it is sent again once it is known not to be there', async () => {
    const { api, act } = await inDoubt();
    const again = act('create', undefined, { label: 'data-9', size: 20 });
    await api.next('volumes.list').page([volume(1)]);
    await api.next('volumes.create').answer(volume(9));
    expect(await again).toMatchObject({ row: { id: 9 } });
    expect(api.count('volumes.create')).toBe(2);
  });
});

test('marked rows have a result each', async () => {
  const { api, stores } = await open();
  const changes = [1, 2, 3].map((id) => changeOn(volumes, actionOf(volumes, 'delete'), volume(id), {}));
  const done = sendChanges(stores, { resource: volumes, action: actionOf(volumes, 'delete') }, changes);
  for (const id of [1, 2, 3]) await api.next('volumes.view').answer(volume(id));
  await api.next('volumes.delete').fail(lost);
  await api.next('volumes.delete').answer({});
  await api.next('volumes.delete').fail(lost);
  await api.next('volumes.view').fail({ status: 404 });
  await api.next('volumes.view').answer(volume(3));
  expect((await done).results.map(({ label, state, says }) => [label, state, says])).toEqual([
    ['data-1', 'done', 'data-1 is gone: the answer was lost, so it is unknown whether by this request.'],
    ['data-2', 'done', undefined],
    ['data-3', 'failed', 'The answer was lost: data-3 is still there; try again.'],
  ]);
});

test('marked rows of which nothing shows whether it was done are neither done nor failed', async () => {
  const { api, stores, noEvents } = await open();
  noEvents();
  const changes = [1, 2, 3].map((id) => changeOn(volumes, actionOf(volumes, 'detach'), volume(id), {}));
  const done = sendChanges(stores, { resource: volumes, action: actionOf(volumes, 'detach') }, changes);
  for (const _ of changes) await api.next('volumes.detach').fail(lost);
  for (const _ of changes) await api.next('volumes.view').fail(away);
  expect((await done).results.map(({ state }) => state)).toEqual(['unknown', 'unknown', 'unknown']);
  const [change] = stores.changes.getState().changes;
  expect(change && changeCounts(change)).toBe('0 of 3 done, 3 unknown');
});

test('the same change is not sent beside one whose end is not known yet', async () => {
  const { api, act } = await open();
  const first = act('create', undefined, { label: 'data-9' });
  const second = act('create', undefined, { label: 'data-9' });
  const other = act('create', undefined, { label: 'data-10' });
  expect((await second).failure).toMatch(/^The same change is being sent already/);
  expect(api.count('volumes.create')).toBe(2);
  await api.next('volumes.create').answer(volume(9));
  await api.next('volumes.create').answer(volume(10));
  expect([(await first).failure, (await other).failure]).toEqual([undefined, undefined]);
  const again = act('create', undefined, { label: 'data-9' });
  await api.next('volumes.create').answer(volume(11));
  expect((await again).failure).toBeUndefined();
});

test('what one cancels oneself is not looked for', async () => {
  const { api, act } = await open();
  const done = act('delete', 1);
  await api.next('volumes.view').answer(volume(1));
  await api.next('volumes.delete').fail({ ...lost, kind: 'aborted' });
  expect((await done).failure).toBe('It did not answer.');
  expect(api.count('volumes.view')).toBe(1);
});

test('the tokens of transfers that were there before one was made are noted as nobody can use them, and known again', async () => {
  const api = fakeApi();
  const stores = openStores({ ...api, time: () => undefined });
  const transfers = resourceNamed('entity-transfers');
  const token = (nth: number) => `123e4567-e89b-12d3-a456-42661417400${nth}`;
  const rows = [1, 2].map((nth) => ({ token: token(nth), entities: { servers: [7] }, is_sender: true }));
  const change = making(transfers, 'create', { entities: { servers: [7] } });
  const noted = baselineOf(stores, change);
  await settled();
  await api.next('entity-transfers.list').page(rows);
  const before = await noted;
  expect(JSON.stringify(before)).not.toContain(token(1));
  expect(before.ids).toHaveLength(2);
  const verified = verify(stores, change, before);
  await settled();
  await api.next('entity-transfers.list').page(rows);
  await api.next('events.list').page([]);
  expect(await verified).toMatchObject({ outcome: 'not done' });
});
