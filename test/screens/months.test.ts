import { describe, expect, test } from 'vitest';
import {
  compareMonths,
  earlierPeriod,
  laterPeriod,
  monthName,
  monthOf,
  monthStart,
  type Period,
  periodName,
  periodOf,
  periodWindow,
  spanBeside,
  stepMonth,
  typedMonth,
} from '../../src/screens/graphs/periods.ts';

const newest = { year: 2026, month: 11 };

describe('months', () => {
  test.each([
    [{ year: 2026, month: 1 }, -1, { year: 2025, month: 12 }],
    [{ year: 2026, month: 12 }, 1, { year: 2027, month: 1 }],
    [{ year: 2026, month: 3 }, -27, { year: 2023, month: 12 }],
    [{ year: 2026, month: 3 }, 0, { year: 2026, month: 3 }],
  ])('%o moved by %i is %o', (from, by, to) => expect(stepMonth(from, by)).toEqual(to));

  test('are those of UTC', () => {
    expect(monthOf(Date.UTC(2026, 0, 31, 23, 59))).toEqual({ year: 2026, month: 1 });
    expect(monthOf(monthStart({ year: 2024, month: 12 }))).toEqual({ year: 2024, month: 12 });
    expect(monthOf(monthStart({ year: 2024, month: 12 }) - 1)).toEqual({ year: 2024, month: 11 });
    expect(monthName({ year: 2024, month: 12 })).toBe('December 2024');
  });

  test('are ordered by year first', () => {
    expect(compareMonths({ year: 2025, month: 12 }, { year: 2026, month: 1 })).toBeLessThan(0);
    expect(compareMonths(newest, { ...newest })).toBe(0);
  });
});

describe('a typed month', () => {
  test.each(['2026-03', '2026-3', ' 2026 3 ', '2026/03', '2026.3'])('%s is March', (text) =>
    expect(typedMonth(text, newest)).toEqual({ month: { year: 2026, month: 3 } }),
  );

  test.each(['2026-11', '1999-12'])('%s may be asked for without bounds', (text) =>
    expect(typedMonth(text, newest)).toHaveProperty('month'),
  );

  test.each(['2000-01', '2026-11'])('%s is within the bounds of transfer', (text) =>
    expect(typedMonth(text, newest, { min: 2000, max: 2037 })).toHaveProperty('month'),
  );

  test.each([
    ['', 'Year and month must be typed as in 2026-11.'],
    ['202603', 'Year and month must be typed as in 2026-11.'],
    ['26-03', 'Year and month must be typed as in 2026-11.'],
    ['0026-03', 'Year and month must be typed as in 2026-11.'],
    ['2026-00', 'Month must be 1–12; it is 0.'],
    ['2026-13', 'Month must be 1–12; it is 13.'],
    ['1999-12', 'Year must be 2000–2037; it is 1999.'],
    ['2038-01', 'Year must be 2000–2037; it is 2038.'],
    ['2026-12', 'Month must not be in the future; the newest is 2026-11.'],
  ])('%s is refused', (text, error) => expect(typedMonth(text, newest, { min: 2000, max: 2037 })).toEqual({ error }));
});

describe('periods of statistics', () => {
  const october = { year: 2026, month: 10 };

  test('go from what ends now to the last 30 days and back through the months', () => {
    expect(['1h', '6h', '24h', '7d'].map((period) => earlierPeriod(period as Period, newest))).toEqual(
      Array.from({ length: 4 }, () => '30d'),
    );
    expect(earlierPeriod('30d', newest)).toEqual(october);
    expect(earlierPeriod(october, newest)).toEqual({ year: 2026, month: 9 });
    expect(laterPeriod({ year: 2026, month: 9 }, newest)).toEqual(october);
    expect(laterPeriod(october, newest)).toBe('30d');
    expect(laterPeriod('30d', newest)).toBe('24h');
    expect(['1h', '6h', '24h'].map((period) => laterPeriod(period as Period, newest))).toEqual(
      Array.from({ length: 3 }, () => undefined),
    );
  });

  test('grow and shrink by steps, and leave a month for days', () => {
    expect(['1h', '6h', '24h', '7d', '30d'].map((period) => spanBeside(period as Period, 1))).toEqual([
      '6h',
      '24h',
      '7d',
      '30d',
      undefined,
    ]);
    expect(spanBeside('1h', -1)).toBeUndefined();
    expect([spanBeside(october, -1), spanBeside(october, 1)]).toEqual(['7d', '30d']);
  });

  test('the current month is the last 30 days, an earlier one is whole', () => {
    const now = Date.UTC(2026, 10, 21);
    const january = { year: 2026, month: 1 };
    expect(periodOf(newest, newest)).toBe('30d');
    expect(periodOf(january, newest)).toEqual(january);
    expect(periodWindow('1h', now)).toEqual({ from: Date.UTC(2026, 10, 20, 23), to: now });
    expect(periodWindow('24h', now)).toEqual({ from: Date.UTC(2026, 10, 20), to: now });
    expect(periodWindow('30d', now)).toEqual({ from: Date.UTC(2026, 9, 22), to: now });
    expect(periodWindow(january, now)).toEqual({ from: Date.UTC(2026, 0, 1), to: Date.UTC(2026, 1, 1) });
    expect([periodName('30d'), periodName(january)]).toEqual(['Last 30 days', 'January 2026']);
  });
});
