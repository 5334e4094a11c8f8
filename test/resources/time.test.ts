import { expect, test } from 'vitest';
import { timerDelay } from '../../src/resources/time.ts';

const longest = 2 ** 31 - 1;

test.each([
  [-1, 0],
  [0, 0],
  [1.5, 1.5],
  [longest, longest],
  [longest + 1, longest],
  [Number.POSITIVE_INFINITY, longest],
  [Number.NaN, longest],
])('a timer that is to wait for %d ms is given %d', (wait, delay) => expect(timerDelay(wait)).toBe(delay));
