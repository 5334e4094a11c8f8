import { describe, expect, test } from 'vitest';
import { colorOf } from '../../scripts/svg.ts';
import { rowTinted, themeNamed } from '../../src/components/theme.ts';

test.each([
  ['mono', 'accent'],
  ['high-contrast', 'title'],
] as const)('the %s theme puts no line under padding', (name, role) => {
  const theme = themeNamed(name, 'unicode', true);
  expect(theme.paint(role, '  api 1   ')).toMatch(/^ {2}\x1b\[[^ ]*api 1[^ ]*m {3}$/);
  // A mark of its own needs none either.
  expect(theme.paint(role, ' ❯ ')).not.toContain('4m');
  expect(theme.paint(role, '   ')).toBe('   ');
  expect(theme.paint(role, '')).toBe('');
});

test('warnings of the light theme are brown where there are 256 colours, and follow the palette of 16', () => {
  const painted = (depth: number) => JSON.stringify(themeNamed('light', 'unicode', true, depth).paint('warn', 'full'));
  expect([4, 8, 24].map(painted)).toEqual([
    JSON.stringify('\x1b[35mfull\x1b[39m'),
    ...[8, 24].map(() => JSON.stringify('\x1b[38;5;94mfull\x1b[39m')),
  ]);
});

const roles = [
  ...(['good', 'busy', 'bad', 'warn', 'dim', 'accent', 'title', 'mark', 'key'] as const),
  ...(['series1', 'series2', 'series3', 'series4', 'series5', 'series6'] as const),
];

/** The red, green and blue of the last foreground or background in a text, as SGR has them above the first 16. */
function shadeIn(text: string, ground: 38 | 48): readonly number[] | undefined {
  const [, near, exact] = [...text.matchAll(new RegExp(`${ground};(?:5;(\\d+)|2;([\\d;]+))`, 'g'))].at(-1) ?? [];
  return near === undefined ? exact?.split(';').map(Number) : colorOf(Number(near));
}

/** The luminance and the contrast of WCAG 2. */
function luminance(color: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = color.map((value) =>
    value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
function contrast(...colors: readonly [readonly number[], readonly number[]]): number {
  const [less = 0, more = 0] = colors.map(luminance).toSorted((one, other) => one - other);
  return (more + 0.05) / (less + 0.05);
}

const hues = ['red', 'green', 'yellow', 'blue', 'magenta', 'cyan'] as const;
const papers = {
  dark: ['0;0;0', '30;30;30'],
  'high-contrast': ['0;0;0', '30;30;30'],
  light: ['255;255;255', '253;246;227'],
};

describe.each([
  ['dark', 4.5, 4.4],
  ['light', 4.5, 4.4],
  ['high-contrast', 7, 4.5],
] as const)('the theme %s', (name, onPaper, onRow) => {
  test.each([8, 24])('has no text in %i bits that is too near to its background', (depth) => {
    const theme = themeNamed(name, 'unicode', true, depth);
    const rows = [{ isMarked: false }, { isMarked: true }].map((state) => ({
      least: onRow,
      drawn: (text: string) => rowTinted(theme, { isCurrent: true, ...state }, text, 3).replace(/\x1b\[39m.*/, ''),
    }));
    const grounds = papers[name].map((paper) => ({
      least: onPaper,
      drawn: (text: string) => `\x1b[48;2;${paper}m${text}`,
    }));
    const texts = [...roles.map((role) => theme.paint(role, 'x')), ...hues.map((hue) => theme.hue(hue, 'x')), 'x'];
    const near = texts.flatMap((text) =>
      [...grounds, ...rows].flatMap(({ least, drawn }) => {
        const [ink, paper] = [shadeIn(drawn(text), 38), shadeIn(drawn(text), 48)];
        return ink && paper && contrast(ink, paper) < least ? [[text, String(paper), contrast(ink, paper)]] : [];
      }),
    );
    expect(near).toEqual([]);
    // A colour of the terminal's own may be anything; the dark theme leaves them to its palette.
    expect(texts.filter((text) => /\x1b\[[39][0-7]m/.test(text)).length > 0).toBe(name === 'dark');
  });

  test.each([4, 8, 24])('tells apart in %i bits what has a meaning, and the series of a graph', (depth) => {
    const theme = themeNamed(name, 'unicode', true, depth);
    for (const apart of [
      ['good', 'bad', 'warn', 'accent', 'plain'],
      roles.filter((role) => /^series/.test(role)),
    ] as const)
      expect(new Set(apart.map((role) => theme.paint(role, 'x')))).toHaveLength(apart.length);
  });
});
