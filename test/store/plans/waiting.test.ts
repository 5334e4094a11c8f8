import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../../../src/api/error.ts';
import { carryOutPlan } from '../../../src/store/plans/carryOut.ts';
import { examinePlan } from '../../../src/store/plans/examinePlan.ts';
import type { Plan, PlanStep } from '../../../src/store/plans/plan.ts';
import { apiOn, onePage } from '../apiOn.ts';
import { eventOf, openStores } from '../openStores.ts';

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2025, 5, 10, 12) }));
afterEach(() => void vi.useRealTimers());

const params = { serverId: '7' };
const shutDown: PlanStep = {
  id: 1,
  uid: 'off',
  record: { resource: 'servers', action: 'shutdown', params, label: 'web-1' },
  result: { state: 'done', at: 0 },
};
const resize: PlanStep = {
  id: 2,
  uid: 'size',
  record: { resource: 'servers', action: 'resize', params, label: 'web-1', body: { type: 'g6-standard-4' } },
};
const plan: Plan = { host: 'api.example.com', steps: [shutDown, resize] };

/** A server whose shutdown, begun by an earlier run, goes on; until its end the API refuses whatever else is to be done to it. */
function busyServer() {
  const server: Record<string, unknown> = { id: 7, label: 'web-1', status: 'shutting_down', type: 'g6-standard-2' };
  const job: Record<string, unknown> = eventOf(9, 'server_shutdown', 'started', {
    type: 'server',
    id: 7,
    label: 'web-1',
  });
  const sent: string[] = [];
  const api = apiOn(async ({ method, path }) => {
    if (method !== 'GET') sent.push(path);
    if (method !== 'GET' && job.status === 'started')
      throw new ApiError({ kind: 'answer', status: 400, method, path, message: 'Server busy.' });
    if (path.includes('events')) return { status: 200, body: onePage([{ ...job }]) };
    return { status: 200, body: path.endsWith('{serverId}') ? { ...server } : method === 'GET' ? onePage([]) : {} };
  });
  const end = () => {
    job.status = 'finished';
    server.status = 'offline';
  };
  return { stores: openStores(api), sent, end, server };
}

test.each(['shutting_down', 'offline'])(
  'a job that an earlier run has begun is waited for, be the row %s',
  async (status) => {
    const { stores, sent, end, server } = busyServer();
    server.status = status;
    const waits: unknown[] = [];
    const kept: unknown[] = [];
    const running = carryOutPlan(stores, plan, {
      keep: ({ steps }) => kept.push(steps[1]?.result?.state),
      onWait: (...told) => waits.push(told),
    });
    await vi.advanceTimersByTimeAsync(5000);
    expect(waits).toEqual([[2, 1]]);
    expect(kept.at(-1)).toBeUndefined();
    end();
    await vi.advanceTimersByTimeAsync(5000);
    expect((await running).steps.map(({ result }) => result?.state)).toEqual(['done', 'done']);
    expect(sent.filter((path) => path.endsWith('resize'))).toHaveLength(status === 'offline' ? 2 : 1);
  },
);

test('waiting ends when the plan is stopped', async () => {
  const { stores } = busyServer();
  const stopping = new AbortController();
  const running = carryOutPlan(stores, plan, { keep: () => {}, signal: stopping.signal });
  await vi.advanceTimersByTimeAsync(5000);
  stopping.abort();
  expect((await running).steps[1]?.result).toBeUndefined();
});

test('a row that is busy with a job of a step before is not said to be refused', async () => {
  const { stores } = busyServer();
  await stores.events.poll();
  expect(await examinePlan(stores, plan)).toMatchObject([
    { id: 2, why: undefined, note: 'A job of a step before it is going on, so it is looked at then.' },
  ]);
});
