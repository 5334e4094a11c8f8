import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { carryOutPlan } from '../../../src/store/plans/carryOut.ts';
import { waitForJobs } from '../../../src/store/plans/ends.ts';
import { isEndOpen } from '../../../src/store/plans/own.ts';
import type { Plan, PlanStep, Wait } from '../../../src/store/plans/plan.ts';
import { fakeApi } from '../fakeApi.ts';
import { eventOf, openStores } from '../openStores.ts';
import { rollingCloud } from './rollingCloud.ts';

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2025, 5, 10, 12) }));
afterEach(() => void vi.useRealTimers());

const careful: Wait = { for: ['running', 'nodes up'], within: '1m' };

const stepsOf = (count: number, waitAt: (index: number) => Wait | undefined = () => careful): readonly PlanStep[] =>
  Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    uid: `step-${index + 1}`,
    record: {
      resource: 'servers',
      action: 'resize',
      params: { serverId: String(index + 1) },
      label: `web-${index + 1}`,
      body: { type: 'g6-standard-4' },
    },
    wait: waitAt(index),
  }));

/** Carries steps out for so many seconds, and tells how many were down at each request. */
function begin(cloud: ReturnType<typeof rollingCloud>, steps: readonly PlanStep[], signal?: AbortSignal) {
  const stores = openStores(cloud.api);
  const told: string[] = [];
  let plan: Plan = { host: 'api.example.com', steps };
  const ended = carryOutPlan(stores, plan, {
    signal,
    keep: (now) => {
      plan = structuredClone(now);
    },
    onLook: ({ id }, says) => told.at(-1) !== `${id} ${says}` && told.push(`${id} ${says}`),
  });
  const pass = async (seconds: number) => void (await vi.advanceTimersByTimeAsync(seconds * 1000));
  return { ended, told, pass, states: () => plan.steps.map(({ result }) => result?.state), plan: () => plan };
}

describe('a step that waits', () => {
  test('lets the next go once its job has finished, its row runs, and its nodes were checked again', async () => {
    const cloud = rollingCloud([5, 5], { nodeLag: 4 });
    const run = begin(cloud, stepsOf(2));
    await run.pass(3);
    expect(run.states()).toEqual(['begun', undefined]);
    expect(run.told).toEqual(['1 has begun, 0%']);
    await run.pass(4);
    expect(run.told.at(-1)).toBe('1 is back; the node node-1 is not up yet');
    await run.pass(4);
    expect(run.told.at(-1)).toBe('1 is back; its nodes are checked once more');
    expect(cloud.sent).toEqual(['resize 1']);
    await run.pass(4);
    expect(cloud.sent).toEqual(['resize 1', 'resize 2']);
    await run.pass(20);
    expect((await run.ended).steps.map(({ result }) => result?.state)).toEqual(['done', 'done']);
  });

  test('whose row never comes up says so after its time, and the rest is left', async () => {
    const cloud = rollingCloud([2, 'never', 2]);
    const run = begin(cloud, stepsOf(3));
    await run.pass(120);
    expect((await run.ended).steps.map(({ result }) => [result?.state, result?.says])).toEqual([
      ['done', undefined],
      ['begun', 'web-2 is rebooting, after 1 min. Nothing further was sent.'],
      [undefined, undefined],
    ]);
    expect(cloud.sent).toEqual(['resize 1', 'resize 2']);
  });

  test.each([-3600, 3600])('is waited for as long where the clock is set by %d s', async (by) => {
    const cloud = rollingCloud(['never', 2]);
    const run = begin(cloud, stepsOf(2));
    await run.pass(5);
    vi.setSystemTime(Date.now() + by * 1000);
    await run.pass(45);
    expect(run.states()).toEqual(['begun', undefined]);
    expect(run.plan().steps[0]?.result?.says).toBeUndefined();
    await run.pass(30);
    expect((await run.ended).steps[0]?.result?.says).toMatch(/after 1 min\. Nothing further was sent\.$/);
  });

  test('whose job fails has failed', async () => {
    const cloud = rollingCloud(['fails', 2]);
    const run = begin(cloud, stepsOf(2));
    await run.pass(20);
    expect((await run.ended).steps.map(({ result }) => [result?.state, result?.says])).toEqual([
      ['failed', 'web-1 failed: its job server resize did not succeed. Nothing further was sent.'],
      [undefined, undefined],
    ]);
  });

  test('whose job has a status that nobody knows has not ended', async () => {
    const cloud = rollingCloud([20, 2], { startedWord: 'queued' });
    const run = begin(
      cloud,
      stepsOf(2, () => ({ within: '1m' })),
    );
    await run.pass(15);
    expect(run.told).toEqual(['1 has a job that is queued, 0%']);
    expect(cloud.sent).toEqual(['resize 1']);
    await run.pass(10);
    expect(cloud.sent).toEqual(['resize 1', 'resize 2']);
  });

  test.each([null, 'revoked'])(
    'whose job never gets another status than %s is ended by nothing but 100%% without any',
    async (word) => {
      const cloud = rollingCloud([20, 2], { startedWord: word, finishedWord: word });
      const run = begin(
        cloud,
        stepsOf(2, () => ({ within: '1m' })),
      );
      await run.pass(15);
      expect(cloud.sent).toEqual(['resize 1']);
      await run.pass(80);
      const says = 'web-1 has a job that is revoked, 100%, after 1 min. Nothing further was sent.';
      expect((await run.ended).steps[0]?.result?.says).toBe(word === null ? undefined : says);
      expect(cloud.sent.length).toBe(word === null ? 2 : 1);
    },
  );

  test('is waited for by the next session, and not sent again', async () => {
    const cloud = rollingCloud([30, 2]);
    const stopping = new AbortController();
    const first = begin(cloud, stepsOf(2), stopping.signal);
    await first.pass(5);
    stopping.abort();
    await first.ended;
    expect(first.states()).toEqual(['begun', undefined]);
    const second = begin(cloud, first.plan().steps);
    await second.pass(10);
    expect(cloud.sent).toEqual(['resize 1']);
    await second.pass(60);
    expect(second.states()).toEqual(['done', 'done']);
    expect(cloud.sent).toEqual(['resize 1', 'resize 2']);
  });

  test('is waited for where a run that did not wait has done it, unless more was done to its row since', async () => {
    const cloud = rollingCloud([30, 2]);
    const first = begin(cloud, [...stepsOf(1, () => undefined)]);
    await first.pass(1);
    await first.ended;
    expect(first.states()).toEqual(['done']);
    const [done] = first.plan().steps;
    const [waits, next] = stepsOf(2);
    if (!done || !waits || !next) throw new Error('there are two steps');
    const adopted = { ...waits, result: done.result };
    const behind = { ...waits, id: 3, uid: 'step-3', wait: undefined, result: done.result };
    const other = begin(cloud, [adopted, behind, next]);
    await other.pass(5);
    expect(cloud.sent).toEqual(['resize 1', 'resize 2']);
    const second = begin(cloud, [adopted, next]);
    await second.pass(5);
    expect(second.states()).toEqual(['begun', undefined]);
    expect(cloud.sent).toEqual(['resize 1', 'resize 2']);
    await second.pass(60);
    expect(second.states()).toEqual(['done', 'done']);
    expect(cloud.sent).toEqual(['resize 1', 'resize 2', 'resize 2']);
    // Its end is known by then.
    expect(second.plan().steps[0]?.result?.since).toBeUndefined();
    await other.ended;
    const long = begin(cloud, [adopted, next]);
    await long.pass(1);
    expect(long.states()).toEqual(['done', 'begun']);
    await long.pass(30);
    await long.ended;
  });
});

test('a step about the row that another has made is waited for by what that is', async () => {
  const cloud = rollingCloud([5, 5]);
  const [waits, next] = stepsOf(2);
  if (!waits || !next) throw new Error('there are two steps');
  const record = { resource: 'servers', action: 'create', params: {}, label: 'web-1', body: { label: 'web-1' } };
  const maker = { id: 9, uid: 'step-9', record, result: { state: 'done' as const, at: 0, made: { serverId: '1' } } };
  const own = { ...waits, record: { ...waits.record, params: { serverId: { $step: 9 } } } };
  const run = begin(cloud, [maker, own, next]);
  await run.pass(4);
  expect(run.states()).toEqual(['done', 'begun', undefined]);
  expect(run.told).toEqual(['1 has begun, 0%']);
  await run.pass(60);
  expect(run.states()).toEqual(['done', 'done', 'done']);
  expect(cloud.sent).toEqual(['resize 1', 'resize 2']);
});

test('a step that found all as it is to be, and sent nothing, tells of no end', async () => {
  const cloud = rollingCloud([30, 2]);
  const first = begin(cloud, [...stepsOf(1, () => undefined)]);
  await first.pass(1);
  await first.ended;
  const [done] = first.plan().steps;
  const [waits, next] = stepsOf(2);
  if (!done?.result || !waits || !next) throw new Error('there are two steps');
  const result = { state: 'done' as const, at: done.result.at, says: 'It is so already.' };
  const idle = { ...waits, id: 3, uid: 'step-3', wait: undefined, result };
  const second = begin(cloud, [{ ...waits, result: done.result }, idle, next]);
  await second.pass(5);
  expect(second.states()).toEqual(['begun', 'done', undefined]);
  await second.pass(60);
  expect(second.states()).toEqual(['done', 'done', 'done']);
  expect(cloud.sent).toEqual(['resize 1', 'resize 2']);
});

test('an end that a run has left is still waited for where a run between does not wait', async () => {
  const cloud = rollingCloud([30, 2]);
  const [waits, next] = stepsOf(2);
  if (!waits || !next) throw new Error('there are two steps');
  const killed = new AbortController();
  const first = begin(cloud, [waits], killed.signal);
  await first.pass(3);
  expect(first.states()).toEqual(['begun']);
  killed.abort();
  await first.pass(1);
  const [begun] = first.plan().steps;
  const second = begin(cloud, [{ ...waits, wait: undefined, result: begun?.result }]);
  await second.pass(2);
  expect(second.states()).toEqual(['done']);
  const third = begin(cloud, [{ ...waits, result: second.plan().steps[0]?.result }, next]);
  await third.pass(5);
  expect(third.states()).toEqual(['begun', undefined]);
  await third.pass(60);
  expect(cloud.sent).toEqual(['resize 1', 'resize 2']);
});

test('a creation tells of no end of one before it, though both are sent to one list', () => {
  const made = (id: number): PlanStep => ({
    id,
    uid: `step-${id}`,
    record: { resource: 'volumes', action: 'create', params: {}, label: `data-${id}`, body: { label: `data-${id}` } },
    result: { state: 'done', at: 1000, since: { at: 900, ids: [], whole: [] } },
    wait: { for: ['active'], within: '1m' },
  });
  const steps = [made(1), made(2)];
  expect(steps.map((step) => isEndOpen({ steps }, step, 2000))).toEqual([true, true]);
});

test.each([1, 2, 3])('%i at a time: never are more of them down', async (size) => {
  const cloud = rollingCloud([3, 9, 2, 7, 4, 6, 5]);
  const waits = (index: number): Wait => ({ ...careful, meanwhile: size === 1 ? 0 : 6 - index, atATime: size });
  const run = begin(cloud, stepsOf(7, waits));
  let most = 0;
  for (let seconds = 0; seconds < 150; seconds++) {
    await run.pass(1);
    most = Math.max(most, cloud.down().length);
  }
  expect(most).toBe(size);
  expect(run.states()).toEqual(Array(7).fill('done'));
});

test('as one ends the next goes, though one before it takes long; what comes behind them waits for all', async () => {
  const cloud = rollingCloud([40, 2, 2, 2, 2]);
  const steps = stepsOf(5, (index) => (index < 4 ? { ...careful, meanwhile: 3 - index, atATime: 2 } : careful));
  const run = begin(cloud, steps);
  await run.pass(3);
  expect(cloud.sent).toEqual(['resize 1', 'resize 2']);
  await run.pass(30);
  expect(cloud.sent).toEqual(['resize 1', 'resize 2', 'resize 3', 'resize 4']);
  expect(run.states()).toEqual(['begun', 'done', 'done', 'done', undefined]);
  await run.pass(60);
  expect(run.states()).toEqual(Array(5).fill('done'));
});

test('a step after the end of another is passed over until then', async () => {
  const cloud = rollingCloud([20, 2, 2]);
  const node = (server: number, mode: string, after?: string): PlanStep => ({
    id: server + (mode === 'drain' ? 10 : 20),
    uid: `${mode}-${server}`,
    after,
    record: {
      resource: 'nodebalancer-nodes',
      action: mode,
      params: { nodeBalancerId: '7', configId: '31', nodeId: String(server) },
      label: `node-${server}`,
      body: { mode },
    },
  });
  const servers = stepsOf(3, (index) => ({ ...careful, meanwhile: 7 - 3 * index, atATime: 2 }));
  const steps = servers.flatMap((step) => [node(step.id, 'drain'), step, node(step.id, 'accept', step.uid)]);
  const run = begin(cloud, steps);
  await run.pass(120);
  expect(cloud.sent).toEqual([
    'drain 1',
    'resize 1',
    'drain 2',
    'resize 2',
    'accept 2',
    'drain 3',
    'resize 3',
    'accept 3',
    'accept 1',
  ]);
  expect(run.states()).toEqual(Array(9).fill('done'));
});

test('jobs are waited for no longer once that is stopped while they are asked for', async () => {
  const api = fakeApi();
  const steps = stepsOf(1).map((step) => ({ ...step, result: { state: 'done' as const, at: 0 } }));
  const stopped = new AbortController();
  const ended = vi.fn();
  void waitForJobs(openStores(api), steps, stopped.signal).then(ended);
  stopped.abort();
  await api.next('events.list').page([eventOf(1, 'server_resize', 'started', { type: 'server', id: 1 })]);
  expect(ended.mock.calls).toEqual([[false]]);
});
