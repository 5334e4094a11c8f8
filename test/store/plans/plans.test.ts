import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { ChangeRecord } from '../../../src/resources/changeRecord.ts';
import type { AccountState } from '../../../src/store/kept/accountState.ts';
import { openSteps, type PlanStep } from '../../../src/store/plans/plan.ts';
import { createPlans, stoppedAt } from '../../../src/store/plans/plans.ts';
import { progressValue } from '../../../src/store/plans/storedPlan.ts';
import { type MemoryState, memoryState } from '../keptState.ts';

const renamed = (id: number, body: object = { label: `new-${id}` }): ChangeRecord => ({
  resource: 'volumes',
  action: 'edit',
  params: { volumeId: String(id) },
  label: `data-${id}`,
  body,
});

/** A session of an account, with what it has said. */
function open(state: AccountState | undefined, newUid?: () => string) {
  const said: string[] = [];
  const account = () => ({ host: 'api.example.com', euuid: 'A' });
  const plans = createPlans({ account, state, onTrouble: (says) => said.push(says), newUid });
  onTestFinished(plans.close);
  const labels = () => plans.getState().steps.map(({ id, record }) => `${id} ${record.label}`);
  return { plans, said, labels };
}

/** A state with the plan of one step. */
function planned(): MemoryState {
  const state = memoryState();
  open(state.session()).plans.add([{ record: renamed(1) }]);
  return state;
}

describe('a kept plan', () => {
  test.each([
    ['no object', 1],
    ['no record', { place: 0, id: 1 }],
    ['no place', { id: 1, record: renamed(1) }],
    ['odd parameters', { place: 0, id: 1, record: { ...renamed(1), params: [] } }],
    ['odd entries', { place: 0, id: 1, record: renamed(1), entries: 'a' }],
    ['nothing', null],
  ])('is opened without what is no step: %s', (_, value) => {
    const state = memoryState({ plan: { odd: value, fine: { place: 1, id: 2, record: renamed(2) } } });
    const { said, labels } = open(state.session());
    expect(labels()).toEqual(['2 data-2']);
    expect(said).toEqual([]);
  });

  test('that cannot be read or written lasts for the session, which is said once', async () => {
    const state = planned();
    state.refuses = true;
    const { plans, said, labels } = open(state.session());
    expect(plans.add([{ record: renamed(2) }])).toBeUndefined();
    expect(plans.add([{ record: renamed(3) }])).toBeUndefined();
    expect(labels()).toEqual(['1 data-2', '2 data-3']);
    expect(said).toEqual(['The disk is full.']);
    expect(plans.farewell('2 steps')).toContain('is lost when you quit');
    // Nobody else knows them.
    expect(await plans.run(async () => {})).toBeUndefined();
    state.refuses = false;
    expect(open(state.session()).labels()).toEqual(['1 data-1']);
  });

  test('is kept again, and carried out, once the state can be written', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const state = planned();
    const { plans, said, labels } = open(state.session());
    const states = (of = plans) => of.getState().steps.map(({ result }) => result?.state);
    state.refuses = true;
    plans.add([{ record: renamed(2, { root_pass: 'very-secret' }) }]);
    const refused = 'Nothing more was sent, because what is done cannot be noted: The disk is full.';
    expect(await plans.run(async () => expect.fail('is not carried out'))).toBe(refused);
    state.refuses = false;
    vi.advanceTimersByTime(1000);
    expect(open(state.session()).labels()).toEqual(['1 data-1', '2 data-2']);
    expect(plans.getState().steps[1]?.record.body).toEqual({ root_pass: 'very-secret' });
    expect(plans.farewell('2 steps')).toContain('is kept for the next session');
    // Nobody sends once more what was done while it could not be kept.
    const done = plans.run(async (plan, _, keep) => {
      const result = { state: 'done' as const, at: 0 };
      state.refuses = true;
      keep({ ...plan, steps: plan.steps.map((step) => (step.id === 1 ? { ...step, result } : step)) });
      state.refuses = false;
    });
    expect(await done).toBe(refused);
    const other = open(state.session());
    expect(states(other.plans)).toEqual([undefined, undefined]);
    expect(other.plans.add([{ record: renamed(3) }])).toBeUndefined();
    vi.advanceTimersByTime(1000);
    expect(states()).toEqual(['done', undefined, undefined]);
    other.plans.refresh();
    expect(states(other.plans)).toEqual(['done', undefined, undefined]);
    // Steps that both have added meanwhile are there once, under numbers of its own.
    state.refuses = true;
    plans.add([{ record: renamed(4, { label: { $step: 2, field: 'label' } }) }]);
    state.refuses = false;
    other.plans.add([{ record: renamed(5) }]);
    expect(plans.add([{ record: renamed(6) }])).toBeUndefined();
    expect(labels()).toEqual(['1 data-1', '2 data-2', '3 data-3', '4 data-5', '8 data-4', '9 data-6']);
    expect(plans.getState().steps[4]?.record.body).toEqual({ label: { $step: 2, field: 'label' } });
    other.plans.refresh();
    expect(other.labels()).toEqual(labels());
    expect(said).toEqual(['The disk is full.']);
    expect(await plans.run(async () => {})).toBeUndefined();
    state.refuses = true;
    plans.remove(1);
    state.refuses = false;
    plans.close();
    expect(open(state.session()).labels()).not.toContain('1 data-1');
  });

  test('holds no token of a transfer, which the session itself still has', () => {
    const state = memoryState();
    const token = '123e4567-e89b-12d3-a456-426614174000';
    const { plans } = open(state.session());
    const accept = { resource: 'entity-transfers', action: 'accept', params: { token }, label: token };
    const create = { resource: 'entity-transfers', action: 'create', params: {}, label: 'new', body: {} };
    plans.add([{ record: accept }, { record: create }]);
    plans.add([{ record: { ...accept, params: { token: { $step: 2 } }, label: 'new' } }]);
    return plans
      .run(async (plan, _, keep) => {
        const result = { state: 'done' as const, at: 0, says: `${token} was made.`, made: { token } };

        const lost = {
          state: 'unknown' as const,
          at: 0,
          says: `The answer was lost: ${token} is there, but it may be an older one.`,
        };
        const steps = plan.steps.map((step) => ({ ...step, result: step.id === 2 ? result : lost }));
        keep({ ...plan, steps });
        plans.add([{ record: renamed(1) }]);
        const [first, second] = plans.getState().steps;
        expect([first?.record.params, second?.result?.made]).toEqual([{ token }, { token }]);
      })
      .then(() => {
        expect(state.text()).not.toContain(token);
        const [first, , third] = open(state.session()).plans.getState().steps;
        expect(first?.record).toMatchObject({ params: { token: '[redacted]' }, label: '[redacted]' });
        expect(third?.record.params).toEqual({ token: { $step: 2 } });
      });
  });

  test('a result that is damaged is unknown, so that nothing is sent', () => {
    const step = { place: 0, id: 1, record: renamed(1) };
    for (const value of [
      1,
      { result: { state: 'fine', at: 1 }, as: '' },
      { result: { state: 'done', at: 'a' }, as: '' },
    ]) {
      const { plans } = open(memoryState({ plan: { uid1: step }, progress: { uid1: value } }).session());
      expect(plans.getState().steps[0]?.result).toMatchObject({
        state: 'unknown',
        says: expect.stringContaining('damaged'),
      });
    }
  });

  test('of an account that was not known follows the steps that it has', () => {
    const steps = (place: number) => ({
      [`first-${place}`]: { place, id: 1, record: renamed(1) },
      [`second-${place}`]: {
        place: place + 1,
        id: 2,
        record: { ...renamed(2), params: { volumeId: { $step: 1 } }, body: { tags: [{ $step: 1 }] } },
      },
    });
    const { plans, labels } = open(memoryState({ plan: { ...steps(0), ...steps(1e6) } }).session());
    expect(labels()).toEqual(['1 data-1', '2 data-2', '3 data-1', '4 data-2']);
    expect(plans.getState().steps[3]?.record).toMatchObject({
      params: { volumeId: { $step: 3 } },
      body: { tags: [{ $step: 3 }] },
    });
    plans.add([{ record: renamed(9) }]);
    expect(labels().at(-1)).toBe('5 data-9');
  });
});

test('each step has an identity of its own, which it keeps when it is edited, moved or kept', () => {
  const state = memoryState();
  const { plans } = open(state.session());
  plans.add([{ record: renamed(1) }, { record: renamed(2) }]);
  plans.add([{ record: renamed(3) }]);
  const uids = () => plans.getState().steps.map(({ uid }) => uid);
  const [first = '', second = '', third = ''] = uids();
  expect(new Set(uids()).size).toBe(3);
  expect(first).toMatch(/^[0-9a-f]{12}$/);
  plans.change(2, renamed(2, { label: 'other' }));
  plans.move(1, 1);
  expect(uids()).toEqual([second, first, third]);
  const again = open(state.session()).plans.getState().steps;
  expect(again.map(({ uid }) => uid)).toEqual([second, first, third]);
});

test.each([
  ['a later session', memoryState],
  ['the same session, where it is not kept', () => undefined],
])('steps that are brought back beside those of %s have numbers of their own', (_, made) => {
  const state = made();
  const { plans, labels } = open(state?.session());
  plans.add([{ record: renamed(1) }, { record: renamed(2) }]);
  plans.removeAll();
  const later = state ? open(state.session()) : { plans, labels };
  later.plans.add([{ record: { ...renamed(3), action: 'create', params: {} } }]);
  const $step = later.plans.getState().steps[0]?.id;
  later.plans.add([{ record: { ...renamed(4), params: { volumeId: { $step } as never } } }]);
  expect(plans.undo()).toBeUndefined();
  expect(labels()).toEqual(['1 data-1', '2 data-2', '3 data-3', '4 data-4']);
  expect(plans.getState().steps[3]?.record.params).toEqual({ volumeId: { $step: 3 } });
  expect(plans.remove(1)).toBeUndefined();
  expect(labels()).toEqual(['2 data-2', '3 data-3', '4 data-4']);
});

describe('two sessions of a profile', () => {
  test('take no step of a later plan for one of the plan that was discarded', () => {
    const state = planned();
    const [one, other, third] = [open(state.session()), open(state.session()), open(state.session())];
    other.plans.removeAll();
    third.plans.add([{ record: renamed(7) }]);
    const gone = 'This step is no longer in the plan.';
    expect(one.plans.change(1, renamed(1, { label: 'typed' }))).toBe(gone);
    expect(one.plans.remove(1)).toBe(gone);
    expect(one.plans.move(1, 1)).toBe(gone);
    expect(open(state.session()).labels()).toEqual(['2 data-7']);
  });

  test('lose no step of each other, and no secret of their own', () => {
    const state = planned();
    const [one, two] = [open(state.session()), open(state.session())];
    one.plans.add([{ record: renamed(2, { root_pass: 'very-secret' }) }], { root_pass: 'very-secret' });
    two.plans.add([{ record: renamed(3) }]);
    expect(two.labels()).toEqual(['1 data-1', '2 data-2', '3 data-3']);
    expect(state.text()).not.toContain('very-secret');
    one.plans.add([{ record: renamed(4) }]);
    expect(one.labels()).toEqual(['1 data-1', '2 data-2', '3 data-3', '4 data-4']);
    expect(one.plans.getState().steps[1]?.record.body).toEqual({ root_pass: 'very-secret' });
    expect(two.plans.remove(1)).toBeUndefined();
    expect(one.plans.move(1, 1)).toBe('This step is no longer in the plan.');
    expect(one.labels()).toEqual(['2 data-2', '3 data-3', '4 data-4']);
    expect(open(state.session()).labels()).toEqual(one.labels());
  });

  test('send no secret that the other has replaced', async () => {
    const state = planned();
    const [one, two] = [open(state.session()), open(state.session())];
    one.plans.add([{ record: renamed(2, { root_pass: 'first-secret' }) }]);
    two.plans.refresh();
    expect(two.plans.change(2, renamed(2, { root_pass: 'second-secret' }))).toBeUndefined();
    const carried: unknown[] = [];
    const run = () => one.plans.run(async ({ steps }) => carried.push(steps[1]?.record.body));
    expect(await run()).toBe('Another session has changed the plan: look at it again. Nothing was sent.');
    expect(await run()).toBeUndefined();
    expect(carried).toEqual([{ root_pass: '[redacted]' }]);
  });

  test('do not carry it out at once, nor what was not seen', async () => {
    const state = planned();
    const [one, two] = [open(state.session()), open(state.session())];
    const held = Promise.withResolvers<void>();
    const carried: string[] = [];
    const first = one.plans.run(async (plan, _, keep) => {
      carried.push('one');
      await held.promise;
      keep({ ...plan, steps: plan.steps.map((step) => ({ ...step, result: { state: 'done', at: 0 } })) });
    });
    const run = () => two.plans.run(async () => carried.push('two'));
    const busy = 'Another session (process 7 on here) is carrying this plan out: 0 of 1 done. Nothing was sent.';
    expect(await run()).toBe(busy);
    // A step can be added meanwhile; those that are carried out stay.
    expect(two.plans.add([{ record: renamed(2) }])).toBeUndefined();
    const wait = 'Another session is carrying this plan out: 0 of 1 done. Wait for it.';
    expect([
      two.plans.remove(1),
      two.plans.move(1, 1),
      two.plans.change(1, renamed(1)),
      two.plans.removeDone(),
    ]).toEqual(Array(4).fill(wait));
    held.resolve();
    expect(await first).toBeUndefined();
    expect(one.labels()).toEqual(['1 data-1', '2 data-2']);
    expect(await run()).toBe('Another session has changed the plan: look at it again. Nothing was sent.');
    expect(two.plans.getState().steps.map(({ result }) => result?.state)).toEqual(['done', undefined]);
    expect(carried).toEqual(['one']);
    expect(await run()).toBeUndefined();
    expect(carried).toEqual(['one', 'two']);
  });

  test('see how far the other has come, and when it was killed', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const state = memoryState();
    const first = state.session();
    const one = open(first);
    one.plans.add(Array.from({ length: 12 }, (_, nth) => ({ record: renamed(nth + 1) })));
    const two = open(state.session());
    const uids = one.plans.getState().steps.map(({ uid }) => uid);
    const end = first.begin(uids);
    two.plans.refresh();
    expect(two.plans.getState().others).toEqual({ uids, done: 0, all: 12 });
    const done = one.plans.getState().steps.slice(0, 7);
    state
      .of('progress')
      .put(done.map((step) => [step.uid, progressValue({ ...step, result: { state: 'done', at: 0 } })]));
    vi.advanceTimersByTime(1000);
    expect(two.plans.getState().others).toEqual({ uids, done: 7, all: 12 });
    expect(openSteps(two.plans.getState())).toHaveLength(5);
    end?.();
    vi.advanceTimersByTime(1000);
    expect(two.plans.getState().others).toBeUndefined();
    expect(vi.getTimerCount()).toBe(0);
  });

  test('keep what was done of a step that was edited meanwhile', () => {
    const state = planned();
    const [one, two] = [open(state.session()), open(state.session())];
    const [step] = one.plans.getState().steps;
    if (!step) return expect.fail('no step');
    state.of('progress').put([[step.uid, progressValue({ ...step, result: { state: 'done', at: 0 } })]]);
    expect(two.plans.change(1, renamed(1, { label: 'b' }))).toBe(
      'Step 1 is done; plan what is left to do as another step.',
    );
    state.of('progress').put([[step.uid, progressValue({ ...step, result: { state: 'unknown', at: 0 } })]]);
    expect(two.plans.change(1, renamed(1, { label: 'b' }))).toBe(
      'Step 1 was sent, and it is not known whether it was done.',
    );
    state.of('progress').put([[step.uid, progressValue({ ...step, result: { state: 'failed', at: 0 } })]]);
    expect(two.plans.change(1, renamed(1, { label: 'b' }))).toBeUndefined();
    one.plans.refresh();
    expect(one.plans.getState().steps).toMatchObject([{ record: { body: { label: 'b' } } }]);
    expect(one.plans.getState().steps[0]?.result).toBeUndefined();
  });

  test('a plan that is opened has what was done of its steps, also where they were edited since', () => {
    const state = memoryState();
    const step = (id: number, label: string) => ({ id, uid: `uid-${id}`, record: renamed(id, { label }) });
    const result = (at: 'done' | 'failed' | 'sent') => ({ state: at, at: 5 });
    state.of('progress').put([
      ['uid-1', progressValue({ ...step(1, 'a'), result: result('done') })],
      ['uid-2', progressValue({ ...step(2, 'a'), result: result('done') })],
      ['uid-3', progressValue({ ...step(3, 'a'), result: result('failed') })],
      ['uid-4', progressValue({ ...step(4, 'a'), result: result('sent') })],
      ['uid-5', progressValue({ ...step(5, 'a'), result: result('failed') })],
    ]);
    const { plans } = open(state.session());
    plans.replace({ steps: [step(1, 'a'), step(2, 'b'), step(3, 'b'), step(4, 'b'), step(5, 'a'), step(6, 'a')] });
    const results = () => plans.getState().steps.map(({ result: one }) => one && [one.state, one.isEdited ?? false]);
    const known = [['done', false], ['done', true], undefined, ['sent', true], ['failed', false], undefined];
    expect(results()).toEqual(known);
    plans.add([{ record: renamed(9) }]);
    const again = open(state.session()).plans;
    expect(again.getState().steps.map(({ result: one }) => one && [one.state, one.isEdited ?? false])).toEqual([
      ...known,
      undefined,
    ]);
  });
});

test('a plan that is on screen shows within a second what another session has done', async () => {
  vi.useFakeTimers({ now: 1000 });
  onTestFinished(() => void vi.useRealTimers());
  const state = planned();
  const { plans } = open(state.session());
  const [step] = plans.getState().steps;
  if (!step) throw new Error('there is a step');
  const stateNow = () => plans.getState().steps[0]?.result?.state;
  const send = (result: 'sent' | 'done') =>
    state.of('progress').put([[step.uid, progressValue({ ...step, result: { state: result, at: 1000 } })]]);
  const leave = plans.follow();
  send('sent');
  await vi.advanceTimersByTimeAsync(1000);
  expect(stateNow()).toBe('sent');
  leave();
  await vi.advanceTimersByTimeAsync(1000);
  send('done');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(stateNow()).toBe('sent');
});

test('a long plan is looked through a few times at most for where it stands still', () => {
  let looks = 0;
  const step = (id: number, result?: PlanStep['result'], part = 'all') =>
    ({
      id,
      get rolling() {
        looks++;
        return { id: part, title: '' };
      },
      result,
    }) as PlanStep;
  const steps = Array.from({ length: 1000 }, (_, id) => step(id));
  expect(stoppedAt({ steps })).toBeUndefined();
  expect(looks).toBeLessThan(10 * steps.length);
  const others = [step(1000, { state: 'done', at: 0 }, 'other'), step(1001, undefined, 'other')];
  expect(stoppedAt({ steps: [...steps, ...others] })).toBe(others[1]);
  expect(stoppedAt({ steps: [...steps, ...others], run: 'running' })).toBeUndefined();
});
