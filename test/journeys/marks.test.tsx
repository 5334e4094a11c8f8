import { expect, test } from 'vitest';
import { openSkydeck } from './skydeck.ts';

async function openMarked(...labels: string[]) {
  const skydeck = await openSkydeck({ rows: 50, place: { area: 'servers' } });
  await skydeck.waitFor('api-1');
  for (const label of labels) {
    await skydeck.pointAt(`${label} `);
    await skydeck.press('space');
  }
  if (labels.length > 0) await skydeck.waitFor(`marked ${labels.length}`);
  return skydeck;
}

test('an action on marked servers is sent for each of them, and takes the marks off', async () => {
  const skydeck = await openMarked('web-1', 'web-2', 'web-4');
  await skydeck.press('a');
  await skydeck.waitFor('── Actions on 3 servers');
  expect(skydeck.text()).toMatch(/ {2}E {2}Edit {2,}one server at a time[\s\S]*❯ L {2}Set alerts/);
  await skydeck.press('S');
  await skydeck.waitFor('── Shut down 3 of 3 servers');
  for (const label of ['web-1', 'web-2', 'web-4']) expect(skydeck.text()).toMatch(new RegExp(`▌ +${label} +192`));
  await skydeck.press('ctrl-o', 'ctrl-o');
  await skydeck.waitFor('❯all at once');
  await skydeck.press('enter');
  await skydeck.waitFor((text) => text.includes('Shut down: all 3 begun') && !text.includes('marked'));
  expect(skydeck.changes.map(({ path }) => path).sort()).toEqual([
    '/server/instances/48200101/shutdown',
    '/server/instances/48200104/shutdown',
    '/server/instances/48200110/shutdown',
  ]);
});

test('where some fail, each says why, and these stay marked', async () => {
  const skydeck = await openMarked('web-1', 'web-2');
  // Behind the dashboard's back, so that the API has to refuse.
  await skydeck.elsewhere('POST', '/server/instances/48200101/shutdown');
  await skydeck.press('a', 'S');
  await skydeck.waitFor('── Shut down 2 of 2 servers');
  expect(skydeck.text()).toMatch(/LABEL .* A MONTH/);
  await skydeck.press('ctrl-o');
  await skydeck.waitFor('❯all at once');
  await skydeck.press('enter');
  await skydeck.waitFor('Shut down: 1 of 2 done, 1 failed; these stay marked');
  await skydeck.waitFor(/✗ web-1 .*\n.*✓ web-2 +done/);
  await skydeck.press('esc');
  await skydeck.waitFor('marked 1');
  expect(skydeck.text()).toMatch(/✓.* web-1 /);
});

test('what can be done to none of them is said of all', async () => {
  const skydeck = await openMarked('batch-2', 'batch-4');
  await skydeck.press('a', 'S');
  await skydeck.waitFor(/Shut down is not possible: batch-2 is offline already; the other one is\s+refused as well\./);
});

test('what cannot be done to one of them is left out before anything is sent', async () => {
  const skydeck = await openMarked('batch-1', 'batch-2');
  await skydeck.press('a', 'S');
  await skydeck.waitFor('1 skipped: is offline already (1)');
  await skydeck.press('tab');
  await skydeck.waitFor(/▌ +batch-2 is offline already/);
  await skydeck.press('enter');
  await skydeck.waitFor('Shut down: batch-1');
  expect(skydeck.changes).toHaveLength(1);
  await skydeck.waitFor('marked 1');
});

test('all shown are marked and unmarked, and several are deleted only when their number is typed', async () => {
  const skydeck = await openMarked();
  await skydeck.press('/');
  await skydeck.type('staging');
  await skydeck.press('enter');
  await skydeck.waitFor('Servers  2 of 40');
  await skydeck.press('*');
  await skydeck.waitFor('marked 2');
  await skydeck.press('*');
  await skydeck.waitFor((frame) => !frame.includes('marked '));
  await skydeck.press('*', 'd');
  await skydeck.waitFor('Type 2 servers to confirm');
  await skydeck.type('2 servers');
  await skydeck.press('enter');
  await skydeck.waitFor('Delete 2 servers: all done');
  await skydeck.waitFor('Servers  0 of 38');
});

test('esc takes off the marks, which V brings back, and only then the filter', async () => {
  const skydeck = await openMarked();
  await skydeck.press('/');
  await skydeck.type('staging');
  await skydeck.press('enter');
  await skydeck.waitFor('Servers  2 of 40');
  await skydeck.press('*');
  await skydeck.waitFor('marked 2');
  await skydeck.press('esc');
  await skydeck.waitFor('2 unmarked; V marks again those that are shown.');
  expect(skydeck.text()).toContain('Servers  2 of 40');
  await skydeck.press('V');
  await skydeck.waitFor('marked 2');
  await skydeck.press('esc', 'esc');
  await skydeck.waitFor('Servers  40');
  await skydeck.press('V');
  await skydeck.waitFor('marked 2');
});

test('one form changes all marked servers', async () => {
  const skydeck = await openMarked('web-1', 'web-2');
  await skydeck.press('a', 'L');
  await skydeck.waitFor('── Set alerts for 2 servers');
  await skydeck.fill('CPU', '150');
  await skydeck.sendToAll();
  await skydeck.waitFor('Set alerts: all 2 done');
  expect(skydeck.changes.map(({ body }) => body)).toMatchObject([{ alerts: { cpu: 150 } }, { alerts: { cpu: 150 } }]);
});

test('one number of marks everywhere: those of deleted rows go, and those that the filter hides are told apart', async () => {
  const skydeck = await openSkydeck({ columns: 120, rows: 50, place: { area: 'volumes' } });
  await skydeck.waitFor('batch-1-scratch');
  await skydeck.press('/');
  await skydeck.type('label:batch');
  await skydeck.press('enter');
  await skydeck.press('*');
  await skydeck.waitFor(/marked 4\n[\s\S]* 4 marked /);
  const ids = /batch-1-scratch.* (\d{6}) /.exec(skydeck.text());
  await skydeck.elsewhere('PUT', `/volumes/${ids?.[1]}`, { label: 'scratch-1' });
  const other = /batch-2-scratch.* (\d{6}) /.exec(skydeck.text());
  await skydeck.elsewhere('POST', `/volumes/${other?.[1]}/detach`);
  await skydeck.calm();
  await skydeck.elsewhere('DELETE', `/volumes/${other?.[1]}`);
  await skydeck.hear();
  await skydeck.waitFor(/marked 2, 1 hidden\n[\s\S]* 2 marked, 1 hidden /);
  await skydeck.press('/', 'ctrl-u', 'enter');
  await skydeck.waitFor(/marked 3\n[\s\S]* 3 marked /);
  await skydeck.press('*');
  await skydeck.waitFor((text) => !text.includes('marked '));
});

test('the sentence of a key ends with the next one that opens something, and not by moving', async () => {
  const skydeck = await openSkydeck({ columns: 120, rows: 30, place: { area: 'volumes' } });
  await skydeck.pointAt('batch-1-scratch');
  await skydeck.press('d');
  await skydeck.waitFor('detach it first');
  await skydeck.press('down');
  await skydeck.waitFor(() => skydeck.cursorLine().includes('batch-2-scratch'));
  expect(skydeck.text()).toContain('detach it first');
  await skydeck.press('e');
  await skydeck.waitFor('── Edit batch-2-scratch');
  expect(skydeck.text()).not.toContain('detach it first');
});

test('where a filter hides all that is marked, each key that needs a row says so', async () => {
  const skydeck = await openMarked('web-1', 'web-2');
  await skydeck.press('/');
  await skydeck.type('api-1');
  await skydeck.press('enter');
  await skydeck.waitFor('marked 0, 2 hidden');
  for (const key of ['d', 'c', 'v', 'w', '=', 'a', 'e']) {
    await skydeck.press(key);
    await skydeck.waitFor('All that is marked is hidden; esc unmarks it.');
    await skydeck.press('down');
    await skydeck.waitFor((text) => !text.includes('All that is marked is hidden'));
  }
  await skydeck.press('esc', 'd');
  await skydeck.waitFor('Type api-1 to confirm');
});
