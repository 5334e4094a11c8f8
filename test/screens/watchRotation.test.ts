import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { HookConfig } from '../../src/config/schema.ts';
import { createHooks } from '../../src/program/transitions/hooks.ts';
import { writeTransitions } from '../../src/program/transitions/watchLines.ts';
import type { Row } from '../../src/resources/resource.ts';
import type { BoardName } from '../../src/screens/watch/boardNames.ts';
import { boards } from '../../src/screens/watch/boards.ts';
import { createRotation, currentBoard } from '../../src/screens/watch/rotation.ts';
import { createWall } from '../../src/screens/watch/wall.ts';
import { createAccounts } from '../../src/store/accounts/accounts.ts';
import { maxRowQueries } from '../../src/store/problems/ruleTurns.ts';
import { createSession } from '../../src/store/session.ts';
import { onlyAccount, openStores } from '../store/openStores.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { cloudApi } from './cloudApi.ts';

const second = 1000;
const minute = 60 * second;

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 4, 13, 12) });
});
afterEach(() => {
  vi.useRealTimers();
});

const service = (id: number, status: string): Row => ({
  id,
  label: `service ${id}`,
  status,
  service_type: 'tcp',
  address: `host-${id}:22`,
  consultation_group: 'all',
  credentials: [],
  updated: '2020-01-01T00:00:00',
});

/** A wall in front of a cloud of the test's own; boards change every 20 seconds. */
function openWall(named?: readonly BoardName[], everyMs = 20 * second) {
  const api = cloudApi();
  const session = createSession(Date.now);
  const stores = openStores(api, session);
  const chosen = named?.flatMap((wanted) => boards.find(({ name }) => name === wanted) ?? []) ?? boards;
  const told: string[] = [];
  const onCritical = (says: string) => void told.push(says);
  const wall = createWall(onlyAccount(stores), onCritical, Date.now);
  const rotation = createRotation({
    stores,
    wall,
    boards: chosen,
    skipsEmpty: named === undefined,
    everyMs,
    onCritical,
  });
  api.lists.servers = [{ id: 1, label: 'web-1', status: 'running', region: 'us-east', type: 'g6-standard-1' }];
  const stop = rotation.start();
  stores.events.start();
  return {
    api,
    session,
    stores,
    rotation,
    told,
    stop,
    shown: () => currentBoard(rotation.getState(), chosen).name,
    pass: (ms: number) => vi.advanceTimersByTimeAsync(ms),
  };
}

describe('the rotation', () => {
  test('goes through the boards that have something to show, and round again', async () => {
    const { shown, pass } = openWall();
    const seen: string[] = [];
    await pass(second);
    for (let turn = 0; turn < 5; turn++) {
      seen.push(shown());
      await pass(20 * second);
    }
    expect(seen).toEqual(['home', 'problems', 'servers', 'fleet', 'home']);
  });

  test.each([-60, 60])('turns as ever where the clock is set by %d minutes', async (by) => {
    const { rotation, shown, pass } = openWall(['servers', 'problems']);
    rotation.setPages(2);
    await pass(second);
    vi.setSystemTime(Date.now() + by * minute);
    const seen: string[] = [];
    for (let step = 0; step < 6; step++) {
      seen.push(`${shown()} ${rotation.getState().page}`);
      await pass(10 * second);
    }
    expect(seen).toEqual(['servers 0', 'servers 1', 'problems 0', 'problems 1', 'servers 0', 'servers 1']);
  });

  test('takes in a board as soon as it has something to show', async () => {
    const { api, shown, pass } = openWall();
    await pass(second);
    api.lists['managed-services'] = [service(1, 'ok')];
    const seen = new Set<string>();
    for (let turn = 0; turn < 12; turn++) {
      await pass(20 * second);
      seen.add(shown());
    }
    expect([...seen].sort()).toEqual(['fleet', 'home', 'managed', 'problems', 'servers']);
  });

  test('leaves out no board that was named, and no other one comes', async () => {
    const { shown, pass } = openWall(['managed', 'servers']);
    await pass(second);
    const seen = [shown()];
    for (let turn = 0; turn < 3; turn++) {
      await pass(20 * second);
      seen.push(shown());
    }
    expect(seen).toEqual(['managed', 'servers', 'managed', 'servers']);
  });

  test('shows the pages of a board in its time, and at its next turn those that were left', async () => {
    const { rotation, shown, pass } = openWall(['servers', 'problems']);
    await pass(second);
    rotation.setPages(2);
    const pages = async (count: number) => {
      const seen: string[] = [];
      for (let step = 0; step < count; step++) {
        seen.push(`${shown()} ${rotation.getState().page}`);
        await pass(5 * second);
      }
      return seen;
    };
    expect(await pages(4)).toEqual(['servers 0', 'servers 0', 'servers 1', 'servers 1']);
    rotation.setPages(1);
    expect(await pages(4)).toEqual(['problems 0', 'problems 0', 'problems 0', 'problems 0']);
    rotation.setPages(7);
    expect(await pages(4)).toEqual(['servers 0', 'servers 1', 'servers 2', 'servers 3']);
    expect(await pages(4)).toEqual(['problems 0', 'problems 1', 'problems 2', 'problems 3']);
    expect(await pages(4)).toEqual(['servers 0', 'servers 4', 'servers 5', 'servers 6']);
  });

  test('however short its turns are, a board shows all of its pages', async () => {
    const { rotation, pass } = openWall(['servers'], 3 * second);
    rotation.setPages(4);
    const seen = new Set<number>();
    for (let step = 0; step < 24; step++) {
      await pass(second / 2);
      seen.add(rotation.getState().page);
    }
    expect([...seen].sort()).toEqual([0, 1, 2, 3]);
  });

  test('turns no page while it is paused, but by keys', async () => {
    const { rotation, pass } = openWall(['servers']);
    await pass(second);
    rotation.setPages(3);
    rotation.turnPage(1);
    rotation.pause();
    await pass(minute);
    expect(rotation.getState().page).toBe(1);
    rotation.turnPage(-1);
    rotation.turnPage(-1);
    expect(rotation.getState().page).toBe(2);
  });

  test('the clock goes on where nothing else does', async () => {
    const { rotation, pass } = openWall();
    rotation.pause();
    const before = rotation.getState().minuteAt;
    await pass(2 * minute);
    expect(rotation.getState().minuteAt).toBe(before + 2 * minute);
  });

  test('is moved, paused and resumed by keys', async () => {
    const { rotation, shown, pass } = openWall();
    await pass(second);
    rotation.step(1);
    expect(shown()).toBe('problems');
    rotation.step(-1);
    rotation.step(-1);
    expect(shown()).toBe('fleet');
    rotation.pause();
    await pass(10 * minute);
    expect(shown()).toBe('fleet');
    rotation.show(0);
    rotation.show(17);
    expect(shown()).toBe('home');
    rotation.pause();
    await pass(20 * second);
    expect(shown()).toBe('problems');
  });
});

describe('something new that is critical', () => {
  /** A wall that has read its account, at the first board. */
  async function openCalm() {
    const wall = openWall(['home', 'servers']);
    wall.api.lists['managed-services'] = [service(1, 'problem'), service(2, 'ok')];
    await wall.pass(10 * minute + second);
    return wall;
  }

  test('stops the rotation at the problems for five minutes; what was there at the start does not', async () => {
    const { api, rotation, told, shown, pass } = await openCalm();
    const boardAt = () => (rotation.getState().at === 0 ? 'home' : 'servers');
    expect(told).toEqual([]);
    expect(rotation.getState().interruption).toBeUndefined();
    api.lists['managed-services'] = [service(1, 'problem'), service(2, 'problem')];
    await pass(minute + second);
    const before = boardAt();
    expect(told).toEqual(['service 2 does not answer as expected at host-2:22']);
    expect(shown()).toBe('problems');
    const { interruption } = rotation.getState();
    expect(interruption).toMatchObject({ until: Number(interruption?.since) + 5 * minute });
    await pass(Number(interruption?.until) - Date.now() - 1);
    expect(shown()).toBe('problems');
    await pass(second);
    expect(rotation.getState().interruption).toBeUndefined();
    expect(shown()).toBe(before);
    await pass(60 * minute);
    expect(told).toHaveLength(1);
  });

  test('is gone on from by a key', async () => {
    const { api, rotation, shown, pass } = await openCalm();
    api.lists['managed-services'] = [service(1, 'problem'), service(2, 'problem')];
    await pass(minute + second);
    rotation.pause();
    expect(rotation.getState()).toMatchObject({ paused: false, interruption: undefined });
    expect(shown()).not.toBe('problems');
  });

  test('is gone on from when it is over, and does not ring again when it only flaps', async () => {
    const { api, rotation, told, pass } = await openCalm();
    api.lists['managed-services'] = [service(2, 'problem')];
    await pass(minute + second);
    expect(rotation.getState().interruption).toBeDefined();
    api.lists['managed-services'] = [service(2, 'ok')];
    await pass(minute + second);
    expect(rotation.getState().interruption).toBeUndefined();
    api.lists['managed-services'] = [service(2, 'problem')];
    await pass(minute + second);
    expect(told).toHaveLength(1);
    api.lists['managed-services'] = [service(2, 'ok')];
    await pass(10 * minute);
    api.lists['managed-services'] = [service(2, 'problem')];
    await pass(minute + second);
    expect(told).toHaveLength(2);
  });

  test('that comes and goes every two minutes rings, notifies, runs the hook and is printed once each', async () => {
    const { api, stores, told, pass } = await openCalm();
    const folder = temporaryFolder('flaps');
    const run = ['/bin/sh', '-c', `cat >>${join(folder, 'out')}`];
    const hook: HookConfig = { on: ['critical', 'recovered'], run, timeout: 3600 };
    const hooks = createHooks({ env: () => process.env, now: Date.now, tell: (text) => told.push(text) });
    onTestFinished(hooks.stop);
    stores.configuration.setState({ hooks: [hook] });
    hooks.follow(stores);
    let printed = '';
    onTestFinished(writeTransitions(stores, (line) => (printed += line)));
    stores.notifications.start();
    for (let turn = 0; turn < 6; turn++) {
      api.lists['managed-services'] = [service(1, 'problem'), service(2, 'problem')];
      await pass(2 * minute);
      api.lists['managed-services'] = [service(1, 'problem'), service(2, 'ok')];
      await pass(2 * minute);
    }
    const says = 'service 2 does not answer as expected at host-2:22';
    const count = (text: string) =>
      Object.entries(Object.groupBy(text.match(/(?<="on":")[a-z]+/g) ?? [], (on) => on))
        .map(([on, all]) => `${on} ${all?.length}`)
        .sort();
    expect(told).toEqual([says]);
    expect(stores.notices.getState().notices.map(({ text }) => text)).toEqual([`${says}.`]);
    expect(count(printed)).toEqual(['critical 1', 'found 5', 'recovered 6', 'start 1']);
    vi.useRealTimers();
    const ran = () => readFile(join(folder, 'out'), 'utf8');
    await vi.waitFor(async () => expect(count(await ran())).toEqual(['critical 1', 'recovered 1']));
  });

  test('stops it also while it is paused', async () => {
    const { api, rotation, shown, pass } = await openCalm();
    rotation.pause();
    const at = shown();
    api.lists['managed-services'] = [service(2, 'problem')];
    await pass(minute + second);
    expect(shown()).toBe('problems');
    await pass(6 * minute);
    expect(shown()).toBe(at);
  });
});

describe('the age of what is shown', () => {
  const gone = { kind: 'unreachable', status: undefined, message: 'The API cannot be reached.' } as const;

  test('is fresh, then late, then blind, and fresh again by itself', async () => {
    const { api, session, rotation, pass } = openWall();
    const level = () => rotation.getState().freshness.level;
    expect(level()).toBe('reading');
    await pass(second);
    expect(rotation.getState().freshness).toMatchObject({ level: 'fresh', minutes: 0 });
    api.failure = gone;
    const since = Date.now();
    session.noteCall({ method: 'GET', path: '/', ms: 1, at: since, attempt: 1, kind: 'unreachable' });
    await pass(30 * second);
    expect(rotation.getState().freshness).toMatchObject({ level: 'late', since });
    await pass(3 * minute);
    expect(rotation.getState().freshness).toMatchObject({
      level: 'blind',
      minutes: 3,
      why: 'The API cannot be reached',
      nextAt: expect.any(Number),
    });
    await pass(3 * 60 * minute);
    expect(rotation.getState().freshness).toMatchObject({ level: 'blind', minutes: 3 * 60 + 3 });
    api.failure = undefined;
    session.noteCall({ method: 'GET', path: '/', ms: 1, at: Date.now(), attempt: 1, status: 200 });
    await pass(minute + second);
    expect(rotation.getState().freshness).toMatchObject({ level: 'fresh', minutes: 0 });
  });

  test('is blind at once when the token is refused', async () => {
    const { api, rotation, pass } = openWall();
    await pass(second);
    api.failure = { status: 401, message: 'The token is not accepted.' };
    await pass(16 * second);
    expect(rotation.getState().freshness).toMatchObject({ level: 'blind', why: 'The token is not accepted' });
  });

  test('is that of the oldest list which cannot be read again', async () => {
    const { api, rotation, pass } = openWall();
    await pass(second);
    api.failing.servers = { status: 500, message: 'It broke.' };
    await pass(10 * minute);
    expect(rotation.getState().freshness).toMatchObject({
      level: 'late',
      minutes: expect.toSatisfy((minutes: number) => minutes >= 9),
      why: 'Servers could not be read: It broke',
    });
  });

  test('needs no events where the token may not see them', async () => {
    const { api, rotation, pass } = openWall();
    api.failing.events = { status: 403, message: 'The token may not do this.' };
    await pass(5 * minute);
    expect(rotation.getState().freshness.level).toBe('fresh');
  });
});

test('hours on the wall cost no memory, no pile of requests, and nothing but reads', async () => {
  const { api, stores, pass } = openWall();
  const rowsAtOnce = 80;
  api.lists['managed-services'] = [service(1, 'ok')];
  await pass(10 * minute);
  const sizes = () => {
    const { collections, answers } = stores.cache.getState();
    return {
      entries: Object.keys(collections).length + Object.keys(answers).length,
      events: stores.events.getState().events.length,
      timers: vi.getTimerCount(),
    };
  };
  const before = sizes();
  for (let hour = 1; hour <= 6; hour++) {
    // Rows that come and go, a problem that does, and an outage every third hour.
    api.lists.servers = Array.from({ length: rowsAtOnce }, (_, nth) => ({
      id: hour * 100 + nth,
      label: `web-${hour}-${nth}`,
      status: 'running',
    }));
    api.lists['managed-services'] = [service(1, hour % 2 === 0 ? 'ok' : 'problem')];
    api.failure = hour % 3 === 0 ? { status: 503, message: 'It is away.' } : undefined;
    await pass(60 * minute);
  }
  api.failure = undefined;
  await pass(10 * minute);
  const after = sizes();
  // Answers about single rows, of which there were hundreds, are kept for those that are there and examined.
  expect(after.entries).toBeLessThanOrEqual(before.entries + maxRowQueries + 5);
  expect(after.events).toBe(before.events);
  expect(after.timers).toBeLessThanOrEqual(before.timers + 3);
  const perMinute = Map.groupBy(api.asked, ({ at }) => Math.floor(at / minute));
  expect(Math.max(...[...perMinute.values()].map(({ length }) => length))).toBeLessThan(120);
  expect(new Set(api.asked.map(({ method }) => method))).toEqual(new Set(['GET']));
});

test('once it has stopped nothing is left that would wake it', async () => {
  const { stores, stop, pass } = openWall();
  await pass(minute);
  stop();
  stores.close();
  await pass(10 * minute);
  expect(vi.getTimerCount()).toBe(0);
});

test('an account of which nothing was ever read is left out of the turns of a wall', async () => {
  const opened = Object.fromEntries(['home', 'work', 'lab', 'spare'].map((name) => [name, openStores(cloudApi())]));
  const { home, work, lab, spare } = opened as Record<string, ReturnType<typeof openStores>>;
  if (!home || !work || !lab || !spare) throw new Error('an account is missing');
  const profiles = ['home', 'work', 'lab', 'spare'];
  const accounts = createAccounts({
    first: 'home',
    stores: home,
    profiles: () => profiles,
    openOther: async (profile) => ({
      stores: opened[profile] ?? home,
      whyRefused: async () => 'no',
      close: async () => {},
    }),
  });
  onTestFinished(() => accounts.close());
  const answered = { at: Date.now(), method: 'GET', path: '/', ms: 1, status: 200 } as never;
  for (const profile of ['work', 'spare']) {
    opened[profile]?.session.setState({ calls: [answered] });
    accounts.wake(profile, () => () => {});
  }
  accounts.wake('lab', () => () => {});
  await vi.waitFor(() => expect(Object.keys(accounts.getState().opened)).toHaveLength(4));
  // The rules were examined in all of them; in one all reads have failed.
  for (const { problems } of [home, work, lab, spare]) problems.setState({ examinedAt: Date.now() });
  const wall = createWall(accounts, () => {}, Date.now);
  for (const next of ['work', 'spare', 'home']) {
    wall.next();
    await vi.waitFor(() => expect(accounts.getState().current).toBe(next));
  }
});
