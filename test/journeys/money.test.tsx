import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Demo } from '../../src/demo/server.ts';
import { refusal, startOtherApi } from './otherApi.ts';
import { openSkydeck, startQuietDemo } from './skydeck.ts';

let demo: Demo;
beforeAll(async () => {
  demo = await startQuietDemo();
});
afterAll(() => demo.close());

test('what is off is found by its cost, marked, and deleted with the sum that it saves', async () => {
  const skydeck = await openSkydeck({ demo, columns: 160, rows: 40, place: { area: 'servers' } });
  await skydeck.waitFor(/Servers {2}40 .*cost: \$2 411\.50 a month/);
  await skydeck.goTo('costs');
  await skydeck.waitFor(
    /batch +8 +\$288\.00 +\$144\.00 +Capture an image, delete +4 volumes +batch-2 off and batch-4 off/,
  );
  await skydeck.waitFor(/\$2 411\.50 a month for 40 servers; no other price is told\n/);
  expect(skydeck.text()).toContain('A row with several tags is counted under each of them.');
  await skydeck.press('tab');
  await skydeck.waitFor(/Servers +40 +\$2 189\.00 +\$192\.00 +Capture an image, delete +– +worker-5 off/);
  expect(skydeck.text()).not.toContain('several tags');
  await skydeck.waitFor(/Server backups +22 +\$222\.50/);
  await skydeck.waitFor(/Transfer pool .* TiB used/);
  await skydeck.waitFor(/Not invoiced .*an estimate of/);
  await skydeck.press('tab', 'tab');
  await skydeck.waitFor(/Idle or off \d+.*cost: at least \$192\.00 a month/);
  await skydeck.pointAt('batch-2');
  await skydeck.press('space');
  await skydeck.pointAt('batch-4');
  await skydeck.press('space', 'd');
  await skydeck.waitFor(/Delete 2 of 2 servers[\s\S]*2 servers[\s\S]*Saves {2}\$144\.00 a month/);
  expect(skydeck.text()).toMatch(/LABEL .* A MONTH/);
  expect(skydeck.text()).not.toMatch(/COST .*A MONTH/);
  await skydeck.type('2 servers');
  await skydeck.press('enter');
  await skydeck.waitFor(/Idle or off \d+.*cost: at least \$48\.00 a month/);
  expect(skydeck.changes.map(({ method }) => method)).toEqual(['DELETE', 'DELETE']);
});

test('a sum opens as its rows, a row as its object, and marks of several kinds are not mixed', async () => {
  const skydeck = await openSkydeck({ demo, columns: 120, rows: 40, place: { area: 'costs' } });
  await skydeck.waitFor(/staging +3/);
  await skydeck.pointAt('staging ');
  await skydeck.press('enter');
  await skydeck.waitFor(/tags="staging"[\s\S]*staging-db[\s\S]*staging-lb/);
  await skydeck.press('*', 'd');
  await skydeck.waitFor('These are servers and NodeBalancers: a acts on each kind, what:"server" filters them.');
  await skydeck.press('*');
  await skydeck.pointAt('staging-db');
  await skydeck.press('enter');
  await skydeck.waitFor(/› Servers › staging-db/);
});

test('the transfer pool leads to the servers that use most of their transfer, and says how much of it is used', async () => {
  const skydeck = await openSkydeck({ demo, columns: 160, rows: 40, place: { area: 'servers' } });
  await skydeck.waitFor(/Servers {2}\d+ .*cost: \$/);
  await skydeck.goTo('costs');
  await skydeck.waitFor(/staging +3/);
  await skydeck.press('tab');
  await skydeck.pointAt('Transfer pool');
  await skydeck.waitFor(/Transfer pool .* \S+ TiB of \S+ TiB used/);
  await skydeck.press('enter');
  await skydeck.waitFor(/› Servers[\s\S]*TRANSFER↓/);
  await skydeck.waitFor(/Transfer pool: \S+ TiB of \S+ TiB used/);
  await skydeck.press('esc');
  await skydeck.waitFor(/By area[\s\S]*❯ +Transfer pool/);
});

test('marks of several kinds are acted on by one menu, kind by kind, and the others stay marked', async () => {
  const skydeck = await openSkydeck({ demo, columns: 120, rows: 50, place: { area: 'costs' } });
  await skydeck.press('shift-tab');
  await skydeck.waitFor(/Idle or off \d[\s\S]*photos-old/);
  for (const label of ['staging-db', 'scratch', 'photos-old']) {
    await skydeck.pointAt(label);
    await skydeck.press('space');
  }
  await skydeck.waitFor(/3 marked .*a actions/);
  await skydeck.press('a');
  await skydeck.waitFor('── Actions on staging-db and 2 volumes');
  expect(skydeck.text()).not.toMatch(/capital letter|A-Z/);
  await skydeck.type('delete');
  await skydeck.waitFor(/Delete staging-db +! type the label[\s\S]*Delete 2 volumes +! type 2 volumes/);
  await skydeck.pointAt('Delete 2 volumes');
  await skydeck.press('enter');
  await skydeck.waitFor('── Delete 2 of 2 volumes');
  await skydeck.type('2 volumes');
  await skydeck.press('enter');
  await skydeck.waitFor(/marked 1 [\s\S]* ✓ ○ off +staging-db/);
  expect(skydeck.changes.map(({ method, path }) => `${method} ${path.replace(/\d+$/, '')}`)).toEqual(
    Array(2).fill('DELETE /volumes/'),
  );
  await skydeck.press('d');
  await skydeck.waitFor('Deletes staging-db with its 2 disks');
});

test('without prices nothing is guessed: cost is unknown, sums say at least, and a filter finds none of it', async () => {
  let types: ReturnType<typeof refusal> | undefined = refusal(403, 'Unauthorized');
  const api = await startOtherApi(({ path, text }) => {
    if (path === '/server/instances') return text.replace('"g6-standard-2"', '"unheard-of"');
    return path.startsWith('/server/types') ? types : undefined;
  });
  const skydeck = await openSkydeck({ demo: api, columns: 160, rows: 40, place: { area: 'servers' } });
  await skydeck.waitFor(/Servers {2}3 .*cost: unknown/);
  await skydeck.press('/');
  await skydeck.type('cost>1');
  await skydeck.waitFor(/0 of 3/);
  await skydeck.press('enter');
  await skydeck.goTo('costs');
  await skydeck.waitFor(/No price for 3 servers; no other/);
  await skydeck.close();
  types = undefined;
  const other = await openSkydeck({ demo: api, columns: 160, rows: 40, place: { area: 'servers' } });
  await other.waitFor(/Servers {2}3 .*cost: at least \$[\d.]+ a month/);
});
