import { expect, test } from 'vitest';
import { resourceNamed } from '../../src/resources/index.ts';
import type { Row } from '../../src/resources/resource.ts';
import { changeOn } from '../../src/store/changes/change.ts';
import { sendChanges } from '../../src/store/changes/send.ts';
import { client, json, serve } from '../api/server.ts';
import { actionOf } from '../resources/actionOf.ts';
import { openStores } from './openStores.ts';

const volumes = resourceNamed('volumes');
const row: Row = { id: 7, label: 'old', size: 20, tags: [], status: 'active', server_id: null };

/** The result of an edit whose answer is lost, where this age is told with each answer from then on. */
async function edited(age: string) {
  const { url } = await serve(({ method, url: { pathname } }, response) => {
    if (method !== 'GET') return response.destroy();
    const isOne = pathname.endsWith('/7');
    json(response, isOne ? row : { data: [], page: 1, pages: 1, results: 0 }, 200, { age });
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

test('an answer that is passed on at once tells that it was not done', async () => {
  expect(await edited('0')).toMatchObject({ state: 'failed', says: expect.stringContaining('try again') });
});
