import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { actionsOf, resourceNamed } from '../../../src/resources/index.ts';
import { runPlan, submitAtTempo } from '../../../src/store/plans/running.ts';
import { openStores } from '../openStores.ts';
import { rollingCloud } from './rollingCloud.ts';

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2025, 5, 10, 12) }));
afterEach(() => void vi.useRealTimers());

const servers = resourceNamed('servers');
const pass = async (seconds: number) => void (await vi.advanceTimersByTimeAsync(seconds * 1000));

/** Servers that are resized one by one, with these times; all of them are marked. */
async function begin(cloud: ReturnType<typeof rollingCloud>, count: number) {
  const url = 'https://api.example.com/v4';
  const stores = openStores({ ...cloud.api, preview: ({ method }) => ({ method, url, body: '', curl: '' }) });
  const action = actionsOf(servers).find(({ name }) => name === 'resize');
  if (!action) throw new Error('servers are resized');
  const ids = Array.from({ length: count }, (_, index) => index + 1);
  const targets = ids.map((id) => ({ row: cloud.serverRow(id), params: { serverId: String(id) } }));
  const tempo = { atATime: 1, within: '1m' };
  const draft = { type: 'g6-standard-4' };
  await submitAtTempo(stores, { resource: servers, action, targets, params: {}, draft, tempo }, async () => {});
  const { plans, notices } = stores;
  return {
    stores,
    rolling: plans.getState().steps[0]?.rolling?.id,
    said: () => notices.getState().notices.map(({ tone, text }) => `${tone} ${text}`),
    states: () => plans.getState().steps.map(({ result }) => result?.state),
  };
}

test('rows whose steps were deleted are not told as done', async () => {
  const cloud = rollingCloud([2, 2, 2]);
  const { stores, rolling, said, states } = await begin(cloud, 3);
  await pass(1);
  stores.plans.stop();
  await pass(20);
  const [, , last] = stores.plans.getState().steps;
  expect(stores.plans.remove(last?.id ?? 0)).toBeUndefined();
  void runPlan(stores, false, rolling);
  await pass(30);
  expect(states()).toEqual(['done', 'done']);
  expect(said().at(-1)).toMatch(/^good Resize 3 servers: 2 of the 3 done; 1 is not in the plan/);
});
