import { describe, expect, test } from 'vitest';
import type { Point, SeriesGroup } from '../../src/resources/compute/statistics.ts';
import { resourceNamed } from '../../src/resources/index.ts';
import { comparedGroups } from '../../src/screens/graphs/Comparison.tsx';
import { joined, needsMonthBefore, readingOf, within } from '../../src/screens/graphs/periods.ts';

const may = { year: 2026, month: 5 };
const april = { year: 2026, month: 4 };
const day = 86_400_000;
const group = (points: readonly Point[]): SeriesGroup => ({
  name: 'CPU',
  unit: '%',
  series: [{ name: 'cpu', points }],
});

describe('the reading of a period', () => {
  const params = { serverId: '7' };
  const read = (...[name, period]: [string, Parameters<typeof readingOf>[2]]) => {
    const { query, isFinal } = readingOf(resourceNamed(name), params, period, may);
    return [query.operation, query.params.year, query.params.month, isFinal];
  };

  test.each([
    ['1h', ['stats', undefined, undefined, false]],
    ['24h', ['stats', undefined, undefined, false]],
    ['7d', ['statsMonth', '2026', '5', false]],
    ['30d', ['statsMonth', '2026', '5', false]],
    [april, ['statsMonth', '2026', '4', true]],
  ] as const)('%j of a server', (period, wanted) => expect(read('servers', period)).toEqual(wanted));

  test('is that of the last 24 hours where there are no months, and the view where there is no other', () => {
    expect(read('nodebalancers', '30d')).toEqual(['stats', undefined, undefined, false]);
    expect(read('managed-statistics', '24h')).toEqual(['view', undefined, undefined, false]);
  });
});

describe('a month that begins late', () => {
  const from = 100 * day;

  test('needs the month before, unless the row is not older', () => {
    expect(needsMonthBefore([group([[from + 3 * day, 1]])], '1970-01-01', from)).toBe(true);
    expect(needsMonthBefore([group([[from + 0.5 * day, 1]])], '1970-01-01', from)).toBe(false);
    expect(needsMonthBefore([group([[from + 3 * day, 1]])], from + 2.5 * day, from)).toBe(false);
    expect(needsMonthBefore([group([])], undefined, from)).toBe(true);
  });

  test('follows the readings of the month before, each time once', () => {
    const start = Date.UTC(2026, 4, 1);
    const earlier = [
      group([
        [start - day, 1],
        [start, 2],
        [start + day, 9],
      ]),
    ];
    const later = [group([[start + day, 3]])];
    expect(joined(earlier, later, may)[0]?.series[0]?.points).toEqual([
      [start - day, 1],
      [start + day, 3],
    ]);
    expect(joined(earlier, [], may)[0]?.series[0]?.points).toEqual([[start - day, 1]]);
  });
});

test('a time range has its readings alone', () => {
  const whole = [
    group([
      [1, 1],
      [2, 2],
      [3, 3],
    ]),
  ];
  expect(within(whole, 2, 2)[0]?.series[0]?.points).toEqual([[2, 2]]);
  expect(within(whole, 0, 9)[0]?.series[0]).toBe(whole[0]?.series[0]);
});

test('members share a graph for each load, those without readings too, and the months before follow', () => {
  const before = { name: 'cpu, month before', points: [[1, 4]] as const, comparedWith: 0 };
  const both: SeriesGroup = { ...group([[1, 1]]), series: [...group([[1, 1]]).series, before] };
  const [compared] = comparedGroups([{ groups: [] }, { groups: [both] }], ['a', 'b']);
  expect(compared).toEqual({
    name: 'CPU',
    unit: '%',
    series: [
      { name: 'a', points: [] },
      { name: 'b', points: [[1, 1]] },
      { name: 'b, month before', points: [[1, 4]], comparedWith: 1 },
    ],
  });
});
