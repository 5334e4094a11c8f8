import { expect, test } from 'vitest';
import { ageText, durationText, timeOf, timerDelay } from '../../src/text/times.ts';

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

test.each([
  [0, '0 s'],
  [59_999, '59 s'],
  [300_000, '5 min'],
  [7_200_000, '2 h'],
  [4 * 86_400_000, '4 d'],
  [3 * 366 * 86_400_000, '3 y'],
  [-10_800_000, 'in 3 h'],
])('an age of %i ms reads %s', (milliseconds, wanted) => {
  expect(ageText(milliseconds)).toBe(wanted);
});

test.each([
  [4.21, '4.2 s'],
  [60, '1 min'],
  [7500, '2 h 5 min'],
  [273_600, '3 d 4 h'],
])('a duration of %d s reads %s', (seconds, wanted) => {
  expect(durationText(seconds)).toBe(wanted);
});

test('timestamps without a zone are UTC', () => {
  expect(timeOf('2026-05-13T12:00:00')).toBe(Date.UTC(2026, 4, 13, 12));
  expect(timeOf('2026-05-13T12:00:00.000Z')).toBe(Date.UTC(2026, 4, 13, 12));
  expect(timeOf(9e15)).toBeNaN();
  for (const value of ['12', '13 May 2026', '2026-05-13T12:00:00 or so', '', null]) expect(timeOf(value)).toBeNaN();
});
