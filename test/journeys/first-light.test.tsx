import { expect, test } from 'vitest';
import { openSkydeck } from './skydeck.ts';

test('from home to a server, through its tabs and back again', async () => {
  const skydeck = await openSkydeck({ columns: 120, rows: 40 });
  await skydeck.waitFor(/Problems {2}✗ \d+ critical[\s\S]*Servers {2}40[\s\S]*running +36[\s\S]*Activity ─[\s\S]*min/);

  await skydeck.press('tab', 'tab', 'tab');
  await skydeck.waitFor(() => skydeck.cursorLine().includes('Servers  40'));
  await skydeck.press('down', 'down');
  await skydeck.waitFor(() => skydeck.cursorLine().includes('offline'));
  await skydeck.press('enter');
  await skydeck.waitFor('Servers  3 of 40');
  expect(skydeck.text()).toContain('filter: status:offline');

  await skydeck.pointAt('batch-4');
  await skydeck.press('enter');
  await skydeck.waitFor('demo › Servers › batch-4');
  await skydeck.waitFor(/○ offline {2}batch-4/);

  for (const [key, says] of [
    ['tab', 'No statistics|Last 24 hours'],
    ['3', 'Configs {2}1 '],
    ['4', 'Disks {2}2 '],
    ['5', 'Backups {2}0 [\\s\\S]*There are no backups'],
    ['6', 'Volumes {2}1 [\\s\\S]*batch-4-scratch'],
    ['7', 'This month[\\s\\S]*of the quota'],
    ['8', 'WHEN +WHO +WHAT +TOOK[\\s\\S]*server '],
    ['9', '"label": "batch-4"'],
    ['shift-tab', 'WHEN +WHO +WHAT +TOOK'],
    ['1', '○ offline {2}batch-4'],
  ] as const) {
    await skydeck.press(key);
    await skydeck.waitFor(new RegExp(says));
  }

  await skydeck.press('esc');
  await skydeck.waitFor('Servers  3 of 40');
  expect(skydeck.cursorLine()).toContain('batch-4');
  await skydeck.press('esc');
  await skydeck.waitFor('Servers  40   sort');
  expect(skydeck.cursorLine()).toContain('batch-4');
  await skydeck.press('esc');
  await skydeck.waitFor('demo › Home');
  expect(skydeck.cursorLine()).toContain('offline');

  await skydeck.press(']');
  await skydeck.waitFor('Servers  40   sort');
  await skydeck.press('[');
  await skydeck.waitFor('demo › Home');
  await skydeck.press('esc');
  await skydeck.press('q');
  await skydeck.quit;
});

test('a place named at the start is shown at once, and esc leads to what it lies in', async () => {
  const skydeck = await openSkydeck({ place: { area: 'volumes', id: '610001' } });
  await skydeck.waitFor(/Volumes › archive-2023[\s\S]*archive-2023 {2}1 000 GiB/);
  await skydeck.press('esc');
  await skydeck.waitFor('Volumes  24');
  await skydeck.press('esc');
  await skydeck.waitFor('demo › Home');
});

test('one call shows a list, and looking at it costs none', async () => {
  const skydeck = await openSkydeck({ place: { area: 'servers' } });
  await skydeck.waitFor('api-1');
  await skydeck.press('down', 'down', 'pageDown', 'G', 'g', '/', 'w', 'e', 'b', 'enter');
  await skydeck.waitFor('Servers  9 of 40');
  const lists = skydeck.requests.filter(({ path }) => path === '/server/instances');
  expect(lists).toEqual([{ method: 'GET', path: '/server/instances', status: 200 }]);
});

test('keys that arrive at once over a slow line are taken one by one', async () => {
  const skydeck = await openSkydeck({ place: { area: 'servers' } });
  await skydeck.waitFor('api-1');
  await skydeck.pressAtOnce('down', 'down', 'down');
  await skydeck.waitFor(() => skydeck.cursorLine().includes('api-4'));
  await skydeck.pressAtOnce('j', 'j', 'j');
  await skydeck.waitFor(() => skydeck.cursorLine().includes('batch-1'));
  await skydeck.pressAtOnce(':', 'v', 'o', 'l', 'enter');
  await skydeck.waitFor('Volumes  24');
  await skydeck.pressAtOnce('/', 'd', 'a', 't', 'a', 'enter', 'down');
  await skydeck.waitFor(() => skydeck.cursorLine().includes('db-replica-1-data'));
});

test('an escape and the key behind it are two keys, also where they arrive at once', async () => {
  const skydeck = await openSkydeck({ place: { area: 'servers' } });
  await skydeck.waitFor('api-1');
  await skydeck.press('enter');
  await skydeck.waitFor('Overview');
  await skydeck.pressAtOnce('esc', 'j', 'j');
  await skydeck.waitFor(() => skydeck.cursorLine().includes('api-3'));
  await skydeck.press('enter');
  await skydeck.waitFor('Overview');
  await skydeck.pressAtOnce('esc', 'down');
  await skydeck.waitFor(() => skydeck.cursorLine().includes('api-4'));
  await skydeck.press('d');
  await skydeck.waitFor('Type api-4 to confirm');
  await skydeck.pressAtOnce('x', 'alt-b', 'alt-enter', 'y');
  await skydeck.waitFor(() => /❯ +xy/.test(skydeck.cursorLine()));
});
