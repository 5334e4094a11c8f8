import { describe, expect, test } from 'vitest';
import { resourceNamed } from '../../src/resources/index.ts';
import { createEviction } from '../../src/store/cache.ts';
import { changesOf, isSame, reuseList, withChanges } from '../../src/store/rows.ts';

const servers = resourceNamed('servers');

describe('what says the same', () => {
  test.each([
    [1, 1, true],
    [null, null, true],
    [null, {}, false],
    [undefined, null, false],
    ['1', 1, false],
    [[1, { a: [2] }], [1, { a: [2] }], true],
    [[1, 2], [2, 1], false],
    [[], {}, false],
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
    [{ a: 1 }, { a: 1, b: undefined }, false],
    [{ toString: 1 }, { other: 1 }, false],
  ])('%j and %j: %s', (one, other, same) => {
    expect(isSame(one, other)).toBe(same);
    expect(isSame(other, one)).toBe(same);
  });

  test('a list with the very same members is the list before', () => {
    const before = [{ id: 1 }, { id: 2 }];
    expect(reuseList(before, [...before])).toBe(before);
    const turned = before.toReversed();
    expect(reuseList(before, turned)).toBe(turned);
    expect(reuseList(before, [])).toEqual([]);
  });
});

describe('changes', () => {
  const rows = [
    { id: 1, label: 'a' },
    { id: 2, label: 'b' },
    { id: 3, label: 'c' },
  ];

  test('take their places; those that are gone go', () => {
    const changes = new Map([
      ['2', { id: 2, label: 'B' }],
      ['3', undefined],
    ]);
    const after = withChanges(servers, rows, changes, () => false);
    expect(after).toEqual([
      { id: 1, label: 'a' },
      { id: 2, label: 'B' },
    ]);
    expect(after[0]).toBe(rows[0]);
  });

  test('that change nothing leave the very list', () => {
    expect(withChanges(servers, rows, changesOf(servers, structuredClone(rows)))).toBe(rows);
    expect(withChanges(servers, rows, new Map([['9', undefined]]))).toBe(rows);
  });

  test('bring new rows in only where these belong', () => {
    const changes = changesOf(servers, [{ id: 4, label: 'd' }]);
    expect(withChanges(servers, rows, changes, () => false)).toBe(rows);
    expect(withChanges(servers, rows, changes).at(-1)).toEqual({ id: 4, label: 'd' });
    expect(withChanges(servers, rows, changes, ({ label }) => label === 'e')).toBe(rows);
  });
});

describe('retention', () => {
  test('lets the longest unused go and nothing that is held', () => {
    const retention = createEviction(2);
    const release = retention.retain('a');
    for (const key of ['b', 'c', 'd']) retention.retain(key)();
    expect(retention.evict()).toEqual(['b', 'c']);
    expect(retention.evict()).toEqual([]);
    retention.retain('e')();
    expect(retention.evict()).toEqual(['d']);
    release();
    retention.retain('f')();
    expect(retention.evict()).toEqual(['e']);
  });

  test('exceeds the limit while all are held', () => {
    const retention = createEviction(1);
    const releases = ['a', 'b', 'b'].map(retention.retain);
    expect(retention.evict()).toEqual([]);
    releases[1]?.();
    expect(retention.evict()).toEqual([]);
    releases[2]?.();
    expect(retention.evict()).toEqual(['b']);
  });
});
