import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Demo } from '../../src/demo/server.ts';
import { openSkydeck, type SkydeckOptions, startQuietDemo } from './skydeck.ts';

let demo: Demo;
beforeAll(async () => {
  demo = await startQuietDemo();
});
afterAll(() => demo.close());

const open = async (place: SkydeckOptions['place'], more: SkydeckOptions = {}) =>
  openSkydeck({ demo, place, columns: 120, rows: 40, ...more });

test('S opens a shell on the server of the row, and on those of marked rows', async () => {
  const skydeck = await open({ area: 'servers' });
  await skydeck.waitFor('api-1');
  await skydeck.press('S');
  await skydeck.waitFor('The shell on api-1 has ended.');
  expect(skydeck.shells.map(({ argv }) => argv)).toEqual([['ssh', 'root@192.0.2.18']]);
  await skydeck.press('space', 'space', 'S');
  await skydeck.waitFor(() => skydeck.shells.length === 3);
  expect(skydeck.shells.slice(1).map(({ label }) => label)).toEqual(['api-1', 'api-2']);
});

test('it follows a detail, a volume, a node, an address record and a problem to their server', async () => {
  const skydeck = await open({ area: 'servers', id: '48200101' });
  const last = async (label: string) => {
    const before = skydeck.shells.length;
    await skydeck.press('S');
    await skydeck.waitFor(() => skydeck.shells.length > before);
    expect(skydeck.shells.at(-1)?.label).toBe(label);
  };
  await skydeck.waitFor('Servers › web-1');
  await last('web-1');
  await skydeck.goTo('servers');
  await skydeck.waitFor('api-1');
  await skydeck.goTo('volumes');
  await skydeck.waitFor('db-primary-data');
  await skydeck.pointAt('db-primary-data');
  await last('db-primary');
  await skydeck.goTo('problems');
  await skydeck.waitFor('batch-4 is offline');
  await skydeck.pointAt('batch-4 is offline');
  await last('batch-4');
  await skydeck.goTo('nodebalancers');
  await skydeck.waitFor('web-lb');
  await skydeck.pointAt('web-lb');
  await skydeck.press('enter', '2');
  await skydeck.waitFor('Ports and nodes');
  await skydeck.pointAt('web-3 ');
  await last('web-3');
  await skydeck.goTo('domains');
  await skydeck.waitFor('shop.example');
  await skydeck.pointAt('example.com');
  await skydeck.press('enter');
  await skydeck.waitFor('MX');
  await skydeck.pointAt('A      mail ');
  await last('mail');
});

test('the rows of a view are servers, too: S opens a shell, and v compares them', async () => {
  const views = { busy: { area: 'servers', filter: 'tag:web', columns: ['label', 'status'] } };
  const skydeck = await open({ area: 'servers' }, { configuration: { views } });
  await skydeck.waitFor('api-1');
  await skydeck.press(':');
  await skydeck.waitFor('── Go to');
  await skydeck.type('busy');
  await skydeck.waitFor(/❯ busy +view/);
  await skydeck.press('enter');
  await skydeck.waitFor('Servers › busy');
  await skydeck.press('S');
  await skydeck.waitFor('The shell on web-1 has ended.');
  await skydeck.press('v');
  await skydeck.waitFor('› Compare');
});

test('where it leads to no server, and where it may not, it says so', async () => {
  const skydeck = await open({ area: 'regions' });
  await skydeck.waitFor('us-east');
  await skydeck.press('S');
  await skydeck.waitFor('This region leads to no server that is loaded.');
  const readOnly = await open({ area: 'servers' }, { readOnly: true });
  await readOnly.waitFor('api-1');
  await readOnly.press('S');
  await readOnly.waitFor('Read-only: a shell is opened only where the profile says ssh.read_only = true.');
  const allowed = await open(
    { area: 'servers' },
    { readOnly: true, configuration: { ssh: { read_only: true, user: 'guest', when: [] } } },
  );
  await allowed.waitFor('api-1');
  await allowed.press('S');
  await allowed.waitFor('The shell on api-1 has ended.');
  expect(allowed.shells[0]?.argv).toEqual(['ssh', 'guest@192.0.2.18']);
  expect([...skydeck.shells, ...readOnly.shells]).toEqual([]);
});
