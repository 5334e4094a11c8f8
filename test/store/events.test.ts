import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { isInProgress } from '../../src/resources/account/events.ts';
import { createPoller, type Event, percentOf, progressOf } from '../../src/store/events.ts';
import { fakeApi } from './fakeApi.ts';

const start = Date.UTC(2025, 5, 10, 12);
const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1000);

const event = (id: number, given: Partial<Event> = {}): Event => ({
  id,
  action: 'server_resize',
  status: 'finished',
  created: '2025-06-10T10:00:00',
  entity: { type: 'server', id: 1, label: 'web-1' },
  percent_complete: 100,
  ...given,
});
const started = (id: number, percent: number | null = 0, created = '2025-06-10T11:59:00') =>
  event(id, { status: 'started', percent_complete: percent, created });

beforeEach(() => void vi.useFakeTimers({ now: start }));
afterEach(() => void vi.useRealTimers());

function open() {
  const api = fakeApi();
  const told: [number, string | null][] = [];
  const poller = createPoller(api, Date.now, (events) =>
    told.push(...events.map((one) => [one.id, one.status] as [number, string | null])),
  );
  /** Answers the open poll. */
  const poll = (...events: readonly Event[]) => api.next('events.list').page(events, 1);
  const begin = async (...events: readonly Event[]) => {
    poller.start();
    await poll(...events);
  };
  const ids = () => poller.getState().events.map(({ id }) => id);
  return { api, poller, told, poll, begin, ids };
}

describe('events', () => {
  test('are asked for again and again, seldom while nothing is in progress', async () => {
    const { api, poller, begin, ids } = open();
    await begin(event(2), event(1));
    expect(ids()).toEqual([2, 1]);
    expect(poller.getState()).toMatchObject({ polledAt: start, nextAt: start + 15_000 });
    await seconds(14);
    expect(api.all).toHaveLength(1);
    await seconds(1);
    expect(api.all).toHaveLength(2);
    expect(api.open[0]?.request.query).toEqual({ page: 1, page_size: 25 });
  });

  test('are in the order of ids that are below zero, of which one may be a text', async () => {
    const { poll, begin, ids, told } = open();
    await begin(event(-7), { ...event(0), id: '-8' });
    await seconds(15);
    await poll({ ...event(0), id: '-5' }, { ...event(0), id: '-6' }, event(-7));
    expect(ids()).toEqual(['-5', '-6', -7, '-8']);
    expect(told.map(([id]) => id)).toEqual(['-6', '-5']);
  });

  test('are asked for every two seconds while something is in progress', async () => {
    const { api, poll, begin } = open();
    await begin(started(1, 10));
    await seconds(2);
    expect(api.all).toHaveLength(2);
    await poll(started(1, 20));
    await seconds(2);
    await poll(event(1));
    await seconds(14);
    expect(api.all).toHaveLength(3);
    await seconds(1);
    expect(api.all).toHaveLength(4);
  });

  test('in progress that show no change for long are waited for patiently', async () => {
    const { api, poller, begin } = open();
    const scheduled = { status: 'scheduled', percent_complete: null, created: '2025-06-10T12:00:00' };
    await begin(event(1, scheduled));
    while (Date.now() - start < 601_000) {
      await seconds(2);
      if (api.open.length > 0) await api.next('events.list').page([event(1, scheduled)]);
    }
    expect(poller.getState().nextAt).toBeGreaterThan(Date.now() + 10_000);
  });

  test('in progress that are old already are waited for patiently, until one moves on', async () => {
    const { poller, poll, begin } = open();
    const pause = () => (poller.getState().nextAt ?? 0) - Date.now();
    const old = (percent: number | null) => started(1, percent, '2025-06-10T11:00:00');
    await begin(old(null));
    expect(pause()).toBe(15_000);
    await seconds(15);
    await poll(old(10));
    expect(pause()).toBe(2_000);
    // Going back and forth is no change.
    for (let nth = 0; nth < 300; nth++) {
      await seconds(2);
      await poll(old(nth % 2 === 0 ? null : 10));
    }
    expect(pause()).toBe(15_000);
    await seconds(15);
    await poll(old(20));
    expect(pause()).toBe(2_000);
  });

  test('that nobody looks for are asked for less often', async () => {
    const { api, poller, begin } = open();
    await begin(event(1));
    poller.setIntervalFactor(4);
    await seconds(59);
    expect(api.all).toHaveLength(1);
    await seconds(1);
    expect(api.all).toHaveLength(2);
  });

  test('are not asked for while the poller rests, and at once afterwards', async () => {
    const { api, poller, poll, begin } = open();
    await begin(started(1));
    poller.pause(true);
    await seconds(3600);
    expect(api.all).toHaveLength(1);
    poller.pause(false);
    expect(api.all).toHaveLength(2);
    await poll(started(1, 50));
    await seconds(2);
    expect(api.all).toHaveLength(3);
  });

  test('are not asked for after a rest that began before the poller did', async () => {
    const { api, poller } = open();
    poller.pause(true);
    poller.pause(false);
    await seconds(3600);
    expect(api.all).toHaveLength(0);
  });

  test('are told when they are new or their status changes, the oldest first; what is old at first is not', async () => {
    const { told, poll, begin } = open();
    await begin(started(2), event(1));
    expect(told).toEqual([]);
    await seconds(2);
    await poll(event(4, { status: null }), event(3, { action: 'never_heard_of' }), started(2, 50), event(1));
    expect(told).toEqual([
      [3, 'finished'],
      [4, null],
    ]);
    await seconds(2);
    await poll(event(4, { status: null }), event(3), event(2), event(1));
    expect(told.slice(2)).toEqual([[2, 'finished']]);
  });

  test('that have only just ended are told at first: a list read before may not show it', async () => {
    const { told, begin } = open();
    await begin(
      event(4, { created: '2025-06-10T11:59:55', duration: null }),
      event(3, { created: '2025-06-10T11:50:00', duration: 598 }),
      event(2, { created: '2025-06-10T11:50:00', duration: 300 }),
      started(1),
    );
    expect(told.map(([id]) => id)).toEqual([3, 4]);
  });

  test('without status, percent, entity or date do no harm', async () => {
    const { told, poll, begin, ids, poller } = open();
    await begin(event(1));
    await seconds(15);
    await poll(
      { id: 3 } as unknown as Event,
      event(2, { entity: null, percent_complete: null, created: '' }),
      null as unknown as Event,
      event(1),
    );
    expect(ids()).toEqual([3, 2, 1]);
    expect(told).toEqual([
      [2, 'finished'],
      [3, undefined],
    ]);
    expect(progressOf(poller.getState().events, 'server', 1)).toBeUndefined();
  });

  test('that are as they were are the very list, and those that are not change alone', async () => {
    const { poller, poll, begin } = open();
    await begin(started(2, 10), event(1));
    const before = poller.getState().events;
    await seconds(2);
    await poll(started(2, 10), event(1));
    expect(poller.getState().events).toBe(before);
    await seconds(2);
    await poll({ ...started(2, 10), time_remaining: '0:0:9' }, event(1));
    expect(poller.getState().events).not.toBe(before);
    expect(poller.getState().events[1]).toBe(before[1]);
    expect(poller.getState().events[0]).toMatchObject({ time_remaining: '0:0:9' });
  });

  test('are read on until they overlap with what is known, also those of the same second', async () => {
    const { api, told, begin, ids } = open();
    await begin(event(10));
    await seconds(15);
    const many = (from: number) => Array.from({ length: 25 }, (_, index) => event(from - index));
    // A known one among the new ones is no overlap yet: of the same second they come in any order.
    await api.next('events.list').page([event(10), ...many(60).slice(1)], 3);
    expect(api.open[0]?.request.query).toEqual({ page: 2, page_size: 25 });
    // One moved onto the next page when another came meanwhile.
    await api.next('events.list').page([event(36), ...many(35).slice(1)], 3);
    await api.next('events.list').page([event(11), event(10)], 3);
    expect(api.open).toHaveLength(0);
    expect(ids().filter((id) => id === 36)).toHaveLength(1);
    expect(told).toHaveLength(new Set(told.map(([id]) => id)).size);
    expect(told.map(([id]) => id)).toEqual(ids().toReversed().slice(1));
  });

  test('are remembered up to a thousand', async () => {
    const { api, begin, ids } = open();
    await begin(event(1));
    await seconds(15);
    for (let newest = 1500; api.open.length > 0; newest -= 25)
      await api.next('events.list').page(
        Array.from({ length: 25 }, (_, index) => event(newest - index)),
        60,
      );
    expect(ids()).toHaveLength(1000);
    expect(ids()[0]).toBe(1500);
  });
});

describe('an event in progress', () => {
  test('that is older than the first page is found on a longer one', async () => {
    const { api, begin } = open();
    await begin(...Array.from({ length: 60 }, (_, index) => event(60 - index)), started(0, 1));
    await seconds(2);
    expect(api.open[0]?.request.query).toEqual({ page: 1, page_size: 100 });
  });

  test('that is asked for alone goes on where the answer is none about it', async () => {
    const { api, told, begin, poller } = open();
    await begin(started(2, 1), started(1, 1));
    const newer = Array.from({ length: 24 }, (_, index) => event(125 - index));
    for (const answer of [{}, { id: null, status: 'finished' }]) {
      await seconds(2);
      await api.next('events.list').page([...newer, started(2, 1)], 9);
      expect(api.open.map(({ name }) => name)).toEqual(['events.view']);
      for (const asked of api.open) await asked.answer(answer);
    }
    expect(told.filter(([id]) => id < 10)).toEqual([]);
    expect(poller.getState().events.filter(isInProgress)).toHaveLength(2);
  });

  test('that is older than what is read is asked for alone, and those left out come next', async () => {
    const { api, told, begin, poller } = open();
    await begin(...[9, 8, 7, 6, 5, 4].map((id) => started(id, 1)));
    await seconds(2);
    const newer = Array.from({ length: 25 }, (_, index) => event(125 - index));
    await api.next('events.list').page([...newer.slice(0, 24), started(9, 1)], 9);
    const alone = () => api.open.map(({ request }) => Number(request.params?.eventId));
    expect(alone()).toEqual([8, 7, 6, 5]);
    for (const asked of api.open) {
      const id = Number(asked.request.params?.eventId);
      await asked.answer(id === 5 ? event(id) : started(id, 2));
    }
    expect(told.filter(([id]) => id < 10)).toEqual([[5, 'finished']]);
    expect(progressOf(poller.getState().events.slice(25), 'server', 1)).toMatchObject({ id: 8, percent_complete: 2 });
    await seconds(2);
    await api.next('events.list').page([...newer.slice(0, 24), started(9, 1)], 9);
    expect(alone()).toEqual([4, 8, 7, 6]);
    await api.next('events.view').fail({ status: 404 });
    for (const asked of api.open) await asked.answer(event(Number(asked.request.params?.eventId)));
    // Of one that is gone nobody can tell how it ended.
    expect(told.slice(-4)).toEqual([[4, null], ...[6, 7, 8].map((id) => [id, 'finished'])]);
    expect(
      poller
        .getState()
        .events.filter(isInProgress)
        .map(({ id }) => id),
    ).toEqual([9]);
  });

  test('is the newest one of its entity; newer ones that are no progress do not hide it', () => {
    const other = started(6);
    const events = [
      event(7, { status: 'notification', percent_complete: null }),
      { ...other, entity: { type: 'server', id: 2 } },
      started(5, 40),
      started(4, 10),
    ];
    expect(progressOf(events, 'server', '1')?.id).toBe(5);
    expect(progressOf(events, 'server', 2)?.id).toBe(6);
    expect(progressOf(events, 'volume', 1)).toBeUndefined();
  });

  test('may be at 100 percent and still go on, and need not say how far it is', () => {
    expect(isInProgress(started(1, 100))).toBe(true);
    expect(isInProgress(event(1, { status: 'scheduled' }))).toBe(true);
    expect(
      ['failed', 'finished', 'notification', null, 'unheard'].some((status) => isInProgress(event(1, { status }))),
    ).toBe(false);
    expect([started(1, 42), started(1, null), started(1, 120), started(1, -1)].map(percentOf)).toEqual([
      42,
      undefined,
      100,
      0,
    ]);
  });
});

describe('a poll', () => {
  test('that fails is repeated ever later, and as before once one succeeds', async () => {
    const { api, poller, poll, begin } = open();
    await begin(event(1));
    const waits: number[] = [];
    for (let failure = 1; failure <= 7; failure++) {
      await vi.advanceTimersToNextTimerAsync();
      await api.next('events.list').fail();
      waits.push((poller.getState().nextAt ?? 0) - Date.now());
    }
    expect(waits).toEqual([4, 8, 16, 32, 60, 60, 60].map((wait) => wait * 1000));
    expect(poller.getState()).toMatchObject({ polledAt: start, error: { status: 500 } });
    await seconds(60);
    await poll(event(1));
    expect(poller.getState().error).toBeUndefined();
    expect(poller.getState().nextAt).toBe(Date.now() + 15_000);
  });

  test('that is answered with no list has failed, and nothing that was known is otherwise', async () => {
    const { api, poller, begin, ids } = open();
    await begin(event(2), event(1));
    const { knownSince } = poller.getState();
    for (const body of [{}, { data: {} }]) {
      await seconds(60);
      await api.next('events.list').answer(body);
      expect(poller.getState()).toMatchObject({ knownSince, error: { message: expect.stringContaining('no list') } });
    }
    expect(ids()).toEqual([2, 1]);
    await seconds(60);
    await api.next('events.list').page([event(3), event(2)]);
    expect(poller.getState()).toMatchObject({ error: undefined });
  });

  test('waits as long as the API asks', async () => {
    const { api, poller } = open();
    poller.start();
    await api.next('events.list').fail({ status: 429, retryAfterMs: 77_000 });
    expect(poller.getState().nextAt).toBe(start + 77_000);
    await seconds(76);
    expect(api.all).toHaveLength(1);
    await seconds(1);
    expect(api.all).toHaveLength(2);
  });

  test('that is asked for during another follows it, once', async () => {
    const { api, poller, poll, begin } = open();
    await begin(event(1));
    const polls = [poller.poll(), poller.poll(), poller.poll()];
    expect(api.open).toHaveLength(1);
    await poll(event(1));
    expect(api.open).toHaveLength(1);
    await poll(event(2), event(1));
    await Promise.all(polls);
    expect(api.all).toHaveLength(3);
    expect(poller.getState().events).toHaveLength(2);
  });

  test('that is asked for is followed closely for a while: an event may show up late', async () => {
    const { api, poller, poll, begin } = open();
    await begin(event(1));
    void poller.poll();
    await poll(event(1));
    await seconds(2);
    await poll(event(1));
    await seconds(2);
    await poll(started(2), event(1));
    expect(api.all).toHaveLength(4);
    expect(poller.getState().events[0]?.status).toBe('started');
  });

  test('under way when it is stopped tells nothing more', async () => {
    const { api, poller, told, poll, begin } = open();
    await begin(event(1));
    await seconds(15);
    poller.stop();
    await poll(event(2), event(1));
    await seconds(3600);
    expect(told).toEqual([]);
    expect(api.all).toHaveLength(2);
  });
});

describe('a look at the events to see whether the API is there', () => {
  test('is let through while others are held back', async () => {
    const { api, begin } = open();
    await begin();
    expect(api.all[0]?.request.isProbe).toBe(true);
  });

  test('is taken when something seems wrong, unless another one has just been', async () => {
    const { api, poller, poll, begin } = open();
    poller.probe();
    expect(api.all).toHaveLength(0);
    await begin(event(1));
    await seconds(9);
    poller.probe();
    expect(api.all).toHaveLength(1);
    await seconds(1);
    poller.probe();
    poller.probe();
    expect(api.all).toHaveLength(2);
    await poll(event(1));
    await seconds(14);
    expect(api.all).toHaveLength(2);
    await seconds(1);
    expect(api.all).toHaveLength(3);
  });

  test('waits longer after each failure, however little patience the API asks for, and says when it comes', async () => {
    const { api, poller } = open();
    poller.start();
    for (const wait of [4, 8, 16, 32, 60, 60]) {
      await api.next('events.list').fail({ status: 429, retryAfterMs: 1 });
      expect(poller.getState().nextAt).toBe(Date.now() + wait * 1000);
      await seconds(wait - 1);
      expect(api.open).toHaveLength(0);
      await seconds(1);
      expect(poller.getState().nextAt).toBeUndefined();
    }
  });
});
