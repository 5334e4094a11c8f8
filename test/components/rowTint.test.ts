import { expect, test } from 'vitest';
import { rowTinted, themeNamed } from '../../src/components/theme.ts';

const current = { isCurrent: true, isMarked: false };
const marked = { isCurrent: false, isMarked: true };
const line = '❯ \x1b[7mweb\x1b[27m \x1b[32m● up\x1b[39m 1';

test.each([
  [4, line],
  [
    8,
    '\x1b[48;5;236m\x1b[38;5;255m❯ \x1b[39m\x1b[49m\x1b[7mweb\x1b[27m\x1b[48;5;236m\x1b[38;5;255m \x1b[32m● up\x1b[38;5;255m 1   \x1b[39m\x1b[49m',
  ],
  [
    24,
    '\x1b[48;2;42;48;60m\x1b[38;2;240;242;246m❯ \x1b[39m\x1b[49m\x1b[7mweb\x1b[27m\x1b[48;2;42;48;60m\x1b[38;2;240;242;246m \x1b[32m● up\x1b[38;2;240;242;246m 1   \x1b[39m\x1b[49m',
  ],
])('the row under the cursor in %i bits of colour', (depth, drawn) => {
  expect(rowTinted(themeNamed('dark', 'unicode', true, depth), current, line, 15)).toBe(drawn);
});

test.each([
  ['mono', true],
  ['dark', false],
])('the theme %s with colours %s has no backgrounds in any terminal', (name, color) => {
  for (const state of [current, marked]) {
    expect(rowTinted(themeNamed(name, 'unicode', color, 24), state, line, 15)).toBe(line);
  }
});

test('a row with neither cursor nor mark stays, and a marked one looks marked under the cursor too', () => {
  const theme = themeNamed('light', 'unicode', true, 8);
  expect(rowTinted(theme, { isCurrent: false, isMarked: false }, line, 15)).toBe(line);
  expect(rowTinted(theme, { isCurrent: true, isMarked: true }, line, 15)).toBe(rowTinted(theme, marked, line, 15));
});
