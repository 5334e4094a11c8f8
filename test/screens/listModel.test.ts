import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { themeNamed } from '../../src/components/theme.ts';
import { type CacheView, type Row, viewWith } from '../../src/resources/resource.ts';
import { createListModel, type ListInput } from '../../src/screens/list/listModel.ts';
import type { Collection } from '../../src/store/cache.ts';
import type { ListView } from '../../src/store/navigation.ts';
import { columns, servers, step, versionsOf, view } from '../store/changingLists.ts';

const theme = themeNamed('dark', 'unicode', true);
const resource = { ...servers, columns, sort: 'Label' };

const inputOf = (rows: readonly Row[], listView: Partial<ListView> = {}, more: Partial<ListInput> = {}): ListInput => ({
  resource,
  collection: {
    query: { resource: 'servers', operation: 'list', params: {} },
    resource: 'servers',
    rows,
    loading: false,
    loadedAt: 1,
  },
  listView: { marks: [], filter: '', ...listView },
  isFiltering: false,
  cacheView: view,
  events: [],
  theme,
  width: 80,
  height: 200,
  ...more,
});

const rowsOf = (count: number): readonly Row[] =>
  Array.from({ length: count }, (_, index) => ({ id: index + 1, label: `web-${index + 1}`, size: index }));

function shownBy(model: ReturnType<typeof createListModel>, input: ListInput) {
  const { title, head, rows, chosen, lines } = model(input);
  return { title, head, rows, chosen, lines: lines(new Map([['3', '◐ booting']]), undefined) };
}

test('as rows and view change, a list is what it is when it is made anew', () => {
  const listView = fc.record({
    marks: fc.constantFrom([], ['1', '7']),
    filter: fc.constantFrom('', 'w', 'we', 'size:1', 'size>'),
    sort: fc.constantFrom('Label', '-Label', 'Size', undefined),
  });
  const views = fc.record({ listView, nth: fc.nat(60), width: fc.constantFrom(40, 80, 120) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 8 }), fc.array(views, { minLength: 9, maxLength: 9 }), (steps, views) => {
      const model = createListModel();
      for (const [index, all] of [...versionsOf(steps)].entries()) {
        const { listView, nth, width } = views[index] ?? { listView: {}, nth: 0, width: 80 };
        const { rows } = createListModel()(inputOf([...all], listView));
        const cursor = String(rows[nth % rows.length]?.id ?? '');
        const more = { width, only: nth % 2 ? undefined : only };
        const shown = shownBy(model, inputOf(all, { ...listView, cursor: rows.length > 0 ? cursor : undefined }, more));
        const alone = { ...more, cacheView: viewWith(view, {}) };
        const anew = inputOf([...all], { ...listView, cursor: rows.length > 0 ? cursor : undefined }, alone);
        if (shown.rows.some(({ id }) => String(id) === cursor)) expect(shown).toEqual(shownBy(createListModel(), anew));
      }
    }),
    { numRuns: 30 },
  );
});

const only = ({ size }: Row) => size !== 2;

test('a list that is opened again with the same view, or whose cursor moves, writes and measures no row again', () => {
  let asked = 0;
  const counted = { title: 'Size', value: ({ size }: Row) => ++asked && size };
  const input = inputOf(rowsOf(300), {}, { resource: { ...resource, columns: [...columns, counted] }, height: 20 });
  const first = shownBy(createListModel(), input);
  expect(asked).toBeGreaterThan(200);
  asked = 0;
  expect(shownBy(createListModel(), input)).toEqual(first);
  const moved = shownBy(createListModel(), { ...input, listView: { marks: [], filter: '', cursor: '3' } });
  expect(moved.lines.map(({ text }) => text.includes('❯'))).toEqual(moved.rows.slice(0, 18).map(({ id }) => id === 3));
  expect(asked).toBe(0);
});

describe('the cursor', () => {
  const model = createListModel();
  const page = (listView: Partial<ListView>, rows = rowsOf(30)) => model(inputOf(rows, listView, { height: 12 }));

  test('is in sight, and moves the window as little as it can', () => {
    expect(page({}).top).toBe(0);
    expect(page({ cursor: '10' }).top).toBe(0);
    expect(page({ cursor: '11' }).top).toBe(1);
    expect(page({ cursor: '30' }).top).toBe(20);
    expect(page({ cursor: '22' }).top).toBe(20);
    expect(page({ cursor: '5' })).toMatchObject({ top: 4, cursor: 4, current: { id: 5 } });
  });

  test('stays at its place where its row has gone, also when rows before it go', () => {
    page({ cursor: '5' });
    const less = rowsOf(30).filter(({ id }) => id !== 5);
    expect(page({ cursor: '5' }, less)).toMatchObject({ cursor: 4, current: { id: 6 } });
    expect(page({ cursor: '5' }, less.slice(0, 3))).toMatchObject({ cursor: 2, current: { id: 3 } });
    expect(page({ cursor: '5' }, [])).toMatchObject({ cursor: 0, current: undefined, chosen: [] });
  });

  test('is moved by its keys, and not past either end', () => {
    const moved = (key: 'up' | 'down' | 'pageDown' | 'last', cursor: string): unknown => {
      let to: unknown;
      page({ cursor })
        .movesTo((row) => {
          to = row.id;
        })
        [key]();
      return to;
    };
    expect(moved('down', '7')).toBe(8);
    expect(moved('pageDown', '7')).toBe(17);
    expect(moved('up', '1')).toBe(1);
    expect(moved('last', '7')).toBe(30);
  });
});

test('what is chosen are the marked rows that are shown, else the one under the cursor', () => {
  const chosen = (listView: Partial<ListView>) =>
    createListModel()(inputOf(rowsOf(9), listView)).chosen.map(({ id }) => id);
  expect(chosen({ cursor: '4' })).toEqual([4]);
  expect(chosen({ cursor: '4', marks: ['8', '2'] })).toEqual([2, 8]);
  expect(chosen({ cursor: '4', marks: ['8', '2'], filter: 'web-8' })).toEqual([8]);
});

describe('a row is written anew', () => {
  const aged = { ...resource, columns: [...columns, { title: 'Created', value: 'created', format: 'age' } as const] };
  const rows: readonly Row[] = [{ id: 1, label: 'web-1', created: '1970-01-01T00:00:00' }];
  const clock: CacheView & { now: number } = { ...view, now: 65_000 };
  const model = createListModel();
  const text = (more: Partial<ListInput> = {}) =>
    model(inputOf(rows, {}, { resource: aged, cacheView: clock, ...more })).lines(new Map(), undefined)[0]?.text;

  test('when its age has grown for five seconds, not at every key', () => {
    const first = text();
    expect(first).toContain('1 min');
    clock.now = 69_999;
    expect(text()).toBe(first);
    clock.now = 125_000;
    expect(text()).toContain('2 min');
  });

  test('when another theme is chosen', () => {
    const first = text();
    expect(text({ theme: themeNamed('mono', 'ascii', false) })).not.toBe(first);
  });
});

describe('the cursor that nobody has moved', () => {
  const rows = rowsOf(9).map((row): Row => ({ ...row, label: `m-${row.id}` }));
  const more: readonly Row[] = [{ id: 90, label: 'a-90', size: 1 }, ...rows];
  /** Tells the row under the cursor, and its index, while rows come. */
  const opened = (given: Partial<ListInput> = {}) => {
    const model = createListModel();
    return (all: readonly Row[], ms: number, listView: Partial<ListView> = {}, of: object = {}) => {
      const input = inputOf(all, listView, { isActedOn: true, ...given, cacheView: viewWith(view, { now: ms }) });
      const { current, cursor } = model({ ...input, collection: { ...input.collection, ...of } as Collection });
      return [current?.id, cursor];
    };
  };
  const kept = { loadedAt: undefined, loading: true, keptAt: 1 };
  const loading = { loadedAt: undefined, loading: true };

  test('stays on the row of a list that is read, or kept, as rows come above it', () => {
    for (const origin of [{}, kept]) {
      const list = opened();
      expect(list(rows, 0, {}, origin)).toEqual([1, 0]);
      expect(list(more, 1, {}, origin)).toEqual([1, 1]);
      expect(list(rows.slice(1), 2, {}, origin)).toEqual([3, 1]);
      expect(
        list(
          more.filter(({ id }) => id !== 1),
          3,
          {},
          origin,
        ),
      ).toEqual([3, 2]);
    }
  });

  test('is in the first row while the first pages come, until one was there for long enough to be read', () => {
    const list = opened();
    expect(list(rows.slice(2), 0, {}, loading)).toEqual([3, 0]);
    expect(list(rows.slice(1), 100, {}, loading)).toEqual([2, 0]);
    expect(list(rows.slice(1), 500, {}, loading)).toEqual([2, 0]);
    expect(list(rows, 700, {}, loading)).toEqual([2, 1]);
    expect(list(more, 701)).toEqual([2, 2]);
  });

  test('begins anew with another order or filter', () => {
    const list = opened();
    list(rows, 0);
    expect(list(more, 1)).toEqual([1, 1]);
    expect(list(more, 2, { sort: '-Label' })).toEqual([9, 0]);
    expect(list(more, 3, { filter: 'm-' })).toEqual([1, 0]);
  });

  test('that was moved stays where its row went, on the row that has come there', () => {
    const list = opened();
    list(rows, 0, { cursor: '4' });
    const less = rows.filter(({ id }) => id !== 4);
    expect(list(less, 1, { cursor: '4' })).toEqual([5, 3]);
    expect(list([...more.slice(0, 1), ...less], 2, { cursor: '4' })).toEqual([5, 4]);
    expect(list(more, 3, { cursor: '4' })).toEqual([4, 4]);
  });

  test('is in the first row of a list in which nothing can be done, as that of the newest events', () => {
    const list = opened({ isActedOn: false });
    list(rows, 0);
    expect(list(more, 9000)).toEqual([90, 0]);
  });
});
