import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { tokenScopes } from '../../src/api/tokenScopes.ts';
import { resourceNamed } from '../../src/resources/index.ts';
import type { Row } from '../../src/resources/resource.ts';
import { type Query, queryKey } from '../../src/store/cache.ts';
import { type Change, changeOn, type Result } from '../../src/store/changes/change.ts';
import { sendChanges } from '../../src/store/changes/send.ts';
import { whyForbidden } from '../../src/store/session.ts';
import type { Stores } from '../../src/store/stores.ts';
import { actionOf } from '../resources/actionOf.ts';
import { fakeApi, settled } from './fakeApi.ts';
import { openStores } from './openStores.ts';

const volumes = resourceNamed('volumes');
const tickets = resourceNamed('tickets');

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

const volume = (id: number, size = 20): Row => ({ id, label: `data-${id}`, size, status: 'active' });
const listOf = (resource: string): Query => ({ resource, operation: 'list', params: {} });

/** The results of changes by one action. */
async function send(stores: Stores, changes: readonly Change[]): Promise<readonly Result[]> {
  const [first] = changes;
  return first ? (await sendChanges(stores, first, changes)).results : [];
}

/** Why a change was not done; undefined where it was. */
const failureOf = ({ state, says }: Result) => (state === 'done' ? undefined : says);

/** A stores with some volumes on screen. */
async function open(count = 3) {
  const api = fakeApi();
  const stores = openStores(api);
  stores.scheduler.subscribe([listOf('volumes')]);
  await api.next('volumes.list').page(Array.from({ length: count }, (_, index) => volume(index + 1)));
  const rows = () => stores.cache.getState().collections[queryKey(listOf('volumes'))]?.rows ?? [];
  const sizes = () => rows().map(({ size }) => size);
  /** The results of an action of volumes, done to so many of the rows with a body. */
  const act = (name: string, body?: unknown, rowCount = count) =>
    send(
      stores,
      rows()
        .slice(0, rowCount)
        .map((row) => changeOn(volumes, actionOf(volumes, name), row, {}, body)),
    );
  const asked = () => api.open.map(({ name }) => name).sort();
  return { api, stores, rows, sizes, act, asked };
}

describe('a change', () => {
  test('shows in the row at once, from the answer, and the newest events are asked for', async () => {
    const { api, sizes, act, asked } = await open();
    const done = act('resize', { size: 30 }, 1);
    expect(api.next('volumes.resize').request).toMatchObject({ params: { volumeId: '1' }, body: { size: 30 } });
    await api.next('volumes.resize').answer(volume(1, 30));
    expect(await done).toMatchObject([{ label: 'data-1', answer: { size: 30 } }]);
    expect(sizes()).toEqual([30, 20, 20]);
    expect(asked()).toEqual(['events.list']);
  });

  test('without the row in its answer has it read', async () => {
    const { api, rows, act } = await open();
    void act('detach', undefined, 1);
    await api.next('volumes.detach').answer({});
    await api.next('volumes.view').answer({ ...volume(1), server_id: null });
    expect(rows()[0]).toHaveProperty('server_id', null);
  });

  test('is made on four rows at a time, with one result a row in their order', async () => {
    const { api, act } = await open(10);
    const done = act('resize', { size: 30 });
    expect(api.open).toHaveLength(4);
    const answered: string[] = [];
    while (api.open.some(({ name }) => name === 'volumes.resize')) {
      const asked = api.open.findLast(({ name }) => name === 'volumes.resize');
      const id = asked?.request.params?.volumeId ?? '';
      answered.push(id);
      if (id === '3') await asked?.fail({ status: 400, message: 'It is too small.' });
      else await asked?.answer(volume(Number(id), 30));
      expect(api.open.length).toBeLessThanOrEqual(4);
    }
    const outcomes = (await done).map((result) => [result.label, failureOf(result)]);
    expect(outcomes).toEqual(
      Array.from({ length: 10 }, (_, index) => [`data-${index + 1}`, index === 2 ? 'It is too small.' : undefined]),
    );
    expect(answered).toHaveLength(10);
    expect(api.count('events.list')).toBe(1);
  });

  test('that makes a row brings it into the list', async () => {
    const { api, stores, sizes } = await open();
    void send(stores, [
      { resource: volumes, action: actionOf(volumes, 'create'), params: {}, label: 'new', body: { label: 'new' } },
    ]);
    await api.next('volumes.create').answer(volume(9, 99));
    expect(sizes()).toEqual([20, 20, 20, 99]);
  });

  test.each(['ok', true, 7, null, []])('that is answered with %j is done, and its row is read', async (answer) => {
    const { api, act, asked } = await open();
    const done = act('resize', { size: 30 }, 1);
    await api.next('volumes.resize').answer(answer);
    expect((await done).map(failureOf)).toEqual([undefined]);
    expect(asked()).toContain('volumes.view');
  });

  test.each([{}, { id: null }, true])(
    'that makes a row of which %j tells nothing is not taken back',
    async (answer) => {
      const { api, stores } = await open();
      const create = { resource: volumes, action: actionOf(volumes, 'create'), params: {}, label: 'new' };
      const done = send(stores, [{ ...create, body: { label: 'new' } }]);
      await api.next('volumes.create').answer(answer);
      expect((await done).map(failureOf)).toEqual([undefined]);
      expect(stores.changes.getState().undo).toMatchObject([{ why: 'It is not known which volume was made.' }]);
    },
  );

  test('whose answer has something else in the place of the new row has it read', async () => {
    const { api, stores } = await open();
    const images = resourceNamed('images');
    const body = { label: 'new', region: 'us-east' };
    const done = send(stores, [
      { resource: images, action: actionOf(images, 'upload'), params: {}, label: 'new', body },
    ]);
    await api.next('images.list').page([]);
    await api.next('images.upload').answer({ image: 'private/7', upload_to: 'https://files.example' });
    expect((await done).map(failureOf)).toEqual([undefined]);
  });

  test('that makes another row from one brings that in and leaves the first', async () => {
    const { api, rows, act } = await open();
    void act('clone', { label: 'copy' }, 1);
    await api.next('volumes.clone').answer(volume(9));
    expect(rows().map(({ id }) => id)).toEqual([1, 2, 3, 9]);
  });

  test('that deletes a row takes it away, also where it is gone already', async () => {
    const { api, rows, act } = await open();
    const done = act('delete', undefined, 2);
    for (const id of [1, 2]) await api.next('volumes.view').answer(volume(id));
    await api.next('volumes.delete').answer({});
    await api.next('volumes.delete').fail({ status: 404, message: 'Not found.' });
    expect(rows().map(({ id }) => id)).toEqual([3]);
    expect((await done).map(failureOf)).toEqual([undefined, 'Not found.']);
  });

  test('of a row that is gone has that looked at, and taken away', async () => {
    const { api, rows, act } = await open();
    void act('resize', { size: 30 }, 1);
    await api.next('volumes.resize').fail({ status: 404 });
    expect(rows()).toHaveLength(3);
    await api.next('volumes.view').fail({ status: 404 });
    expect(rows().map(({ id }) => id)).toEqual([2, 3]);
  });

  test('that is refused for want of a scope is remembered', async () => {
    const { api, stores, act } = await open();
    void act('resize', undefined, 1);
    await api.next('volumes.resize').fail({ status: 403, message: 'It lacks volumes:read_write.' });
    expect(whyForbidden(stores, actionOf(volumes, 'resize'))).toBe('It lacks volumes:read_write.');
    expect(whyForbidden(stores, actionOf(volumes, 'clone'))).toBeUndefined();
  });

  test('that is refused although the scopes of the token suffice may be tried again: it is about the row, or the user', async () => {
    const { api, stores, act } = await open();
    Object.assign(api, { scopes: tokenScopes('*', (scope) => scope) });
    void act('resize', undefined, 1);
    await api.next('volumes.resize').fail({ status: 403, message: 'Unauthorized.' });
    expect(whyForbidden(stores, actionOf(volumes, 'resize'))).toBeUndefined();
  });

  test('makes the lists it touches stale, and what is viewed of them', async () => {
    const { api, stores, act, asked } = await open();
    const configs = { resource: 'configs', operation: 'list', params: { serverId: '1' } };
    const away = stores.scheduler.subscribe([configs]);
    await api.next('configs.list').page([{ id: 1 }]);
    void act('attach', { server_id: 1 }, 1);
    await api.next('volumes.attach').answer(volume(1));
    expect(asked().toSorted()).toEqual(['configs.list', 'events.list']);
    away();
  });
});

describe('a file', () => {
  const attach = actionOf(tickets, 'attach');
  const change = { resource: tickets, action: attach, params: { ticketId: '5' }, label: 'ticket 5' };

  test('goes along in a form, and shows as a transfer', async () => {
    const { api, stores } = await open();
    const done = send(stores, [{ ...change, body: { file: 'report.txt' } }]);
    await settled();
    const { form } = api.next('tickets.attach').request;
    const file = form?.get('file');
    expect(file).toBeInstanceOf(File);
    expect(file).toMatchObject({ name: 'report.txt', size: 11 });
    expect(stores.transfers.getState().transfers).toMatchObject([
      { state: 'running', what: expect.stringContaining('report.txt') },
    ]);
    await api.next('tickets.attach').answer({});
    expect((await done).map(failureOf)[0]).toBeUndefined();
    expect(stores.transfers.getState().transfers).toMatchObject([{ state: 'done' }]);
  });

  test('that is not there is said, and nothing is sent', async () => {
    const { api, stores } = await open();
    const done = send(stores, [{ ...change, body: { file: 'other.txt' } }]);
    await settled();
    expect((await done).map(failureOf)[0]).toBe('There is no file other.txt.');
    expect(api.count('tickets.attach')).toBe(0);
  });
});

test('a mistake of ours is no failure of the API', async () => {
  const { api, stores, rows } = await open();
  const broken = { ...api, send: () => Promise.reject(new TypeError('oops')) };
  const changes = rows().map((row) => changeOn(volumes, actionOf(volumes, 'resize'), row, {}));
  await expect(send({ ...stores, api: broken }, changes)).rejects.toThrow('oops');
});

test('what the first request of a change has done is read again where the second is refused', async () => {
  const buckets = resourceNamed('buckets');
  const api = fakeApi();
  const stores = openStores(api);
  const params = { clusterId: 'us-east-1', bucket: 'assets' };
  stores.scheduler.subscribe([{ resource: 'buckets', operation: 'certificate', params }]);
  await api.next('buckets.certificate').answer({ ssl: true });
  const replace = actionOf(buckets, 'replace-certificate');
  const body = { certificate: 'odd', private_key: 'odd' };
  const replacing = { resource: buckets, action: replace, params, label: 'assets', body };
  const done = send(stores, [replacing]);
  await settled();
  await api.next(`DELETE ${replace.first?.path}`).answer({});
  expect(api.count('buckets.certificate')).toBe(1);
  await api.next('buckets.replace-certificate').fail({ status: 400, message: 'It is no certificate.' });
  expect((await done).map(failureOf)).toEqual(['It is no certificate.']);
  await settled();
  expect(api.count('buckets.certificate')).toBe(2);
});

test('a cancellation whose buckets cannot be read any more is not sent, as others may be there by now', async () => {
  const { api, stores } = await open(0);
  const storage = resourceNamed('object-storage');
  stores.scheduler.subscribe([listOf('buckets')]);
  await settled();
  await api.next('buckets.list').page([{ label: 'logs', cluster: 'us-east-1', objects: 1 }]);
  const cancel = actionOf(storage, 'cancel');
  const row = { used: 1, ...cancel.also?.(stores.view, {}) };
  const sent = send(stores, [changeOn(storage, cancel, row, {})]);
  await settled();
  await api.next('object-storage.view').answer({ used: 1 });
  await api.next('buckets.list').fail({ status: 500, message: 'It broke.' });
  expect((await sent).map(failureOf)).toEqual([
    'What goes along with it cannot be read now, so nothing was sent: It broke.',
  ]);
  expect(api.count('object-storage.cancel')).toBe(0);
});
