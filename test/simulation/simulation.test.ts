import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../main/program.ts';

/** The stories of every run of the tests, and the rules by which they are judged. */
const seeds = { from: 1, count: 300 };
const rules = ['audit', 'calm', 'crash', 'redaction', 'unwished', 'nothing was sent'];

const simulate = (...words: readonly string[]) => run([resolve('test/simulation/simulate.ts'), ...words], process.env);

test(`stories ${seeds.from} to ${seeds.from + seeds.count - 1} end well`, async () => {
  const which = ['--from', `${seeds.from}`, '--seeds', `${seeds.count}`, '--rule', rules.join()];
  const { code, stdout, stderr } = await simulate(...which, '--jobs', '1');
  expect(stderr).toBe('');
  expect(code, stdout).toBe(0);
});

test('a story is the same in each run', async () => {
  const [once, again] = await Promise.all([simulate('--seed', '76'), simulate('--seed', '76')]);
  expect(once.stdout.split('\n').length).toBeGreaterThan(5);
  expect(again.stdout).toBe(once.stdout);
});
