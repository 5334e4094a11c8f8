import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { themeNamed } from '../../src/components/theme.ts';
import { dayBuckets } from '../../src/resources/compute/load.ts';
import type { Day, Load, LoadDay, Row } from '../../src/resources/resource.ts';
import {
  cellAt,
  cellReading,
  cellUnder,
  dayWidth,
  divisorOf,
  endOfCell,
  fleetDrawing,
  fleetResource,
  fullScaleOf,
  type HeatMap,
  stepMoment,
} from '../../src/screens/fleet/fleetColumns.ts';
import { fleetLegend, fleetStatus } from '../../src/screens/fleet/fleetLines.ts';
import { createListRows } from '../../src/screens/list/listRows.ts';
import { createRowTable } from '../../src/screens/list/rowTable.ts';
import { shownColumns, withChosen } from '../../src/store/views/columns.ts';
import { knowing } from '../resources/known.ts';

const unicode = themeNamed('dark', 'unicode', true);
const ascii = themeNamed('mono', 'ascii', false);
const plain = stripVTControlCharacters;
const until = Date.UTC(2026, 4, 13, 12);

/** A day whose load rises to `most`. */
function rising(most: number): LoadDay {
  const buckets = Float32Array.from({ length: dayBuckets }, (_, index) => (most * (index + 1)) / dayBuckets);
  return { buckets, last: most, mean: most / 2, max: most };
}

const ofAll = (load: LoadDay): Day => ({ until, cpu: load, networkIn: load, networkOut: load, io: load });

interface Drawn {
  row?: Row;
  /** The day of the server; null where it has none. */
  day?: Day | null;
  width?: number;
  map?: Partial<HeatMap>;
  isCurrent?: boolean;
  isMarked?: boolean;
  pending?: string;
  why?: string;
}

/** A server in the table of the fleet. */
function drawn({ row, day = ofAll(rising(400)), width = 80, map, why = 'no readings yet', ...state }: Drawn = {}) {
  const server = { id: 1, label: 'web-1', region: 'us-east', specs: { vcpus: 4 }, ...row };
  const heatMap: HeatMap = { theme: unicode, load: 'cpu', fullScale: 100, until, now: () => until, ...map };
  const fleet = { dayOf: () => day ?? undefined };
  const resource = fleetResource(heatMap.load, fleet);
  const context = { resource, columns: resource.columns, theme: heatMap.theme, cacheView: knowing() };
  const drawing = fleetDrawing(heatMap, fleet, () => why);
  const table = createRowTable(context)([server], width, { drawing });
  const legend = fleetLegend(heatMap, dayWidth(table.placed), width);
  return { table, line: table.line(server, state), head: table.head, legend };
}

const titlesOf = ({ placed }: ReturnType<ReturnType<typeof createRowTable>>) =>
  placed.map(({ column }) => column.title);

describe('a line of the heat map', () => {
  const widths = [60, 80, 100, 160, 200, 320];
  const labels = ['web-1', 'サーバー・データベース・東京', 'x'.repeat(200), '👩‍👩‍👧‍👦 family', '\u001b[31mred', ''];

  test.each(widths)('fits %i cells whatever the label is, in both alphabets', (width) => {
    for (const label of labels) {
      for (const theme of [unicode, ascii]) {
        for (const load of ['cpu', 'networkIn'] as const) {
          const options = { row: { label }, width, map: { theme, load } };
          for (const one of [drawn(options), drawn({ ...options, day: null, why: 'no readings yet '.repeat(20) })]) {
            expect(stringWidth(one.line)).toBeLessThanOrEqual(width);
            expect(stringWidth(one.legend)).toBeLessThanOrEqual(width);
            expect(stringWidth(one.head)).toBeLessThanOrEqual(width);
          }
        }
      }
    }
  });

  test('gives each half hour its cell at 80, several at 160, and an hour one at 60', () => {
    const row = { label: 'x'.repeat(12), region: 'r'.repeat(10) };
    const at = (width: number) => drawn({ row, width }).table;
    expect([60, 80, 160, 240].map((width) => dayWidth(at(width).placed))).toEqual([24, 48, 96, 144]);
    expect(titlesOf(at(80))).toEqual(['Label', 'Day', 'Last', 'Max']);
    expect(titlesOf(at(160))).toEqual(['Label', 'Region', 'Day', 'Last', 'Mean', 'Max']);
  });

  test('has further columns of servers where there is room, and all that the user chooses', () => {
    expect(titlesOf(drawn({ width: 260 }).table)).toContain('Status');
    const fleet = fleetResource('cpu', { dayOf: () => ofAll(rising(400)) });
    const chosen = withChosen(fleet, fleet.columns, [{ value: 'day', title: 'Load' }, { value: 'ipv4' }]);
    expect(shownColumns(chosen.columns).map(({ title, name }) => [title, name])).toEqual([
      ['Load', 'day'],
      ['IPv4', undefined],
    ]);
  });

  test('shades a server for its processors, and says its figures so', () => {
    const { line } = drawn({ row: { label: 'web-1-abcd' }, isCurrent: true, isMarked: true });
    expect(plain(line)).toBe(
      `❯✓ web-1-abcd  ${'··'}${'░'.repeat(7)}${'▒'.repeat(10)}${'▓'.repeat(14)}${'█'.repeat(15)}    100    100`,
    );
    expect(plain(drawn({ row: { specs: { vcpus: 16 } } }).line)).not.toContain('▓');
  });

  test('is plain in ASCII', () => {
    const { line, legend } = drawn({ map: { theme: ascii }, isCurrent: true, isMarked: true });
    expect(plain([line, legend].join('\n'))).toMatch(/^[\n\x20-\x7e]+$/);
  });

  test('stands at its own time where its day ended earlier', () => {
    const day = { ...ofAll(rising(400)), until: until - 3_600_000 };
    const { line, table } = drawn({ day, map: { theme: ascii } });
    const cells = plain(line).slice(3 + 5 + 2, 3 + 5 + 2 + dayWidth(table.placed));
    expect(cells).toHaveLength(48);
    expect(cells).toMatch(/@ {2}$/);
  });

  test('says why there is nothing to draw', () => {
    expect(drawn({ day: null, map: { theme: ascii } }).line).toContain('web-1  no readings yet');
  });

  test('shows a change under way in the place of its day', () => {
    const { line } = drawn({ pending: '◐ rebooting' });
    expect(plain(line)).toMatch(/^ {3}web-1 {2}◐ rebooting +$/);
    expect(stringWidth(line)).toBe(stringWidth(drawn().line));
  });
});

test('the times stand above the cells that they belong to', () => {
  const head = plain(drawn({ row: { label: 'x'.repeat(10) }, map: { theme: ascii } }).head);
  expect(head.indexOf('13 May') - 15).toBe(24);
  expect(head).toMatch(/^ {3}LABEL .*LAST +MAX$/);
});

test('a cell is the mean of what was read in it, in cells of five minutes and more', () => {
  const fine = Float32Array.from({ length: 288 }, (_, index) => index);
  const day = { ...rising(480), fine };
  expect([cellReading(day, 0, 288, 0), cellReading(day, 1, 144, 0), cellReading(day, 0, 96, 0)]).toEqual([0, 2.5, 1]);
  // The day ended half an hour before that of the map.
  expect([cellReading(day, 0, 288, 1), cellReading(day, 287, 288, 1)]).toEqual([6, Number.NaN]);
  expect([cellReading(day, 47, 48, 0), cellReading(day, 0, 24, 0)]).toEqual([480, 20]);
  expect(cellReading(rising(480), 143, 144, 0)).toBe(480);
});

test('a cell of the day is found under the mouse, however wide the day is', () => {
  expect([cellUnder(0, 48), cellUnder(47, 48), cellUnder(23, 24), cellUnder(575, 576)]).toEqual([0, 47, 23, 287]);
  // A day that the user has made wider has blanks behind its cells.
  expect(cellUnder(59, 60)).toBe(47);
});

test.each([8, 24])('in %i bits of colour a line is backgrounds, its cell of the time marked, and fits', (depth) => {
  for (const width of [60, 80, 120, 160, 200, 320]) {
    const theme = themeNamed('dark', 'unicode', true, depth);
    const moment = until - 20 * 3_600_000;
    const { line, head, legend } = drawn({ width, map: { theme, moment }, isCurrent: true });
    expect(line).toContain(depth === 8 ? '\x1b[48;5;' : '\x1b[48;2;');
    expect(plain(line)).not.toMatch(/[░▒▓█]/);
    expect(plain(line).match(/┃/g)).toHaveLength(1);
    expect(stringWidth(plain(line))).toBe(width);
    expect(plain(head).indexOf('▾')).toBe(plain(line).indexOf('┃'));
    expect(stringWidth(plain(legend))).toBeLessThanOrEqual(width);
    expect(plain(legend)).toMatch(/% of its CPUs {2}\d+ (min|h) a cell, UTC$/);
  }
});

test('the time that is looked at goes by cells, and stays where cells get wider', () => {
  const until = Date.UTC(2026, 4, 13, 12);
  const [ten, half] = [10, 30].map((minutes) => ({ until, cellMs: minutes * 60_000, now: until }));
  if (!ten || !half) throw new Error('no scales');
  const last = stepMoment(undefined, -1, ten);
  expect([last, stepMoment(undefined, 1, ten)]).toEqual([until, until - 24 * 3_600_000 + 600_000]);
  expect([stepMoment(last, 1, ten), stepMoment(last, -1, ten)]).toEqual([until, until - 600_000]);
  expect([cellAt(until - 600_000, ten), cellAt(until - 600_000, half), cellAt(0, half)]).toEqual([142, 47, 0]);
  expect(endOfCell(142, ten)).toBe(until - 600_000);
});

test('the time that is looked at is never one to come, unless the clock of the API is ahead', () => {
  const until = Date.UTC(2026, 4, 13, 12);
  const scale = { until, cellMs: 600_000, now: until - 7 * 60_000 };
  const newest = stepMoment(undefined, -1, scale);
  expect(newest).toBe(until - 600_000);
  expect([stepMoment(newest, 1, scale), endOfCell(Number(cellAt(until, scale)), scale)]).toEqual([newest, newest]);
  expect(stepMoment(undefined, -1, { ...scale, now: until - 31 * 60_000 })).toBe(until);
});

test('it is said how much is known, what the rest takes, and what could not be read', () => {
  const spread = { median: 12.5, p95: 80, known: 38, of: 42 };
  const progress = { loaded: 38, total: 42, queued: 4, waitMs: 12_000, failed: 0, failure: '', spread };
  expect(plain(fleetStatus(unicode, progress, '%', 80))).toBe(
    ' 38 of 42 known, the rest in 12 s   median 12.5% …   p95 80% …',
  );
  const at = { from: 0, to: 600_000, label: 'web-1', reading: 23 };
  expect(plain(fleetStatus(unicode, { ...progress, queued: 0 }, '%', 80, at))).toBe(
    ' 38 of 42 known   median 12.5%   p95 80%             00:00–00:10 UTC  web-1 23%',
  );
  const all = { ...progress, loaded: 42, queued: 0 };
  const long = { ...at, label: 'database-replica-of-the-west' };
  expect([74, 60].map((width) => plain(fleetStatus(unicode, all, '%', width, at)))).toEqual([
    ' 42 of 42 known   median 12.5%   p95 80%       00:00–00:10 UTC  web-1 23%',
    ' median 12.5%   p95 80%              00:00–00:10  web-1 23%',
  ]);
  expect(plain(fleetStatus(unicode, all, '%', 60, long))).toBe(
    ' median 12.5%         00:00–00:10  database-replica-of… 23%',
  );
  const failed = { ...progress, queued: 0, failed: 2, failure: 'The API cannot be reached', spread: undefined };
  expect(plain(fleetStatus(unicode, failed, '%', 80))).toBe(
    ' 38 of 42 known   2 could not be read: The API cannot be reached',
  );
});

describe('the order of servers', () => {
  const rows: readonly Row[] = [
    { id: 1, label: 'a', region: 'us', specs: { vcpus: 4 } },
    { id: 2, label: 'b', region: 'eu', specs: { vcpus: 1 } },
    { id: 3, label: 'c', region: 'us' },
    { id: 4, label: 'd', region: 'eu', specs: { vcpus: 'many' } },
  ];
  const days: Readonly<Record<number, LoadDay>> = {
    1: { buckets: new Float32Array(), last: 200, mean: 20, max: 210 },
    2: { buckets: new Float32Array(), last: 90, mean: 10, max: 95 },
    4: { buckets: new Float32Array(), last: 10, mean: 8, max: 99 },
  };
  const fleet = { dayOf: (id: string) => (days[Number(id)] ? ofAll(days[Number(id)] as LoadDay) : undefined) };
  const labelsIn = (sort: string, load: Load = 'cpu') =>
    createListRows()(fleetResource(load, fleet), rows.toReversed(), { filter: '', sort }, knowing())
      .rows.map(({ label }) => label)
      .join('');

  test('is by what they do for their size, the unknown last, and by their names', () => {
    const orders = ['-Last', '-Max', '-Mean', 'Label', 'Region'];
    expect(orders.map((order) => [order, labelsIn(order)])).toEqual([
      ['-Last', 'badc'],
      ['-Max', 'dbac'],
      ['-Mean', 'bdac'],
      ['Label', 'abcd'],
      ['Region', 'dbca'],
    ]);
    expect(labelsIn('-Last', 'io')).toBe('abdc');
  });

  test('leaves a processor count alone that is none', () => {
    expect(rows.map((row) => divisorOf(row, 'cpu'))).toEqual([4, 1, 1, 1]);
    expect(divisorOf({ specs: { vcpus: 0 } }, 'cpu')).toBe(1);
  });

  test('has a full cell that no server is above', () => {
    const all = Object.values(days).map(ofAll);
    expect([fullScaleOf(all, 'cpu'), fullScaleOf(all, 'io'), fullScaleOf([], 'io')]).toEqual([100, 250, 1]);
  });
});
