import { expect, test } from 'vitest';
import { resourceNamed } from '../../src/resources/index.ts';
import { pathsOf } from '../../src/screens/columns/ColumnsPane.tsx';
import { columnsKey, shownColumns, withChosen } from '../../src/store/views/columns.ts';

const servers = resourceNamed('servers');
const chosen = (...columns: Parameters<typeof withChosen>[2]) => withChosen(servers, servers.columns, columns).columns;

test('chosen columns come in their order, and the others stay known to the filter', () => {
  const columns = chosen({ value: 'status' }, { value: 'LABEL', width: 12 }, { value: 'specs.gpus' });
  expect(shownColumns(columns).map(({ title, exact }) => [title, exact])).toEqual([
    ['Status', 0],
    ['Label', 12],
    ['Gpus', 0],
  ]);
  expect(columns.map(({ title }) => title)).toEqual(expect.arrayContaining(servers.columns.map(({ title }) => title)));
});

test('titles are told apart, since rows are sorted by them', () => {
  const columns = shownColumns(
    chosen({ value: 'image' }, { value: 'alerts.cpu' }, { value: 'cpu' }, { value: 'x.cpu' }),
  );
  expect(new Set(columns.map(({ title }) => title.toLowerCase())).size).toBe(4);
});

test('the path of a column of the list is that column, with its format', () => {
  const [column] = servers.columns.filter(({ value, format }) => typeof value === 'string' && format !== undefined);
  const [own] = shownColumns(chosen({ value: String(column?.value), title: 'Mine' }));
  expect(own).toMatchObject({ title: 'Mine', format: column?.format });
});

test('lists of a kind below different rows share their columns', () => {
  expect(columnsKey('records:domains:{"domainId":"1"}')).toBe(columnsKey('records:domains:{"domainId":"2"}'));
  expect(columnsKey('images:list:{} / Public')).not.toBe(columnsKey('images:list:{}'));
});

test('paths are those of values that a cell can show', () => {
  const rows = [
    { id: 1, specs: { gpus: 0 }, ipv4: [], nested: [{ a: 1 }], 'a.b': 1, '\u001b': 1, none: null },
    { id: 2, ipv4: ['192.0.2.1'], none: 'there' },
  ];
  expect(pathsOf(rows)).toEqual([
    { path: 'id', sample: 1 },
    { path: 'specs.gpus', sample: 0 },
    { path: 'ipv4', sample: ['192.0.2.1'] },
    { path: 'nested.0.a', sample: 1 },
    { path: 'none', sample: 'there' },
    { path: 'ipv4.0', sample: '192.0.2.1' },
  ]);
});
