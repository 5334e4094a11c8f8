import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Demo } from '../../src/demo/server.ts';
import { refusal, startOtherApi } from './otherApi.ts';
import { openSkydeck, startQuietDemo } from './skydeck.ts';

let demo: Demo;
beforeAll(async () => {
  demo = await startQuietDemo();
});
afterAll(() => demo.close());

test('a new server tells its price while it is filled in, also in a small terminal, and before it is sent', async () => {
  const skydeck = await openSkydeck({ demo, columns: 60, rows: 16, place: { area: 'servers' } });
  await skydeck.waitFor('api-1');
  await skydeck.press('n');
  await skydeck.waitFor('Cost  by its type, as soon as it is created');
  await skydeck.pick('Image', 'server/debian12');
  await skydeck.pick('Region', 'us-east');
  await skydeck.press('down', 'enter');
  await skydeck.waitFor(/Standard 4 GB +\$24\.00 +2 vCPU +4 GiB +80 GiB …\n/);
  await skydeck.press('down', 'down', 'down', 'down', 'down', 'down');
  await skydeck.waitFor(/Standard 64 GB +\$384\.00 {2}16 vCPU {2}64 GiB {2}1\.3 TiB\s+g6-standard-16/);
  await skydeck.type('g6-standard-2');
  await skydeck.press('enter');
  await skydeck.waitFor('Cost  $24.00 a month');
  await skydeck.fill('Label', 'shop');
  await skydeck.fill('Root password', 'correct horse battery');
  await skydeck.choose('Backups', 'yes');
  await skydeck.waitFor('Cost  $24.00 + backups $5.00 = $29.00 a month');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(
    /Creates shop: Standard 4 GB \(2 vCPU, 4 GiB, 80 GiB\) in\s+us-east from Debian 12\. It has backups\.[\s\S]*Cost {2}\$24\.00 \+ backups \$5\.00 = \$29\.00 a month[\s\S]*enter new server/,
  );
  expect(skydeck.changes).toEqual([]);
});

test('a resize tells what it adds, of several together, and a volume what it will have', async () => {
  const skydeck = await openSkydeck({ demo, columns: 80, rows: 24, place: { area: 'servers' } });
  await skydeck.waitFor('api-1');
  await skydeck.pointAt('batch-1 ');
  await skydeck.press('space', 'space', 'a', 'Z');
  await skydeck.waitFor(/── Resize 2 servers[\s\S]*Cost {2}\$144\.00 a month now/);
  await skydeck.pick('Type', 'g6-dedicated-8');
  await skydeck.waitFor('Cost  $144.00 → $288.00 a month (+$144.00)');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Resize 2 of 2 servers');
  await skydeck.press('pageDown');
  await skydeck.waitFor(
    /A MONTH[\s\S]*\$72\.00 → \$144\.00[\s\S]*Cost {2}\$144\.00 → \$288\.00 a month \(\+\$144\.00\)/,
  );
  await skydeck.press('esc', 'esc');
  await skydeck.goTo('volumes');
  await skydeck.waitFor('db-primary-data');
  await skydeck.press('n');
  await skydeck.waitFor('Cost  20 GiB; the API does not tell the price');
  await skydeck.fill('Size', '50');
  await skydeck.waitFor('Cost  50 GiB; the API does not tell the price');
});

test('an API without server types has no price invented, nor one whose prices are no numbers', async () => {
  let types: ReturnType<typeof refusal> | undefined = refusal(404, 'Not found');
  const api = await startOtherApi(({ path, text }) => {
    if (!path.startsWith('/server/types')) return undefined;
    return types ?? text.replaceAll(/"monthly": ?[\d.]+/g, '"monthly":"soon"');
  });
  for (const offered of [/use it as an id/, /Standard 4 GB +2 vCPU +4 GiB/]) {
    const skydeck = await openSkydeck({ demo: api, columns: 100, rows: 40, place: { area: 'servers' } });
    await skydeck.waitFor('web-1');
    await skydeck.press('n');
    await skydeck.waitFor('Cost  by its type');
    await skydeck.press('down', 'down', 'down', 'enter');
    await skydeck.waitFor('── Type');
    await skydeck.type('g6-standard-2');
    await skydeck.waitFor(offered);
    await skydeck.press('enter');
    await skydeck.waitFor('Cost  the API does not tell the price');
    await skydeck.close();
    types = undefined;
  }
});
