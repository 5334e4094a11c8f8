import { stripVTControlCharacters } from 'node:util';
import { render } from 'ink-testing-library';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { signsIn } from '../../src/components/Line.tsx';
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
  return frame.split('\n').map((line) => line.trimEnd());
}

const rows = [
  { Tax: 'VAT', Rate: '19 %', Total: 12.5 },
  { Tax: '消費税', Rate: '10 %', Total: 120 },
  { Tax: '👩‍👩‍👧 e\u0301', Rate: '\u001b[31m7 %', Total: 3 },
];

test('stays straight with wide and combined characters, without borders and with amounts at the right', () => {
  const lines = shown(rows, 'unicode');
  expect(lines).toEqual([
    'TAX     RATE  TOTAL',
    'VAT     19 %   12.5',
    '消費税  10 %    120',
    '👩‍👩‍👧 e\u0301     7 %      3',
  ]);
  for (const line of lines) expect(stringWidth(line)).toBe(19);
});

test('sums of money and sizes are amounts, dates and words are none', () => {
  const promotion = { Left: '$1234.50', Used: '12 GiB', Quota: '–', Expires: '2026-05-19', For: 'all' };
  const other = { Left: '$0.00', Used: '1.5 TiB', Quota: '9 GB', Expires: 'never', For: 'storage' };
  expect(shown([promotion, other], 'ascii', ['Left', 'Used', 'Quota', 'Expires', 'For'])).toEqual([
    '    LEFT     USED  QUOTA  EXPIRES     FOR',
    '$1234.50   12 GiB      -  2026-05-19  all',
    '   $0.00  1.5 TiB   9 GB  never       storage',
  ]);
});

test('draws only the columns asked for', () => {
  expect(shown(rows.slice(0, 1), 'ascii', ['Total', 'Tax'])).toEqual(['TOTAL  TAX', ' 12.5  VAT']);
});

test('follows rows that grow wider', () => {
  const table = (label: string) => (
    <ThemeContext value={themeNamed('mono', 'unicode', false)}>
      <SmallTable rows={[{ Label: label }]} />
    </ThemeContext>
  );
  const { lastFrame, rerender, unmount } = render(table('a'));
  rerender(table('a much longer one'));
  expect(
    stripVTControlCharacters(lastFrame() ?? '')
      .split('\n')[1]
      ?.trim(),
  ).toBe('a much longer one');
  unmount();
});

test('signs of print are letters where a terminal has nothing but those', () => {
  expect(signsIn('ascii', 'a … – − ▾ → ×')).toBe('a ~ - - v > x');
  expect(signsIn('unicode', 'a …')).toBe('a …');
});
