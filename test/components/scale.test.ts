import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { niceScale, tickLabels, timeTicks } from '../../src/components/scale.ts';
import { quantity, rateText } from '../../src/text/numbers.ts';

describe('a vertical axis', () => {
  test.each([
    [
      [0, 94, 5],
      [0, 20, 40, 60, 80, 100],
    ],
    [
      [3, 5_300_000, 4],
      [0, 2_000_000, 4_000_000, 6_000_000],
    ],
    [
      [0, 1, 2],
      [0, 0.5, 1],
    ],
    [
      [0, 0, 4],
      [0, 1],
    ],
    [
      [-3, 4, 4],
      [-4, -2, 0, 2, 4],
    ],
  ] as const)('for %j has the ticks %j', ([least, most, count], ticks) => {
    expect(niceScale(least, most, count).ticks).toEqual(ticks);
  });

  test('holds its values and is never crowded', () => {
    const values = fc.double({ min: 0, max: 1e20, noNaN: true });
    fc.assert(
      fc.property(values, values, fc.integer({ min: 1, max: 12 }), (one, other, count) => {
        const { low, high, ticks } = niceScale(Math.min(one, other), Math.max(one, other), count);
        expect(low).toBe(0);
        expect(high * (1 + 1e-6)).toBeGreaterThanOrEqual(Math.max(one, other) * (1 - 1e-6) - 1e-6);
        expect(ticks.length).toBeLessThanOrEqual(count + 1);
        expect(ticks.length).toBeGreaterThanOrEqual(2);
      }),
    );
  });

  test.each([
    [0, 100, 5, '%', ['0%', '20%', '40%', '60%', '80%', '100%']],
    [0, 4000, 2, '%', ['0%', '2 000%', '4 000%']],
    [0, 1e6, 2, 'bit/s', ['0', '0.5 M', '1.0 M']],
    [0, 10, 4, 'blocks/s', ['0', '2.5', '5.0', '7.5', '10.0']],
    [0, 0.3, 3, '', ['0', '0.1', '0.2', '0.3']],
    [0, 1000, 4, 'blocks/s', ['0', '0.25 k', '0.50 k', '0.75 k', '1.00 k']],
    [0, 0.1, 4, '', ['0', '0.025', '0.050', '0.075', '0.100']],
  ] as const)('from %d to %d in %i steps of %s is labelled %j', (least, most, count, unit, labels) => {
    expect(tickLabels(niceScale(least, most, count), unit)).toEqual(labels);
  });
});

test.each([
  [42.46, '%', '42.5%'],
  [1443.4, '%', '1 443%'],
  [0, 'bit/s', '0 bit/s'],
  [1_240_000, 'bit/s', '1.24 Mbit/s'],
  [999_999, 'bit/s', '1.00 Mbit/s'],
  [15.04, '%', '15.0%'],
  [15, '%', '15%'],
  [9.19, '%', '9.2%'],
  [19.02, 'blocks/s', '19.0 blocks/s'],
  [3.9, 'blocks/s', '3.90 blocks/s'],
  [10_000, 'blocks/s', '10 k blocks/s'],
  [7, 'connections', '7 connections'],
  [1e21, 'B/s', '1000 EB/s'],
])('%d %s is written %s', (value, unit, wanted) => {
  expect(quantity(value, unit)).toBe(wanted);
});

test.each([
  ['273.07 MB/s', '273 MB/s'],
  ['464.00 MB/s', '464 MB/s'],
  ['2.5 MB/s', '2.50 MB/s'],
  ['1273.07 MB/s', '1.27 GB/s'],
  ['12 files/s', '12 files/s'],
  ['fast', 'fast'],
  ['', ''],
])('the rate %s is shown as %s', (rate, wanted) => expect(rateText(rate)).toBe(wanted));

describe('a time axis', () => {
  const at = (text: string) => Date.parse(`${text}Z`);
  const labels = (from: string, to: string, count: number) =>
    timeTicks(at(from), at(to), count).map(({ label }) => label);

  test('of a day has hours, and the date at midnight', () => {
    const wanted = ['15:00', '18:00', '21:00', '13 May', '03:00', '06:00', '09:00', '12:00'];
    expect(labels('2026-05-12T12:05', '2026-05-13T12:05', 9)).toEqual(wanted);
  });

  test('of an hour has minutes', () => {
    expect(labels('2026-05-12T12:00', '2026-05-12T13:00', 4)).toEqual(['12:00', '12:15', '12:30', '12:45', '13:00']);
  });

  test('of a month has days counted from its first', () => {
    const wanted = ['1 May', '6 May', '11 May', '16 May', '21 May', '26 May', '1 Jun'];
    expect(labels('2026-05-01T00:00', '2026-06-01T00:00', 8)).toEqual(wanted);
    expect(labels('2026-05-28T00:00', '2026-06-02T00:00', 9)).toEqual([
      '28 May',
      '29 May',
      '30 May',
      '31 May',
      '1 Jun',
      '2 Jun',
    ]);
  });

  test('of years has months', () => {
    expect(labels('2024-11-15T00:00', '2026-02-15T00:00', 6)).toEqual([
      'Jan 2025',
      'Apr 2025',
      'Jul 2025',
      'Oct 2025',
      'Jan 2026',
    ]);
  });

  test('lies within its window and is never crowded', () => {
    const time = fc.integer({ min: 0, max: 4e12 });
    fc.assert(
      fc.property(
        time,
        fc.integer({ min: 60_000, max: 1e12 }),
        fc.integer({ min: 1, max: 15 }),
        (from, span, count) => {
          const ticks = timeTicks(from, from + span, count);
          expect(ticks.every((tick) => tick.at >= from && tick.at <= from + span)).toBe(true);
          expect(ticks.length).toBeLessThanOrEqual(count * 1.5 + 2);
        },
      ),
    );
  });
});
