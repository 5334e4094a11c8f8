import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { resourceNamed } from '../../src/resources/index.ts';
import type { Row } from '../../src/resources/resource.ts';
import { openShells } from '../../src/screens/leads.ts';
import type { AppContextValue } from '../../src/screens/useStores.ts';
import type { Shell } from '../../src/store/ssh.ts';
import { fakeApi, settled } from '../store/fakeApi.ts';
import { openStores } from '../store/openStores.ts';

const servers = resourceNamed('servers');
const row: Row = { id: 1, label: 'web-1', status: 'running', ipv4: ['192.0.2.1'], tags: [] };

beforeEach(() => void vi.useFakeTimers({ now: Date.parse('2026-05-13T21:40:00Z') }));
afterEach(() => void vi.useRealTimers());

/** Asks for a shell on a server that only an earlier session has read. */
async function open() {
  const api = fakeApi();
  const stores = openStores(api);
  const query = { resource: 'servers', operation: 'list', params: {} };
  stores.cache.restore([{ query, rows: [row], results: 1, keptAt: Date.parse('2026-05-12T20:34:00Z') }]);
  const opened: string[] = [];
  const runShells = async (shells: readonly Shell[]) => {
    opened.push(...shells.map(({ address }) => address));
    return [];
  };
  const context = { stores, runShells } as unknown as AppContextValue;
  const targets = [{ row, params: { serverId: '1' } }];
  expect(openShells(context, { resource: servers, targets, params: {} })).toBeUndefined();
  await settled();
  expect(opened).toEqual([]);
  const said = () => stores.notices.getState().notices.map(({ text }) => text);
  return { api, opened, said };
}

test('a shell is at the address that the server has now', async () => {
  const { api, opened } = await open();
  await api.next('servers.view').answer({ ...row, ipv4: ['192.0.2.9'] });
  expect(opened).toEqual(['192.0.2.9']);
});

test('a shell is on no server that is gone', async () => {
  const { api, opened, said } = await open();
  await api.next('servers.view').fail({ status: 404 });
  expect(opened).toEqual([]);
  expect(said().at(-1)).toBe('Server 1 is not there, or not read yet; open it first.');
});

test('while the API is away it is at the address of before, which is said', async () => {
  const { api, opened, said } = await open();
  await api.next('servers.view').fail({ kind: 'unreachable', status: undefined });
  expect(opened).toEqual(['192.0.2.1']);
  expect(said()).toContain('web-1 cannot be read: its address is of yesterday 18:04.');
});
