import { expect, test } from 'vitest';
import { parsePlan } from '../../src/config/parsePlan.ts';
import { writtenPlan } from '../../src/store/plans/planFile.ts';

/** A plan of one step that waits so. */
const waiting = (wait: unknown, resource = 'servers', action = 'shutdown', params = { serverId: '7' }) =>
  parsePlan(
    JSON.stringify({
      version: 2,
      madeAt: '2026-11-23T18:04:00.000Z',
      program: '0.1.0',
      host: 'api.example.com',
      steps: [{ id: 1, uid: 'uid-1', record: { resource, action, params, label: 'web-1' }, wait }],
    }),
  );

test('a wait is read and written as it is', () => {
  const wait = { for: ['running', 'nodes up'], within: '10m', meanwhile: 2, atATime: 2 };
  const parsed = waiting(wait);
  if (!('plan' in parsed)) throw new Error(parsed.mistakes.join());
  expect(parsed.plan.steps[0]?.wait).toEqual(wait);
  const written = writtenPlan(parsed.plan, { program: '0.1.0', now: 0 });
  expect('text' in written && JSON.parse(written.text).steps[0].wait).toEqual(wait);
});

test.each([
  [{ within: 'soon' }, 'steps[1].wait.within must be a span like "10m", from 1s to 24h; it is "soon".'],
  [{ within: '2d' }, 'steps[1].wait.within must be a span like "10m", from 1s to 24h; it is "2d".'],
  [
    { for: ['runing'], within: '1m' },
    /^steps\[1\]\.wait\.for\[1\] must be one of .*nodes up; it is "runing"; did you mean running\?\.?$/,
  ],
  [{ within: '1m', meanwhile: 0.5 }, 'steps[1].wait.meanwhile must be a whole number from 0 to 1000; it is 0.5.'],
  [{ within: '1m', atATime: 0 }, 'steps[1].wait.atATime must be a whole number from 1 to 1000; it is 0.'],
  [{ for: 'running', within: '1m' }, 'steps[1].wait.for must be a list like ["running", "nodes up"]; it is "running".'],
  ['10m', 'steps[1].wait must be an object like { "for": ["running"], "within": "10m" }; it is "10m".'],
])('the wait %j is refused', (wait, says) => {
  const parsed = waiting(wait);
  expect('mistakes' in parsed && parsed.mistakes).toEqual([
    typeof says === 'string' ? says : expect.stringMatching(says),
  ]);
});

test('a row that no status tells of waits for its job alone', () => {
  const parsed = waiting({ for: ['running'], within: '1m' }, 'domains', 'delete', { domainId: '7' } as never);
  expect('mistakes' in parsed && parsed.mistakes[0]).toMatch(
    /^steps\[1\]\.wait\.for\[1\] must be one of|has no meaning/,
  );
});
