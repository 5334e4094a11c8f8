import { expect, test } from 'vitest';
import { openSkydeck } from './skydeck.ts';

test('a server is deleted only when its label is typed, and is gone from the list', async () => {
  const skydeck = await openSkydeck({ place: { area: 'servers' }, rows: 50 });
  await skydeck.waitFor('api-1');
  await skydeck.pointAt('ci-1');
  await skydeck.press('d');
  await skydeck.waitFor('Type ci-1 to confirm');
  expect(skydeck.text()).toMatch(/192\.0\.2\.43,\s[\s\S]*released/);
  expect(skydeck.text()).toMatch(/cannot[\s▌│]+be[\s▌│]+undone/);

  await skydeck.press('enter');
  await skydeck.type('ci-2');
  await skydeck.press('enter');
  await skydeck.waitFor('❯ ci-2');
  expect(skydeck.changes).toEqual([]);

  await skydeck.press('backspace');
  await skydeck.type('1');
  await skydeck.waitFor('❯ ci-1');
  await skydeck.press('enter');
  await skydeck.waitFor('Delete: ci-1');
  await skydeck.waitFor(/Servers {2}39 /);
  expect(skydeck.changes).toMatchObject([{ method: 'DELETE', path: '/server/instances/48200200', status: 200 }]);
  expect(skydeck.cursorLine()).toContain('ci-2');
});

test('who deletes the server that is shown is led back to the list', async () => {
  const skydeck = await openSkydeck({ place: { area: 'servers', id: '48200200' } });
  await skydeck.waitFor(/Servers › ci-1[\s\S]*● running +ci-1 /);
  await skydeck.press('d');
  await skydeck.waitFor('Type ci-1 to confirm');
  await skydeck.type('ci-1');
  await skydeck.press('enter');
  await skydeck.waitFor('Delete: ci-1');
  await skydeck.waitFor('Servers  39');
});

test('a server that someone else deletes while it is shown is said to be gone', async () => {
  const skydeck = await openSkydeck({ place: { area: 'servers', id: '48200200' } });
  await skydeck.waitFor(/Servers › ci-1[\s\S]*● running +ci-1 /);
  await skydeck.elsewhere('DELETE', '/server/instances/48200200');
  await skydeck.press('ctrl-r');
  await skydeck.waitFor('This server is gone; esc goes back.');
  await skydeck.press('esc');
  await skydeck.waitFor('Servers  39');
});

test('a server that never was is said not to be there', async () => {
  const skydeck = await openSkydeck({ place: { area: 'servers', id: '999' } });
  await skydeck.waitFor('There is no server with the id 999; esc goes back.');
  await skydeck.press('esc');
  await skydeck.waitFor('Servers  40');
});

test('who has marked critical accounts types the label for every change', async () => {
  const skydeck = await openSkydeck({
    critical: true,
    tlsWarning: 'not encrypted',
    accountOf: 'address of SKYDECK_BASE_URL',
    place: { area: 'servers' },
    rows: 50,
  });
  await skydeck.waitFor(/^ skydeck {2}demo › .* {2}CRITICAL, not encrypted, address of SKYDECK_BASE_URL /);
  await skydeck.pointAt('mail');
  await skydeck.press('a', 'S');
  await skydeck.waitFor('Type mail to confirm');
  await skydeck.type('mail');
  await skydeck.press('enter');
  await skydeck.waitFor('Shut down: mail');
  await skydeck.press('e');
  await skydeck.waitFor('── Edit mail');
  await skydeck.fill('Label', 'post');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Type mail to confirm');
  expect(skydeck.changes).toHaveLength(1);
  await skydeck.type('mail');
  await skydeck.press('enter');
  await skydeck.waitFor('Edit: post');
  await skydeck.press('d');
  await skydeck.waitFor('Type post to confirm');
  await skydeck.press('enter');
  await skydeck.waitFor('Type post first');
  expect(skydeck.changes.map(({ method }) => method)).toEqual(['POST', 'PUT']);
});
