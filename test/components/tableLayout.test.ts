import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  barColumn,
  type CellColumn,
  cellTable,
  placeColumns,
  type TableColumn,
} from '../../src/components/tableLayout.ts';
import { themeNamed } from '../../src/components/theme.ts';

const column = (title: string, keep: TableColumn['keep'], content: number): TableColumn => ({ title, keep, content });
const titles = (columns: readonly TableColumn[], width: number) =>
  placeColumns(columns, width).map(({ index }) => columns[index]?.title);

describe('the columns of a table', () => {
  const columns = [
    column('Status', 1, 10),
    column('Label', 1, 60),
    column('Region', 2, 10),
    column('Tags', 2, 40),
    column('ID', 3, 8),
  ];

  test('the important ones stay in the narrowest table', () => {
    expect(titles(columns, 30)).toEqual(['Status', 'Label']);
  });

  test('long text gives way to further columns', () => {
    expect(titles(columns, 46)).toEqual(['Status', 'Label', 'Region']);
  });

  test('nothing less important comes while something more important has no room', () => {
    expect(titles(columns, 58)).toEqual(['Status', 'Label', 'Region']);
    expect(titles(columns, 80)).toEqual(['Status', 'Label', 'Region', 'Tags']);
  });

  test('those that only come when there is room cut nobody else', () => {
    expect(titles(columns, 123)).toEqual(['Status', 'Label', 'Region', 'Tags']);
    expect(titles(columns, 124)).toEqual(['Status', 'Label', 'Region', 'Tags', 'ID']);
  });

  test('those that the user has chosen stay in their order, and are cut off at the right', () => {
    const own = columns.map((one) => ({ ...one, exact: 0 }));
    expect(titles(own.toReversed(), 60)).toEqual(['ID', 'Tags', 'Region']);
    expect(titles(own.toReversed(), 8)).toEqual(['ID']);
    const [first] = placeColumns(
      [column('Label', 1, 60), column('Tags', 2, 40)].map((one) => ({ ...one, exact: 9 })),
      80,
    );
    expect(first).toEqual({ index: 0, width: 9 });
    fc.assert(
      fc.property(fc.integer({ min: 10, max: 250 }), (width) => {
        const placed = placeColumns(own, width);
        const used = placed.reduce((sum, one) => sum + one.width + 2, -2);
        expect(used).toBeLessThanOrEqual(placed.length < own.length ? Math.max(10, width - 4) : width);
      }),
    );
  });

  test('one that must be seen is, and of the others two', () => {
    const sorted = [column('Status', 1, 10), column('Label', 1, 20), column('IPv4', 1, 15), column('Created', 0, 10)];
    expect(titles(sorted, 61)).toEqual(['Status', 'Label', 'IPv4', 'Created']);
    expect(titles(sorted, 60)).toEqual(['Status', 'Label', 'Created']);
    expect(placeColumns(sorted, 40).map(({ width }) => width)).toEqual([10, 16, 10]);
    expect(titles([...sorted, column('Tags', 2, 4)], 60)).toEqual(['Status', 'Label', 'Created']);
  });

  test('what is left over goes to text that is cut', () => {
    expect(placeColumns(columns.slice(0, 3), 60).map(({ width }) => width)).toEqual([10, 36, 10]);
  });

  test('they never take more than there is, as long as it holds a few cells of each', () => {
    const any = fc.record({ keep: fc.constantFrom<1 | 2 | 3>(1, 2, 3), content: fc.nat(80) });
    fc.assert(
      fc.property(fc.array(any, { minLength: 1, maxLength: 6 }), fc.integer({ min: 50, max: 200 }), (some, width) => {
        const placed = placeColumns(
          some.map(({ keep, content }) => column('Name', keep, content)),
          width,
        );
        const taken = placed.reduce((sum, place) => sum + place.width + 2, -2);
        expect(taken).toBeLessThanOrEqual(width);
      }),
    );
  });
});

test('a wider table shows every column that a narrower one does', () => {
  const column = fc.record({
    title: fc.constantFrom('ID', 'Label', 'IPv6', 'Created'),
    keep: fc.constantFrom<0 | 1 | 2 | 3>(0, 1, 1, 2, 2, 2, 3, 3),
    content: fc.nat(70),
    maxWidth: fc.option(fc.integer({ min: 4, max: 120 }), { nil: undefined }),
  });
  fc.assert(
    fc.property(fc.array(column, { minLength: 1, maxLength: 12 }), fc.nat(200), fc.nat(80), (columns, width, more) => {
      const narrow = placeColumns(columns, width).map(({ index }) => index);
      const wide = placeColumns(columns, width + more).map(({ index }) => index);
      expect(wide).toEqual(expect.arrayContaining(narrow));
    }),
    { numRuns: 500 },
  );
});

test('what is left of the room shows long values whole', () => {
  const columns: readonly TableColumn[] = [
    { title: 'Label', keep: 1, content: 60 },
    { title: 'IPv6', keep: 3, content: 27 },
  ];
  expect(placeColumns(columns, 60).map(({ width }) => width)).toEqual([60]);
  expect(placeColumns(columns, 120).map(({ width }) => width)).toEqual([60, 27]);
});

test('rows of cells stand below their titles, are cleaned, and end behind their last cell', () => {
  const theme = themeNamed('mono', 'unicode', false);
  const columns: readonly CellColumn[] = [
    { title: '' },
    { title: 'NAME' },
    { title: 'SIZE', align: 'right' },
    { title: 'NOTE', keep: 2 },
    barColumn,
  ];
  const bar = { text: '', draw: (room: number) => '#'.repeat(room) };
  const rows = [
    [{ text: 'ok' }, { text: '\u001b[31mweb\u0007' }, { text: '12 GiB' }, { text: '' }, bar],
    [{ text: 'off' }, { text: '', draw: () => 'cannot be read, as the API refuses it' }],
  ];
  const drawn = (width: number) => {
    const { head, line } = cellTable(theme, columns, rows, width);
    return [head, line(0), line(1, true)].map(stripVTControlCharacters);
  };
  // A column without content comes only where all else has its room.
  expect(drawn(40).map((line) => line.trimEnd())).toEqual([
    '       NAME    SIZE',
    `  ok   web   12 GiB  ${'#'.repeat(19)}`,
    '❯ off  cannot be read, as the API refuses it',
  ]);
  expect(drawn(40)[2]).toMatch(/refuses it$/);
  expect(drawn(100)[0]?.trimEnd()).toBe('       NAME    SIZE  NOTE');
  expect(drawn(19)[1]).toBe('  ok   web   12 GiB');
});

test('at the cursor the first cell that has a title is coloured, and no other', () => {
  const theme = themeNamed('dark', 'unicode', true);
  const rows = [[{ text: 'ok', role: 'good' as const }, { text: 'web' }]];
  const { line } = cellTable(theme, [{ title: '' }, { title: 'NAME' }], rows, 40);
  expect(line(0, true)).toContain(theme.paint('cursor', 'web '));
  for (const isCurrent of [true, false]) expect(line(0, isCurrent)).toContain(theme.paint('good', 'ok'));
  expect(line(0)).not.toContain(theme.paint('cursor', 'web '));
});
