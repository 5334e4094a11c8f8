import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Demo } from '../../src/demo/server.ts';
import { refusal, startOtherApi } from './otherApi.ts';
import { openSkydeck, startQuietDemo } from './skydeck.ts';

let demo: Demo;
beforeAll(async () => {
  demo = await startQuietDemo();
});
afterAll(() => demo.close());

test('read-only, the keys that change something open what is planned, and send nothing', async () => {
  const skydeck = await openSkydeck({ demo, readOnly: true, place: { area: 'servers' } });
  await skydeck.waitFor('api-1');
  await skydeck.waitFor('read-only');
  for (const [key, pane] of [
    ['n', '── New server'],
    ['e', '── Edit api-1'],
    ['d', '── Delete?'],
    ['a', '── Actions on api-1'],
  ] as const) {
    await skydeck.press(key);
    await skydeck.waitFor(pane);
    // The last of the menu is below what its popup shows.
    if (key === 'a') await skydeck.press('pageDown', 'pageDown');
    await skydeck.waitFor(key === 'a' ? /Delete +into the plan/ : /\n ctrl-a plan /);
    expect(skydeck.text()).not.toMatch(/ctrl-s|do it|to confirm/);
    await skydeck.press('esc');
    await skydeck.waitFor((frame) => !frame.includes(pane));
  }
  await skydeck.press('e');
  await skydeck.waitFor('── Edit api-1');
  await skydeck.fill('Label', 'api-one');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Read-only: nothing is sent; ctrl-a puts it into the plan.');
  await skydeck.press('ctrl-x', 'esc');
  await skydeck.waitFor((frame) => !frame.includes('── Edit api-1'));
  // Marks serve reading: what is marked can be compared.
  await skydeck.press('space');
  await skydeck.waitFor('marked 1');
  await skydeck.press('v');
  await skydeck.waitFor('Servers › Compare');
  await skydeck.press('esc');
  await skydeck.waitFor('marked 1');
  await skydeck.press('esc');

  await skydeck.press(':');
  await skydeck.type('new');
  await skydeck.waitFor('New server');
  await skydeck.press('esc', 'enter');
  await skydeck.waitFor('Overview');
  expect(skydeck.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('an empty list offers no way to make something, read-only', async () => {
  const bare = await startQuietDemo({ servers: 0 });
  try {
    const able = await openSkydeck({ demo: bare, place: { area: 'servers' } });
    await able.waitFor(/There are no servers\.[\s\S]*n makes the first server\./);
    const watching = await openSkydeck({ demo: bare, readOnly: true, place: { area: 'servers' } });
    await watching.waitFor('There are no servers.');
    expect(watching.text()).not.toContain('n makes');
  } finally {
    await bare.close();
  }
});

test('a token that only reads is told from the first answer on, and its forms only plan', async () => {
  const skydeck = await openSkydeck({ demo, token: 'readOnly', columns: 110, place: { area: 'servers' } });
  await skydeck.waitFor('api-1');
  await skydeck.waitFor(/Servers +read-only token/);
  await skydeck.press('a');
  await skydeck.waitFor(/Shut down +into the plan/);
  await skydeck.press('S');
  await skydeck.waitFor('── Shut down?');
  await skydeck.waitFor(/\n ctrl-a plan /);
  await skydeck.press('esc', 'e');
  await skydeck.waitFor('── Edit api-1');
  expect(skydeck.text()).not.toContain('ctrl-s');
  await skydeck.fill('Label', 'other');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(/it needs the scope servers:read_write\. Nothing is sent; ctrl-a puts\s+it into the plan\.\s/);
  await skydeck.press('ctrl-a');
  await skydeck.waitFor(/Step 1 is in the plan: Edit api-1; :plan shows it. Nothing was sent./);
  expect(skydeck.changes).toEqual([]);
});

test('where the API names no scopes, what it has refused once is only planned from then on', async () => {
  const other = await startOtherApi(
    () => undefined,
    ({ method, path }) =>
      method === 'PUT' && path.startsWith('/server/instances/') ? refusal(403, 'Unauthorized') : undefined,
  );
  const skydeck = await openSkydeck({ demo: other, columns: 110, place: { area: 'servers' } });
  await skydeck.waitFor('web-1');
  expect(skydeck.text()).not.toContain('token');
  await skydeck.press('e');
  await skydeck.waitFor('── Edit web-1');
  await skydeck.fill('Label', 'other');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(/The token has no permission for PUT[\s\S]*servers:read_write/);
  await skydeck.waitFor(/Servers +limited token/);
  expect(skydeck.text()).toMatch(/Label \* +.? ?other/);
  await skydeck.press('ctrl-x', 'esc');
  await skydeck.waitFor((frame) => !frame.includes('── Edit web-1'));
  await skydeck.press('e');
  await skydeck.waitFor('── Edit web-1');
  await skydeck.waitFor(/\n ctrl-a plan /);
  expect(skydeck.text()).not.toContain('ctrl-s');
  await skydeck.press('esc', 'a');
  await skydeck.waitFor(/Edit +into the plan/);
  expect(skydeck.text()).not.toMatch(/Shut down +into the plan/);
  expect(skydeck.changes.map(({ status }) => status)).toEqual([403]);
});

test('an area that the token may not see says so and names the scope', async () => {
  const skydeck = await openSkydeck({ demo, token: 'restricted', place: { area: 'images' } });
  await skydeck.waitFor(/The token has no permission for GET[\s\S]*images:read_only/);
  await skydeck.goTo('servers');
  await skydeck.waitFor('api-1');
});
