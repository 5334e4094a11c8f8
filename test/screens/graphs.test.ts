import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { themeNamed } from '../../src/components/theme.ts';
import { alertThreshold, type Series, statisticsOf } from '../../src/resources/compute/statistics.ts';
import { balancerStatisticsOf } from '../../src/resources/networking/nodebalancers.ts';
import { summaryLines } from '../../src/screens/graphs/GraphBoard.tsx';
import { crosshairStride, readingTimes, stepCrosshair } from '../../src/screens/graphs/useGraphBoard.ts';

describe('the crosshair', () => {
  const times = [10, 20, 30, 40];

  test.each([
    [undefined, -1, 40],
    [undefined, 1, 10],
    [40, -1, 30],
    [10, -1, 10],
    [40, 3, 40],
    [20, 2, 40],
    [24, 1, 40],
    [99, -1, 30],
  ])('at %s moved by %i stands at %i', (at, by, to) => expect(stepCrosshair(times, at, by)).toBe(to));

  test('moves among the readings of all series that are in sight', () => {
    const series: readonly Series[] = [
      {
        name: 'in',
        points: [
          [30, 1],
          [10, 1],
        ],
      },
      {
        name: 'out',
        points: [
          [20, 2],
          [30, 2],
          [50, 2],
        ],
      },
    ];
    expect(readingTimes(series, 10, 40)).toEqual([10, 20, 30]);
  });

  test('goes about a cell at a time', () => {
    expect(crosshairStride(288, 70)).toBe(4);
    expect(crosshairStride(20, 70)).toBe(1);
  });
});

describe('the strip of graphs', () => {
  const body = {
    data: {
      cpu: [
        [1, 5],
        [2, 42],
      ],
      netv4: { in: [[1, 1000]], out: [[1, 2_500_000]] },
    },
  };
  const connections = {
    data: {
      connections: [
        [1, 84],
        [2, 102],
      ],
    },
  };
  const groups = statisticsOf(body, { cpu: 90, network_in: 10, network_out: 5 });

  test('says of each what it is now, and marks the one in focus', () => {
    const lines = summaryLines(themeNamed('dark', 'unicode', true), groups, 2, 80).map((line) =>
      stripVTControlCharacters(line),
    );
    expect(lines[0]).toMatch(/^ {2}CPU .*[▁▂]█ +of its CPUs 42%$/);
    expect(lines[1]).toMatch(/^ {2}Disk I\/O +no data yet$/);
    expect(lines[2]).toMatch(/^❯ IPv4 .*public out 2\.50 Mbit\/s$/);
    for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(80);
    const [line = ''] = summaryLines(themeNamed('mono', 'unicode', false), balancerStatisticsOf(connections), 0, 80);
    expect(stripVTControlCharacters(line)).toMatch(/█ +102 connections\/s$/);
  });

  test('the lowest threshold of a group is its alert', () => {
    expect(groups.map(alertThreshold)).toEqual([90, undefined, 5e6, 5e6]);
  });
});
