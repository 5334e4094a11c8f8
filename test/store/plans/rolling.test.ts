import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { ApiError } from '../../../src/api/error.ts';
import { resourceNamed } from '../../../src/resources/index.ts';
import type { Submission } from '../../../src/store/changes/change.ts';
import type { AccountState } from '../../../src/store/kept/accountState.ts';
import type { PlanStep } from '../../../src/store/plans/plan.ts';
import { putInPlan } from '../../../src/store/plans/planning.ts';
import { lookAtEnds, runPlan, submitAtTempo } from '../../../src/store/plans/running.ts';
import { progressValue, stepValue } from '../../../src/store/plans/storedPlan.ts';
import { createStores } from '../../../src/store/stores.ts';
import { actionOf } from '../../resources/actionOf.ts';
import { memoryState } from '../keptState.ts';
import { partsOf } from '../openStores.ts';
import { rollingCloud } from './rollingCloud.ts';

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2025, 5, 10, 12) }));
afterEach(() => void vi.useRealTimers());

const servers = resourceNamed('servers');
const pass = async (seconds: number) => void (await vi.advanceTimersByTimeAsync(seconds * 1000));

const url = 'https://api.example.com/v4';
function openOn({ api: own }: ReturnType<typeof rollingCloud>, state?: AccountState) {
  const api: typeof own = { ...own, preview: ({ method }) => ({ method, url, body: '', curl: '' }) };
  const parts = partsOf(api, state && { persist: { state } });
  const stores = createStores({ parts, start: { screen: 'home' }, now: Date.now });
  onTestFinished(() => stores.close());
  return stores;
}

/** The resize of so many servers. */
function resize(cloud: ReturnType<typeof rollingCloud>, count: number): Submission {
  const action = actionOf(servers, 'resize');
  const ids = Array.from({ length: count }, (_, index) => index + 1);
  const targets = ids.map((id) => ({ row: cloud.serverRow(id), params: { serverId: String(id) } }));
  return { resource: servers, action, targets, params: {}, draft: { type: 'g6-standard-4' } };
}

const oneByOne = { atATime: 1, within: '1m' };

/** Servers that are resized one by one, with these times; all of them are marked. */
async function begin(cloud: ReturnType<typeof rollingCloud>, count: number) {
  const stores = openOn(cloud);
  await submitAtTempo(stores, { ...resize(cloud, count), tempo: oneByOne }, async () => {});
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

test('a step under way when it is stopped is done once its job ends, and its row is unmarked', async () => {
  const cloud = rollingCloud([10, 2, 2]);
  const { stores, rolling, states } = await begin(cloud, 3);
  const { navigation, plans } = stores;
  const unmarked = vi.spyOn(navigation, 'unmark');
  await pass(3);
  plans.stop();
  await pass(2);
  expect([plans.getState().run, ...states()]).toEqual([undefined, 'begun', undefined, undefined]);
  await pass(20);
  expect(states()).toEqual(['done', undefined, undefined]);
  expect(unmarked.mock.lastCall?.slice(0, 2)).toEqual(['servers', ['1']]);
  expect(cloud.sent).toEqual(['resize 1']);
  void runPlan(stores, false, rolling);
  await pass(60);
  expect(cloud.sent).toEqual(['resize 1', 'resize 2', 'resize 3']);
  expect(states()).toEqual(['done', 'done', 'done']);
});

test('a job that fails after the stop is told, and its step has failed', async () => {
  const cloud = rollingCloud(['fails', 2]);
  const { stores, said, states } = await begin(cloud, 2);
  await pass(2);
  stores.plans.stop();
  await pass(20);
  expect(states()).toEqual(['failed', undefined]);
  expect(said().at(-1)).toMatch(/^bad .*web-1 failed: its job server resize did not succeed/);
});

test('another run takes over from those that look', async () => {
  const cloud = rollingCloud([10, 2]);
  const { stores, rolling, states } = await begin(cloud, 2);
  await pass(2);
  stores.plans.stop();
  await pass(1);
  void runPlan(stores, false, rolling);
  await pass(1);
  expect(states()).toEqual(['begun', undefined]);
  await pass(60);
  expect(states()).toEqual(['done', 'done']);
  expect(cloud.sent).toEqual(['resize 1', 'resize 2']);
});

test('another session settles it by what it sees, also where it was waited for in vain', async () => {
  const cloud = rollingCloud([10, 2]);
  const { stores } = await begin(cloud, 2);
  await pass(2);
  stores.close();
  const [first, ...rest] = stores.plans.getState().steps;
  if (!first?.result) throw new Error('the first has begun');
  const says = 'web-1 has begun, after 1 min. Nothing further was sent.';
  const { plans, ...second } = openOn(cloud);
  plans.replace({ steps: [{ ...first, result: { ...first.result, says } }, ...rest] });
  const stateNow = () => [plans.getState().steps[0]?.result?.state, plans.getState().steps[0]?.result?.says];
  void lookAtEnds({ ...second, plans });
  await pass(60);
  expect(stateNow()).toEqual(['begun', says]);
  void lookAtEnds({ ...second, plans });
  await pass(5);
  expect(stateNow()).toEqual(['done', undefined]);
  expect(cloud.sent).toEqual(['resize 1']);
});

test('a row that is gone is named, with the way out', async () => {
  const cloud = rollingCloud([2, 2, 2]);
  const { stores, rolling, said, states } = await begin(cloud, 3);
  cloud.gone.add(2);
  await pass(60);
  expect(states()).toEqual(['done', 'refused', undefined]);
  expect(said().at(-1)).toBe(
    'bad Resize 3 servers: 1 of 3 done. web-2 is gone, so nothing was sent to it. 1 not begun; :plan goes on with it, d there leaves web-2 out.',
  );
  expect(stores.plans.remove(stores.plans.getState().steps[1]?.id ?? 0)).toBeUndefined();
  void runPlan(stores, false, rolling);
  await pass(60);
  expect(said().at(-1)).toMatch('2 of the 3 done; 1 is not in the plan');
  expect(cloud.sent).toEqual(['resize 1', 'resize 3']);
});

test('a plan that nobody looks at tells how it ended', async () => {
  const cloud = rollingCloud([2, 2, 2]);
  const { notices, navigation, ...stores } = openOn(cloud);
  const said = () => notices.getState().notices.map(({ tone, text }) => `${tone} ${text}`);
  const run = () => void runPlan({ ...stores, notices, navigation }, false);
  expect(putInPlan({ ...stores, notices, navigation }, resize(cloud, 3))).toBeUndefined();
  cloud.gone.add(2);
  run();
  await pass(30);
  expect(said().at(-1)).toBe(
    'bad The plan: 1 of 3 done. web-2 is gone, so nothing was sent to it. 1 not begun; :plan goes on with it, d there leaves web-2 out.',
  );
  expect(stores.plans.remove(stores.plans.getState().steps[1]?.id ?? 0)).toBeUndefined();
  run();
  await pass(30);
  expect(said().at(-1)).toBe('good The plan: all done; u takes them back');
  // One run is taken back together.
  expect(stores.changes.getState().undo.map(({ title }) => title)).toEqual([
    'the plan of 3 steps (1 of them)',
    'the plan of 2 steps (1 of them)',
  ]);
  // The plan on the screen says so itself, and u there is another key.
  navigation.open({ kind: 'plan' });
  const before = said().length;
  expect(putInPlan({ ...stores, notices, navigation }, resize(cloud, 1))).toBeUndefined();
  run();
  await pass(30);
  expect(stores.plans.getState().steps.map(({ result }) => result?.state)).toEqual(['done']);
  expect(said().slice(before).join()).not.toContain('The plan:');
  cloud.gone.add(1);
  expect(putInPlan({ ...stores, notices, navigation }, resize(cloud, 1))).toBeUndefined();
  run();
  await pass(30);
  expect(said().slice(before).join()).not.toContain('The plan:');
  expect(stores.plans.getState().cursor).toBe(stores.plans.getState().steps[0]?.id);
});

test.each([
  [401, 'change'],
  [503, 'change'],
  [401, 'read'],
] as const)('once the API answers %d to a %s, nothing further is tried', async (status, first) => {
  const cloud = rollingCloud([2, 2, 2]);
  const refused: string[] = [];
  const { send } = cloud.api;
  const api: typeof cloud.api = {
    ...cloud.api,
    send: async (operation, request) => {
      const { method, path } = operation;
      const isNext = request?.params?.serverId === '2' && (first === 'read' || method !== 'GET');
      if (refused.length === 0 && !isNext) return send(operation, request);
      refused.push(method);
      throw new ApiError({ kind: 'answer', status, method, path, message: `It answers ${status}.` });
    },
  };
  const { said, states, stores } = await begin({ ...cloud, api }, 3);
  await pass(60);
  expect(cloud.sent).toEqual(['resize 1']);
  expect(states()).toEqual(['done', first === 'read' ? 'refused' : 'failed', undefined]);
  expect(refused.filter((method) => method !== 'GET')).toHaveLength(first === 'read' ? 0 : 1);
  expect(refused.filter((method) => method === 'GET').length).toBeLessThan(first === 'read' ? 4 : 3);
  const says = new RegExp(`1 of 3 done\\. .*It answers ${status}\\. 1 not begun; :plan goes on with it`);
  await expect.poll(() => said().at(-1)).toMatch(says);
  expect(stores.plans.getState().run).toBeUndefined();
});

test('steps that are lost from the disk while they are carried out stay in sight, and are sent once', async () => {
  const cloud = rollingCloud([4, 2, 2]);
  const kept = memoryState();
  const stores = openOn(cloud, kept.session());
  await submitAtTempo(stores, { ...resize(cloud, 3), tempo: oneByOne }, async () => {});
  const { plans } = stores;
  await pass(2);
  const uids = plans.getState().steps.map(({ uid }) => uid);
  const lost = kept.session();
  for (const kind of ['plan', 'progress'] as const) lost.of(kind).put(uids.map((uid) => [uid, undefined]));
  plans.refresh();
  const seen = () => plans.getState().steps.map(({ uid, result }) => [uid, result?.state]);
  expect(seen()).toEqual(uids.map((uid, nth) => [uid, nth === 0 ? 'begun' : undefined]));
  await pass(60);
  expect(seen()).toEqual(uids.map((uid) => [uid, 'done']));
  expect(cloud.sent).toEqual(['resize 1', 'resize 2', 'resize 3']);
  expect(lost.of('plan').read().size).toBe(3);
});

test('two sessions that carry out a part each keep what the other has done', async () => {
  const cloud = rollingCloud([2, 2, 2, 2, 2, 2, 2]);
  const state = memoryState();
  const [one, two] = [openOn(cloud, state.session()), openOn(cloud, state.session())];
  void submitAtTempo(one, { ...resize(cloud, 3), tempo: oneByOne }, async () => {});
  await pass(1);
  const { targets, ...others } = resize(cloud, 7);
  void submitAtTempo(two, { ...others, targets: targets.slice(3), tempo: oneByOne }, async () => {});
  await pass(90);
  expect(cloud.sent.toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7].map((id) => `resize ${id}`));
  for (const { plans } of [one, two, openOn(cloud, state.session())])
    expect(plans.getState().steps.map(({ result }) => result?.state)).toEqual(Array(7).fill('done'));
});

test('what another session does meanwhile to other parts of the plan keeps none from being carried out', async () => {
  const cloud = rollingCloud([30, 2]);
  const state = memoryState();
  const [one, two] = [openOn(cloud, state.session()), openOn(cloud, state.session())];
  const { targets, ...others } = resize(cloud, 2);
  void submitAtTempo(one, { ...others, targets: targets.slice(0, 1), tempo: oneByOne }, async () => {});
  await pass(1);
  void submitAtTempo(two, { ...others, targets: targets.slice(1), tempo: oneByOne }, async () => {});
  // Its result comes before the other has begun.
  const [first] = one.plans.getState().steps;
  const at = Date.now() + 1;
  if (first?.result)
    state.of('progress').put([[first.uid, progressValue({ ...first, result: { ...first.result, at } })]]);
  await pass(20);
  expect(cloud.sent).toEqual(['resize 1', 'resize 2']);
  expect(two.notices.getState().notices.map(({ text }) => text)).toEqual([
    'Resize 1 server: all done; u takes them back',
  ]);
});

test('one that is confirmed while another is carried out waits in the plan, which is said', async () => {
  const cloud = rollingCloud([2, 2, 2, 2]);
  const { stores, said, states } = await begin(cloud, 2);
  await pass(1);
  const { targets, ...others } = resize(cloud, 4);
  void submitAtTempo(stores, { ...others, targets: targets.slice(2), tempo: oneByOne }, async () => {});
  await pass(0);
  expect(said()).toEqual([
    'bad Resize 2 servers waits in the plan, and :plan carries it out. The plan is being carried out; wait for it, or stop it.',
  ]);
  await pass(60);
  void runPlan(stores, false, stores.plans.getState().steps[2]?.rolling?.id);
  await pass(60);
  expect(states()).toEqual(['done', 'done', 'done', 'done']);
  expect(cloud.sent).toEqual([1, 2, 3, 4].map((id) => `resize ${id}`));
});

test('steps on rows that this version does not know are refused', async () => {
  const record = { resource: 'clusters', action: 'resize', params: { clusterId: '1' }, label: 'k-1' };
  const rolling = { id: 'later', title: 'Resize 2 clusters', of: 'clusters', count: 2 };
  const done: PlanStep = { id: 1, uid: 'first', record, rolling, result: { state: 'done', at: Date.now() } };
  const open: PlanStep = { id: 2, uid: 'second', record, rolling };
  const plan = { first: stepValue(done, 0), second: stepValue(open, 1) };
  const stores = openOn(rollingCloud([]), memoryState({ plan, progress: { first: progressValue(done) } }).session());
  const run = runPlan(stores, false, rolling.id);
  await pass(10);
  await run;
  expect(stores.plans.getState().steps.map(({ result }) => result?.says)).toEqual([
    undefined,
    'There is no resource called clusters.',
  ]);
});

test('a command that was changed meanwhile is not sent in place of the one that was confirmed', async () => {
  const cloud = rollingCloud([2, 2, 2]);
  const stores = openOn(cloud);
  const one = String(servers.view?.path).replace('{serverId}', '{id}');
  const command = (path: string, method: 'POST' | 'DELETE' = 'POST') =>
    stores.configuration.setState({ commands: [{ name: 'Grow', for: 'servers', request: { method, path } }] });
  command(`${one}/resize`);
  const { targets } = resize(cloud, 3);
  const action = actionOf(servers, 'grow');
  const grow: Submission = { resource: servers, action, targets, params: {}, draft: {}, tempo: oneByOne };
  await submitAtTempo(stores, grow, async () => {});
  await pass(1);
  command(one, 'DELETE');
  await pass(30);
  expect(cloud.sent).toEqual(['resize 1']);
  expect(stores.plans.getState().steps.map(({ result }) => result?.says)).toEqual([
    undefined,
    'The command was changed since this was planned: plan it anew. Nothing was sent.',
    undefined,
  ]);
  // One that is as it was confirmed goes on, whatever else is read again.
  command(`${one}/resize`);
  void runPlan(stores, false, stores.plans.getState().steps[0]?.rolling?.id);
  await pass(60);
  expect(cloud.sent).toEqual([1, 2, 3].map((id) => `resize ${id}`));
});

test('a step that cannot be noted as sent is not sent, so that the next session sends none twice', async () => {
  const cloud = rollingCloud([2, 2, 2]);
  const state = memoryState();
  const one = openOn(cloud, state.session());
  void submitAtTempo(one, { ...resize(cloud, 3), tempo: oneByOne }, async () => {});
  await pass(1);
  state.refuses = true;
  await pass(60);
  expect(cloud.sent).toEqual(['resize 1']);
  expect(one.notices.getState().notices.map(({ text }) => text)).toEqual([
    'The disk is full. Until that ends, nothing of this session is kept for the next.',
    'Resize 3 servers waits in the plan, and :plan carries it out. Nothing more was sent, because what is done cannot be noted: The disk is full.',
  ]);
  expect(one.plans.getState().steps.map(({ result }) => result?.state)).toEqual(['done', undefined, undefined]);
  state.refuses = false;
  const two = openOn(cloud, state.session());
  void runPlan(two, false, two.plans.getState().steps[0]?.rolling?.id);
  await pass(60);
  expect(cloud.sent).toEqual([1, 2, 3].map((id) => `resize ${id}`));
});

test('that nothing is kept any more does not take the place of what a key just did', async () => {
  const state = memoryState();
  const { acknowledgements, notices } = openOn(rollingCloud([2]), state.session());
  const shown = () => notices.getState().current?.text;
  state.refuses = true;
  notices.say('good', 'New tag: first');
  const about = { resource: 'servers', params: { serverId: '1' }, label: 'web-1' };
  const offline = { id: '1', severity: 'warning', rule: 'server-offline', says: 'web-1 is offline', ...about } as const;
  acknowledgements.acknowledge([offline], '', 'never');
  expect(shown()).toBe('New tag: first');
  await pass(6);
  expect(shown()).toBe('The disk is full. Until that ends, nothing of this session is kept for the next.');
});
