import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { resourceNamed } from '../../src/resources/index.ts';
import type { Action } from '../../src/resources/resource.ts';
import { type Result, resultOf } from '../../src/store/changes/change.ts';
import { createPendingChanges, isStoppable } from '../../src/store/changes/pendingChanges.ts';
import { sendChanges } from '../../src/store/changes/send.ts';
import { progressive } from '../../src/text/words.ts';
import { fakeApi, settled } from './fakeApi.ts';
import { openStores } from './openStores.ts';

const volumes = resourceNamed('volumes');
const remove = volumes.remove as Action;
const by = { resource: volumes, action: remove };
const deletions = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    ...by,
    params: { volumeId: String(index + 1) },
    label: `data-${index + 1}`,
  }));

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

test('every row of a change is told from the moment it is begun', async () => {
  const api = fakeApi();
  const stores = openStores(api);
  const done = sendChanges(stores, by, deletions(6));
  const change = () => stores.changes.getState().changes[0];
  const states = () =>
    change()
      ?.results.map(({ state }) => state)
      .join(' ');
  expect(change()).toMatchObject({ ...by, title: 'Delete 6 volumes', isOver: false });
  expect(change()?.results[0]).toMatchObject({ rowId: '1', label: 'data-1' });
  expect(states()).toBe('running running running running waiting waiting');
  await api.next('volumes.delete').fail({ status: 400, message: 'It is attached.' });
  expect(states()).toBe('failed running running running running waiting');
  expect(change()?.results[0]?.says).toBe('It is attached.');
  while (api.open.some(({ name }) => name === 'volumes.delete')) await api.next('volumes.delete').answer({});
  expect(states()).toBe('failed done done done done done');
  await done;
  expect(change()?.isOver).toBe(true);
});

test('one that is stopped sends no further row, and waits for those that were sent', async () => {
  const api = fakeApi();
  const stores = openStores(api);
  const done = sendChanges(stores, by, deletions(13));
  await api.next('volumes.delete').answer({});
  const [change] = stores.changes.getState().changes;
  expect(change && isStoppable(change)).toBe(true);
  stores.changes.stop(change?.id ?? 0);
  const stopping = stores.changes.getState().changes[0];
  expect(stopping).toMatchObject({ isStopping: true, isOver: false });
  expect(stopping && isStoppable(stopping)).toBe(false);
  for (let sent = 1; sent < 5; sent++) await api.next('volumes.delete').answer({});
  await settled();
  expect(api.count('volumes.delete')).toBe(5);
  const { results } = await done;
  expect(results.filter(({ state }) => state === 'not sent')).toHaveLength(8);
  expect(results.filter(({ state }) => state === 'done')).toHaveLength(5);
  expect(stores.changes.getState().changes[0]?.isOver).toBe(true);
});

test.each([
  ['a token that is not accepted', { status: 401, message: 'The API does not accept the token.' }, true],
  ['maintenance', { status: 503, message: 'The API is under maintenance.' }, true],
  ['a pause that is not waited for', { kind: 'unavailable', status: undefined, message: 'Not sent.' }, true],
  ['a row that is refused', { status: 400, message: 'It is attached.' }, false],
  ['a row on which the API fails', { status: 500, message: 'It broke.' }, false],
] as const)(
  'of two hundred rows, %s: those that go are answered, the rest stays as it is',
  async (_, error, isForAll) => {
    const api = fakeApi();
    const stores = openStores(api);
    const done = sendChanges(stores, by, deletions(200));
    await api.next('volumes.delete').answer({});
    await api.next('volumes.delete').fail(error);
    while (api.open.some(({ name }) => name === 'volumes.delete')) await api.next('volumes.delete').answer({});
    const { results } = await done;
    expect(api.count('volumes.delete')).toBe(isForAll ? 5 : 200);
    expect(results.filter(({ state }) => state === 'not sent')).toHaveLength(isForAll ? 195 : 0);
    expect(stores.changes.getState().changes[0]).toMatchObject({ isOver: true, isStopping: false });
    expect(stores.changes.getState().changes[0]?.isRefused).toBe(isForAll || undefined);
  },
);

test('closing sends nothing that still waits', async () => {
  const api = fakeApi();
  const stores = openStores(api);
  void sendChanges(stores, by, deletions(6));
  stores.close();
  await api.next('volumes.delete').answer({});
  expect(api.count('volumes.delete')).toBe(4);
});

test('fifty are remembered, and what is under way in any case', async () => {
  const changes = createPendingChanges(Date.now);
  void changes.run(by, deletions(1), () => new Promise<Result>(() => {}));
  const [first] = changes.getState().changes;
  for (let made = 0; made < 60; made++) await changes.run(by, deletions(1), async (change) => resultOf(change, 'done'));
  const kept = changes.getState().changes;
  expect(kept).toHaveLength(50);
  expect(kept[0]).toMatchObject({ id: first?.id, isOver: false });
});

test('an answer, which may hold a secret, is given to who sent it and not kept', async () => {
  const changes = createPendingChanges(Date.now);
  const answer = { secret_key: 'hidden' };
  const { results } = await changes.run(by, deletions(1), async (change) => ({ ...resultOf(change, 'done'), answer }));
  expect(results).toMatchObject([{ state: 'done', answer }]);
  expect(JSON.stringify(changes.getState())).not.toContain('hidden');
});

test.each([
  ['Delete', 'deleting'],
  ['Shut down', 'shutting down'],
  ['Reboot', 'rebooting'],
  ['Attach to a server', 'attaching'],
  ['Cancel', 'cancelling'],
  ['Reject traffic', 'rejecting'],
  ['Drain', 'draining'],
  ['Edit', 'saving'],
  // Of the row only a part is taken away.
  ['Delete the certificate', 'changing'],
  ['Remove tags', 'changing'],
])('%s is %s', (help, says) => expect(progressive(help)).toBe(says));
