import { describe, expect, test } from 'vitest';
import {
  bucketEnd,
  dayBuckets,
  fineBuckets,
  loadPoints,
  spreadOf,
  summaryOf,
} from '../../src/resources/compute/load.ts';

const minute = 60_000;
const now = Date.UTC(2026, 4, 13, 12, 10);
const every = (step: number, from: number, to: number, reading: (time: number) => number) =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => {
    const time = from + index * step;
    return [time, reading(time)];
  });
const day = (reading: (time: number) => number) => every(5 * minute, now - 1440 * minute, now, reading);
const summary = (body: unknown) => {
  const found = summaryOf(body, now);
  if (!found) throw new Error('there are no readings');
  return found;
};

test('the network of a server is its public traffic over both protocols', () => {
  const body = {
    netv4: {
      in: [
        [1, 10],
        [2, 20],
      ],
      out: [[1, 5]],
      private_in: [[1, 1000]],
    },
    netv6: {
      in: [
        [2, 3],
        [3, 4],
      ],
    },
  };
  expect(loadPoints(body, 'networkIn')).toEqual([
    [1, 10],
    [2, 23],
    [3, 4],
  ]);
  expect(loadPoints({ data: body }, 'networkOut')).toEqual([[1, 5]]);
});

describe('the summary of a day', () => {
  test('has the means of 48 half hours that end on the half hour, and the newest reading', () => {
    const ends = bucketEnd(now);
    const { day: found } = summary({ cpu: day((time) => (bucketEnd(time) / minute) % 1000) });
    expect(found.until).toBe(Date.UTC(2026, 4, 13, 12, 30));
    expect([...found.cpu.buckets]).toEqual(
      Array.from(
        { length: dayBuckets },
        (_, index) => ((ends - (dayBuckets - 1 - index) * 30 * minute) / minute) % 1000,
      ),
    );
    expect(found.cpu.last).toBe((ends / minute) % 1000);
  });

  test('leaves out half hours without a reading and loads that the body does not have', () => {
    const { day: found } = summary({
      cpu: [
        [now - 120 * minute, 40],
        [now, 20],
      ],
    });
    expect([...found.cpu.buckets].flatMap((value, index) => (Number.isNaN(value) ? [] : [[index, value]]))).toEqual([
      [43, 40],
      [47, 20],
    ]);
    expect(found.cpu).toMatchObject({ last: 20, mean: 30, max: 40 });
    expect(found.io).toEqual({
      buckets: new Float32Array(dayBuckets).fill(Number.NaN),
      fine: new Float32Array(fineBuckets).fill(Number.NaN),
    });
  });

  test('has the largest reading, also where the mean of its half hour is smaller', () => {
    const { day: found } = summary({
      cpu: [
        [now - 1500 * minute, 99],
        [now - minute, 80],
        [now, 20],
      ],
    });
    expect(found.cpu).toMatchObject({ last: 20, mean: 50, max: 80 });
    expect(found.cpu.buckets[47]).toBe(50);
  });

  test('has the means of the last two hours, by the clock: what stopped long ago is not busy now', () => {
    const body = { cpu: day((time) => (time > now - 120 * minute ? 90 : 10)), io: { io: [[now - 300 * minute, 5]] } };
    expect(summary(body).usage).toEqual({ cpu: 90, io: undefined, networkIn: undefined, networkOut: undefined });
  });

  test('is by the readings where the clock here is late', () => {
    const body = { cpu: day((time) => (time > now - 120 * minute ? 90 : 10)) };
    expect(summaryOf(body, now - 600 * minute)?.usage.cpu).toBe(90);
  });

  test.each([
    ['none', {}],
    ['a message', { data: 'Stats are unavailable at this time.' }],
    ['empty series', { cpu: [], io: {}, netv4: null }],
    ['no times', { cpu: [[1e300, 4]] }],
  ])('is not there for %s', (_what, body) => {
    expect(summaryOf(body, now)).toBeUndefined();
  });

  test('has no number that is not finite', () => {
    const { day: found, usage } = summary({
      cpu: [
        [now, 1e300],
        [now - minute, 1.7e308],
        [now - 2 * minute, 1.7e308],
      ],
    });
    expect([...found.cpu.buckets].some((value) => value === Number.POSITIVE_INFINITY)).toBe(false);
    expect(usage.cpu).toBeUndefined();
  });
});

test('median and 95th percentile are those of what is known', () => {
  expect(spreadOf([undefined, 5, 1, Number.NaN, 3])).toEqual({ median: 3, p95: 5 });
  expect(spreadOf(Array.from({ length: 100 }, (_, index) => index + 1))).toEqual({ median: 50, p95: 95 });
  expect(spreadOf([undefined])).toBeUndefined();
});
