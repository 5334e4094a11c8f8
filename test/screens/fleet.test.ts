import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { themeNamed } from '../../src/components/theme.ts';
import { dayBuckets, type LoadDay } from '../../src/resources/compute/load.ts';
import { resourceNamed } from '../../src/resources/index.ts';
import type { Row } from '../../src/resources/resource.ts';
import {
  cellReading,
  type FleetLine,
  fleetHead,
  fleetLayout,
  fleetLegend,
  fleetLine,
  fleetStatus,
} from '../../src/screens/fleet/fleetLines.ts';
import { divisorOf, fleetOrders, fullScaleOf, sortServers } from '../../src/screens/fleet/fleetRows.ts';
import { cellAt, endOfCell, stepMoment } from '../../src/screens/fleet/moments.ts';
import { knowing } from '../resources/known.ts';

const unicode = themeNamed('dark', 'unicode', true);
const ascii = themeNamed('mono', 'ascii', false);
const plain = stripVTControlCharacters;

/** A day whose load rises to `most`. */
function rising(most: number): LoadDay {
  const buckets = Float32Array.from({ length: dayBuckets }, (_, index) => (most * (index + 1)) / dayBuckets);
  return { buckets, last: most, mean: most / 2, max: most };
}

const line = (change: Partial<FleetLine> = {}): FleetLine => ({
  label: 'web-1',
  region: 'us-east',
  isCurrent: false,
  isMarked: false,
  day: rising(400),
  says: '',
  shift: 0,
  divisor: 4,
  ...change,
});

describe('a line of the heat map', () => {
  const widths = [60, 80, 100, 160, 200, 320];
  const labels = ['web-1', 'サーバー・データベース・東京', 'x'.repeat(200), '👩‍👩‍👧‍👦 family', '\u001b[31mred', ''];

  test.each(widths)('fits %i cells whatever the label is, in both alphabets', (width) => {
    for (const label of labels) {
      for (const theme of [unicode, ascii]) {
        const layout = fleetLayout(width, stringWidth(label), 10);
        for (const unit of ['%', 'bit/s']) {
          const pen = { theme, layout, fullScale: 100, unit };
          for (const one of [line({ label }), line({ label, day: undefined, says: 'no readings yet '.repeat(20) })]) {
            expect(stringWidth(fleetLine(pen, one))).toBeLessThanOrEqual(width);
          }
          expect(stringWidth(fleetLegend(pen, width))).toBeLessThanOrEqual(width);
        }
        expect(stringWidth(fleetHead(theme, layout, Date.UTC(2026, 4, 13, 12)))).toBeLessThanOrEqual(width);
      }
    }
  });

  test('gives each half hour its cell at 80, several at 160, and an hour one at 60', () => {
    expect([60, 80, 160, 240].map((width) => fleetLayout(width, 12, 10).heat)).toEqual([24, 48, 96, 144]);
    expect(fleetLayout(80, 12, 10).figures).toEqual(['last', 'max']);
    expect(fleetLayout(160, 12, 10)).toMatchObject({ region: 10, figures: ['last', 'mean', 'max'] });
  });

  test('shades a server for its processors, and says its figures so', () => {
    const pen = { theme: unicode, layout: fleetLayout(80, 10, 0), fullScale: 100, unit: '%' };
    expect(plain(fleetLine(pen, line({ isCurrent: true, isMarked: true })))).toBe(
      `❯✓ web-1      ${'··'}${'░'.repeat(7)}${'▒'.repeat(10)}${'▓'.repeat(14)}${'█'.repeat(15)}    100    100`,
    );
    expect(plain(fleetLine(pen, line({ divisor: 16 })))).not.toContain('▓');
  });

  test('is plain in ASCII', () => {
    const pen = { theme: ascii, layout: fleetLayout(80, 10, 0), fullScale: 100, unit: '%' };
    const lines = [fleetLine(pen, line({ isCurrent: true, isMarked: true })), fleetLegend(pen, 80)];
    expect(plain(lines.join('\n'))).toMatch(/^[\n\x20-\x7e]+$/);
  });

  test('stands at its own time where its day ended earlier', () => {
    const pen = { theme: ascii, layout: fleetLayout(80, 10, 0), fullScale: 100, unit: '%' };
    const at = 3 + 10 + 1;
    expect(plain(fleetLine(pen, line({ shift: 2 }))).slice(at, at + 48)).toHaveLength(48);
    expect(plain(fleetLine(pen, line({ shift: 2 }))).slice(at, at + 48)).toMatch(/@ {2}$/);
  });

  test('says why there is nothing to draw', () => {
    const pen = { theme: ascii, layout: fleetLayout(80, 10, 0), fullScale: 100, unit: '%' };
    expect(fleetLine(pen, line({ day: undefined, says: 'no readings yet' }))).toContain('web-1      no readings yet');
  });
});

test('the times stand above the cells that they belong to', () => {
  const layout = fleetLayout(80, 10, 0);
  const head = plain(fleetHead(ascii, layout, Date.UTC(2026, 4, 13, 12)));
  expect(head.indexOf('13 May') - 14).toBe(24);
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

test.each([8, 24])('in %i bits of colour a line is backgrounds, its cell of the time marked, and fits', (depth) => {
  for (const width of [60, 80, 120, 160, 200, 320]) {
    const theme = themeNamed('dark', 'unicode', true, depth);
    const layout = fleetLayout(width, 12, 10);
    const pen = { theme, layout, fullScale: 100, unit: '%', cell: 3 };
    const drawn = fleetLine(pen, line({ isCurrent: true }));
    expect(drawn).toContain(depth === 8 ? '\x1b[48;5;' : '\x1b[48;2;');
    expect(plain(drawn)).not.toMatch(/[░▒▓█]/);
    expect(plain(drawn).match(/┃/g)).toHaveLength(1);
    expect(stringWidth(plain(drawn))).toBe(width);
    expect(plain(fleetHead(theme, layout, Date.UTC(2026, 4, 13, 12), 3)).indexOf('▾')).toBe(plain(drawn).indexOf('┃'));
    expect(stringWidth(plain(fleetLegend(pen, width)))).toBeLessThanOrEqual(width);
    expect(plain(fleetLegend(pen, width))).toMatch(/% of its CPUs {2}\d+ (min|h) a cell, UTC$/);
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
    ' 38 of 42 known, the rest in 12 s   median 12.5 % …   p95 80 % …',
  );
  const at = { from: 0, to: 600_000, label: 'web-1', reading: 23 };
  expect(plain(fleetStatus(unicode, { ...progress, queued: 0 }, '%', 80, at))).toBe(
    ' 38 of 42 known   median 12.5 %   p95 80 %          00:00–00:10 UTC  web-1 23 %',
  );
  const all = { ...progress, loaded: 42, queued: 0 };
  const long = { ...at, label: 'database-replica-of-the-west' };
  expect([74, 60].map((width) => plain(fleetStatus(unicode, all, '%', width, at)))).toEqual([
    ' 42 of 42 known   median 12.5 %   p95 80 %    00:00–00:10 UTC  web-1 23 %',
    ' median 12.5 %   p95 80 %           00:00–00:10  web-1 23 %',
  ]);
  expect(plain(fleetStatus(unicode, all, '%', 60, long))).toBe(
    ' median 12.5 %       00:00–00:10  database-replica-of… 23 %',
  );
  const failed = { ...progress, queued: 0, failed: 2, failure: 'The API cannot be reached', spread: undefined };
  expect(plain(fleetStatus(unicode, failed, '%', 80))).toBe(
    ' 38 of 42 known   2 could not be read: The API cannot be reached',
  );
});

describe('the order of servers', () => {
  const servers = resourceNamed('servers');
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
  const labelsIn = (order: string, load: 'cpu' | 'io' = 'cpu') =>
    sortServers(rows, order, load, ({ id }) => days[Number(id)], servers, knowing()).map(({ label }) => label);

  test('is by what they do for their size, the unknown last, and by their names', () => {
    expect(fleetOrders.map((order) => [order, labelsIn(order).join('')])).toEqual([
      ['worst now', 'badc'],
      ['worst in 24 h', 'dbac'],
      ['mean', 'bdac'],
      ['label', 'abcd'],
      ['region', 'bdac'],
    ]);
    expect(labelsIn('worst now', 'io').join('')).toBe('abdc');
  });

  test('leaves a processor count alone that is none', () => {
    expect(rows.map((row) => divisorOf(row, 'cpu'))).toEqual([4, 1, 1, 1]);
    expect(divisorOf({ specs: { vcpus: 0 } }, 'cpu')).toBe(1);
  });

  test('has a full cell that no server is above', () => {
    const dayOf = ({ id }: Row) => days[Number(id)];
    expect([fullScaleOf(rows, 'cpu', dayOf), fullScaleOf(rows, 'io', dayOf), fullScaleOf([], 'io', dayOf)]).toEqual([
      100, 250, 1,
    ]);
  });
});
