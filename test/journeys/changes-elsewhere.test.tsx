import { expect, test } from 'vitest';
import { openSkydeck, type Skydeck } from './skydeck.ts';

/** Something under way makes the dashboard look every two seconds. */
async function openBusy(options: Parameters<typeof openSkydeck>[0] = {}) {
  const skydeck = await openSkydeck({ demo: { pace: 1 }, place: { area: 'servers' }, ...options });
  await skydeck.waitFor('api-1');
  await skydeck.elsewhere('POST', '/server/instances/48200101/resize', { type: 'g6-standard-4' });
  await skydeck.press('ctrl-r');
  await skydeck.waitFor(/marked|Servers/);
  return skydeck;
}

const rename = (skydeck: Skydeck, id: number, label: string) =>
  skydeck.elsewhere('PUT', `/server/instances/${id}`, { label });

test('what others do is seen within one look at the events, by reading exactly that row', async () => {
  const skydeck = await openBusy();
  const lists = () => skydeck.requests.filter(({ path }) => path === '/server/instances').length;
  await expect.poll(lists, { timeout: 5000 }).toBe(2);
  const before = skydeck.requests.length;
  await rename(skydeck, 48200125, 'api-one');
  await skydeck.waitFor('api-one');
  const asked = skydeck.requests.slice(before).map(({ path }) => path);
  expect(asked).toContain('/server/instances/48200125');
  expect(asked).not.toContain('/server/instances');
});

test('the cursor and the marks stay on their rows when rows come, go and move', async () => {
  const skydeck = await openBusy();
  await skydeck.pointAt('batch-2');
  await skydeck.press('space');
  await skydeck.waitFor('marked 1');
  await skydeck.pointAt('batch-4');

  await rename(skydeck, 48200125, 'zz-was-api-1');
  await skydeck.waitFor((frame) => !frame.includes('api-1 '));
  expect(skydeck.cursorLine()).toContain('batch-4');

  await skydeck.elsewhere('POST', '/server/instances', { region: 'us-east', type: 'g6-nanode-1', label: 'aaa-new' });
  await skydeck.waitFor('aaa-new');
  expect(skydeck.cursorLine()).toContain('batch-4');

  await skydeck.elsewhere('DELETE', '/server/instances/48200128');
  await skydeck.waitFor((frame) => !frame.includes('api-2'));
  expect(skydeck.cursorLine()).toContain('batch-4');
  expect(skydeck.text()).toMatch(/ ✓ .* batch-2 /);
});

test('a question that is open is about the row it was asked for, wherever that moves', async () => {
  const skydeck = await openBusy();
  await skydeck.pointAt('batch-3');
  await skydeck.press('d');
  await skydeck.waitFor('Type batch-3 to confirm');
  await skydeck.elsewhere('DELETE', '/server/instances/48200125');
  await skydeck.waitFor((frame) => !frame.includes('api-1 '));
  await skydeck.type('batch-3');
  await skydeck.press('enter');
  await skydeck.waitFor('Delete: batch-3');
  const { id } = { id: 48200101 + 29 * 3 };
  expect(skydeck.changes).toMatchObject([{ method: 'DELETE', path: `/server/instances/${id}` }]);
});

test('where the row under the cursor goes, the cursor stays at its place', async () => {
  const skydeck = await openBusy();
  await skydeck.pointAt('api-3');
  await skydeck.elsewhere('DELETE', '/server/instances/48200131');
  await skydeck.waitFor((frame) => !frame.includes('api-3'));
  expect(skydeck.cursorLine()).toContain('api-4');
});
