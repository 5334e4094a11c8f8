import { describe, expect, test } from 'vitest';
import type { SeriesGroup } from '../../src/resources/compute/statistics.ts';
import { monthsBefore, shiftToNextMonth, withMonthsBefore } from '../../src/screens/graphs/useStatistics.ts';

const month = (number: number) => ({ year: 2026, month: number });
const at = (number: number, day: number) => Date.UTC(2026, number - 1, day);
const group = (...points: readonly (readonly [number, number])[]): SeriesGroup => ({
  name: 'CPU',
  unit: '%',
  series: [{ name: 'cpu', points, threshold: 90 }],
});

test('a month is compared with the one before, the past 30 days with two, a day with none', () => {
  expect(monthsBefore(month(3), month(5))).toEqual([month(2)]);
  expect(monthsBefore('30d', month(5))).toEqual([month(4), month(3)]);
  expect(monthsBefore(month(1), month(5))).toEqual([{ year: 2025, month: 12 }]);
  expect(monthsBefore('24h', month(5))).toEqual([]);
});

describe('the readings of a month', () => {
  test('move to the same days of the next, which may be shorter', () => {
    expect(
      shiftToNextMonth(
        [
          [at(2, 1), 1],
          [at(2, 28), 2],
        ],
        month(2),
      ),
    ).toEqual([
      [at(3, 1), 1],
      [at(3, 28), 2],
    ]);
    expect(
      shiftToNextMonth(
        [
          [at(1, 28), 1],
          [at(1, 29), 2],
          [at(1, 31), 3],
        ],
        month(1),
      ),
    ).toEqual([[at(2, 28), 1]]);
  });

  test('are those of that month alone', () => {
    expect(
      shiftToNextMonth(
        [
          [at(3, 31), 1],
          [at(4, 2), 2],
        ],
        month(4),
      ),
    ).toEqual([[at(5, 2), 2]]);
  });
});

describe('every series', () => {
  test('has its own of the months before beside it, by time and without a threshold', () => {
    const [found] = withMonthsBefore(
      [group([at(5, 2), 10])],
      [
        { month: month(4), groups: [group([at(4, 2), 30])] },
        { month: month(3), groups: [group([at(3, 20), 20])] },
      ],
    );
    expect(found?.series).toEqual([
      { name: 'cpu', points: [[at(5, 2), 10]], threshold: 90 },
      {
        name: 'cpu, month before',
        points: [
          [at(4, 20), 20],
          [at(5, 2), 30],
        ],
        comparedWith: 0,
      },
    ]);
  });

  test('stays alone where there is nothing, or never was anything', () => {
    const empty = [group([at(5, 2), 10])];
    expect(withMonthsBefore(empty, [{ month: month(4), groups: [group()] }])).toEqual(empty);
    const idle = [group([at(5, 2), 0])];
    expect(withMonthsBefore(idle, [{ month: month(4), groups: [group([at(4, 2), 0])] }])).toEqual(idle);
  });
});
