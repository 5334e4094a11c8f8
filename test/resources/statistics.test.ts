import { describe, expect, test } from 'vitest';
import { compactStatistics, cpuPoints, pointsOf, statisticsOf } from '../../src/resources/compute/statistics.ts';

const cpu = [
  [1000, 4.5],
  [2000, 9],
];
const net = { in: [[1, 10]], out: [[1, 20]], private_in: [[1, 30]], private_out: [[1, 40]] };
const body = { cpu, io: { io: [[1, 2]], swap: [[1, 3]] }, netv4: net, netv6: net, title: 'web-1' };

describe('points', () => {
  test('are read as pairs and as x and y', () => {
    expect(pointsOf(cpu)).toEqual(cpu);
    expect(pointsOf([{ x: 1000, y: 4.5 }])).toEqual([[1000, 4.5]]);
  });

  test('come by time', () => {
    expect(pointsOf([[2, 1], { x: 1, y: 5 }])).toEqual([
      [1, 5],
      [2, 1],
    ]);
  });

  test.each([
    ['a null reading', [[1, null]]],
    ['a null', [null]],
    ['text', ['no data', [1, '2']]],
    ['what is not a number', [[Number.NaN, 1], [1, Number.POSITIVE_INFINITY], [1], [], {}, { x: 1 }]],
    ['a message instead of series', 'Stats are unavailable at this time.'],
    ['nothing', undefined],
  ])('skip %s', (_what, value) => {
    expect(pointsOf(value)).toEqual([]);
  });
});

describe('statistics that are held', () => {
  test.each([
    ['flat', body],
    ['wrapped in data', { title: 'web-1', data: body }],
    ['of x and y', { cpu: [{ x: 1000, y: 4.5 }] }],
    [
      'out of order',
      {
        cpu: [
          [2, 1],
          [1, 5],
        ],
      },
    ],
  ])('say the same, %s', (_what, answer) => {
    expect(statisticsOf(compactStatistics(answer))).toEqual(statisticsOf(answer));
    expect(cpuPoints(compactStatistics(answer))).toEqual(cpuPoints(answer));
  });

  test('are numbers in a row', () => {
    expect(compactStatistics(body)).toMatchObject({ cpu: Float64Array.of(1000, 4.5, 2000, 9), title: 'web-1' });
  });

  test.each([[{ cpu: [] }], [{ cpu: [[1, null]] }], [{ data: ['no data', [1, 2]] }], [{ cpu: null, title: 3 }]])(
    'leave alone what is no series: %j',
    (answer) => {
      expect(compactStatistics(answer)).toEqual(answer);
    },
  );
});

describe('the groups of a server', () => {
  test('are the same flat and wrapped in data', () => {
    expect(statisticsOf({ title: 'web-1', data: body })).toEqual(statisticsOf(body));
    expect(cpuPoints({ data: body })).toEqual(cpu);
  });

  test('name each series with its points and unit', () => {
    const groups = statisticsOf(body);
    expect(groups.map(({ name, unit, series }) => [name, unit, series.map(({ name }) => name)])).toEqual([
      ['CPU', '%', ['of its CPUs']],
      ['Disk I/O', 'blocks/s', ['io', 'swap']],
      ['IPv4', 'bit/s', ['public in', 'public out', 'private in', 'private out']],
      ['IPv6', 'bit/s', ['public in', 'public out', 'private in', 'private out']],
    ]);
    expect(groups[2]?.series.map(({ points }) => points[0]?.[1])).toEqual([10, 20, 30, 40]);
  });

  test('carry the alert thresholds, Mbit/s in bit/s, and none where an alert is off', () => {
    const [load, io, v4, v6] = statisticsOf(body, { cpu: 180, io: 5000, network_in: 10, network_out: 0 });
    expect(load?.series[0]?.threshold).toBe(180);
    expect(io?.series.map(({ threshold }) => threshold)).toEqual([undefined, undefined]);
    for (const group of [v4, v6])
      expect(group?.series.map(({ threshold }) => threshold)).toEqual([10_000_000, undefined, undefined, undefined]);
  });

  test('divide CPU and its alert among the CPUs of the server', () => {
    const [load] = statisticsOf({ cpu: [[1, 150]] }, { cpu: 180 }, 2);
    expect(load?.series[0]).toMatchObject({ points: [[1, 75]], threshold: 90 });
  });

  test.each([undefined, null, {}, { data: ['none'] }, { cpu: null, io: null, netv4: 7 }])(
    'of %j are empty',
    (empty) => {
      const groups = statisticsOf(empty);
      expect(groups).toHaveLength(4);
      expect(groups.flatMap(({ series }) => series.flatMap(({ points }) => points))).toEqual([]);
    },
  );
});
