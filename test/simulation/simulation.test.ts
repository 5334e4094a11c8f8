import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { run, sharedCache } from '../main/program.ts';
import { mutants } from './mutants.ts';
import { parts } from './mutate.ts';

/** The stories of every run of the tests. */
const seeds = { from: 1, count: 2000 };

/**
 * No stack is looked at, and helping threads would take more time than they save. Little is kept for long, so a young
 * generation that is large from the start is seldom collected.
 */
const node = [
  ...['--single-threaded', '--stack-trace-limit=0'],
  ...['--min-semi-space-size=64', '--max-semi-space-size=64'],
];

const simulate = (...words: readonly string[]) =>
  run([...node, resolve('test/simulation/simulate.ts'), ...words], {
    ...process.env,
    NODE_COMPILE_CACHE: join(sharedCache, 'simulation'),
  });

/** Stories beyond these that ended badly once. */
const others = [
  2146, 2470, 4446, 5364, 7226, 14144, 16141, 20498, 25097, 30292, 30904, 31197, 32677, 33076, 36731, 3003159, 3029496,
  3050475, 3061982, 8015978, 8018690, 8020287, 8035447, 8039186, 8100678, 8100962, 8101418, 8102127, 8102299, 8102966,
  8104195, 8104723, 8105359, 8106965, 8110186, 8111338, 8112960, 8114326, 8114770, 8201286, 8202417, 8203306, 8203984,
  8221116, 8222312, 8223829, 8224362, 8225538, 8206343, 8302812, 8315888, 8403922, 8410724, 8413136, 8600716, 8606552,
  8807263, 8704140, 8801932, 8813922, 8818546, 9011156, 9109682, 9134750, 9145267, 9117695, 9213799, 9241230, 9218446,
  9402270, 9401065, 9507613, 9842326, 9907020, 10000504, 10033227, 10148709, 10119977, 12017660, 12054879, 13024038,
  14006476, 16007528, 16017113, 16020524, 16044343, 17002374, 18032048, 20016548, 20036762, 20038427, 20042335,
  21010445, 21046684, 21050174, 27001037, 27003677, 27006803, 27008642, 31033386, 36408246,
];

test(`stories ${seeds.from} to ${seeds.from + seeds.count - 1}, and those that ended badly once, end well`, {
  timeout: 900_000,
}, async () => {
  const which = ['--from', `${seeds.from}`, '--seeds', `${seeds.count}`, '--these', others.join()];
  const { code, stdout, stderr } = await simulate(...which, '--jobs', '1');
  expect(stderr).toBe('');
  expect(code, stdout).toBe(0);
  expect(stdout).toContain(`of ${seeds.count + others.length} stories`);
});

test('a story is the same in each run', async () => {
  const [once, again] = await Promise.all([simulate('--seed', '76'), simulate('--seed', '76')]);
  expect(once.stdout.split('\n').length).toBeGreaterThan(5);
  expect(again.stdout).toBe(once.stdout);
});

test('each text that a mutant replaces stands once in its file', () => {
  const parts = ({ file, from }: (typeof mutants)[number]['edits'][number]) => readFileSync(file, 'utf8').split(from);
  const lost = mutants.flatMap(({ name, edits }) => edits.flatMap((one) => (parts(one).length === 2 ? [] : [name])));
  expect(lost).toEqual([]);
});

test('a copy for a mutant has every file of the tests that stories import', () => {
  const files = parts.flatMap((part) => (part.endsWith('.ts') ? [part] : globSync(`${part}/**/*.ts`)));
  const imported = files
    .filter((file) => file.startsWith('test/'))
    .flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/ from '(\.[^']+)'/g)].map(([, to = '']) =>
        relative('.', resolve(dirname(file), to)),
      ),
    )
    .filter((file) => file.startsWith('test/') && file !== 'test/main/program.ts');
  expect(imported.length).toBeGreaterThan(50);
  expect(imported.filter((file) => !files.includes(file))).toEqual([]);
});
