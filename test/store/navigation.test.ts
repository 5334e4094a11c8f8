import { describe, expect, test } from 'vitest';
import {
  createNavigation,
  listViewOf,
  type Overlay,
  type Place,
  placeKey,
  placeOf,
  tabKey,
} from '../../src/store/navigation.ts';

const home: Place = { screen: 'home' };
const list = (resource: string): Place => ({ screen: 'list', resource, params: {} });
const detail = (serverId: string, tab = 'overview'): Place => ({
  screen: 'detail',
  resource: 'servers',
  params: { serverId },
  tab,
});
const palette: Overlay = { kind: 'palette' };
const help: Overlay = { kind: 'help' };

describe('the trail', () => {
  test('leads back and forward; what lay ahead is forgotten when one goes elsewhere', () => {
    const navigation = createNavigation(home);
    const here = () => placeOf(navigation.getState());
    for (const place of [list('servers'), detail('1'), list('volumes')]) navigation.go(place);
    expect(navigation.forward()).toBe(false);
    expect([navigation.back(), navigation.back()]).toEqual([true, true]);
    expect(here()).toEqual(list('servers'));
    navigation.forward();
    expect(here()).toEqual(detail('1'));
    navigation.go(home);
    expect(navigation.forward()).toBe(false);
    navigation.back();
    expect(here()).toEqual(detail('1'));
  });

  test('has no step to where one is already, nor for another tab', () => {
    const navigation = createNavigation(home);
    navigation.go(list('servers'));
    navigation.go(list('servers'));
    navigation.go(detail('1'));
    navigation.replace(detail('1', 'disks'));
    expect(navigation.getState()).toMatchObject({ at: 2, trail: [home, list('servers'), detail('1', 'disks')] });
  });

  test('is fifty places long', () => {
    const navigation = createNavigation(home);
    for (let id = 1; id <= 60; id++) navigation.go(detail(`${id}`));
    expect(navigation.getState().trail).toHaveLength(50);
    expect(placeOf(navigation.getState())).toEqual(detail('60'));
    navigation.back();
    expect(placeOf(navigation.getState())).toEqual(detail('59'));
  });

  test('leads up from where one began: to the list, then home, and no further', () => {
    const navigation = createNavigation(detail('1'));
    const here = () => placeOf(navigation.getState());
    navigation.up();
    expect(here()).toEqual(list('servers'));
    navigation.up();
    expect(here()).toEqual(home);
    navigation.up();
    expect(here()).toEqual(home);
    navigation.forward();
    navigation.forward();
    expect(here()).toEqual(detail('1'));
  });

  test('leads up from a row below another to that one', () => {
    const params = { serverId: '1', diskId: '2' };
    const navigation = createNavigation({ screen: 'detail', resource: 'disks', params, tab: 'overview' });
    navigation.up();
    expect(placeOf(navigation.getState())).toEqual(detail('1'));
  });
});

describe('what lies over the screen', () => {
  test('goes first, the topmost one', () => {
    const navigation = createNavigation(home);
    navigation.go(list('servers'));
    navigation.open(palette);
    navigation.open(help);
    navigation.up();
    expect(navigation.getState()).toMatchObject({ overlays: [palette], at: 1 });
    navigation.close();
    navigation.up();
    expect(navigation.getState()).toMatchObject({ overlays: [], at: 0 });
  });

  test('goes when one goes elsewhere; one alone can be dismissed', () => {
    const navigation = createNavigation(home);
    navigation.open(palette);
    navigation.open(help);
    navigation.dismiss(palette);
    expect(navigation.getState().overlays).toEqual([help]);
    navigation.go(list('servers'));
    navigation.open(help);
    navigation.back();
    expect(navigation.getState().overlays).toEqual([]);
  });
});

describe('how a list is looked at', () => {
  const key = placeKey(list('servers'));

  test('is kept by place, and in ids', () => {
    const navigation = createNavigation(home);
    expect(listViewOf(navigation.getState(), key)).toEqual({ marks: [], filter: '' });
    navigation.setListView(key, { cursor: '7', marks: ['7', '9'] });
    navigation.setListView(key, { filter: 'web' });
    expect(listViewOf(navigation.getState(), key)).toEqual({ cursor: '7', marks: ['7', '9'], filter: 'web' });
    expect(placeKey(detail('1'))).not.toBe(placeKey(detail('2')));
    expect(placeKey(detail('1', 'disks'))).toBe(placeKey(detail('1')));
  });

  test('loses marks wherever the rows are listed, and only those', () => {
    const navigation = createNavigation(home);
    navigation.setListView(key, { marks: ['1', '2', '3'] });
    navigation.setListView('servers:elsewhere', { marks: ['2'] });
    navigation.setListView('volumes:list:{}', { marks: ['2'] });
    const volumes = navigation.getState().listViews['volumes:list:{}'];
    navigation.unmark('servers', ['2', '9']);
    const marks = (name: string) => listViewOf(navigation.getState(), name).marks;
    expect([marks(key), marks('servers:elsewhere')]).toEqual([['1', '3'], []]);
    expect(navigation.getState().listViews['volumes:list:{}']).toBe(volumes);
    const before = listViewOf(navigation.getState(), key);
    navigation.unmark('servers', ['2']);
    expect(listViewOf(navigation.getState(), key)).toBe(before);
  });

  test('can be pointed at a row', () => {
    const navigation = createNavigation(home);
    navigation.setListView(key, { cursor: '1' });
    navigation.pointAt('servers', '5');
    expect(listViewOf(navigation.getState(), key).cursor).toBe('5');
  });

  test.each([
    [list('volumes'), 'volumes', placeKey(list('volumes'))],
    [detail('1', 'disks'), 'disks', tabKey('disks', 'servers', { serverId: '1' })],
  ])('can be pointed at a row before it is touched, at %o', (place, resource, key) => {
    const navigation = createNavigation(place);
    navigation.pointAt(resource, '5');
    expect(listViewOf(navigation.getState(), key).cursor).toBe('5');
  });
});

test('drafts are kept until they are forgotten', () => {
  const navigation = createNavigation(home);
  const two = { title: 'Edit two', opened: {}, mine: { label: 'b' } };
  navigation.keepDraft('one', { title: 'Edit one', opened: {}, mine: { label: 'a' } });
  navigation.keepDraft('two', two);
  navigation.keepDraft('one', undefined);
  expect(navigation.getState().drafts).toEqual({ two });
});
