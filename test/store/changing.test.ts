import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { differencesBetween, memoizeIncremental, noteDifferences } from '../../src/resources/differences.ts';
import { findIn, idIndex } from '../../src/resources/problems/rowIndex.ts';
import type { CacheView, Row } from '../../src/resources/resource.ts';
import { countsBy } from '../../src/screens/home/countLines.ts';
import { rowIn } from '../../src/store/rows.ts';
import { sorted } from '../../src/store/sorting.ts';
import { columns, id, servers, step, versionsOf, view } from './changingLists.ts';

/** A result that follows a list as it changes is the one worked out from the list as it is then. */
describe('as a list changes', () => {
  test.each(['Label', '-Label', 'Size', '-Size'])('its order by %s is that of the list as it is', (sort) => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), fc.array(fc.boolean()), (steps, looked) => {
        for (const [index, rows] of [...versionsOf(steps)].entries()) {
          if (looked[index] === false) continue;
          expect(sorted(rows, sort, columns, view)).toEqual(sorted([...rows], sort, columns, view));
        }
      }),
    );
  });

  test('its order is kept for who asks with other things known, unless the column looks at them', () => {
    const rows = [3, 1, 2].map((id) => ({ id, label: `web-${id}` }));
    const [column] = columns;
    const ranked = { title: 'Rank', value: ({ id }: Row, { now }: CacheView) => now * Number(id) };
    const other: CacheView = { ...view, now: -1 };
    const order = sorted(rows, 'Label', columns, view);
    expect(sorted(rows, 'Label', column ? [column] : [], other)).toBe(order);
    expect(sorted(rows, 'Rank', [ranked], { ...view, now: 1 }).map(({ id }) => id)).toEqual([1, 2, 3]);
    expect(sorted(rows, 'Rank', [ranked], other).map(({ id }) => id)).toEqual([3, 2, 1]);
  });

  test.each(['Rank', '-Rank'])(
    'an order by %s of its order is that of the list as it is, whatever is known then',
    (sort) => {
      const ranked = {
        title: 'Rank',
        value: ({ id, size }: Row, { now }: CacheView) => (Number(id) * now + Number(size)) % 4,
      };
      const known = [1, 2, 3].map((now): CacheView => ({ ...view, now }));
      fc.assert(
        fc.property(fc.array(step, { maxLength: 12 }), fc.array(fc.nat({ max: 2 })), (steps, looked) => {
          for (const [index, rows] of [...versionsOf(steps)].entries()) {
            const then = known[looked[index] ?? 0] ?? view;
            const of = (list: readonly Row[]) => sorted([...list], sort, [ranked], then);
            const usual = sorted(rows, 'Label', columns, view);
            expect(sorted(usual, sort, [ranked], then)).toEqual(of(sorted([...rows], 'Label', columns, view)));
          }
        }),
      );
    },
  );

  test('a row that changes where it stands is asked alone for an order of the order', () => {
    const asked: unknown[] = [];
    const value = ({ id, size }: Row) => {
      asked.push(id);
      return size;
    };
    const asking = [{ title: 'Size', value }];
    const before: readonly Row[] = Array.from({ length: 200 }, (_, id) => ({ id, label: `web-${id}`, size: id % 9 }));
    const ordered = (rows: readonly Row[]) => sorted(sorted(rows, 'Label', columns, view), 'Size', asking, view);
    ordered(before);
    const after = before.with(7, { id: 7, label: 'web-7', size: 100 });
    noteDifferences(before, after, [{ before: before[7], after: after[7] }]);
    asked.length = 0;
    expect(ordered(after).at(-1)).toBe(after[7]);
    expect(asked.length).toBeLessThan(50);
  });

  test('each row is found by its id', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), id, (steps, wanted) => {
        for (const rows of versionsOf(steps))
          expect(rowIn(servers, rows, String(wanted))).toBe(rows.find(({ id }) => id === wanted));
      }),
    );
  });

  test('the rows under each text are found in their order, and in the very list of before where they are the same', () => {
    const ofSize = idIndex('size');
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), fc.array(fc.boolean()), (steps, looked) => {
        let last: readonly Row[] = [];
        for (const [index, rows] of [...versionsOf(steps)].entries()) {
          if (looked[index] === false) continue;
          const found = findIn(rows, ofSize, '1');
          expect(found).toEqual(rows.filter(({ size }) => size === 1));
          if (found === last) expect(found.every((row, index) => row === last[index])).toBe(true);
          last = found;
        }
      }),
    );
  });

  test('rows are counted by a value, which is written as in the first of them', () => {
    const counts = countsBy(({ label }) => label);
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), fc.array(fc.boolean()), (steps, looked) => {
        for (const [index, rows] of [...versionsOf(steps)].entries())
          if (looked[index] !== false) expect(counts(rows)).toEqual(counts([...rows]));
      }),
    );
  });

  test('numbers that differ by leading zeros alone are counted in one order, whatever was there before', () => {
    const counts = countsBy(({ label }) => label);
    const before: readonly Row[] = ['web-2', 'web-1', 'web-3'].map((label, id) => ({ id, label }));
    const after = before.with(1, { id: 1, label: 'web-002' }).with(0, { id: 0, label: 'web-02' });
    const last = after.with(2, { id: 2, label: 'web-2' });
    counts(before);
    for (const rows of [after, last])
      expect(counts(rows).map(({ value }) => value)).toEqual(rows.map(({ label }) => label).toSorted());
  });

  test('its differences make the newer list of the older one', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), fc.nat(), fc.nat(), (steps, one, other) => {
        const versions = [...versionsOf(steps)];
        const [from, to] = [one % versions.length, other % versions.length].sort((a, b) => a - b) as [number, number];
        const [before = [], after = []] = [versions[from], versions[to]];
        const rows = [...before];
        for (const difference of differencesBetween(before, after) ?? []) {
          const place = difference.before === undefined ? rows.length : rows.indexOf(difference.before);
          expect(place).toBeGreaterThanOrEqual(0);
          rows.splice(place, difference.before === undefined ? 0 : 1, ...(difference.after ? [difference.after] : []));
        }
        expect(rows).toEqual(after);
      }),
    );
  });
});

describe('what follows a list', () => {
  const sum = memoizeIncremental(
    (list: readonly number[]) => ({ sum: list.reduce((all, one) => all + one, 0), worked: 1 }),
    (result, differences) => ({
      sum: differences.reduce((all, { before = 0, after = 0 }) => all - before + after, result.sum),
      worked: result.worked,
    }),
  );

  test('is brought in line as long as the way is known and short', () => {
    const [one, two] = [
      [1, 2, 3],
      [1, 5, 3],
    ];
    expect(sum(one).sum).toBe(6);
    noteDifferences(one, two, [{ before: 2, after: 5 }]);
    expect(sum(two).sum).toBe(9);
    // The older one again: nobody knows the way back.
    expect(sum(one).sum).toBe(6);
    expect(sum(two).sum).toBe(9);
    expect(differencesBetween(two, one)).toBeUndefined();
    expect(differencesBetween(one, [1, 5, 3])).toBeUndefined();
  });

  test('begins anew where too much has changed, and where two lists come from the same one', () => {
    const many = Array.from({ length: 600 }, (_, index) => index);
    noteDifferences(
      [],
      many,
      many.map((after) => ({ before: undefined, after })),
    );
    expect(sum(many).sum).toBe((599 * 600) / 2);
    const [start, one, other]: number[][] = [[1], [1, 2], [1, 3]];
    noteDifferences(start ?? [], one ?? [], [{ before: undefined, after: 2 }]);
    noteDifferences(start ?? [], other ?? [], [{ before: undefined, after: 3 }]);
    expect([sum(one ?? []).sum, sum(other ?? []).sum, sum(start ?? []).sum]).toEqual([3, 4, 1]);
    expect(differencesBetween(start ?? [], other ?? [])).toBeUndefined();
  });

  test('is worked out once for each version that is asked for, however often they are asked for in turns', () => {
    let workedOut = 0;
    const counted = memoizeIncremental(
      (list: readonly number[]) => ({ sum: list.reduce((all, one) => all + one, 0), times: ++workedOut }),
      (result, differences) => {
        for (const { before = 0, after = 0 } of differences) result.sum += after - before;
        return result;
      },
    );
    const [one, two, three] = [
      [1, 2, 3],
      [1, 5, 3],
      [1, 5, 7],
    ];
    noteDifferences(one, two, [{ before: 2, after: 5 }]);
    noteDifferences(two, three, [{ before: 3, after: 7 }]);
    for (let turn = 0; turn < 10; turn++)
      expect([counted(two).sum, counted(one).sum, counted(three).sum]).toEqual([9, 6, 13]);
    // Two is brought in line to three, and worked out again once when it is the older one.
    expect(workedOut).toBe(3);
  });

  test('is worked out once for a version that more changes followed than are remembered', () => {
    let workedOut = 0;
    const counted = memoizeIncremental(
      (list: readonly number[]) => ({ sum: list.reduce((all, one) => all + one, 0), times: ++workedOut }),
      () => undefined,
    );
    const first: readonly number[] = [0];
    let last = first;
    for (let value = 1; value <= 600; value++) {
      const next = [value];
      noteDifferences(last, next, [{ before: value - 1, after: value }]);
      last = next;
    }
    for (let turn = 0; turn < 10; turn++) expect(counted(first).sum).toBe(0);
    expect(workedOut).toBe(1);
    for (let turn = 0; turn < 10; turn++) expect([counted(last).sum, counted(first).sum]).toEqual([600, 0]);
    expect(workedOut).toBe(3);
  });
});
