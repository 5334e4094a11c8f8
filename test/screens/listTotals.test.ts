import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { themeNamed } from '../../src/components/theme.ts';
import { resourceNamed } from '../../src/resources/index.ts';
import type { CacheView, Column, Row } from '../../src/resources/resource.ts';
import { listTitle } from '../../src/screens/list/listTitle.ts';
import { columnTotals, type RowContext } from '../../src/screens/list/rowLines.ts';
import type { Collection } from '../../src/store/cache.ts';
import { knowing } from '../resources/known.ts';

const resource = resourceNamed('invoices');
const theme = themeNamed('mono', 'unicode', false);
const pen: RowContext = { resource, columns: resource.columns, theme, cacheView: knowing(), events: [] };

const title = (rows: readonly Row[], loadedAt?: number, more: object = {}, width = 80) =>
  listTitle(theme, {
    resource,
    collection: { resource: 'invoices', rows, loading: false, loadedAt, ...more } as Collection,
    shown: rows.length,
    view: { filter: '' },
    sort: undefined,
    totals: columnTotals(pen)(rows),
    width,
  });

describe('the sum in the title of a list', () => {
  test('is said of what was read, and of nothing that was not', () => {
    expect(title([{ total: 10 }, { total: '2.5' }], 1)).toContain('total: $12.50');
    expect(title([], 1)).toContain('total: $0.00');
    expect(title([])).not.toContain('total');
  });

  test('stands beside a count that says where not all could be read', () => {
    const error = new Error('short');
    expect(title([{ total: 1 }], undefined, { error, results: 3 })).toContain('1 of 3, not all could be read');
    expect(title([{ total: 1 }], undefined, { error, results: 3, loading: true })).toContain('1 of 3 …');
    expect(title([{ total: 1 }], 1, { error, results: 1 })).not.toContain('not all');
  });

  test.each([16, 24, 30, 34, 38])('is whole or left out: %s cells', (width) => {
    const said = stripVTControlCharacters(title([{ total: 1234 }], 1, {}, width));
    expect(said.length).toBeLessThanOrEqual(width);
    expect(said).toMatch(/ (total: \$1 234\.00|…)$/);
  });

  test('takes no unknown amount for nothing', () => {
    expect(title([{ total: 10 }, { total: null }], 1)).toContain('total: at least $10.00');
    expect(title([{ total: null }], 1)).toContain('total: unknown');
  });

  test('asks only the rows that have changed again', () => {
    const asked: unknown[] = [];
    const value = (row: Row) => {
      asked.push(row.id);
      return row.total;
    };
    const totals = columnTotals({ ...pen, columns: [{ title: 'Total', value, format: 'money', total: true }] });
    const rows = Array.from({ length: 200 }, (_, id) => ({ id, total: 1 }));
    expect(totals(rows)).toEqual([['Total', '$200.00']]);
    asked.length = 0;
    expect(totals(rows.with(7, { id: 7, total: 3 }))).toEqual([['Total', '$202.00']]);
    expect(totals(rows.slice(0, 20))).toEqual([['Total', '$20.00']]);
    expect(asked).toEqual([7]);
  });

  test('asks the next list of the same rows nothing that another resource tells, until that changes', () => {
    const asked: unknown[] = [];
    const value = (row: Row, view: CacheView) => {
      asked.push(row.id);
      return view.rows('server-types')[0]?.price;
    };
    const columns: Column[] = [{ title: 'Cost', value, format: 'money', total: true, toldBy: 'server-types' }];
    const rows = Array.from({ length: 50 }, (_, id) => ({ id }));
    const sumBy = (cacheView: CacheView) => columnTotals({ ...pen, columns, cacheView })(rows);
    const cheap = knowing({ 'server-types': [{ id: 'a', price: 2 }] });
    expect(sumBy(cheap)).toEqual([['Cost', '$100.00']]);
    expect(sumBy(cheap)).toEqual([['Cost', '$100.00']]);
    expect(asked).toHaveLength(50);
    expect(sumBy(knowing({ 'server-types': [{ id: 'a', price: 3 }] }))).toEqual([['Cost', '$150.00']]);
    expect(asked).toHaveLength(100);
  });
});
