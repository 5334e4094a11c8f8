import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { resourceNamed } from '../../src/resources/index.ts';
import type { ResourceName } from '../../src/resources/names.ts';
import type { Finding, Rule } from '../../src/resources/problems/rule.ts';
import type { CacheView, Row, Usage } from '../../src/resources/resource.ts';
import { listOf, openProblems, rowsTo, ruleOf } from './openProblems.ts';

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1000);
const volumes = resourceNamed('volumes');

/** A rule that says what it finds, and how often it has looked at a row. */
function counted(
  of: ResourceName,
  find: (row: Row, view: CacheView) => Finding | undefined,
  further: Partial<Rule> = {},
) {
  const spy = vi.fn(find);
  return { spy, rule: ruleOf(of, { find: spy, ...further }) };
}

const broken = (row: Row): Finding | undefined =>
  row.status === 'broken' ? { says: `${row.label} is broken` } : undefined;
const vol = (id: number, status = 'active'): Row => ({ id, label: `vol-${id}`, status });

describe('what is found', () => {
  test('nothing is examined, read or waited for while nobody wants to know', async () => {
    const { spy, rule } = counted('volumes', broken);
    const { api, problems, load } = openProblems([rule]);
    await load(listOf('volumes'), [vol(1, 'broken')]);
    await seconds(300);
    expect(spy).not.toHaveBeenCalled();
    expect(problems.getState()).toEqual({ problems: [], acknowledged: [], news: [] });
    expect(api.all).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('is not told as long as nothing was read, so that no list of it waits for ever', async () => {
    const { problems, moment } = openProblems([ruleOf('volumes')]);
    const told = vi.fn();
    problems.subscribe(told);
    const leave = problems.watch();
    await moment();
    leave();
    expect(told).not.toHaveBeenCalled();
  });

  test('is there once the lists are read, the most urgent first', async () => {
    const older = counted('volumes', (row) => ({ says: `${row.label} is old`, since: 1 }), { name: 'old' });
    const critical = counted('volumes', broken, { name: 'broken', severity: 'critical' });
    const { problems, answerAll } = openProblems([older.rule, critical.rule]);
    problems.watch();
    expect(problems.getState().examinedAt).toBeUndefined();
    await answerAll(() => [vol(1), vol(2, 'broken')]);
    expect(problems.getState().problems.map(({ says }) => says)).toEqual([
      'vol-2 is broken',
      'vol-1 is old',
      'vol-2 is old',
    ]);
    expect(problems.getState().problems[0]).toMatchObject({
      id: 'broken 2',
      severity: 'critical',
      resource: 'volumes',
      params: { volumeId: '2' },
      label: 'vol-2',
    });
    expect(problems.getState().examinedAt).toBeDefined();
  });

  test('counts as examined only when every list was tried, also where one cannot be read', async () => {
    const { api, problems, moment } = openProblems([ruleOf('volumes', { reads: ['servers'] })]);
    problems.watch();
    await moment();
    await api.next('volumes.list').page([vol(1)]);
    await moment();
    expect(problems.getState().examinedAt).toBeUndefined();
    await api.next('servers.list').fail({ status: 403 });
    await moment();
    expect(problems.getState().examinedAt).toBeDefined();
  });

  test('tells of a row that went while its list was being read', async () => {
    const gone = ruleOf('volumes', {
      reads: ['servers'],
      find: (_, view) => (view.deleted('servers').length > 0 ? { says: 'it is gone' } : undefined),
    });
    const { api, problems, cache, answerAll, moment } = openProblems([gone]);
    problems.watch();
    await answerAll(({ name }) => (name === 'servers.list' ? [{ id: 1 }, { id: 2 }] : [vol(1)]));
    void cache.readCollection(listOf('servers'));
    cache.dropRow(resourceNamed('servers'), { serverId: '1' });
    await moment();
    await api.next('servers.list').page([{ id: 2 }]);
    await moment();
    expect(problems.getState().problems).toMatchObject([{ says: 'it is gone' }]);
  });

  test('what is acknowledged is kept apart', async () => {
    const { problems, answerAll } = openProblems([counted('volumes', broken).rule], () => true);
    problems.watch();
    await answerAll(() => [vol(1, 'broken')]);
    expect(problems.getState()).toMatchObject({ problems: [], acknowledged: [{ says: 'vol-1 is broken' }] });
  });

  test('keeps its identity as long as it says the same', async () => {
    const { problems, cache, answerAll, moment } = openProblems([counted('volumes', broken).rule]);
    problems.watch();
    await answerAll(() => [vol(1, 'broken'), vol(2, 'broken')]);
    const before = problems.getState().problems;
    cache.putRow(volumes, { volumeId: '1' }, { ...vol(1, 'broken'), size: 20 });
    await moment();
    expect(problems.getState().problems).toBe(before);
    cache.putRow(volumes, { volumeId: '1' }, vol(1));
    await moment();
    expect(problems.getState().problems).toHaveLength(1);
    expect(problems.getState().problems[0]).toBe(before[1]);
  });

  test('what there is only one of is named by no parameters', async () => {
    const { problems, api, moment } = openProblems([counted('account', () => ({ says: 'money is due' })).rule]);
    problems.watch();
    await moment();
    await api.next('account.view').answer({ euuid: 'E-1', company: 'Acme' });
    await moment();
    expect(problems.getState().problems).toMatchObject([{ id: 'rule-of-account', params: {}, label: 'Acme' }]);
  });
});

describe('what is examined again', () => {
  test('one row where only that has changed, and when a minute is over what looked at the clock', async () => {
    const ofVolumes = counted('volumes', broken);
    const late = counted('domains', (row, view) => (row.id === 2 && view.now < 0 ? { says: 'late' } : undefined));
    const { problems, cache, answerAll, moment } = openProblems([ofVolumes.rule, late.rule]);
    problems.watch();
    await answerAll(() => [vol(1), vol(2)]);
    const calls = () => [ofVolumes.spy.mock.calls.length, late.spy.mock.calls.length];
    const [volumesBefore = 0, domainsBefore = 0] = calls();
    cache.putRow(volumes, { volumeId: '1' }, vol(1, 'broken'));
    await moment();
    expect(problems.getState().problems).toHaveLength(1);
    expect(calls()).toEqual([volumesBefore + 1, domainsBefore]);
    await seconds(60);
    expect(calls()).toEqual([volumesBefore + 1, domainsBefore + 1]);
    expect(late.spy.mock.lastCall?.[0].id).toBe(2);
  });

  test('what looked at a row of another resource, at an answer or at the events', async () => {
    const joined = counted('volumes', (row, view) =>
      view.row('servers', row.server_id) ? undefined : { says: 'attached to what is not there' },
    );
    const busy = counted('servers', (_, { events }) => (events.length > 0 ? { says: 'something happens' } : undefined));
    const { problems, cache, events, api, answerAll, moment } = openProblems([joined.rule, busy.rule]);
    problems.watch();
    await answerAll(({ name }) => (name === 'volumes.list' ? [{ id: 1, server_id: 9 }] : [{ id: 8 }]));
    expect(problems.getState().problems.map(({ says }) => says)).toEqual(['attached to what is not there']);
    cache.putRow(resourceNamed('servers'), { serverId: '9' }, { id: 9 });
    await moment();
    expect(problems.getState().problems).toEqual([]);
    const calls = joined.spy.mock.calls.length;
    void events.poll();
    await api.next('events.list').page([{ id: 1, action: 'server_boot', status: 'started' }]);
    events.stop();
    await moment();
    expect(problems.getState().problems).toHaveLength(2);
    expect(joined.spy.mock.calls.length).toBe(calls);
  });

  test('what looked for something in a list that could not be read, once that is known to be empty', async () => {
    const alone = counted('servers', (_, view) =>
      view.isRead('volumes') ? { says: 'there are no volumes' } : undefined,
    );
    const { problems, cache, api, moment, load } = openProblems([alone.rule]);
    problems.watch();
    await moment();
    await api.next('servers.list').page(rowsTo(1));
    void cache.readCollection(listOf('volumes'));
    await api.next('volumes.list').fail({ status: 500 });
    await moment();
    expect(problems.getState().problems).toEqual([]);
    await load(listOf('volumes'), []);
    expect(problems.getState().problems).toHaveLength(1);
  });

  test('not a list that is still being read: only when that has ended', async () => {
    const { spy, rule } = counted('volumes', broken);
    const { problems, api, moment } = openProblems([rule]);
    problems.watch();
    await moment();
    await api.next('volumes.list').page([vol(1, 'broken')], 2, 2);
    await seconds(1);
    expect(spy).not.toHaveBeenCalled();
    await api.next('volumes.list').page([vol(2)], 2, 2);
    await moment();
    expect(problems.getState().problems).toHaveLength(1);
  });

  test('all once a minute, because time passes; one timer waits for it', async () => {
    const late = counted('volumes', (_, { now }) => (now > 1_100_000 ? { says: 'it is late' } : undefined));
    const { problems, answerAll } = openProblems([late.rule]);
    problems.watch();
    await answerAll(() => [vol(1)]);
    expect(problems.getState().problems).toEqual([]);
    // That of the scheduler and ours.
    expect(vi.getTimerCount()).toBe(2);
    await seconds(180);
    await answerAll(() => [vol(1)]);
    expect(problems.getState().problems.map(({ says }) => says)).toEqual(['it is late']);
  });

  test('nothing when nobody wants to know any more; at once when somebody does again', async () => {
    const { spy, rule } = counted('volumes', broken);
    const { problems, cache, answerAll, moment } = openProblems([rule]);
    const [leave, leaveToo] = [problems.watch(), problems.watch()];
    await answerAll(() => [vol(1)]);
    const calls = spy.mock.calls.length;
    leave();
    cache.putRow(volumes, { volumeId: '1' }, vol(1, 'broken'));
    await moment();
    expect(spy.mock.calls.length).toBe(calls + 1);
    leaveToo();
    cache.putRow(volumes, { volumeId: '1' }, vol(1));
    await seconds(600);
    expect(spy.mock.calls.length).toBe(calls + 1);
    expect(vi.getTimerCount()).toBe(0);
    problems.watch();
    await answerAll(() => [vol(1)]);
    expect(problems.getState().problems).toEqual([]);
  });
});

test('many rows are examined some at a time, so that others have their turn in between', async () => {
  const { spy, rule } = counted('volumes', () => undefined);
  const { problems, api, moment } = openProblems([rule]);
  problems.watch();
  await moment();
  await api.next('volumes.list').page(rowsTo(2_000), 1, 2_000);
  const turns: number[] = [];
  while (spy.mock.calls.length < 2_000) {
    const before = spy.mock.calls.length;
    await vi.advanceTimersToNextTimerAsync();
    turns.push(spy.mock.calls.length - before);
  }
  expect(Math.max(...turns)).toBe(200);
});

describe('what is news', () => {
  const configs = resourceNamed('configs');
  const says = (problems: ReturnType<typeof openProblems>['problems']) =>
    problems.getState().news.map((problem) => problem.says);

  test('is what comes up later, not what was there when the lists were read', async () => {
    const { problems, cache, answerAll, moment } = openProblems([counted('volumes', broken).rule]);
    problems.watch();
    await answerAll(() => [vol(1, 'broken'), vol(2)]);
    expect(problems.getState().problems).toHaveLength(1);
    expect(says(problems)).toEqual([]);
    cache.putRow(volumes, { volumeId: '2' }, vol(2, 'broken'));
    await moment();
    expect(says(problems)).toEqual(['vol-2 is broken']);
    const before = problems.getState().news;
    cache.putRow(volumes, { volumeId: '3' }, vol(3, 'broken'));
    await moment();
    expect(says(problems)).toEqual(['vol-3 is broken']);
    cache.putRow(volumes, { volumeId: '3' }, vol(3));
    await moment();
    expect(says(problems)).toEqual(['vol-3 is broken']);
    expect(problems.getState().news).not.toBe(before);
  });

  test('is what a row shows that is viewed alone for the first time, as its list was read before', async () => {
    const { api, problems, cache, answerAll, moment } = openProblems([counted('volumes', broken).rule]);
    problems.watch();
    await answerAll(() => [vol(1, 'broken'), vol(2)]);
    void cache.readAnswer({ resource: 'volumes', operation: 'view', params: { volumeId: '2' } });
    await api.next('volumes.view').answer(vol(2, 'broken'));
    await moment();
    expect(says(problems)).toEqual(['vol-2 is broken']);
  });

  test('is not what a list below a row shows when it is read for the first time, but what it shows later', async () => {
    const rule = ruleOf('configs', {
      find: (row) => (row.status === 'broken' ? { says: `${row.label} is broken` } : undefined),
    });
    const { api, problems, cache, moment } = openProblems([rule]);
    problems.watch();
    await moment();
    await api.next('servers.list').page([
      { id: 1, label: 'web-1' },
      { id: 2, label: 'web-2' },
    ]);
    await moment();
    expect(problems.getState().examinedAt).toBeDefined();
    await api.next('configs.list').page([vol(7, 'broken'), vol(8)]);
    await moment();
    expect(problems.getState().problems).toHaveLength(1);
    expect(says(problems)).toEqual([]);
    cache.putRow(configs, { serverId: '1', configId: '8' }, vol(8, 'broken'));
    await moment();
    expect(says(problems)).toEqual(['vol-8 is broken']);
    const before = problems.getState().news;
    await api.next('configs.list').page([vol(9, 'broken')]);
    await moment();
    expect(problems.getState().problems).toHaveLength(3);
    expect(problems.getState().news).toBe(before);
  });

  test('is not what an answer about a row shows when it is read for the first time', async () => {
    const rule = ruleOf('servers', {
      fetches: 'transfer',
      find: (_row, view, params) => (view.answer('servers', 'transfer', params) ? { says: 'much is sent' } : undefined),
    });
    const { api, problems, moment } = openProblems([rule]);
    problems.watch();
    await moment();
    await api.next('servers.list').page([{ id: 1, label: 'web-1' }]);
    await moment();
    expect(problems.getState().examinedAt).toBeDefined();
    await api.next('servers.transfer').answer({ used: 1 });
    await moment();
    expect(problems.getState().problems).toHaveLength(1);
    expect(says(problems)).toEqual([]);
  });

  test('is not how busy a server is when that is known for the first time, but when it changes later', async () => {
    const usage = new Map<string, Usage>();
    const rule = ruleOf('servers', {
      find: (_row, view, { serverId = '' }) =>
        (view.usage(serverId)?.cpu ?? 0) > 90 ? { says: `${serverId} is busy` } : undefined,
    });
    const { problems, answerAll } = openProblems([rule], () => false, usage);
    problems.watch();
    usage.set('2', { cpu: 10 });
    await answerAll(() => [{ id: 1 }, { id: 2 }]);
    usage.set('1', { cpu: 95 });
    await seconds(60);
    expect(problems.getState().problems).toHaveLength(1);
    expect(says(problems)).toEqual([]);
    usage.set('2', { cpu: 95 });
    await seconds(60);
    expect(says(problems)).toEqual(['2 is busy']);
  });

  test('is not what somebody knows of already', async () => {
    const { problems, cache, answerAll, moment } = openProblems([counted('volumes', broken).rule], () => true);
    problems.watch();
    await answerAll(() => [vol(1)]);
    cache.putRow(volumes, { volumeId: '1' }, vol(1, 'broken'));
    await moment();
    expect(problems.getState().acknowledged).toHaveLength(1);
    expect(says(problems)).toEqual([]);
  });

  test('is an event that comes after the first look at the events', async () => {
    const rule = ruleOf('events', {
      find: (row) => (row.status === 'failed' ? { says: `${row.id} failed` } : undefined),
    });
    const { api, events, problems, moment } = openProblems([rule]);
    const eventOf = (id: number) => ({ id, action: 'server_boot', status: 'failed', created: '2025-06-10T10:00:00' });
    problems.watch();
    await moment();
    expect(problems.getState().examinedAt).toBeDefined();
    void events.poll();
    await api.next('events.list').page([eventOf(1)]);
    await moment();
    expect(problems.getState().problems).toHaveLength(1);
    expect(says(problems)).toEqual([]);
    void events.poll();
    await api.next('events.list').page([eventOf(2), eventOf(1)]);
    await moment();
    expect(says(problems)).toEqual(['2 failed']);
  });
});

test('what is acknowledged is told apart at once', async () => {
  const known = new Set<string>();
  const { problems, answerAll } = openProblems([counted('volumes', broken).rule], ({ id }) => known.has(id));
  problems.watch();
  await answerAll(() => [vol(1, 'broken'), vol(2, 'broken')]);
  known.add('rule-of-volumes 1');
  problems.regroup();
  expect(problems.getState()).toMatchObject({ problems: [{ label: 'vol-2' }], acknowledged: [{ label: 'vol-1' }] });
});

test('what is wrong with a part of a row is over when that row is gone', async () => {
  const { problems, api, cache, load, moment } = openProblems([ruleOf('disks', { find: broken })]);
  problems.watch();
  await load(listOf('servers'), [vol(1), vol(2)]);
  for (const serverId of ['1', '2']) await load(listOf('disks', { serverId }), [vol(Number(serverId) * 10, 'broken')]);
  for (const asked of api.open) await asked.page([vol(1), vol(2)]);
  await moment();
  expect(problems.getState().problems.map(({ label }) => label)).toEqual(['vol-10', 'vol-20']);
  cache.dropRow(resourceNamed('servers'), { serverId: '2' });
  await moment();
  expect(problems.getState().problems.map(({ label }) => label)).toEqual(['vol-10']);
});
