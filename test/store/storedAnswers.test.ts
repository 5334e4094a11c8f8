import { expect, test } from 'vitest';
import { resourceNamed } from '../../src/resources/index.ts';
import type { Row } from '../../src/resources/resource.ts';
import { changeOn } from '../../src/store/changes/change.ts';
import { nextBack } from '../../src/store/changes/nextBack.ts';
import { sendChanges } from '../../src/store/changes/send.ts';
import { client, json, serve } from '../api/server.ts';
import { actionOf } from '../resources/actionOf.ts';
import { openStores } from './openStores.ts';

const volumes = resourceNamed('volumes');
const row: Row = { id: 7, label: 'old', size: 20, tags: [], status: 'active', server_id: null };

/** The result of an edit whose answer is lost, where this age is told with each answer from then on, and the row is this. */
async function edited(age: string, shown = row) {
  const { url } = await serve(({ method, url: { pathname } }, response) => {
    if (method !== 'GET') return response.destroy();
    const isOne = pathname.endsWith('/7');
    json(response, isOne ? shown : { data: [], page: 1, pages: 1, results: 0 }, 200, { age });
  });
  const stores = openStores(client(url).api);
  const change = changeOn(volumes, actionOf(volumes, 'edit'), row, {}, { label: 'new' });
  const { results } = await sendChanges(stores, change, [change]);
  return results[0];
}

test('what a store on the way has kept tells nothing of a change whose answer was lost', async () => {
  expect(await edited('40')).toMatchObject({
    state: 'unknown',
    says: 'The answer was lost, and a proxy on the way answers from what it has kept, so it is unknown whether it was done.',
  });
});

test('nor does it where the row of before was already as it was sent', async () => {
  const shown = { ...row, label: 'new' };
  expect(await edited('40', shown)).toMatchObject({
    state: 'unknown',
    says: expect.stringContaining('a proxy on the way'),
  });
  expect(await edited('0', shown)).toMatchObject({ state: 'done', says: expect.stringContaining('is as it was sent') });
});

test('an answer that is passed on at once tells that it was not done', async () => {
  expect(await edited('0')).toMatchObject({ state: 'failed', says: expect.stringContaining('try again') });
});

/** The end of u after volumes were attached, which are read at this age as they were before. */
async function takenBack(age: string, ids: readonly number[]) {
  const { url } = await serve(({ method, url: { pathname } }, response) => {
    const id = Number(/\/volumes\/(\d+)/.exec(pathname)?.[1]);
    const list = { data: [], page: 1, pages: 1, results: 0 };
    const attached = { ...row, id, label: `data-${id}`, server_id: 2 };
    if (method !== 'GET') return json(response, attached);
    json(response, id ? { ...attached, server_id: null } : list, 200, { age });
  });
  const stores = openStores(client(url).api);
  const action = actionOf(volumes, 'attach');
  const changes = ids.map((id) => changeOn(volumes, action, { ...row, id, label: `data-${id}` }, {}, { server_id: 2 }));
  await sendChanges(stores, { resource: volumes, action }, changes);
  await nextBack(stores, 'undo');
  return { says: stores.notices.getState().current?.text, overlay: stores.navigation.getState().overlays.at(-1) };
}

test.each([
  ['0', 'data-7 is not attached to a server.'],
  ['40', 'a proxy on the way answers from what it has kept, so how data-7 is now cannot be told.'],
])('a volume that was attached is not said to be detached by what is of %s seconds ago', async (age, why) => {
  expect(await takenBack(age, [7])).toEqual({ says: `Attach to a server (data-7) cannot be taken back now: ${why}` });
});

test.each([
  ['0', undefined],
  ['40', 'A proxy on the way answers from what it has kept, so how these rows are now cannot be told.'],
])('of several that is said beside the question', async (age, says) => {
  expect(await takenBack(age, [7, 8])).toEqual({ says, overlay: expect.objectContaining({ kind: 'takeBack' }) });
});
