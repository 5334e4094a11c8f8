import { describe, expect, test } from 'vitest';
import type { ChangeRecord } from '../../../src/resources/changeRecord.ts';
import type { Plan } from '../../../src/store/plans/plan.ts';
import type { PlanStateFile } from '../../../src/store/plans/planKeeper.ts';
import { createPlans } from '../../../src/store/plans/plans.ts';

const renamed = (id: number, body: object = { label: `new-${id}` }): ChangeRecord => ({
  resource: 'volumes',
  action: 'edit',
  params: { volumeId: String(id) },
  label: `data-${id}`,
  body,
});

/** A file that several sessions have, and that one of them can lock. */
function sharedFile(text?: string): PlanStateFile & { text: string | undefined } {
  let isLocked = false;
  return {
    path: '/state/plan-work.json',
    text,
    read() {
      return this.text;
    },
    write(now) {
      this.text = now;
    },
    lock() {
      if (isLocked) return 'Another one carries it out.';
      isLocked = true;
      return () => {
        isLocked = false;
      };
    },
  };
}

/** A session of a profile, with what it has said. */
function open(file: PlanStateFile, account: Pick<Plan, 'host' | 'euuid'> = { host: 'api.example.com', euuid: 'A' }) {
  const said: string[] = [];
  const plans = createPlans({ account: () => account, file, onTrouble: (says) => said.push(says) });
  const labels = () => plans.getState().steps.map(({ id, record }) => `${id} ${record.label}`);
  return { plans, said, labels, account };
}

/** A file with the plan of one step. */
function planned(): ReturnType<typeof sharedFile> {
  const file = sharedFile();
  open(file).plans.add([renamed(1)]);
  return file;
}

const lost = 'A plan of this session is lost when you quit.';

describe('a kept plan', () => {
  test.each([
    ['{"version": 1', 'it is damaged, no JSON'],
    ['{"version": 9, "steps": []}', 'it is damaged, or of another version'],
    ['{"version": 1, "steps": []}', 'it is damaged'],
    ['{"version": 1, "host": "api.example.com", "steps": [{"id": 1}]}', 'it is damaged: steps[0] is no step'],
  ])('that is damaged is not opened, and left as it is: %s', (text, why) => {
    const file = sharedFile(text);
    const { plans, said, labels } = open(file);
    expect(said).toEqual([`/state/plan-work.json was not opened: ${why}. ${lost}`]);
    plans.add([renamed(2)]);
    expect(labels()).toEqual(['1 data-2']);
    expect(file.text).toBe(text);
  });

  test('of another host or account is not opened, also where the account is known only later', () => {
    const file = planned();
    const kept = file.text;
    const elsewhere = open(file, { host: 'other.example.com', euuid: 'A' });
    expect(elsewhere.labels()).toEqual([]);
    expect(elsewhere.said).toEqual([
      `/state/plan-work.json was not opened: it is for "api.example.com", and this is "other.example.com". ${lost}`,
    ]);
    const other = `/state/plan-work.json was not opened: it is for the account "A", and this is "B". ${lost}`;
    expect(open(file, { host: 'api.example.com', euuid: 'B' }).said).toEqual([other]);

    const late = open(file, { host: 'api.example.com' });
    expect(late.labels()).toEqual(['1 data-1']);
    late.plans.check();
    expect(late.said).toEqual([]);
    late.account.euuid = 'B';
    late.plans.check();
    expect(late.labels()).toEqual([]);
    expect(late.said).toEqual([other]);
    late.plans.add([renamed(3)]);
    expect(file.text).toBe(kept);
  });

  test('keeps its account while a session does not know it', () => {
    const file = planned();
    open(file, { host: 'api.example.com' }).plans.add([renamed(2)]);
    expect(open(file, { host: 'api.example.com', euuid: 'B' }).labels()).toEqual([]);
    expect(open(file).labels()).toEqual(['1 data-1', '2 data-2']);
  });
});

test('each step has an identity of its own, which it keeps when it is edited, moved or kept', () => {
  const file = sharedFile();
  const { plans } = open(file);
  plans.add([renamed(1), renamed(2)]);
  plans.add([renamed(3)]);
  const uids = () => plans.getState().steps.map(({ uid }) => uid);
  const [first = '', second = '', third = ''] = uids();
  expect(new Set(uids()).size).toBe(3);
  expect(first).toMatch(/^[0-9a-f]{12}$/);
  plans.change(2, renamed(2, { label: 'other' }));
  plans.move(1, 1);
  expect(uids()).toEqual([second, first, third]);
  expect(
    open(file)
      .plans.getState()
      .steps.map(({ uid }) => uid),
  ).toEqual([second, first, third]);
});

describe('two sessions of a profile', () => {
  test('lose no step of each other, and no secret of their own', () => {
    const file = planned();
    const [one, two] = [open(file), open(file)];
    one.plans.add([renamed(2, { root_pass: 'very-secret' })], { root_pass: 'very-secret' });
    two.plans.add([renamed(3)]);
    expect(two.labels()).toEqual(['1 data-1', '2 data-2', '3 data-3']);
    expect(file.text).not.toContain('very-secret');
    one.plans.add([renamed(4)]);
    expect(one.labels()).toEqual(['1 data-1', '2 data-2', '3 data-3', '4 data-4']);
    expect(one.plans.getState().steps[1]?.record.body).toEqual({ root_pass: 'very-secret' });
    expect(two.plans.remove(1)).toBeUndefined();
    expect(one.plans.move(1, 1)).toBe('This step is no longer in the plan.');
    expect(one.labels()).toEqual(['2 data-2', '3 data-3', '4 data-4']);
    expect(open(file).labels()).toEqual(one.labels());
  });

  test('do not carry it out at once, nor what was not seen', async () => {
    const file = planned();
    const [one, two] = [open(file), open(file)];
    const held = Promise.withResolvers<void>();
    const carried: string[] = [];
    const first = one.plans.run(async (plan, _, keep) => {
      carried.push('one');
      await held.promise;
      // The other session adds a step and deletes one meanwhile.
      expect(two.plans.add([renamed(2)])).toBeUndefined();
      expect(two.plans.remove(1)).toBeUndefined();
      keep({ ...plan, steps: plan.steps.map((step) => ({ ...step, result: { state: 'done', at: 0 } })) });
    });
    const run = () => two.plans.run(async () => carried.push('two'));
    expect(await run()).toBe('Another one carries it out.');
    held.resolve();
    expect(await first).toBeUndefined();
    expect(one.labels()).toEqual(['1 data-1', '2 data-2']);
    expect(await run()).toBe('Another session has changed the plan: look at it again. Nothing was sent.');
    expect(two.plans.getState().steps.map(({ result }) => result?.state)).toEqual(['done', undefined]);
    expect(carried).toEqual(['one']);
    expect(await run()).toBeUndefined();
    expect(carried).toEqual(['one', 'two']);
  });
});
