import { expect, test } from 'vitest';
import type { PlanFile } from '../../../src/config/planSchema.ts';
import { type PlanStep, type StepResult, withoutDone } from '../../../src/store/plans/plan.ts';
import { writtenPlan } from '../../../src/store/plans/planFile.ts';

const step = (id: number, meanwhile?: number, result?: StepResult['state']): PlanStep => ({
  ...{ id, uid: `step-${id}` },
  record: {
    ...{ resource: 'volumes', action: 'resize', params: { volumeId: String(id) }, label: `data-${id}` },
    body: { size: 40 },
  },
  ...(meanwhile !== undefined && { wait: { within: '10m', ...(meanwhile > 0 && { meanwhile, atATime: 2 }) } }),
  ...(result && { result: { state: result, at: 0 } }),
});

/** Three that go two at a time, of which the first has failed and the second is done, and one that waits for all of them. */
const steps = [step(1, 2, 'failed'), step(2, 1, 'done'), step(3, 0), step(4)];

test('a step that is done and left out of a file lets no step behind the others go meanwhile', () => {
  const written = writtenPlan({ host: 'a', steps }, { program: '0.1.0', now: 0 });
  const { steps: left = [] } = JSON.parse('text' in written ? written.text : '{}') as Partial<PlanFile>;
  expect(left.map(({ record, wait }) => [record.label, wait?.meanwhile])).toEqual([
    ['data-1', 1],
    ['data-3', undefined],
    ['data-4', undefined],
  ]);
});

test('nor does one that is taken out of the plan', () => {
  const left = withoutDone(steps) as readonly PlanStep[];
  expect(left.map(({ id, wait }) => [id, wait?.meanwhile])).toEqual([
    [1, 1],
    [3, undefined],
    [4, undefined],
  ]);
});
