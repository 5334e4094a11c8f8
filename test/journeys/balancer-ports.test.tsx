import { expect, test } from 'vitest';
import { answered } from './answered.ts';
import { startHeldDemo } from './heldDemo.ts';
import { openConfigs } from './openConfigs.ts';
import { refusal, startOtherApi } from './otherApi.ts';
import { openSkydeck } from './skydeck.ts';

test('a NodeBalancer is renamed and throttled', async () => {
  const skydeck = await openSkydeck({ columns: 118, rows: 40, place: { area: 'nodebalancers' } });
  await skydeck.waitFor('NodeBalancers  4');
  await skydeck.pointAt('staging-lb');
  await skydeck.press('e');
  await skydeck.waitFor(/── Edit staging-lb[\s\S]*Transfer +in \S+, out \S+, total \S+ *│/);
  await skydeck.fill('Label', 'preview-lb');
  await skydeck.fill('Throttle', '21');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Throttle must be 0–20 connections/s; it is 21.');
  expect(skydeck.changes).toEqual([]);
  await skydeck.fill('Throttle', '5');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(/❯ +preview-lb /);
  expect(skydeck.changes).toMatchObject([
    {
      method: 'PUT',
      path: '/nodebalancers/18313',
      body: { label: 'preview-lb', client_conn_throttle: 5 },
      status: 200,
    },
  ]);
  await skydeck.press('enter', '1');
  await skydeck.waitFor(/NodeBalancers › preview-lb[\s\S]*Throttle +5/);
});

test('the page of a port that has a certificate says that the API does not tell when that ends', async () => {
  const skydeck = await openConfigs('api-lb');
  await skydeck.pointAt(' 443 ');
  await skydeck.press('enter', '1');
  await skydeck.waitFor(/Certificate ends +the API does not tell when/);
  await skydeck.goTo('nodebalancers');
  await skydeck.pointAt('db-read');
  await skydeck.press('enter', '3');
  await skydeck.waitFor(/❯ +5432 +tcp/);
  await skydeck.press('enter', '1');
  await skydeck.waitFor(/port 5432[\s\S]*Algorithm/);
  expect(skydeck.text()).not.toContain('does not tell when');
});

test('a port is opened, read, checked another way, and closed again', async () => {
  const skydeck = await openConfigs('db-read');
  await skydeck.waitFor(/❯ +5432 +tcp/);
  await skydeck.press('n');
  await skydeck.waitFor('── New NodeBalancer config');
  await skydeck.fill('Port', '5432');
  await skydeck.choose('Protocol', 'tcp');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('port 5432 already has a config');
  await skydeck.waitFor(() => /❯ Port /.test(skydeck.cursorLine()));
  expect(skydeck.changes).toEqual([]);
  await skydeck.fill('Port', '6432');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('New NodeBalancer config: port 6432');
  await skydeck.waitFor(/6432 +tcp +○ 0 up 0 down/);
  expect(skydeck.changes.at(-1)).toMatchObject({
    method: 'POST',
    path: '/nodebalancers/18309/configs',
    body: { port: 6432, protocol: 'tcp', algorithm: 'roundrobin' },
    status: 200,
  });

  await skydeck.pointAt(' 6432 ');
  await skydeck.press('enter');
  await skydeck.waitFor('NodeBalancer configs › port 6432');
  await skydeck.waitFor('A node is a server that receives the traffic of this port');
  await answered(skydeck, /^\/nodebalancers\/18309\/configs\/\d+$/);
  await skydeck.press('1');
  await skydeck.waitFor(/Algorithm +roundrobin/);

  await skydeck.press('esc');
  await skydeck.waitFor(/❯ +6432 /);
  await skydeck.press('e');
  await skydeck.waitFor('── Edit port 6432');
  await skydeck.choose('Algorithm', 'source');
  await skydeck.fill('Check interval', '20');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(/6432 +tcp .* source .* connection every 20 s/);
  expect(skydeck.changes.at(-1)).toMatchObject({
    method: 'PUT',
    body: { algorithm: 'source', check_interval: 20 },
    status: 200,
  });

  await skydeck.press('d');
  await skydeck.waitFor('port 6432 and its nodes; the port stops answering');
  await skydeck.type('port 6432');
  await skydeck.press('enter');
  await skydeck.waitFor('Delete: port 6432');
  await skydeck.waitFor('NodeBalancer configs  1');
  expect(skydeck.changes.at(-1)).toMatchObject({ method: 'DELETE', status: 200 });
  const { data } = await skydeck.elsewhere('GET', '/nodebalancers/18309/configs');
  expect((data as { port: number }[]).map(({ port }) => port)).toEqual([5432]);
});

test('a node is looked up behind its port', async () => {
  const skydeck = await openConfigs('api-lb');
  await skydeck.waitFor(/❯ +443 +https/);
  await skydeck.press('enter');
  await skydeck.waitFor('Nodes  4');
  await skydeck.pointAt('api-4');
  await skydeck.press('enter');
  await skydeck.waitFor(/Address +192\.168\.128\.21:9000[\s\S]*Mode +drain/);
  const [, id] = / ID +(\d+)/.exec(skydeck.text()) ?? [];
  await answered(skydeck, new RegExp(`^/nodebalancers/18305/configs/\\d+/nodes/${id}$`));
});

test('no line is under the cursor before it is known which, and keys say so', async () => {
  let isHeld = true;
  const held = await startHeldDemo(({ url = '' }) => isHeld && url.includes('/nodes'));
  const skydeck = await openSkydeck({ columns: 120, rows: 30, demo: held, place: { area: 'nodebalancers' } });
  await skydeck.waitFor('db-read');
  await skydeck.pointAt('web-lb');
  await skydeck.press('enter', '2');
  await skydeck.waitFor(/port 80 http/);
  expect(skydeck.text()).not.toMatch(/❯ +port/);
  for (const key of ['e', 'd', 'n', 'a']) await skydeck.press(key);
  await skydeck.waitFor('Its nodes are being read.');
  expect(skydeck.text()).not.toContain('── ');
  isHeld = false;
  held.release();
  await skydeck.waitFor(/❯ +✗ down +web-old/);
});

test('the tree of a NodeBalancer is a list: its nodes are filtered, sorted, marked by port, and changed together', async () => {
  const skydeck = await openSkydeck({ columns: 120, rows: 40, place: { area: 'nodebalancers' } });
  await skydeck.waitFor('db-read');
  await skydeck.pointAt('web-lb');
  await skydeck.press('enter', '2');
  await skydeck.waitFor(/❯ +✗ down/);
  await skydeck.press('/');
  await skydeck.type('status:UP label:web-3|web-7');
  await skydeck.press('enter');
  await skydeck.waitFor(
    /port 80 http[^\n]*\n[^\n]*web-3 [^\n]*\n[^\n]*web-7 [^\n]*\n[^\n]*port 443 https[^\n]*\n[^\n]*web-3 /,
  );
  await skydeck.press('s');
  await skydeck.pointAt('Label');
  await skydeck.press('enter');
  await skydeck.waitFor(/sort: Label ↓[\s\S]*port 80 http[^\n]*\n[^\n]*web-7 /);
  await skydeck.pointAt('port 80 ');
  await skydeck.press('space');
  await skydeck.waitFor(/✓ +● up +web-7 [^\n]*\n ✓ +● up +web-3 /);
  await skydeck.press('a', 'R');
  await skydeck.waitFor('── Drain');
  await skydeck.press('enter');
  await skydeck.waitFor('Drain 2 nodes: all done');
  expect(new Set(skydeck.changes.map(({ body }) => JSON.stringify(body)))).toEqual(new Set(['{"mode":"drain"}']));
  await skydeck.press('V');
  await skydeck.waitFor('marked 2');
  await skydeck.press('=');
  await skydeck.waitFor(/web-7[\s\S]*web-3|web-3[\s\S]*web-7/);
});

test('no node is found as that of no server while the servers cannot be read, and that is said', async () => {
  const demo = await startOtherApi(({ path }) => (path === '/server/instances' ? refusal(403, 'Not now.') : undefined));
  const skydeck = await openConfigs('web-lb', { demo });
  await skydeck.pointAt(' 80 ');
  await skydeck.press('enter');
  await skydeck.waitFor('web-old');
  await skydeck.press('/');
  await skydeck.type('server:none');
  await skydeck.press('enter');
  await skydeck.waitFor(
    /None of the nodes matches server:none[\s\S]*The servers are not read, so what they would tell is not/,
  );
});
