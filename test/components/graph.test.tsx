import { stripVTControlCharacters } from 'node:util';
import { render } from 'ink-testing-library';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import type { GraphPoint, GraphSeries } from '../../src/components/graphData.ts';
import type { GraphSpec } from '../../src/components/graphLayout.ts';
import { plotGraph } from '../../src/components/graphPlot.ts';
import { textOfSpans } from '../../src/components/spans.ts';
import { ThemeContext, themeNamed } from '../../src/components/theme.ts';
import { Graph } from '../../src/screens/graphs/GraphBoard.tsx';

const now = Date.UTC(2026, 4, 13, 12, 0);
const minutes = 60_000;

/** A day of points five minutes apart, the last one now. */
const day = (value: (index: number) => number): GraphPoint[] =>
  Array.from({ length: 289 }, (_, index): GraphPoint => [now - (288 - index) * 5 * minutes, value(index)]);

const wave = day((index) => 50 + 40 * Math.sin(index / 30));
const base: GraphSpec = {
  title: 'CPU',
  series: [{ name: 'web-1', points: wave }],
  unit: '%',
  width: 100,
  height: 20,
  now,
};

const drawn = (spec: Partial<GraphSpec>, glyphs: 'unicode' | 'ascii' = 'unicode') =>
  plotGraph({ ...base, ...spec }, glyphs).map(textOfSpans);

const dotted = /[\u2801-\u28ff]/;

describe('a graph', () => {
  test('has a title, value labels, times and a legend', () => {
    const lines = drawn({});
    expect(lines).toHaveLength(20);
    expect(lines[0]).toBe('CPU  %  mean and range');
    expect(lines[1]).toMatch(/^100% ┤/);
    expect(lines[15]).toMatch(/^ {2}0% ┤/);
    expect(lines[16]).toMatch(/^ {5}└┬─+┬/);
    expect(lines[17]?.trim().split(/ {2,}/)).toEqual([
      'UTC',
      '12:00',
      '15:00',
      '18:00',
      '21:00',
      '13 May',
      '03:00',
      '06:00',
      '09:00',
      '12:00',
    ]);
    expect(lines[18]?.trim().split(/ {2,}/)).toEqual(['LAST', 'MIN', 'AVG', 'P95', 'MAX']);
    expect(lines[19]?.trim().split(/ {2,}/)).toEqual(['● web-1', '43.0%', '10.0%', '58.2%', '89.7%', '90.0%']);
  });

  test('leaves a long unit to its heading rather than leave out a figure', () => {
    const lines = drawn({ unit: 'connections/s', width: 78, height: 9 });
    const headings = lines.findIndex((line) => line.includes('LAST'));
    expect(lines[headings]?.trim().split(/ {2,}/)).toEqual(['LAST', 'MIN', 'AVG', 'P95', 'MAX']);
    expect(lines[headings + 1]).toMatch(/43\.0 \/s/);
    expect(lines[0]).toContain('connections/s');
    expect(drawn({ unit: 'connections/s', width: 120 }).at(-1)).toContain('43.0 connections/s');
    expect(drawn({ unit: 'bit/s', width: 40 }).at(-1)).toContain('43.0 bit/s');
  });

  test('rises and falls with its values', () => {
    const lines = drawn({ series: [{ name: 'ramp', points: day((index) => (index * 100) / 288) }] });
    const tops = lines.slice(1, 16).map((line) => line.search(dotted));
    expect(tops.every((column) => column > 0)).toBe(true);
    expect(tops.toSorted((one, other) => other - one)).toEqual(tops);
  });

  test('keeps a single peak of a month of values', () => {
    const points = Array.from(
      { length: 8929 },
      (_, index): GraphPoint => [now - (8928 - index) * 5 * minutes, index === 4000 ? 97 : 2],
    );
    const top = drawn({ series: [{ name: 'web-1', points }] })[1] ?? '';
    // The band of its day.
    expect(top.match(/[\u2801-\u28ff]/g)).toHaveLength(4);
    expect(top.trim()).toMatch(/┤┈*[\u2801-\u28ff]{4}┈*$/);
  });

  test('breaks its line where points are missing', () => {
    const without = (points: GraphPoint[]) => points.filter((_, index) => index < 100 || index > 180);
    const empty = day((index) => (index < 100 || index > 180 ? 50 : Number.NaN));
    for (const points of [without(wave), empty]) {
      const lines = drawn({ series: [{ name: 'web-1', points }] });
      const middle = lines.slice(1, 16).map((line) => line.slice(45, 60));
      expect(middle.join('')).not.toMatch(dotted);
      expect(lines.slice(1, 16).join('')).toMatch(dotted);
    }
  });

  test('shows the alert as a line with its value, or at the edge where it is far', () => {
    const lines = drawn({ threshold: 90 });
    expect(lines.find((line) => line.includes('alert'))).toMatch(/^ 90% ┤.*╌╌ alert ╌/);
    expect(drawn({ threshold: 1000 })[0]).toMatch(/▲ alert 1 000%$/);
  });

  test('scales to the data, and to what other graphs need', () => {
    const series = [{ name: 'web-1', points: day(() => 20) }];
    expect(drawn({ series, threshold: 90 })[1]).toMatch(/^20% ┤/);
    expect(drawn({ series, threshold: 25 })[1]).toMatch(/^25% ┤.*╌ alert ╌/);
    expect(drawn({ series, top: 180 })[1]).toMatch(/^200% ┤/);
  });

  test('of days is their mean, and the band reaches from the least to the largest', () => {
    const month = Array.from(
      { length: 372 },
      (_, hour): GraphPoint => [Date.UTC(2026, 3, 1, 1 + hour * 2), hour % 12 < 6 ? 10 : 50],
    );
    const lines = drawn({
      series: [{ name: 'web-1', points: month }],
      from: Date.UTC(2026, 3, 1),
      now: Date.UTC(2026, 4, 1),
    });
    expect(lines[0]).toBe('CPU  %  daily mean and range');
    const roles = (value: RegExp) =>
      plotGraph(
        { ...base, series: [{ name: 'web-1', points: month }], from: Date.UTC(2026, 3, 1), now: Date.UTC(2026, 4, 1) },
        'unicode',
      )
        .filter((spans) => value.test(spans[0]?.text ?? ''))
        .flatMap((spans) => spans.map(({ role }) => role));
    expect(roles(/^50%/)).not.toContain('series1');
    expect(roles(/^30%/)).toContain('series1');
  });

  test('has the letters of events on its axis, and few figures where there is no table', () => {
    const marks = [{ at: now - 6 * 60 * minutes, letter: 'R', role: 'bad' as const }];
    const lines = drawn({ marks, brief: true, crosshair: now });
    expect(lines.at(-2)).toMatch(/^ {5}└[─┬]+R[─┬]+$/);
    expect(lines[0]).toMatch(/^CPU {2}% {2}at 43.0% {2}last 43.0% {2}max 90.0% {2}avg [\d.]+% {2}p95 89.7%$/);
    expect(drawn({ marks, brief: true, width: 32 })[0]).toBe('CPU  %  last 43.0%  max 90.0%');
  });

  test('reads every series at the crosshair', () => {
    const series: GraphSeries[] = [
      { name: 'in', points: day((index) => index * 1000) },
      { name: 'out', points: day(() => 500_000).slice(0, 100) },
    ];
    const lines = drawn({ series, unit: 'bit/s', crosshair: now - 60 * minutes });
    expect(lines.some((line) => line.includes(' 11:00 '))).toBe(true);
    expect(lines.at(-3)).toMatch(/AT 11:00 +LAST/);
    expect(lines.at(-2)).toMatch(/● in +276 kbit\/s +288 kbit\/s/);
    expect(lines.at(-1)).toMatch(/■ out +– +500 kbit\/s/);
    const column = lines[5]?.indexOf('│', 8) ?? -1;
    expect(column).toBeGreaterThan(90);
    expect(lines[2]?.[column]).toBe('│');
  });

  test('has no time on its axis that the time of the crosshair covers in part', () => {
    for (let back = 0; back < 24 * 60; back += 20) {
      const line = drawn({ crosshair: now - back * minutes }).find((one) => /^ +UTC/.test(one)) ?? '';
      expect(line).toMatch(/^ +UTC( +(\d\d:\d\d|\d+ [A-Z][a-z]{2}))+ *$/);
    }
  });

  test('marks several series on their lines and in the legend', () => {
    const series = [20, 40, 60].map((level) => ({ name: `at ${level}`, points: day(() => level) }));
    const lines = drawn({ series });
    for (const mark of ['●', '■', '▲']) {
      expect(lines.slice(1, 14).filter((line) => line.includes(mark))).toHaveLength(1);
      expect(lines.slice(-3).filter((line) => line.includes(mark))).toHaveLength(1);
    }
    const roles = plotGraph({ ...base, series }, 'unicode').flat();
    expect(new Set(roles.map(({ role }) => role))).toEqual(
      new Set(['title', 'dim', undefined, 'series1', 'series2', 'series3', 'warn']),
    );
  });

  test.each(['unicode', 'ascii'] as const)('is drawn in %s', (glyphs) => {
    const text = drawn({ threshold: 70, crosshair: now - 300 * minutes }, glyphs).join('');
    expect(text).toMatch({ unicode: dotted, ascii: /\*/ }[glyphs]);
    if (glyphs === 'ascii') expect(text).toMatch(/^[\x20-\x7e]*$/);
  });

  test('says when there is no data yet', () => {
    const lines = drawn({ series: [{ name: 'web-1', points: [] }] });
    expect(lines).toHaveLength(20);
    expect(lines.join('')).toContain('no data yet');
  });

  test('keeps its size whatever it is given', () => {
    const nasty: GraphSeries[] = [
      {
        name: '日本\u001b[31m語',
        points: [
          [now, 5],
          [now - 300_000, Number.NaN],
          [1e300, 1],
          [now - 600_000, -3],
        ],
      },
      {
        name: 'x'.repeat(500),
        points: [
          [now - 60_000, 1e300],
          [now - 120_000, Number.POSITIVE_INFINITY],
        ],
      },
      { name: 'one', points: [[now, 0]] },
      {
        name: 'broken',
        points: [
          [now, '7' as unknown as number],
          [Number.NaN, 7],
        ],
      },
      ...Array.from({ length: 12 }, (_, index) => ({ name: `more ${index}`, points: wave })),
    ];
    for (const width of [1, 12, 20, 37, 60, 160]) {
      for (const height of [1, 2, 3, 5, 6, 9, 24]) {
        for (const series of [nasty, nasty.slice(0, 1), nasty.slice(2, 4), []]) {
          const lines = drawn({ series, width, height, threshold: 3, crosshair: now - 60_000, title: '題'.repeat(30) });
          expect(lines).toHaveLength(height);
          for (const line of lines) {
            expect(stringWidth(line)).toBeLessThanOrEqual(width);
            expect(line).not.toMatch(/[\x00-\x1f]/);
          }
        }
      }
    }
  });

  test('counts the series for which the legend has no room', () => {
    const series = Array.from({ length: 12 }, (_, index) => ({ name: `web-${index}`, points: wave }));
    expect(drawn({ series }).at(-1)).toMatch(/^ {3}and \d+ more/);
  });
});

describe('the component', () => {
  test('paints one line a row with the colours of the theme', () => {
    const theme = themeNamed('dark', 'unicode', true);
    const { lastFrame, unmount } = render(
      <ThemeContext value={theme}>
        <Graph {...base} />
      </ThemeContext>,
    );
    const frame = lastFrame() ?? '';
    expect(
      stripVTControlCharacters(frame)
        .split('\n')
        .map((line) => line.trimEnd()),
    ).toEqual(drawn({}).map((line) => line.trimEnd()));
    expect(frame).toContain(theme.paint('series1', ' ● '));
    unmount();
  });

  test('draws in ASCII where the theme asks for it', () => {
    const { lastFrame, unmount } = render(
      <ThemeContext value={themeNamed('mono', 'ascii', false)}>
        <Graph {...base} />
      </ThemeContext>,
    );
    expect(stripVTControlCharacters(lastFrame() ?? '')).toMatch(/^[\x20-\x7e\n]*$/);
    unmount();
  });
});
