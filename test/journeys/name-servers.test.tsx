import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Demo } from '../../src/demo/server.ts';
import { answers, openDnsServer, type Zone } from '../dnsServer.ts';
import { openSkydeck, type SkydeckOptions, startQuietDemo } from './skydeck.ts';

let demo: Demo;
beforeAll(async () => {
  demo = await startQuietDemo();
});
afterAll(() => demo.close());

/** Opens the records of all zones, at an address of example.com, with a resolver that answers by this zone. */
async function open(zone: Zone, more: SkydeckOptions = {}) {
  const world = await openDnsServer(zone);
  const configuration = { dns: { resolve: true, resolver: `127.0.0.1:${world.port}` } };
  const place = { area: 'records' };
  const skydeck = await openSkydeck({ demo, place, columns: 120, rows: 40, configuration, ...more });
  await skydeck.waitFor(/A +api +203/);
  await skydeck.pointAt('api    ');
  return { skydeck, world };
}

const silent: Zone = () => undefined;

/** A resolver that has this address for `api`, and no name servers. */
const cached =
  (data: string): Zone =>
  ({ name, type }) =>
    type === 'A' && name.startsWith('api.') ? { answers: [{ type, name, ttl: 154, data }] } : answers();

test('t shows what the resolver says beside what the zone says, also in a read-only session; only a name leaves', async () => {
  const { skydeck, world } = await open(cached('192.0.2.66'), { readOnly: true });
  await skydeck.press('t');
  await skydeck.waitFor('── Ask name servers (A api)');
  await skydeck.waitFor(/Asked \d\d:\d\d about api\.example\.com A\./);
  await skydeck.waitFor('The zone says 203.0.113.2; TTL 5 min.');
  await skydeck.waitFor(`✗ Resolver 127.0.0.1: 192.0.2.66; 2 min 34 s left; not as the zone says`);
  await skydeck.waitFor('? The name servers of example.com are not known: none is told');
  await skydeck.waitFor(/0 of 2 answer as the zone says\. It took [\d.]+ s\./);
  // A machine that is busy for a second asks once more.
  expect(new Set(world.asked)).toEqual(new Set(['A api.example.com +', 'NS example.com +']));
  expect(skydeck.requests.every(({ method }) => method === 'GET')).toBe(true);
  await skydeck.press('c');
  expect(skydeck.copied.join()).toContain('192.0.2.66; 2 min 34 s left; not as the zone says');
  await skydeck.press('esc');
  await skydeck.waitFor(/103 {3}sort/);
});

test('the same from the records of one zone, from the page of a record and from the palette, at 60×16 and in plain letters', async () => {
  const more = { columns: 60, rows: 16, theme: 'mono', ascii: true, place: { area: 'domains' } };
  const world = await openDnsServer(cached('203.0.113.2'));
  const resolver = `127.0.0.1:${world.port}`;
  const skydeck = await openSkydeck({ demo, ...more, configuration: { dns: { resolve: true, resolver } } });
  await skydeck.waitFor('example.com');
  await skydeck.pointAt('example.com');
  await skydeck.press('t');
  await skydeck.waitFor('There is no record here to ask name servers about.');
  const isSaid = async () => {
    await skydeck.waitFor(`* Resolver 127.0.0.1: 203.0.113.2; 2 min`);
    await skydeck.waitFor('as the zone says');
    await skydeck.press('esc');
  };
  await skydeck.press('enter');
  await skydeck.waitFor(/A +api/);
  await skydeck.pointAt('api   ');
  await skydeck.press('t');
  await isSaid();
  await skydeck.press(':');
  await skydeck.type('nslookup');
  await skydeck.press('enter');
  await isSaid();
  await skydeck.press('enter');
  await skydeck.waitFor('Facts ---');
  await skydeck.press('t');
  await isSaid();
});

test('a resolver that does not answer is said, while the dashboard goes on; X stops waiting', async () => {
  const { skydeck } = await open(silent);
  await skydeck.press('t');
  await skydeck.waitFor('The zone says 203.0.113.2');
  await skydeck.waitFor(/Ask name servers \(A api\) runs; X stops it/);
  await skydeck.press('esc', 'down', 't');
  await skydeck.waitFor('── Ask name servers (A mail)');
  await skydeck.press('X');
  await skydeck.waitFor(`? Resolver 127.0.0.1 was not waited for`);
  await skydeck.waitFor('It was stopped.');
  await skydeck.press('esc', 't');
  await skydeck.waitFor(`? Resolver 127.0.0.1 did not answer within 3 s`);
  await skydeck.waitFor(/0 of 2 answer as the zone says\. It took 3\.\d s\./);
});

test('several marked records are one pane, and a hundred of them; each domain is read once', async () => {
  const { skydeck, world } = await open(cached('203.0.113.2'));
  await skydeck.press('space', 'space', 't');
  await skydeck.waitFor('── Ask name servers about 2 records');
  await skydeck.waitFor('A mail');
  await skydeck.waitFor('✗ Resolver');
  await skydeck.waitFor('✓ Resolver');
  await skydeck.press('esc', 'esc', '*', 't');
  await skydeck.waitFor(/── Ask name servers about 103 records ─/);
  const zones = world.asked.filter((one) => one.startsWith('NS '));
  expect(world.asked.length - zones.length).toBeGreaterThan(100);
  expect(zones.length).toBeLessThan(24);
});

test('without resolve nothing is asked: a sentence says how, or that the demo has no zone in the world', async () => {
  const { skydeck, world } = await open(silent, { configuration: {} });
  await skydeck.press('t');
  await skydeck.waitFor('No name server knows the zones of the demo or of a replay, so none is asked.');
  await skydeck.goTo('servers');
  await skydeck.waitFor('web-1');
  await skydeck.press('t');
  await skydeck.waitFor('There is no record here to ask name servers about.');
  expect(world.asked).toEqual([]);
});
