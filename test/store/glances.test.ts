import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createGlances } from '../../src/store/glances.ts';
import { createRecords, keyOf, type Question } from '../../src/store/records.ts';
import { type Asked, fakeApi } from './fakeApi.ts';

const stats = (id: number): Question => ({ resource: 'servers', operation: 'stats', params: { serverId: `${id}` } });
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => stats(from + index));
const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1000);

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

function open() {
  const api = fakeApi();
  const records = createRecords(api, Date.now);
  const glances = createGlances(records, Date.now);
  const askedFor = () => api.all.map(({ request }) => Number(request.params?.serverId));
  const answerAll = async () => {
    while (api.open.length > 0) for (const asked of api.open) await asked.answer({ cpu: [] });
  };
  return { api, records, glances, askedFor, answerAll };
}

test('visible rows are asked about from the top, four at a time, each once', async () => {
  const { api, glances, askedFor, answerAll } = open();
  glances.want(range(1, 10));
  expect(askedFor()).toEqual([1, 2, 3, 4]);
  await api.open[0]?.answer({});
  expect(askedFor()).toEqual([1, 2, 3, 4, 5]);
  await answerAll();
  expect(askedFor()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  await seconds(299);
  expect(api.all).toHaveLength(10);
});

test('they are asked about again when the answers are old, for as long as they are visible', async () => {
  const { api, glances, answerAll } = open();
  const away = glances.want(range(1, 2));
  await answerAll();
  await seconds(300);
  expect(api.all).toHaveLength(4);
  await answerAll();
  away();
  await seconds(3600);
  expect(api.all).toHaveLength(4);
  expect(vi.getTimerCount()).toBe(0);
});

test('nothing is asked during a rest, and what fell due meanwhile afterwards', async () => {
  const { api, glances, answerAll } = open();
  glances.want(range(1, 2));
  await answerAll();
  glances.rest(true);
  await seconds(3600);
  expect(api.all).toHaveLength(2);
  glances.rest(false);
  expect(api.all).toHaveLength(4);
});

test('rows scrolled away are dropped', async () => {
  const { glances, askedFor, answerAll } = open();
  const away = glances.want(range(1, 50));
  away();
  glances.want(range(101, 104));
  await answerAll();
  expect(askedFor()).toEqual([1, 2, 3, 4, 101, 102, 103, 104]);
});

test('ninety are asked a minute, the others when the minute is over', async () => {
  const { api, glances, answerAll } = open();
  glances.want(range(1, 120));
  await answerAll();
  expect(api.all).toHaveLength(90);
  await seconds(59);
  expect(api.all).toHaveLength(90);
  await seconds(1);
  await answerAll();
  expect(api.all).toHaveLength(120);
});

test('what failed is tried again after a minute', async () => {
  const { api, glances } = open();
  glances.want([stats(1)]);
  await api.next('servers.stats').fail();
  await seconds(59);
  expect(api.all).toHaveLength(1);
  await seconds(1);
  expect(api.all).toHaveLength(2);
});

test('when the API asks to wait, nothing is asked until then', async () => {
  const { api, glances, askedFor } = open();
  glances.want(range(1, 6));
  await api.next('servers.stats').fail({ status: 429, retryAfterMs: 30_000 });
  for (const asked of api.open) await asked.answer({});
  await seconds(29);
  expect(askedFor()).toEqual([1, 2, 3, 4]);
  await seconds(1);
  expect(askedFor()).toEqual([1, 2, 3, 4, 5, 6]);
});

test('what is read already is not asked for; what is visible is kept', async () => {
  const { api, records, glances, answerAll } = open();
  void records.readAnswer(stats(1));
  await answerAll();
  glances.want([stats(1)]);
  expect(api.all).toHaveLength(1);
  for (let id = 2; id <= 400; id++) {
    void records.readAnswer(stats(id));
    await answerAll();
  }
  expect(records.getState().answers[keyOf(stats(1))]).toBeDefined();
  expect(records.getState().answers[keyOf(stats(2))]).toBeUndefined();
});

test('nothing is asked once it is stopped', async () => {
  const { api, glances, answerAll } = open();
  glances.want(range(1, 10));
  glances.stop();
  await answerAll();
  await seconds(3600);
  expect(api.all).toHaveLength(4);
});

test('what may have changed is asked about again at once, but for means over some minutes', async () => {
  const { api, glances, answerAll } = open();
  const health: Question = { resource: 'nodebalancers', operation: 'configs', params: { nodeBalancerId: '7' } };
  glances.want([stats(1), health]);
  await answerAll();
  glances.renew(new Set([keyOf(stats(1)), keyOf(health), keyOf(stats(2))]));
  await answerAll();
  expect(api.all.slice(2).map(({ request }) => request.params)).toEqual([health.params]);
});

describe('what is wanted unseen', () => {
  const lists = (from: number, to: number): readonly Question[] =>
    range(from, to).map(({ params }) => ({ resource: 'disks', operation: 'list', params }));
  const names = (asked: readonly Asked[]) => asked.map(({ name }) => name);

  test('comes after what is visible, and its lists are read as lists', async () => {
    const { api, records, glances } = open();
    const [disks, ...others] = lists(1, 10);
    if (!disks) throw new Error('there is no list');
    glances.want([disks, ...others], 'unseen');
    glances.want(range(1, 3));
    expect(names(api.open)).toEqual(['disks.list', 'disks.list', 'servers.stats', 'servers.stats']);
    await api.next('disks.list').page([{ id: 5 }]);
    expect(records.getState().collections[keyOf(disks)]?.rows).toEqual([{ id: 5 }]);
    expect(names(api.open)).toEqual(['disks.list', 'servers.stats', 'servers.stats', 'servers.stats']);
    await api.next('servers.stats').answer({});
    await api.next('servers.stats').answer({});
    expect(names(api.open)).toEqual(['disks.list', 'servers.stats']);
    await api.next('servers.stats').answer({});
    expect(names(api.open)).toEqual(['disks.list', 'disks.list']);
  });

  test('takes twenty of the ninety requests a minute', async () => {
    const { api, glances } = open();
    const answerAll = async () => {
      while (api.open.length > 0)
        for (const asked of api.open) await (asked.name === 'disks.list' ? asked.page([]) : asked.answer({}));
    };
    glances.want(lists(1, 40), 'unseen');
    await answerAll();
    expect(api.all).toHaveLength(20);
    glances.want(range(1, 100));
    await answerAll();
    expect(api.all).toHaveLength(90);
    await seconds(60);
    await answerAll();
    expect([api.count('servers.stats'), api.count('disks.list')]).toEqual([100, 40]);
  });

  test('waits with all else when the API asks to wait', async () => {
    const { api, glances } = open();
    glances.want(lists(1, 3), 'unseen');
    await api.next('disks.list').fail({ status: 429, retryAfterMs: 45_000 });
    await api.next('disks.list').page([]);
    await seconds(44);
    expect(api.all).toHaveLength(2);
    await seconds(1);
    expect(api.all).toHaveLength(3);
  });
});

test('what failed is asked about again when the API is back, except what it refuses', async () => {
  const { api, glances, askedFor } = open();
  glances.want(range(1, 4));
  for (const status of [500, 401, 403, 404]) await api.open[0]?.fail({ status });
  expect(api.open).toHaveLength(0);
  await seconds(1);
  glances.retryFailed();
  expect(askedFor()).toEqual([1, 2, 3, 4, 1, 2]);
});
