import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { resourceNamed } from '../../src/resources/index.ts';
import type { Action, Row } from '../../src/resources/resource.ts';
import { submit, submitWithoutForm } from '../../src/store/changes/submit.ts';
import { fakeApi } from './fakeApi.ts';
import { openStores } from './openStores.ts';

const volumes = resourceNamed('volumes');
const remove = volumes.remove as Action;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A submission that deletes volumes; those of the servers given are attached, so that they cannot be deleted. */
function deletionOf(...servers: readonly (number | null)[]) {
  const targets = servers.map((server_id, index) => {
    const id = index + 1;
    const row: Row = { id, label: `data-${id}`, server_id, server_label: server_id === null ? null : 'web-1' };
    return { row, params: { volumeId: String(id) } };
  });
  return { resource: volumes, action: remove, targets, params: {}, draft: {} };
}

test('a row that an action cannot be done to is not sent, and has its reason told', async () => {
  const api = fakeApi();
  const stores = openStores(api);
  const submitted = submit(stores, deletionOf(null, 7));
  await api.next('volumes.view').answer({ id: 1, label: 'data-1', server_id: null, server_label: null });
  await api.next('volumes.delete').answer({});
  expect((await submitted).map(({ label, state, says }) => [label, state, says])).toEqual([
    ['data-1', 'done', undefined],
    ['data-2', 'not sent', 'data-2 is attached to web-1; detach it first.'],
  ]);
  expect(api.count('volumes.delete')).toBe(1);
  const [results] = stores.navigation.getState().overlays;
  expect(results).toMatchObject({ kind: 'results', leftOut: [{ label: 'data-2' }] });
});

test('a secret comes below what was opened since it was asked for, and above what was there before', async () => {
  const api = fakeApi();
  const stores = openStores(api);
  const { navigation } = stores;
  const keys = resourceNamed('object-keys');
  const create = keys.create as Action;
  const form = { kind: 'form', resource: keys.name, action: create.name, targets: [], params: {} } as const;
  navigation.open(form);
  const submitted = submit(stores, {
    resource: keys,
    action: create,
    targets: [],
    params: {},
    draft: { label: 'backup' },
  });
  navigation.open({ kind: 'filter', viewKey: 'servers' });
  await api.next('object-keys.list').page([]);
  await api.next('object-keys.create').answer({ id: 5, label: 'backup', access_key: 'A', secret_key: 'S' });
  await submitted;
  expect(navigation.getState().overlays.map(({ kind }) => kind)).toEqual(['form', 'secret', 'filter']);
});

test('where no row is left, nothing is sent and that is said', async () => {
  const api = fakeApi();
  const stores = openStores(api);
  await submitWithoutForm(stores, deletionOf(7));
  expect(api.count('volumes.delete')).toBe(0);
  expect(stores.notices.getState().current).toMatchObject({
    tone: 'bad',
    text: 'Delete: data-1: data-1 is attached to web-1; detach it first.',
  });
});
