import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createNavigation, placeOf } from '../../src/store/navigation.ts';
import { keepViews, readStoredViews, restored } from '../../src/store/views/storedViews.ts';
import { memoryState } from './keptState.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const servers = { screen: 'list', resource: 'servers', params: {} } as const;
const key = 'servers:list:{}';

/** Views in memory. */
const memory = (values: Readonly<Record<string, unknown>> = {}) => {
  const state = memoryState({ view: values });
  return Object.assign(state.of('view'), { state });
};

const silent = () => {
  throw new Error('nothing is to be told');
};

test('filter, sort, section, columns and the last place come back', () => {
  const views = memory();
  const navigation = createNavigation({ screen: 'home' });
  const end = keepViews(navigation, views, silent);
  navigation.go(servers);
  navigation.setListView(key, { filter: 'tag:prod', sort: '-CPU', cursor: '1', marks: ['1'] });
  navigation.setListView('images:list:{}', { section: 'Public' });
  navigation.chooseColumns('records:domains:{"domainId":"1"}', [{ value: 'name', width: 9 }]);
  expect(views.state.writes).toBe(0);
  vi.advanceTimersByTime(5_000);
  expect(views.state.writes).toBe(1);
  // The cursor alone writes nothing.
  navigation.setListView(key, { cursor: '2' });
  end();
  expect(views.state.writes).toBe(1);
  const kept = readStoredViews(views, silent);
  expect(kept).toEqual({
    place: servers,
    lists: { [key]: { filter: 'tag:prod', sort: '-CPU' }, 'images:list:{}': { filter: '', section: 'Public' } },
    columns: { 'records:domains': [{ value: 'name', width: 9 }] },
  });
  const again = createNavigation(kept.place ?? servers, restored(kept));
  expect(again.getState().listViews[key]).toEqual({ filter: 'tag:prod', sort: '-CPU', marks: [] });
  expect(placeOf(again.getState())).toEqual(servers);
});

test('the place of a row that a secret names is not kept: its list is', () => {
  const views = memory();
  const navigation = createNavigation({ screen: 'home' });
  const end = keepViews(navigation, views, silent);
  navigation.go({ screen: 'detail', resource: 'entity-transfers', params: { token: '123E4567' }, tab: 'overview' });
  end();
  expect(readStoredViews(views, silent).place).toEqual({ screen: 'list', resource: 'entity-transfers', params: {} });
});

test('what is cleared is forgotten, and a view of the user is not kept as a list', () => {
  const views = memory();
  const navigation = createNavigation({ screen: 'home' });
  const end = keepViews(navigation, views, silent);
  navigation.setListView(key, { filter: 'a' });
  navigation.setListView(`${key} prod`, { filter: 'b' });
  navigation.chooseColumns(`${key} prod / Public`, [{ value: 'id' }]);
  navigation.setListView(`${key} / Public`, { filter: 'c' });
  vi.advanceTimersByTime(5_000);
  expect(Object.keys(readStoredViews(views, silent).lists)).toEqual([key, `${key} / Public`]);
  navigation.setListView(key, { filter: '' });
  end();
  expect(readStoredViews(views, silent)).toMatchObject({
    lists: { [`${key} / Public`]: { filter: 'c' } },
    columns: {},
  });
  expect(readStoredViews(views, silent).lists).not.toHaveProperty([key]);
});

test('two programs at once keep what each has changed', () => {
  const views = memory();
  const navigations = [createNavigation(servers), createNavigation(servers)];
  const ends = navigations.map((one) => keepViews(one, views, silent));
  navigations[0]?.setListView(key, { filter: 'a' });
  navigations[1]?.setListView('volumes:list:{}', { filter: 'b' });
  for (const end of ends) end();
  expect(readStoredViews(views, silent).lists).toEqual({ [key]: { filter: 'a' }, 'volumes:list:{}': { filter: 'b' } });
});

test.each([
  ['list a', 3],
  ['list a', null],
  ['columns a', [{ value: '' }]],
  ['columns a', []],
  ['columns a', [{ value: 'id', width: 1e9 }]],
  ['place', 'home'],
])('what is not as it was written is left out, and the rest comes back: %s %j', (key, value) => {
  const views = memory({ [key]: value, 'list b': { filter: 'prod' } });
  expect(readStoredViews(views, silent)).toEqual({ lists: { b: { filter: 'prod' } }, columns: {} });
});

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
  expect(readStoredViews(memory({ place }), silent).place).toEqual(expected ?? undefined);
});

test('where they cannot be kept, that is said, and they are kept once they can be', () => {
  const told: string[] = [];
  const views = memory();
  views.state.refuses = true;
  expect(readStoredViews(views, (says) => told.push(says))).toEqual({ lists: {}, columns: {} });
  const navigation = createNavigation({ screen: 'home' });
  const end = keepViews(navigation, views, (says) => told.push(says));
  navigation.go(servers);
  vi.advanceTimersByTime(5_000);
  expect(told).toEqual(['The disk is full.', 'The disk is full.']);
  views.state.refuses = false;
  end();
  expect(readStoredViews(views, silent).place).toEqual(servers);
});

test('of lists that were seen in a way of their own the last changed come back', () => {
  const views = memory();
  const navigation = createNavigation({ screen: 'home' });
  const end = keepViews(navigation, views, silent);
  for (let nth = 0; nth < 300; nth++) {
    navigation.setListView(`list${nth}:list:{}`, { filter: 'a' });
    vi.advanceTimersByTime(5_000);
  }
  end();
  const kept = Object.keys(readStoredViews(views, silent).lists);
  expect(kept.length).toBeLessThanOrEqual(201);
  expect(kept.at(-1)).toBe('list299:list:{}');
});
