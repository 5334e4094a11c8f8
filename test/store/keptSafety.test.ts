import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { resourceNamed } from '../../src/resources/index.ts';
import type { Row } from '../../src/resources/resource.ts';
import { changeOn } from '../../src/store/changes/change.ts';
import { sendChanges } from '../../src/store/changes/send.ts';
import { actionOf } from '../resources/actionOf.ts';
import { fakeApi, settled } from './fakeApi.ts';
import { openStores } from './openStores.ts';

const servers = resourceNamed('servers');
const shutdown = actionOf(servers, 'shutdown');
const row: Row = { id: 1, label: 'web-1', status: 'running', tags: [] };

beforeEach(() => void vi.useFakeTimers({ now: Date.parse('2026-05-13T21:40:00Z') }));
afterEach(() => void vi.useRealTimers());

describe('a change of a row that only an earlier session has read', () => {
  async function send() {
    const api = fakeApi();
    const stores = openStores(api);
    const keptAt = Date.parse('2026-05-12T20:34:00Z');
    const query = { resource: 'servers', operation: 'list', params: {} };
    stores.cache.restore([{ query, rows: [row], results: 1, keptAt }]);
    const change = changeOn(servers, shutdown, row, { serverId: '1' });
    const sent = sendChanges(stores, change, [change]);
    await settled();
    expect(api.count('servers.shutdown')).toBe(0);
    return { api, sent, result: async () => (await sent).results[0] };
  }

  test('is sent once the row was read and is as it was', async () => {
    const { api, result } = await send();
    await api.next('servers.view').answer({ ...row });
    await api.next('servers.shutdown').answer({});
    expect(await result()).toMatchObject({ state: 'done' });
  });

  test('is not sent where the row cannot be read', async () => {
    const { api, result } = await send();
    await api.next('servers.view').fail();
    const { state, says } = (await result()) ?? {};
    expect(state).toBe('not sent');
    expect(says).toMatch(/^web-1 was last read yesterday 18:04 and cannot be read now, so it is not changed: It broke/);
    expect(api.count('servers.shutdown')).toBe(0);
  });

  test('is not sent where the row is not as it was confirmed', async () => {
    const { api, result } = await send();
    await api.next('servers.view').answer({ ...row, status: 'offline' });
    expect(await result()).toMatchObject({
      state: 'not sent',
      says: 'It is not as it was yesterday 18:04 any more, so nothing was sent: look at it, then do it again.',
    });
    expect(api.count('servers.shutdown')).toBe(0);
  });
});
