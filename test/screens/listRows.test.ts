import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Column } from '../../src/resources/resource.ts';
import { createListRows } from '../../src/screens/list/listRows.ts';
import { parseFilter } from '../../src/store/filter/filter.ts';
import { sorted } from '../../src/store/sorting.ts';
import { columns, servers, step, versionsOf, view } from '../store/changingLists.ts';

const resource = { ...servers, columns };

test('as a list changes, its filter leaves what it leaves of the list as it is', () => {
  const filter = fc.constantFrom('', 'w', 'we', 'web', 'label:web', '!web', 'size:1');
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 8 }),
      fc.array(filter, { minLength: 9, maxLength: 9 }),
      (steps, filters) => {
        const rowsOf = createListRows();
        for (const [index, all] of [...versionsOf(steps)].entries()) {
          for (const text of new Set([filters[index] ?? '', filters[index + 1] ?? ''])) {
            const { rows } = rowsOf(resource, all, { filter: text, sort: 'Label' }, view);
            const compiled = parseFilter(text, columns, view);
            if ('error' in compiled) throw new Error(compiled.error);
            expect(rows).toEqual(sorted([...all], 'Label', columns, view).filter(compiled.matches));
          }
        }
      },
    ),
    { numRuns: 15 },
  );
});

test('a filter that is narrowed still asks about the rows of which the answer is not known', () => {
  const cpu: Column = { title: 'CPU', value: 'cpu', format: 'load', fetches: 'stats' };
  const rows = [
    { id: 1, label: 'web-1', cpu: 90 },
    { id: 2, label: 'web-2' },
    { id: 3, label: 'db-1' },
  ];
  const rowsOf = createListRows();
  const listed = (filter: string) =>
    rowsOf(
      { ...resource, columns: [{ title: 'Label', value: 'label' }, cpu] },
      rows,
      { filter, sort: undefined },
      view,
    );
  expect(listed('cpu>80').rows.map(({ id }) => id)).toEqual([1]);
  const { rows: found, fetches } = listed('cpu>80 web');
  expect(found.map(({ id }) => id)).toEqual([1]);
  expect(fetches.flatMap(({ rows }) => rows.map(({ id }) => id))).toEqual([1, 2]);
});

test('under a filter with a mistake there is no row; while it is typed, those of what was understood last', () => {
  const rows = ['web-1', 'db-1'].map((label, id) => ({ id, label }));
  const rowsOf = createListRows();
  const listed = (filter: string, isTyped?: boolean) =>
    rowsOf(
      { ...resource, columns: [{ title: 'Label', value: 'label' }] },
      rows,
      { filter, sort: undefined, isTyped },
      view,
    );
  const labels = (filter: string, isTyped?: boolean) => listed(filter, isTyped).rows.map(({ label }) => label);
  expect(labels('labl:web')).toEqual([]);
  expect(listed('labl:web').error?.error).toMatch('there is no field labl');
  expect(labels('labl:web', true)).toEqual(['web-1', 'db-1']);
  expect(labels('web', true)).toEqual(['web-1']);
  expect(labels('web !', true)).toEqual(['web-1']);
  expect(labels('web !')).toEqual([]);
  expect(labels('', true)).toEqual(['web-1', 'db-1']);
  expect(labels('!(', true)).toEqual(['web-1', 'db-1']);
});
