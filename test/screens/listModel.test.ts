import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { themeNamed } from '../../src/components/theme.ts';
import type { CacheView, Row } from '../../src/resources/resource.ts';
import { createListModel, type ListInput } from '../../src/screens/list/listModel.ts';
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
        const anew = inputOf([...all], { ...listView, cursor: rows.length > 0 ? cursor : undefined }, more);
        if (shown.rows.some(({ id }) => String(id) === cursor)) expect(shown).toEqual(shownBy(createListModel(), anew));
      }
    }),
    { numRuns: 30 },
  );
});

const only = ({ size }: Row) => size !== 2;

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
