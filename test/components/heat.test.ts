import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { colorOf } from '../../scripts/svg.ts';
import { heatColumns, heatLegend, heatLine, heatRole, rampOf, rampStep } from '../../src/components/heat.ts';
import { themeNamed } from '../../src/components/theme.ts';

const in16 = themeNamed('dark', 'unicode', true);
const ascii = themeNamed('mono', 'ascii', false);
const in256 = themeNamed('dark', 'unicode', true, 8);
const inAll = themeNamed('dark', 'unicode', true, 24);
const plain = stripVTControlCharacters;

test.each([
  [600, 576],
  [300, 288],
  [200, 144],
  [143, 96],
  [95, 72],
  [71, 48],
  [47, 24],
  [23, 16],
  [12, 12],
  [6, 6],
  [5, 0],
  [-3, 0],
])('288 values within %i cells take %i', (width, columns) => expect(heatColumns(288, width)).toBe(columns));

describe('a line of a heat map', () => {
  const shares = [0, 0.05, 0.2, 0.4, 0.7, 3, Number.NaN, -1];

  test('is told by shade and by colour in 16 colours, and by shade alone without', () => {
    expect(plain(heatLine(shares, in16))).toBe('·░▒▓██ ·');
    expect(heatLine(shares, in16)).toBe(
      '\x1b[90m·\x1b[39m\x1b[32m░▒\x1b[39m\x1b[33m▓\x1b[39m\x1b[31m██\x1b[39m \x1b[90m·\x1b[39m',
    );
    expect(heatLine(shares, ascii)).toBe('.:+#\x1b[1m@@\x1b[22m .');
    expect(heatLine([0.5, 0.5], in16, 1)).toBe('\x1b[33m▓\x1b[39m\x1b[7m▓\x1b[27m');
  });

  test('is told by backgrounds alone in 256 colours and in all, the unknown left blank', () => {
    expect(heatLine([0, 0, 0.3, Number.NaN, 1], in256)).toBe(
      '\x1b[48;5;17m  \x1b[48;5;161m \x1b[49m \x1b[48;5;220m \x1b[49m',
    );
    expect(heatLine([0, 0, 0.3, Number.NaN, 1], inAll)).toBe(
      '\x1b[48;2;27;12;65m  \x1b[48;2;213;76;66m \x1b[49m \x1b[48;2;247;209;61m \x1b[49m',
    );
    expect(plain(heatLine(shares, inAll)).trim()).toBe('');
  });

  test('marks a cell by a sign that shows on any colour', () => {
    expect(plain(heatLine([0, 0.5, 1], in256, 1))).toBe(' ┃ ');
    expect(plain(heatLine([0, Number.NaN], themeNamed('dark', 'ascii', true, 8), 1))).toBe(' |');
  });
});

test('the ramp tells apart how little is done, and never falls', () => {
  const steps = [0, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 3, -1].map(rampStep);
  expect(steps).toEqual([0, 2, 4, 6, 8, 10, 12, 14, 15, 15, 0]);
});

test.each(['dark', 'light', 'high-contrast'])('the ramp of %s is of few colours, each unlike the next', (name) => {
  for (const depth of [8, 24]) {
    const ramp = rampOf(themeNamed(name, 'unicode', true, depth)) ?? [];
    expect(ramp).toHaveLength(16);
    expect(new Set(ramp).size).toBeGreaterThanOrEqual(depth === 8 ? 8 : 16);
  }
  for (const theme of [in16, ascii, themeNamed('mono', 'unicode', true, 24)]) expect(rampOf(theme)).toBeUndefined();
});

test.each(['dark', 'light'])('in 256 colours more is never greyer, and always %s to bright or back', (name) => {
  const ramp = rampOf(themeNamed(name, 'unicode', true, 8)) ?? [];
  const colors = ramp.map((sgr) => colorOf(Number(sgr.split(';')[2])));
  const bright = colors.map(([red, green, blue]) => 0.3 * red + 0.59 * green + 0.11 * blue);
  const rises = bright.map((value, step) => value - (bright[step - 1] ?? value)).filter((by) => Math.abs(by) > 1);
  expect(rises.every((by) => (name === 'dark' ? by > 0 : by < 0))).toBe(true);
  // Up to full saturation the least of the three colours holds no grey that the step before had not.
  const greys = colors.map((color) => Math.min(...color));
  expect(greys.every((grey, step) => step === 0 || grey <= (greys[step - 1] ?? 0))).toBe(true);
  // With each colour the saturation rises, until it is full.
  const own = colors.filter((color, step) => String(color) !== String(colors[step - 1]));
  const saturations = own.map((color) => 1 - Math.min(...color) / Math.max(...color));
  expect(saturations.filter((value, step) => step > 0 && value < 1 && value <= (saturations[step - 1] ?? 0))).toEqual(
    [],
  );
});

test.each([8, 24])('on white even the least is seen, with %i bits of colour', (depth) => {
  const [, of256, ...all] = (rampOf(themeNamed('light', 'unicode', true, depth))?.[0] ?? '').split(';').map(Number);
  const [red = 255, green = 255, blue = 255] = of256 === 5 ? colorOf(all[0] ?? 0) : all;
  expect(0.3 * red + 0.59 * green + 0.11 * blue).toBeLessThan(230);
  expect(Math.max(red, green, blue) - Math.min(red, green, blue)).toBeGreaterThan(30);
});

test('the legend names the share from which each shade or colour is drawn', () => {
  const words = (theme: typeof ascii) =>
    plain(
      heatLegend(theme, (share) => `${share * 100}`)
        .map(({ text }) => text)
        .join(''),
    );
  expect(words(ascii)).toBe('. 0  : 5  + 20  # 40  @ 70  ');
  expect(words(in256)).toBe('   0     2     5     10     20     40     60     80  ');
  for (const { text, cells } of heatLegend(in256, String)) expect(plain(text)).toHaveLength(cells);
});

test('only what is worth a look has a colour as a figure', () => {
  expect([0.1, 0.3, 0.4, 0.7].map(heatRole)).toEqual([undefined, undefined, 'warn', 'bad']);
});
