import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Demo, startDemo } from '../../src/demo/server.ts';
import { byUrgency, problemsBy } from '../../src/resources/problems/problem.ts';
import type { Problem } from '../../src/resources/problems/rule.ts';
import { rules } from '../../src/resources/rules/index.ts';
import type { Stores } from '../../src/store/stores.ts';
import { day, minute } from '../../src/text/times.ts';
import { seed } from '../draw.ts';
import { openExamined, step, take } from './openExamined.ts';

let demo: Demo;
beforeAll(async () => {
  demo = await startDemo({ servers: 30, colleagues: false });
});
afterAll(() => demo.close());

/** The problems that rules find when they look at everything there is now. */
const foundIn = ({ view }: Stores): readonly Problem[] =>
  rules.flatMap((rule) => [...problemsBy(rule, view)].flat()).sort(byUrgency);

const byId = (one: Problem, other: Problem): number => (one.id < other.id ? -1 : 1);

test(`as rows, answers and events change and time passes, what is found is what looking at everything finds (seed ${seed})`, async () => {
  const clock = { now: Date.now() };
  const stores = await openExamined(demo, clock);
  expect(foundIn(stores).length).toBeGreaterThan(5);
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
      for (const one of steps) {
        clock.now += (one.other % 3) * (one.field % 2 === 0 ? minute : day);
        take(stores, one);
      }
      take(stores, { kind: 'events', list: 0, row: 0, other: 1, field: 0 });
      // As time passes, lists are read again as well. To look at everything takes longer than what is waited for.
      await vi.waitFor(
        () => expect(stores.problems.getState().problems.toSorted(byId)).toEqual(foundIn(stores).toSorted(byId)),
        { interval: 20, timeout: 10_000 },
      );
    }),
    { seed, numRuns: 200, endOnFailure: true },
  );
});
