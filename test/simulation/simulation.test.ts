import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../main/program.ts';

/** The stories of every run of the tests. */
const seeds = { from: 1, count: 100 };

const simulate = (...words: readonly string[]) => run([resolve('test/simulation/simulate.ts'), ...words], process.env);

test(`stories ${seeds.from} to ${seeds.from + seeds.count - 1} end well`, async () => {
  const { code, stdout, stderr } = await simulate(
    '--from',
    `${seeds.from}`,
    '--seeds',
    `${seeds.count}`,
    '--jobs',
    '1',
  );
  expect(stderr).toBe('');
  expect(code, stdout).toBe(0);
});

test('a story is the same in each run', async () => {
  const [once, again] = await Promise.all([simulate('--seed', '76'), simulate('--seed', '76')]);
  expect(once.stdout.split('\n').length).toBeGreaterThan(5);
  expect(again.stdout).toBe(once.stdout);
});
