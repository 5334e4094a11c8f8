import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Demo } from '../../src/demo/server.ts';
import { openSkydeck, type Skydeck, startQuietDemo } from './skydeck.ts';

let demo: Demo;
beforeAll(async () => {
  demo = await startQuietDemo();
});
afterAll(() => demo.close());

/** Asks what is related to the row under the cursor or the one that is shown. */
async function askFor(skydeck: Skydeck, label: string): Promise<void> {
  await skydeck.press('x');
  await skydeck.waitFor(`── Related to ${label} ─`);
}

test('a server leads to its volume, and the volume back to its server', async () => {
  const skydeck = await openSkydeck({ demo, rows: 40, place: { area: 'servers' } });
  await skydeck.waitFor('api-1');
  await skydeck.goTo('volumes');
  await skydeck.waitFor('api-1-uploads');
  await skydeck.goTo('servers');
  await skydeck.pointAt('api-1 ');
  // The loads of the list come in meanwhile.
  const others = () =>
    skydeck.requests.filter(({ path }) => !path.startsWith('/account/events') && !path.endsWith('/stats'));
  const asked = others().length;
  await askFor(skydeck, 'api-1');
  await skydeck.waitFor(/belongs to +Image +server\/debian12[\s\S]*Region +us-west[\s\S]*Tags 2 +api, prod/);
  await skydeck.waitFor(/used by +Volume +api-1-uploads/);
  await skydeck.waitFor(/not loaded +Disks +enter opens them/);
  expect(others()).toHaveLength(asked);

  await skydeck.pointAt('api-1-uploads');
  await skydeck.press('enter');
  await skydeck.waitFor(/Volumes › api-1-uploads[\s\S]* attached to api-1 /);
  await askFor(skydeck, 'api-1-uploads');
  await skydeck.pointAt('Server ');
  await skydeck.press('enter');
  await skydeck.waitFor('Servers › api-1 ');
});

test('what is not loaded is opened once, and then it is told', async () => {
  const skydeck = await openSkydeck({ demo, rows: 60, place: { area: 'servers' } });
  await skydeck.pointAt('web-1 ');
  await askFor(skydeck, 'web-1');
  await skydeck.waitFor(/Records +enter opens the domains/);
  await skydeck.pointAt('Disks');
  await skydeck.press('enter');
  await skydeck.waitFor('Disks  2 ');

  await skydeck.goTo('domains');
  await skydeck.pointAt('example.com');
  await skydeck.press('enter');
  await skydeck.waitFor(/Records {2}\d+/);
  await skydeck.goTo('nodebalancers');
  await skydeck.pointAt('web-lb ');
  await skydeck.press('enter', '2');
  await skydeck.waitFor(/web-1 +192\.168\.128\.10:/);

  await skydeck.goTo('servers');
  await skydeck.pointAt('web-1 ');
  await askFor(skydeck, 'web-1');
  await skydeck.waitFor(/used by +Disks 2 /);
  await skydeck.waitFor(/not loaded[\s\S]*Records +enter opens 2 of 6 domains/);
  await skydeck.press('pageDown');
  await skydeck.waitFor(/Nodes +enter opens the NodeBalancers/);
  await skydeck.press('pageUp');
  await skydeck.pointAt('Nodes 2');
  await skydeck.press('enter');
  await skydeck.waitFor('── Related to web-1: Nodes ─');
  await skydeck.waitFor(/web-1 +of port 443 +● up +192\.168\.128\.10:/);
  await skydeck.press('esc');
  await skydeck.waitFor('── Related to web-1 ─');
  await skydeck.type('nodes');
  await skydeck.waitFor(/❯ nodes[\s\S]*web-1 +node +of port 443/);
});

test('a node in the tree of its balancer leads to its server, by the private address', async () => {
  const skydeck = await openSkydeck({ demo, rows: 40, place: { area: 'nodebalancers' } });
  await skydeck.pointAt('api-lb ');
  await skydeck.press('enter', '2');
  await skydeck.waitFor(/api-3 +192\.168\.128\.20/);
  await skydeck.pointAt('192.168.128.20');
  await askFor(skydeck, 'api-3');
  await skydeck.waitFor(/Balancer config +port 443[\s\S]*NodeBalancer +api-lb[\s\S]*Server +api-3/);
  await skydeck.pointAt('Server ');
  await skydeck.press('enter');
  await skydeck.waitFor('Servers › api-3 ');
});

test('among hundreds of rows one is found by typing', async () => {
  const crowded = await startQuietDemo({ servers: 400 });
  const skydeck = await openSkydeck({ demo: crowded, place: { area: 'servers' } });
  await skydeck.waitFor('Servers  400 ');
  await skydeck.goTo('volumes');
  await skydeck.goTo('regions');
  await skydeck.pointAt('us-east ');
  await askFor(skydeck, 'us-east');
  await skydeck.waitFor(/used by +Servers [12]\d\d /);
  await skydeck.type('web-1 server');
  await skydeck.waitFor(() => /web-1 +server/.test(skydeck.cursorLine()));
  await skydeck.press('ctrl-u');
  await skydeck.waitFor(/used by +Servers/);
  await skydeck.press('enter');
  await skydeck.waitFor('Related to us-east: Servers');
  await skydeck.type('web-3');
  await skydeck.waitFor(() => skydeck.cursorLine().includes('web-3'));
  await skydeck.press('esc');
  await skydeck.waitFor('── Related to us-east ─');
  await skydeck.press('enter');
  await skydeck.waitFor('Related to us-east: Servers');
  await skydeck.type('web-3');
  await skydeck.waitFor(() => skydeck.cursorLine().includes('web-3'));
  await skydeck.press('enter');
  await skydeck.waitFor('Servers › web-3');
  await skydeck.close();
  await crowded.close();
});

test('where nothing is related it says so calmly, and at home problems and events have relations', async () => {
  const skydeck = await openSkydeck({ demo, place: { area: 'regions' } });
  await skydeck.pointAt('ap-northeast ');
  await askFor(skydeck, 'ap-northeast');
  await skydeck.waitFor('Nothing loaded is related to ap-northeast.');
  await skydeck.waitFor(/not loaded[\s\S]*Managed services +enter opens them/);
  await skydeck.press('esc');
  await skydeck.waitFor((frame) => !frame.includes('Related to'));

  await skydeck.goTo('home');
  await skydeck.press('G');
  await skydeck.press('x');
  await skydeck.waitFor(/Related to|is not loaded; open it first/);
});

test('read-only, relations are the same', async () => {
  const skydeck = await openSkydeck({ demo, readOnly: true, place: { area: 'volumes', id: '610001' } });
  await skydeck.waitFor('Volumes › archive-2023');
  await skydeck.waitFor('x related');
  await askFor(skydeck, 'archive-2023');
  await skydeck.waitFor(/belongs to +Region/);
});
