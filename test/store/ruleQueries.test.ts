import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Row } from '../../src/resources/resource.ts';
import { queryKey } from '../../src/store/cache.ts';
import { userRules } from '../../src/store/problems/userRules.ts';
import type { Asked } from './fakeApi.ts';
import { listOf, openProblems, rowsTo, ruleOf } from './openProblems.ts';

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1000);
const minutes = (count: number) => seconds(count * 60);
const names = (asked: readonly Asked[]) => asked.map(({ name }) => name).sort();

/** Answers lists by the name of their question; those not named are empty. */
const answers =
  (lists: Readonly<Record<string, readonly Row[]>>) =>
  ({ name }: Asked): readonly Row[] =>
    lists[name] ?? [];

describe('the lists of the account', () => {
  test('are those at which rules look, and what lies above them, each once', async () => {
    const { api, problems, moment } = openProblems([
      ruleOf('volumes', { reads: ['servers', 'account'] }),
      ruleOf('records', { reads: ['servers'] }),
      ruleOf('events'),
      ruleOf('stackscripts'),
      ruleOf('objects'),
    ]);
    expect(api.all).toHaveLength(0);
    problems.watch();
    await moment();
    expect(names(api.all)).toEqual(['account.view', 'buckets.list', 'domains.list', 'servers.list', 'volumes.list']);
  });

  test('are read again when they are due, and no more when nobody wants to know', async () => {
    const { api, problems, answerAll } = openProblems([ruleOf('volumes')]);
    const leave = problems.watch();
    await answerAll();
    await minutes(5);
    expect(api.count('volumes.list')).toBe(2);
    await answerAll();
    leave();
    await minutes(60);
    expect(api.all).toHaveLength(2);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('of catalogues are read when there is something to look up in them, and rarely', async () => {
    const { api, problems, cache, answerAll } = openProblems([ruleOf('servers', { reads: ['kernels'] })]);
    problems.watch();
    await answerAll();
    expect(api.count('kernels.list')).toBe(0);
    void cache.readCollection(listOf('servers'));
    await answerAll(answers({ 'servers.list': rowsTo(1) }));
    expect(api.count('kernels.list')).toBe(1);
    for (let minute = 1; minute < 10; minute++) {
      await minutes(1);
      await answerAll(answers({ 'servers.list': rowsTo(1) }));
    }
    expect(api.count('kernels.list')).toBe(1);
  });

  test('that are refused are not asked for again, until somebody else may read them', async () => {
    const { api, problems, cache, moment, answerAll } = openProblems([ruleOf('volumes'), ruleOf('account')]);
    problems.watch();
    await moment();
    await api.next('volumes.list').fail({ status: 403 });
    await api.next('account.view').fail({ status: 403 });
    await minutes(90);
    expect(api.all).toHaveLength(2);
    void cache.readCollection(listOf('volumes'));
    await answerAll();
    await minutes(5);
    expect(api.count('volumes.list')).toBe(3);
    expect(api.count('account.view')).toBe(1);
  });

  test('that cannot be read for another reason are tried again', async () => {
    const { api, problems, moment } = openProblems([ruleOf('volumes')]);
    problems.watch();
    await moment();
    await api.next('volumes.list').fail({ status: 500 });
    await minutes(1);
    expect(api.count('volumes.list')).toBe(2);
  });
});

describe('what belongs to single rows', () => {
  const ofRecords = [ruleOf('records')];
  const domains = (count: number) => answers({ 'domains.list': rowsTo(count) });

  test('is read row by row, level by level, and so are the answers that rules ask for', async () => {
    const { api, problems, answerAll } = openProblems([
      ruleOf('nodebalancer-nodes'),
      ruleOf('servers', { fetches: 'transfer' }),
    ]);
    problems.watch();
    await answerAll(
      answers({
        'nodebalancers.list': rowsTo(1),
        'nodebalancer-configs.list': [{ id: 5 }, { id: 6 }],
        'servers.list': rowsTo(2),
      }),
    );
    const params = (name: string) =>
      api.all.filter((asked) => asked.name === name).map(({ request }) => request.params);
    expect(params('nodebalancer-configs.list')).toEqual([{ nodeBalancerId: '1' }]);
    expect(params('nodebalancer-nodes.list')).toEqual([
      { nodeBalancerId: '1', configId: '5' },
      { nodeBalancerId: '1', configId: '6' },
    ]);
    expect(params('servers.transfer')).toEqual([{ serverId: '1' }, { serverId: '2' }]);
  });

  test('is counted while answers are to come', async () => {
    const { api, ruleQueries, problems, moment } = openProblems(ofRecords);
    const pending = () => ruleQueries.getState().pending;
    problems.watch();
    expect(pending()).toBe(1);
    await moment();
    await api.next('domains.list').page(rowsTo(3));
    await moment();
    expect(pending()).toBe(3);
    await api.next('records.list').page([]);
    await api.next('records.list').fail({ status: 500 });
    await moment();
    expect(pending()).toBe(1);
    await moment();
    await api.next('records.list').page([]);
    await moment();
    expect(pending()).toBe(0);
  });

  test('is not asked at each look whether something critical may be found in it', async () => {
    let asked = 0;
    const severity = () => {
      asked++;
      return 'critical';
    };
    const rule = Object.defineProperty(ruleOf('records'), 'severity', { get: severity });
    const { api, ruleQueries, problems, moment } = openProblems([rule]);
    problems.watch();
    await moment();
    await api.next('domains.list').page(rowsTo(3));
    await moment();
    const before = asked;
    for (let look = 0; look < 10; look++) expect(ruleQueries.isExamining()).toBe(true);
    expect([before > 0, asked - before]).toEqual([true, 0]);
  });

  test('is examined while something critical may be found in what is to come, and only then', async () => {
    const { api, ruleQueries, problems, moment } = openProblems([
      ruleOf('records', { severity: 'critical' }),
      ruleOf('servers', { fetches: 'transfer', severity: 'notice' }),
    ]);
    problems.watch();
    await moment();
    await api.next('domains.list').page(rowsTo(1));
    await api.next('servers.list').page(rowsTo(1));
    await moment();
    expect([ruleQueries.isReady(), ruleQueries.isExamining()]).toEqual([true, true]);
    await api.next('records.list').page([]);
    await moment();
    expect([ruleQueries.getState().pending, ruleQueries.isExamining()]).toEqual([1, false]);
  });

  test('what a rule finds there is found', async () => {
    const rule = ruleOf('records', { find: ({ target }) => ({ says: `points at ${target}` }) });
    const { problems, answerAll } = openProblems([rule]);
    problems.watch();
    await answerAll(answers({ 'domains.list': rowsTo(1), 'records.list': [{ id: 3, target: '192.0.2.1' }] }));
    expect(problems.getState().problems).toMatchObject([
      { says: 'points at 192.0.2.1', params: { domainId: '1', recordId: '3' } },
    ]);
  });

  test('is read at most twenty times a minute, two at once', async () => {
    const { api, problems, moment, answerAll } = openProblems(ofRecords);
    problems.watch();
    await moment();
    await api.next('domains.list').page(rowsTo(50));
    await moment();
    expect(names(api.open)).toEqual(['records.list', 'records.list']);
    await answerAll(domains(50));
    expect(api.count('records.list')).toBe(20);
    await seconds(50);
    await answerAll(domains(50));
    expect(api.count('records.list')).toBe(20);
    await seconds(10);
    await answerAll(domains(50));
    expect(api.count('records.list')).toBe(40);
  });

  test('is read again after half an hour', async () => {
    const { api, problems, answerAll } = openProblems(ofRecords);
    problems.watch();
    await answerAll(domains(2));
    for (let minute = 1; minute <= 29; minute++) {
      await minutes(1);
      await answerAll(domains(2));
    }
    expect(api.count('records.list')).toBe(2);
    await minutes(1);
    await answerAll(domains(2));
    expect(api.count('records.list')).toBe(4);
  });

  test('or when it has become stale, once', async () => {
    const { api, problems, scheduler, answerAll } = openProblems(ofRecords);
    problems.watch();
    await answerAll(domains(2));
    scheduler.invalidate(({ params }) => params.domainId === '2');
    await answerAll(domains(2));
    await seconds(30);
    expect(api.all.slice(3).map(({ request }) => request.params)).toEqual([{ domainId: '2' }]);
  });

  test('and is looked at by somebody as well, it is read once', async () => {
    const { api, problems, scheduler, answerAll } = openProblems(ofRecords);
    problems.watch();
    await answerAll(domains(1));
    scheduler.subscribe([listOf('records', { domainId: '1' })]);
    await seconds(1);
    scheduler.invalidate(({ resource }) => resource === 'records');
    await seconds(1);
    await answerAll(domains(1));
    expect(api.count('records.list')).toBe(2);
  });

  test('is read as far as 150 requests go, the fewest rows first; the rest is said', async () => {
    const { api, problems, ruleQueries, answerAll } = openProblems([
      ...ofRecords,
      ruleOf('configs'),
      ruleOf('servers', { fetches: 'transfer' }),
    ]);
    problems.watch();
    await answerAll(answers({ 'domains.list': rowsTo(151), 'servers.list': rowsTo(100) }));
    for (let minute = 1; minute <= 6; minute++) {
      await minutes(1);
      await answerAll(answers({ 'domains.list': rowsTo(151), 'servers.list': rowsTo(100) }));
    }
    expect([api.count('records.list'), api.count('configs.list'), api.count('servers.transfer')]).toEqual([0, 100, 40]);
    await minutes(2);
    await answerAll(answers({ 'domains.list': rowsTo(151), 'servers.list': rowsTo(100) }));
    expect([api.count('records.list'), api.count('configs.list'), api.count('servers.transfer')]).toEqual([0, 100, 50]);
    expect(ruleQueries.getState().unexamined).toEqual([
      { resource: 'servers', operation: 'transfer', count: 50, of: 100 },
      { resource: 'records', operation: 'list', count: 151, of: 151 },
    ]);
  });

  test('and was left out is read at the next turns, until all is known', async () => {
    const { api, problems, ruleQueries, answerAll } = openProblems(ofRecords);
    problems.watch();
    const read = () => new Set(api.all.map(({ request }) => request.params?.domainId)).size - 1;
    const left = () => ruleQueries.getState().unexamined.map(({ count, of }) => [count, of]);
    const pass = async (count: number) => {
      for (let minute = 1; minute <= count; minute++) {
        await minutes(1);
        await answerAll(domains(400));
      }
    };
    await answerAll(domains(400));
    await pass(9);
    expect([read(), left()]).toEqual([150, [[250, 400]]]);
    await pass(10);
    expect([read(), left()]).toEqual([300, [[100, 400]]]);
    await pass(10);
    expect([read(), left()]).toEqual([400, []]);
    // No more than at any other time is read in a minute, and what is known is read again when its turn comes.
    const before = api.count('records.list');
    await pass(30);
    expect(api.count('records.list') - before).toBeLessThanOrEqual(30 * 20);
    expect(left()).toEqual([]);
  });

  test('and belongs to a problem stays known at each turn', async () => {
    const rule = ruleOf('records', { find: ({ target }) => (target === 'odd' ? { says: 'it is odd' } : undefined) });
    const { api, problems, answerAll } = openProblems([rule]);
    problems.watch();
    const all = (asked: Asked): readonly Row[] =>
      asked.name === 'domains.list'
        ? rowsTo(600)
        : asked.request.params?.domainId === '3'
          ? [{ id: 1, target: 'odd' }]
          : [];
    await answerAll(all);
    for (let minute = 1; minute <= 60; minute++) {
      await minutes(1);
      await answerAll(all);
      if (minute > 2) expect(problems.getState().problems).toHaveLength(1);
    }
    const asked = api.all.filter(({ request }) => request.params?.domainId === '3');
    expect(asked.length).toBeGreaterThanOrEqual(3);
  });

  test("is read for the user's own rules first, about the rows that their other terms find", async () => {
    const tagged = (id: number): Row => ({ id, label: `web-${id}`, tags: id % 10 === 0 ? ['web'] : [] });
    const list = Array.from({ length: 400 }, (_, index) => tagged(index + 1));
    const own = userRules([
      { for: 'servers', where: 'tag:web cpu>35', severity: 'critical', says: '{label}' },
      { for: 'servers', where: 'id:7', severity: 'notice', says: '{label} has {transfer}' },
    ]);
    const { api, problems, ruleQueries, answerAll } = openProblems([ruleOf('configs'), ...own]);
    problems.watch();
    const all = answers({ 'servers.list': list });
    await answerAll(all);
    for (let minute = 1; minute <= 9; minute++) {
      await minutes(1);
      await answerAll(all);
    }
    const asked = (name: string) => api.all.filter((one) => one.name === name).map(({ request }) => request.params);
    expect(asked('servers.stats').map((params) => Number(params?.serverId) % 10)).toEqual(Array(40).fill(0));
    // Those with a 7, and what the sentence says of them.
    expect(asked('servers.transfer')).toHaveLength(list.filter(({ id }) => String(id).includes('7')).length);
    const first = api.all.filter(({ name }) => !['servers.list', 'server-types.list'].includes(name));
    expect(first.slice(0, 40).every(({ name }) => name === 'servers.stats')).toBe(true);
    expect(ruleQueries.getState().unexamined.map(({ operation, own: severity }) => [operation, severity])).toEqual([
      ['list', undefined],
    ]);
  });

  test("and is too much for a rule of one's own is said with its severity", async () => {
    const own = userRules([{ for: 'servers', where: 'cpu>35', severity: 'warning', says: '{label}' }]);
    const { problems, ruleQueries, answerAll } = openProblems(own);
    problems.watch();
    await answerAll(answers({ 'servers.list': rowsTo(160) }));
    expect(ruleQueries.getState().unexamined).toEqual([
      { resource: 'servers', operation: 'stats', count: 10, of: 160, own: 'warning' },
    ]);
  });

  test('is read to the last where there is just not too much of it', async () => {
    const { api, problems, ruleQueries, answerAll } = openProblems(ofRecords);
    problems.watch();
    await answerAll(domains(150));
    for (let minute = 1; minute <= 8; minute++) {
      await minutes(1);
      await answerAll(domains(150));
    }
    expect(api.count('records.list')).toBe(150);
    expect(ruleQueries.getState().unexamined).toEqual([]);
  });

  test('and of which there is very much is looked through every second, not at each answer', async () => {
    const { problems, ruleQueries, load, answerAll } = openProblems(ofRecords);
    problems.watch();
    const most = () => ruleQueries.getState().unexamined.map(({ of }) => of);
    await answerAll(domains(3000));
    await seconds(1);
    expect(most()).toEqual([3000]);
    await load(listOf('domains'), rowsTo(3001));
    expect(most()).toEqual([3000]);
    await seconds(1);
    expect(most()).toEqual([3001]);
    // Rules that were changed wait for no pause.
    await load(listOf('domains'), rowsTo(3002));
    ruleQueries.replaceRules(ofRecords);
    await seconds(0);
    expect(most()).toEqual([3002]);
  });

  test('and was opened is examined all the same', async () => {
    const rule = ruleOf('records', { find: () => ({ says: 'it is odd' }) });
    const { problems, load, answerAll } = openProblems([rule]);
    problems.watch();
    await answerAll(domains(500));
    await load(listOf('records', { domainId: '7' }), [{ id: 1 }]);
    expect(problems.getState().problems).toMatchObject([{ params: { domainId: '7', recordId: '1' } }]);
  });

  test('waits until it is known how much there is', async () => {
    const { api, problems, moment, load } = openProblems(ofRecords);
    problems.watch();
    await moment();
    await api.next('domains.list').page(rowsTo(2), 2, 4);
    await load(listOf('volumes'), rowsTo(1));
    expect(names(api.open)).toEqual(['domains.list']);
  });

  test('and is refused for one row is not asked for the others', async () => {
    const { api, problems, moment } = openProblems([ruleOf('servers', { fetches: 'transfer' })]);
    problems.watch();
    await moment();
    await api.next('servers.list').page(rowsTo(10));
    await moment();
    while (api.open.length > 0) for (const asked of api.open) await asked.fail({ status: 403 });
    const before = api.count('servers.transfer');
    // Two are under way at once, and one may follow each before the refusal is known.
    expect(before).toBeLessThanOrEqual(4);
    await minutes(1);
    while (api.open.length > 0) await api.next('servers.list').page(rowsTo(10));
    await minutes(40);
    expect(api.count('servers.transfer')).toBe(before);
  });

  test('what a row does not have is not asked for again soon; what failed is', async () => {
    const { api, problems, moment } = openProblems([ruleOf('servers', { fetches: 'transfer' })]);
    problems.watch();
    await moment();
    await api.next('servers.list').page(rowsTo(2));
    await moment();
    await api.next('servers.transfer').fail({ status: 404 });
    await api.next('servers.transfer').fail({ status: 503 });
    await minutes(5);
    expect(api.all.filter(({ name }) => name === 'servers.transfer').map(({ request }) => request.params)).toEqual([
      { serverId: '1' },
      { serverId: '2' },
      { serverId: '2' },
    ]);
  });

  test('is kept while somebody wants to know', async () => {
    const { problems, cache, load, answerAll } = openProblems(ofRecords);
    const leave = problems.watch();
    await answerAll(domains(1));
    for (let id = 1; id <= 400; id++) await load(listOf('disks', { serverId: `${id}` }), []);
    const key = queryKey(listOf('records', { domainId: '1' }));
    expect(cache.getState().collections[key]).toBeDefined();
    leave();
    for (let id = 401; id <= 800; id++) await load(listOf('disks', { serverId: `${id}` }), []);
    expect(cache.getState().collections[key]).toBeUndefined();
  });
});
