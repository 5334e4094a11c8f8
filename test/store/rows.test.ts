import { describe, expect, test } from 'vitest';
import { resourceNamed } from '../../src/resources/index.ts';
import { createRetention } from '../../src/store/retention.ts';
import { changesOf, every, isSame, unlessSame, withChanges } from '../../src/store/rows.ts';

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
    expect(unlessSame(before, [...before])).toBe(before);
    const turned = before.toReversed();
    expect(unlessSame(before, turned)).toBe(turned);
    expect(unlessSame(before, [])).toEqual([]);
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
    expect(withChanges(servers, rows, changesOf(servers, structuredClone(rows)), every)).toBe(rows);
    expect(withChanges(servers, rows, new Map([['9', undefined]]), every)).toBe(rows);
  });

  test('bring new rows in only where these belong', () => {
    const changes = changesOf(servers, [{ id: 4, label: 'd' }]);
    expect(withChanges(servers, rows, changes, () => false)).toBe(rows);
    expect(withChanges(servers, rows, changes, every).at(-1)).toEqual({ id: 4, label: 'd' });
    expect(withChanges(servers, rows, changes, ({ label }) => label === 'e')).toBe(rows);
  });
});

describe('retention', () => {
  test('lets the longest unused go and nothing that is held', () => {
    const retention = createRetention(2);
    const release = retention.hold('a');
    for (const key of ['b', 'c', 'd']) retention.hold(key)();
    expect(retention.surplus()).toEqual(['b', 'c']);
    expect(retention.surplus()).toEqual([]);
    retention.hold('e')();
    expect(retention.surplus()).toEqual(['d']);
    release();
    retention.hold('f')();
    expect(retention.surplus()).toEqual(['e']);
  });

  test('exceeds the limit while all are held', () => {
    const retention = createRetention(1);
    const releases = ['a', 'b', 'b'].map(retention.hold);
    expect(retention.surplus()).toEqual([]);
    releases[1]?.();
    expect(retention.surplus()).toEqual([]);
    releases[2]?.();
    expect(retention.surplus()).toEqual(['b']);
  });
});
