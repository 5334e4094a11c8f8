import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatValue, statusRole } from '../../src/components/format.ts';
import type { CellFormat } from '../../src/text/cellFormat.ts';

const now = Date.UTC(2026, 4, 13, 12, 0, 0);
const written = (value: unknown, as: CellFormat) => formatValue(value, as, { now, glyphs: 'unicode' }).text;

const formats: readonly CellFormat[] = [
  ...(['text', 'status', 'number', 'bytes', 'megabytes', 'gigabytes', 'money', 'percent'] as const),
  ...(['date', 'age', 'duration', 'boolean', 'tags', 'list', 'id', 'dim', 'any'] as const),
];

describe('a value', () => {
  test.each<[unknown, CellFormat, string]>([
    [987, 'any', '987'],
    [['a', 'b'], 'any', 'a, b'],
    [false, 'any', 'no'],
    ['2026-05-13T11:00:00', 'any', '2026-05-13 11:00'],
    ['192.0.2.1', 'any', '192.0.2.1'],
    ['running', 'status', '● running'],
    ['resizing 68%', 'status', '◐ resizing 68%'],
    ['shutting_down', 'status', '◐ shutting down'],
    ['needsPostProcessing', 'status', '◐ needs post processing'],
    ['offline', 'status', '○ offline'],
    ['failed', 'status', '✗ failed'],
    ['DOWN', 'status', '✗ down'],
    ['stopped', 'status', '! stopped'],
    ['on_fire', 'status', '? on_fire'],
    [9999, 'number', '9 999'],
    [8080, 'any', '8080'],
    [8080, 'id', '8080'],
    [3902.26, 'money', '$3 902.26'],
    [10412, 'number', '10 412'],
    ['12345.678', 'number', '12 345.68'],
    [0, 'bytes', '0 B'],
    [1536, 'bytes', '1.5 KiB'],
    [1024 ** 2 - 1, 'bytes', '1 MiB'],
    [4096, 'megabytes', '4 GiB'],
    [0.5, 'gigabytes', '512 MiB'],
    [80, 'gigabytes', '80 GiB'],
    [-5, 'money', '-$5.00'],
    ['12345.6', 'money', '$12 345.60'],
    [7.34, 'percent', '7.3%'],
    [42.4, 'percent', '42.4%'],
    [9.04, 'percent', '9.0%'],
    [9, 'percent', '9%'],
    [6, 'load', '6.0%'],
    [0, 'load', '0%'],
    [100, 'load', '100%'],
    [9.96, 'load', '10.0%'],
    [180, 'limit % of one CPU', '180% of one CPU'],
    [10_000, 'limit operations/s', '10 000 operations/s'],
    [0, 'limit Mbit/s', 'off'],
    ['soon', 'limit Mbit/s', 'soon'],
    [null, 'limit Mbit/s', '–'],
    [2274.4, 'load', '2 274%'],
    ['2018-01-01T00:01:01', 'date', '2018-01-01 00:01'],
    ['2018-01-01T00:01:01+02:00', 'date', '2017-12-31 22:01'],
    ['2018-01-01', 'date', '2018-01-01'],
    ['2026-05-13T11:59:57', 'age', '3 s'],
    ['2026-05-13T15:00:00', 'age', 'in 3 h'],
    ['2026-05-13T15:00:00', 'expiry', 'in 3 h'],
    ['2021-05-13T15:00:00', 'expiry', '4 y ago'],
    [200, 'duration', '3 min 20 s'],
    [-279_183_600, 'duration', '–'],
    [true, 'boolean', 'yes'],
    [false, 'boolean', 'no'],
    [['web', 'prod'], 'tags', 'web prod'],
    [['a', 'b'], 'list', 'a, b'],
    [12345, 'id', '12345'],
    [null, 'text', '–'],
    ['', 'text', '–'],
    [[], 'tags', '–'],
    [Number.NaN, 'bytes', '–'],
    ['plenty', 'bytes', 'plenty'],
    ['yesterday', 'date', 'yesterday'],
    ['2026-99-99T00:00:00', 'age', '2026-99-99T00:00:00'],
    [{ a: 1 }, 'text', '{"a":1}'],
    ['\u001b[31mred', 'dim', 'red'],
  ])('%j as %s reads %j', (value, as, wanted) => {
    expect(written(value, as)).toBe(wanted);
  });

  test('of any kind is written in any way without a control character', () => {
    fc.assert(
      fc.property(
        fc.anything({ withDate: true, withNullPrototype: true }),
        fc.constantFrom(...formats),
        (value, as) => {
          const { text } = formatValue(value, as, { now, glyphs: 'unicode', percent: 5 });
          expect(text).toBeTypeOf('string');
          expect(text).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
        },
      ),
    );
  });

  test('that is nested beyond reason is survived', () => {
    let deep: unknown = [];
    for (let level = 0; level < 20_000; level += 1) deep = [deep];
    for (const as of formats) expect(written(deep, as)).toBeTypeOf('string');
  });

  test('that is busy shows how far it is; one that is not does not', () => {
    const context = { now, glyphs: 'ascii', percent: 41.6 } as const;
    expect(formatValue('rebuilding', 'status', context)).toEqual({ text: '~ rebuilding 42%', role: 'busy' });
    expect(formatValue('running', 'status', context)).toEqual({ text: '* running', role: 'good' });
    expect(formatValue('rebuilding', 'status', { ...context, percent: null }).text).toBe('~ rebuilding');
  });

  test('has its colour and its side', () => {
    expect(formatValue(3, 'number', { now, glyphs: 'ascii' })).toEqual({ text: '3', align: 'right' });
    expect(formatValue(null, 'age', { now, glyphs: 'ascii' })).toEqual({ text: '-', role: 'dim' });
    expect(statusRole('problem')).toBe('bad');
    expect(statusRole('never heard of')).toBe('plain');
  });
});
