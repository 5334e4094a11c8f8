import { stripVTControlCharacters } from 'node:util';
import { render } from 'ink-testing-library';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { SmallTable } from '../../src/components/SmallTable.tsx';
import { ThemeContext, themeNamed } from '../../src/components/theme.ts';

function shown(rows: readonly Record<string, string | number>[], glyphs: 'unicode' | 'ascii', columns?: string[]) {
  const { lastFrame, unmount } = render(
    <ThemeContext value={themeNamed('dark', glyphs, true)}>
      <SmallTable rows={rows} columns={columns} />
    </ThemeContext>,
  );
  const frame = stripVTControlCharacters(lastFrame() ?? '');
  unmount();
  return frame.split('\n');
}

const rows = [
  { Tax: 'VAT', Rate: '19 %', Total: 12.5 },
  { Tax: '消費税', Rate: '10 %', Total: 120 },
  { Tax: '👩‍👩‍👧 e\u0301', Rate: '\u001b[31m7 %', Total: 3 },
];

test('stays straight with wide and combined characters', () => {
  const lines = shown(rows, 'unicode');
  expect(lines).toEqual([
    '┌────────┬──────┬───────┐',
    '│ Tax    │ Rate │ Total │',
    '├────────┼──────┼───────┤',
    '│ VAT    │ 19 % │  12.5 │',
    '├────────┼──────┼───────┤',
    '│ 消費税 │ 10 % │   120 │',
    '├────────┼──────┼───────┤',
    '│ 👩‍👩‍👧 e\u0301   │ 7 %  │     3 │',
    '└────────┴──────┴───────┘',
  ]);
  for (const line of lines) expect(stringWidth(line)).toBe(25);
});

test('draws its borders in ASCII, and only the columns asked for', () => {
  expect(shown(rows.slice(0, 1), 'ascii', ['Total', 'Tax'])).toEqual([
    '+-------+-----+',
    '| Total | Tax |',
    '+-------+-----+',
    '|  12.5 | VAT |',
    '+-------+-----+',
  ]);
});

test('follows rows that grow wider', () => {
  const table = (label: string) => (
    <ThemeContext value={themeNamed('mono', 'unicode', false)}>
      <SmallTable rows={[{ Label: label }]} />
    </ThemeContext>
  );
  const { lastFrame, rerender, unmount } = render(table('a'));
  rerender(table('a much longer one'));
  expect(stripVTControlCharacters(lastFrame() ?? '').split('\n')[3]).toBe('│ a much longer one │');
  unmount();
});
