import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isJob } from '../../src/terminal/guard.ts';

test.each([
  ['a job of an interactive shell', '812 (node) S 700 812 700 34816 812 4194304', true],
  ['the first process of a terminal', '700 (node) S 1 700 700 34816 700 4194304', false],
  ['a process of a script that is the first of a terminal', '812 (node) S 700 700 700 34816 700 4194304', false],
  ['a job with an odd name', '812 (a) S 1 1 1 (b\n) S 700 812 700 34816 812 4194304', true],
  ['nothing that can be read', '', true],
])('%s: %s', (_, stat, is) => {
  expect(isJob(stat)).toBe(is);
});

test('the process itself is looked at where no other is given', () => {
  expect(isJob()).toBe(isJob(readFileSync('/proc/self/stat', 'utf8')));
});
