import { expect, test } from 'vitest';
import { openSkydeck } from './skydeck.ts';

async function openServer(columns = 80) {
  const skydeck = await openSkydeck({ columns, rows: 64, place: { area: 'servers', id: '48200125' } });
  await skydeck.waitFor(/Servers › api-1[\s\S]*● running {2}api-1/);
  return skydeck;
}

test('label, tags, watchdog, alerts and schedule are changed in one request that names only what differs', async () => {
  const skydeck = await openServer();
  await skydeck.press('e');
  await skydeck.waitFor('── Edit api-1');
  await skydeck.fill('Label', 'api-one');
  await skydeck.fill('Tags', 'api, prod, blue');
  await skydeck.choose('Watchdog', 'no');
  await skydeck.fill('CPU', '320');
  await skydeck.choose('Backup window', 'W4');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Edit: api-one');
  expect(skydeck.changes).toEqual([
    {
      method: 'PUT',
      path: '/server/instances/48200125',
      status: 200,
      error: undefined,
      body: {
        label: 'api-one',
        tags: ['api', 'prod', 'blue'],
        watchdog_enabled: false,
        alerts: { cpu: 320 },
        backups: { schedule: { window: 'W4' } },
      },
    },
  ]);
  await skydeck.waitFor(/Servers › api-one[\s\S]*Tags +api prod blue[\s\S]*Watchdog +no/);
});

test('what the API refuses stands at its field, the draft stays, and can be mended', async () => {
  const skydeck = await openServer();
  await skydeck.press('e');
  await skydeck.waitFor('── Edit api-1');
  await skydeck.fill('Tags', 'api, blue');
  await skydeck.fill('Label', 'web-1');
  await skydeck.field('Watchdog');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(/❯ Label \* +✗ web-1 +Server *\n +Label must be unique/);
  expect(skydeck.text()).toMatch(/Tags +✓ api, blue/);

  await skydeck.press('esc');
  await skydeck.waitFor((frame) => !frame.includes('── Edit api-1'));
  await skydeck.press('e');
  await skydeck.waitFor(/Label \* +. web-1/);
  expect(skydeck.text()).toMatch(/Tags +. api, blue/);

  await skydeck.fill('Label', 'web-99');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Edit: web-99');
  expect(skydeck.changes.map(({ status }) => status)).toEqual([400, 200]);
});

test('an alert cannot be more than the cores have, said while it is typed', async () => {
  const skydeck = await openServer();
  await skydeck.press('a', 'L');
  await skydeck.waitFor('── Set alerts for api-1');
  await skydeck.fill('CPU', '401');
  await skydeck.waitFor('CPU must be at most 400%, the total of its cores');
  await skydeck.fill('CPU', '400');
  await skydeck.waitFor((frame) => !frame.includes('CPU must be'));
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Set alerts: api-1');
  await skydeck.waitFor(/CPU alert +400% of one CPU/);
});

test('the backup window is set alone, and refused with the reason where there are no backups', async () => {
  const skydeck = await openServer();
  await skydeck.press('a', 'B');
  await skydeck.waitFor('── Set the backup window of api-1');
  await skydeck.choose('Backup day', 'Saturday');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Set the backup window: api-1');
  expect(skydeck.changes.at(-1)?.body).toMatchObject({ backups: { schedule: { day: 'Saturday' } } });

  await skydeck.press('esc');
  await skydeck.goTo('servers');
  await skydeck.pointAt('batch-1');
  await skydeck.press('a');
  await skydeck.waitFor(/Set the backup window +Backups are off for batch-1/);
});

test('a rule is said once where it is broken, and sending again says which field is not right', async () => {
  const skydeck = await openSkydeck({ columns: 120, rows: 40, place: { area: 'servers' } });
  await skydeck.pointAt('api-1');
  await skydeck.press('e');
  await skydeck.waitFor('── Edit api-1');
  await skydeck.fill('Label', 'a b!c');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Label must be made of');
  expect(skydeck.text().match(/letters, digits/g)).toHaveLength(1);
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Label is not right yet, so nothing was sent.');
  await skydeck.fill('Label', 'api-uno');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Edit: api-uno');
  expect(skydeck.changes).toHaveLength(1);
});
