import { describe, expect, test } from 'vitest';
import { heatCells, heatColumns, heatLegend, heatRole } from '../../src/components/heat.ts';

const text = (values: readonly number[], columns: number, glyphs: 'unicode' | 'ascii' = 'unicode') =>
  heatCells(values, columns, glyphs)
    .map((span) => span.text)
    .join('');

test.each([
  [200, 192],
  [96, 96],
  [95, 48],
  [48, 48],
  [47, 24],
  [23, 16],
  [12, 12],
  [6, 6],
  [5, 0],
  [-3, 0],
])('48 values within %i cells take %i', (width, columns) => expect(heatColumns(48, width)).toBe(columns));

describe('the cells of a heat map', () => {
  test('are told apart by shade and by colour', () => {
    const shares = [0, 0.05, 0.2, 0.4, 0.7, 3];
    expect(text(shares, 6)).toBe('·░▒▓██');
    expect(text(shares, 6, 'ascii')).toBe('.:+#@@');
    expect(heatCells(shares, 6, 'unicode').map(({ role }) => role)).toEqual(['dim', 'good', 'warn', 'bad']);
  });

  test('stay blank where nothing is known, and never fall below the first shade', () => {
    expect(text([Number.NaN, 0.5, Number.NaN, -1], 4)).toBe(' ▓ ·');
  });

  test('show the largest of several values, or one value several times', () => {
    expect(text([0, 0.9, 0.1, Number.NaN], 2)).toBe('█░');
    expect(text([0.9, 0.1], 6)).toBe('███░░░');
  });
});

test('the legend names the share from which each shade is drawn', () => {
  const words = heatLegend('ascii', (share) => `${share * 100}`).map((span) => span.text);
  expect(words.join('')).toBe('. 0  : 5  + 20  # 40  @ 70  ');
});

test('only what is worth a look has a colour as a figure', () => {
  expect([0.1, 0.3, 0.4, 0.7].map(heatRole)).toEqual([undefined, undefined, 'warn', 'bad']);
});
