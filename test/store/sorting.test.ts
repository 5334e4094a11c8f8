import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Column, emptyView, type Row } from '../../src/resources/resource.ts';
import { sorted } from '../../src/store/sorting.ts';

const view = emptyView;
const columns: readonly Column[] = [
  { title: 'Label', value: 'label' },
  { title: 'Size', value: 'size' },
  { title: 'Tags', value: 'tags' },
];
const labelled = (...labels: unknown[]) => labels.map((label, id): Row => ({ id, label }));
const order = (rows: readonly Row[], sort: string) =>
  sorted(rows, sort, columns, view).map(({ label, size, tags, id }) => label ?? size ?? tags ?? id);

describe('the order', () => {
  test('of texts is the one people expect', () => {
    expect(order(labelled('web-10', 'Web-2', 'db', 'web-1'), 'Label')).toEqual(['db', 'web-1', 'Web-2', 'web-10']);
  });

  test('of numbers is by size, both ways', () => {
    const rows = [10, 9, 100, -1].map((size) => ({ size }));
    expect(order(rows, 'Size')).toEqual([-1, 9, 10, 100]);
    expect(order(rows, '-Size')).toEqual([100, 10, 9, -1]);
  });

  test.each(['Size', '-Size'])('by %s has what is absent last', (sort) => {
    const rows: Row[] = [
      { id: 'none' },
      { size: 2 },
      { id: 'null', size: null },
      { size: 1 },
      { id: 'nan', size: Number.NaN },
    ];
    const ids = sorted(rows, sort, columns, view).map(({ id }) => id);
    expect(ids.slice(0, 2)).toEqual([undefined, undefined]);
    expect(ids.slice(2)).toEqual(['none', 'null', 'nan']);
  });

  test('has rows without tags last', () => {
    const rows: Row[] = [{ tags: [] }, { tags: ['b'] }, { tags: ['a', 'c'] }];
    expect(sorted(rows, 'Tags', columns, view)).toEqual([{ tags: ['a', 'c'] }, { tags: ['b'] }, { tags: [] }]);
  });

  test('of equals stays, both ways', () => {
    const rows = [3, 1, 2].map((id) => ({ id, label: 'same' }));
    expect(sorted(rows, 'Label', columns, view)).toEqual(rows);
    expect(sorted(rows, '-Label', columns, view)).toEqual(rows);
  });

  test('of the API stays the very list when nothing is said or known', () => {
    const rows = labelled('b', 'a');
    expect(sorted(rows, undefined, columns, view)).toBe(rows);
    expect(sorted(rows, 'Colour', columns, view)).toBe(rows);
  });

  test('of ten thousand rows works each value out once', () => {
    let worked = 0;
    const counting: Column = {
      title: 'Label',
      value: (row) => {
        worked++;
        return row.label;
      },
    };
    const rows = labelled(...Array.from({ length: 10_000 }, (_, index) => `web-${(index * 7919) % 10_000}`));
    const first = sorted(rows, 'Label', [counting], view).slice(0, 3);
    expect(first.map(({ label }) => label)).toEqual(['web-0', 'web-1', 'web-2']);
    expect(worked).toBe(10_000);
  });
});

test('any texts stand in the order of the collator', () => {
  const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
  const piece = fc.constantFrom(
    'a',
    'B',
    'b',
    'é',
    '0',
    '1',
    '9',
    '007',
    '12345678901234567890123',
    '-',
    '_',
    '.',
    ' ',
    '/',
    '~',
    '#',
  );
  const text = fc.oneof(
    fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join('')),
    fc.string({ minLength: 1 }),
  );
  fc.assert(
    fc.property(fc.array(text, { maxLength: 8 }), (texts) => {
      const expected = texts.toSorted(collator.compare);
      expect(order(labelled(...texts), 'Label')).toEqual(expected);
    }),
    { numRuns: 2000 },
  );
});

test('an order by what is looked up is kept from one view to the next, until one of its values is another', () => {
  const loads = new Map<unknown, number>([
    ['a', 3],
    ['b', 1],
  ]);
  const load: Column = { title: 'Load', value: ({ label }, { row }) => row('loads', label)?.value };
  const seen = () => ({ ...emptyView, row: (_: string, id: unknown) => ({ value: loads.get(id) }) });
  const rows = labelled('a', 'b', 'c');
  const by = (sort: string) => sorted(rows, sort, [load], seen());
  const before = by('-Load');
  expect(before.map(({ label }) => label)).toEqual(['a', 'b', 'c']);
  expect(by('-Load')).toBe(before);
  loads.set('c', 2);
  expect(by('-Load').map(({ label }) => label)).toEqual(['a', 'c', 'b']);
  loads.delete('a');
  expect(by('-Load').map(({ label }) => label)).toEqual(['c', 'b', 'a']);
  loads.set('a', 0).set('b', 9);
  expect(by('Load').map(({ label }) => label)).toEqual(['a', 'c', 'b']);
  // Rows that come are put where they belong.
  const more = [...rows, ...labelled('b')];
  expect(sorted(more, '-Load', [load], seen()).map(({ label }) => label)).toEqual(['b', 'b', 'c', 'a']);
});
