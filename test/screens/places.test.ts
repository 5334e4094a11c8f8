import { describe, expect, test } from 'vitest';
import { prefetchPlace } from '../../src/screens/places.ts';
import type { Place } from '../../src/store/navigation.ts';
import { fakeApi } from '../store/fakeApi.ts';
import { openStores } from '../store/openStores.ts';

const row: Place = { screen: 'detail', resource: 'servers', params: { serverId: '7' }, tab: 'overview' };

describe('what a place shows first of all', () => {
  test.each<[string, Place, readonly string[]]>([
    ['the list', { screen: 'list', resource: 'servers', params: {} }, ['servers.list']],
    ['the first view of a list', { screen: 'list', resource: 'stackscripts', params: {} }, ['stackscripts.mine']],
    ['the row', row, ['servers.view']],
    ['nothing of what the program makes itself', { screen: 'list', resource: 'problems', params: {} }, []],
    ['nothing of home, which shows of everything', { screen: 'home' }, []],
  ])('is asked for: %s', (_what, place, names) => {
    const api = fakeApi();
    prefetchPlace(openStores(api), place);
    expect(api.all.map(({ name }) => name)).toEqual(names);
  });

  test('is asked for once when its screen looks at it too, and no longer when nobody does', async () => {
    const api = fakeApi();
    const stores = openStores(api);
    const leave = prefetchPlace(stores, row);
    const look = stores.scheduler.subscribe([{ resource: 'servers', operation: 'view', params: { serverId: '7' } }]);
    leave();
    await Promise.resolve();
    expect(api.count('servers.view')).toBe(1);
    expect(api.open).toHaveLength(1);
    look();
    await Promise.resolve();
    expect(api.open).toHaveLength(0);
  });
});
