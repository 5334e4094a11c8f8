import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createNavigation, placeOf } from '../../src/store/navigation.ts';
import { keepViews, readKeptViews, restored } from '../../src/store/views/keptViews.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const servers = { screen: 'list', resource: 'servers', params: {} } as const;
const key = 'servers:list:{}';

/** A file in memory. */
function memory(text?: string) {
  const file = {
    text,
    writes: 0,
    read: () => file.text,
    write: (next: string) => {
      file.text = next;
      file.writes++;
    },
  };
  return file;
}

const silent = () => {
  throw new Error('nothing is to be told');
};

test('filter, sort, section, columns and the last place come back', () => {
  const file = memory();
  const navigation = createNavigation({ screen: 'home' });
  const end = keepViews(navigation, file, silent);
  navigation.go(servers);
  navigation.setListView(key, { filter: 'tag:prod', sort: '-CPU', cursor: '1', marks: ['1'] });
  navigation.setListView('images:list:{}', { section: 'Public' });
  navigation.chooseColumns('records:domains:{"domainId":"1"}', [{ value: 'name', width: 9 }]);
  expect(file.writes).toBe(0);
  vi.advanceTimersByTime(5_000);
  expect(file.writes).toBe(1);
  // The cursor alone writes nothing.
  navigation.setListView(key, { cursor: '2' });
  end();
  expect(file.writes).toBe(1);
  const kept = readKeptViews(file, silent);
  expect(kept).toEqual({
    place: servers,
    lists: { [key]: { filter: 'tag:prod', sort: '-CPU' }, 'images:list:{}': { filter: '', section: 'Public' } },
    columns: { 'records:domains': [{ value: 'name', width: 9 }] },
  });
  const again = createNavigation(kept.place ?? servers, restored(kept));
  expect(again.getState().listViews[key]).toEqual({ filter: 'tag:prod', sort: '-CPU', marks: [] });
  expect(placeOf(again.getState())).toEqual(servers);
});

test('what is cleared is forgotten, and a view of the user is not kept as a list', () => {
  const file = memory();
  const navigation = createNavigation({ screen: 'home' });
  const end = keepViews(navigation, file, silent);
  navigation.setListView(key, { filter: 'a' });
  navigation.setListView(`${key} prod`, { filter: 'b' });
  navigation.chooseColumns(`${key} prod / Public`, [{ value: 'id' }]);
  navigation.setListView(`${key} / Public`, { filter: 'c' });
  vi.advanceTimersByTime(5_000);
  expect(Object.keys(readKeptViews(file, silent).lists)).toEqual([key, `${key} / Public`]);
  navigation.setListView(key, { filter: '' });
  end();
  expect(readKeptViews(file, silent)).toMatchObject({ lists: { [`${key} / Public`]: { filter: 'c' } }, columns: {} });
  expect(readKeptViews(file, silent).lists).not.toHaveProperty([key]);
});

test('two programs at once keep what each has changed', () => {
  const file = memory();
  const navigations = [createNavigation(servers), createNavigation(servers)];
  const ends = navigations.map((one) => keepViews(one, file, silent));
  navigations[0]?.setListView(key, { filter: 'a' });
  navigations[1]?.setListView('volumes:list:{}', { filter: 'b' });
  for (const end of ends) end();
  expect(readKeptViews(file, silent).lists).toEqual({
    [key]: { filter: 'a' },
    'volumes:list:{}': { filter: 'b' },
  });
});

test.each(['{', '[]', '{"lists":{"a":3}}', '{"columns":{"a":[{"value":""}]}}', '{"columns":{"a":[]}}'])(
  'a damaged file is told once, ignored and written anew: %s',
  (text) => {
    const file = memory(text);
    const told: string[] = [];
    expect(readKeptViews(file, (says) => told.push(says))).toEqual({ lists: {}, columns: {} });
    expect(told).toEqual([expect.stringContaining('is damaged')]);
    const navigation = createNavigation({ screen: 'home' });
    const end = keepViews(navigation, file, silent);
    navigation.go(servers);
    end();
    expect(readKeptViews(file, silent).place).toEqual(servers);
  },
);

test.each([
  [{ screen: 'list', resource: 'nothing', params: {} }, undefined],
  [{ screen: 'list', resource: 'servers', params: { a: 1 } }, undefined],
  [{ screen: 'detail', resource: 'servers', params: { serverId: '1' } }, undefined],
  [{ screen: 'elsewhere' }, undefined],
  [
    { screen: 'detail', resource: 'problems', params: { problemId: 'a' }, tab: 'overview' },
    { screen: 'list', resource: 'problems', params: {} },
  ],
])('a last place is one that exists: %j', (place, expected) => {
  expect(readKeptViews(memory(JSON.stringify({ place })), silent).place).toEqual(expected ?? undefined);
});

test('a file that cannot be written is told once', () => {
  const told: string[] = [];
  const file = {
    read: () => undefined,
    write: () => {
      throw new Error('The disk is full.');
    },
  };
  const navigation = createNavigation({ screen: 'home' });
  const end = keepViews(navigation, file, (says) => told.push(says));
  navigation.go(servers);
  vi.advanceTimersByTime(5_000);
  navigation.go({ screen: 'fleet' });
  vi.advanceTimersByTime(5_000);
  end();
  expect(told).toEqual(['The disk is full. Views do not come back at the next start.']);
});
