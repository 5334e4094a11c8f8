import { expect, onTestFinished, test, vi } from 'vitest';
import { noConfiguration } from '../../src/config/configuration.ts';
import type { Row } from '../../src/resources/resource.ts';
import { askNameServers } from '../../src/store/nameServers.ts';
import { readWholeList } from '../../src/store/plans/zoneSteps.ts';
import { createStores } from '../../src/store/stores.ts';
import { answers, flags, openDnsServer, type Zone } from '../dnsServer.ts';
import { blankRecord } from '../resources/blankRecord.ts';
import { apiOn, onePage } from './apiOn.ts';
import { apiError } from './fakeApi.ts';
import { partsOf } from './openStores.ts';

const domain = { id: 7, domain: 'example.com', type: 'master', status: 'active', ttl_sec: 3600 };
const row = (id: number, name: string, target: string) => ({ ...blankRecord, id, type: 'A', name, target });
const www = row(1, 'www', '192.0.2.1');
const mail = row(2, 'mail', '192.0.2.2');

/** A server of the zone whose `www` is this. */
const serves =
  (target: string, more: object = {}): Zone =>
  ({ name, type }) => {
    const data = { 'www.example.com': target, 'mail.example.com': '192.0.2.2' }[name];
    return type === 'A' && data ? { ...answers({ type: 'A', name, ttl: 3600, data }), ...more } : answers();
  };

/** A resolver that tells these servers of the zone, by name and address. */
const tells =
  (servers: Readonly<Record<string, string>>): Zone =>
  (query) => {
    const { name, type } = query;
    const of = Object.keys(servers).map((data) => ({ type: 'NS' as const, name, ttl: 60, data }));
    if (type === 'NS') return answers(...of);
    const data = servers[name];
    if (data === undefined) return serves('192.0.2.1', { flags: 0 })(query);
    const isOf = data !== '' && type === (data.includes(':') ? 'AAAA' : 'A');
    return isOf ? answers({ type: data.includes(':') ? 'AAAA' : 'A', name, ttl: 60, data }) : answers();
  };

interface Opened {
  resolver?: string;
  /** The resolvers of the machine. */
  machine?: readonly string[];
  /** That of the name servers. */
  port?: number;
  /** The rows that are asked about. */
  about?: readonly Row[];
  /** The API answers with the records of the zone, or does not. */
  records?: () => Promise<readonly Row[]>;
}

/** Asks about records of a zone that holds two. */
async function ask({ resolver, machine = [], port = 53, about = [www], records = async () => [www, mail] }: Opened) {
  const sent: string[] = [];
  const api = apiOn(async ({ method, path }) => {
    sent.push(`${method} ${path}`);
    const data = path.endsWith('/records') ? await records() : [domain];
    return { status: 200, body: onePage(data) };
  });
  const configuration = { ...noConfiguration, dns: { resolve: true, ...(resolver && { resolver }) } };
  const stores = createStores({ parts: partsOf(api, { configuration }), start: { screen: 'home' }, now: Date.now });
  onTestFinished(() => stores.close());
  await readWholeList(stores, 'domains');
  sent.length = 0;
  const targets = about.map((row) => ({ row, params: { domainId: '7', recordId: String(row.id) } }));
  const done = askNameServers(stores, targets, port, [...machine]);
  const change = () => stores.changes.getState().changes[0];
  const output = (nth = 0) => change()?.results[nth]?.output;
  return { stores, sent, done, change, output, lines: (nth = 0) => output(nth)?.lines ?? [] };
}

test('the resolver and each name server of the zone, with what the zone says beside them', async () => {
  const right = await openDnsServer(serves('192.0.2.1'), '127.0.0.2');
  const wrong = await openDnsServer(serves('192.0.2.99'), '127.0.0.3', right.port);
  await openDnsServer(() => ({ flags: flags.refused }), '127.0.0.4', right.port);
  const servers = {
    'a.ns.example': right.address,
    'b.ns.example': wrong.address,
    'c.ns.example': '127.0.0.4',
    'd.ns.example': '',
  };
  const world = await openDnsServer(tells(servers));
  const resolver = `127.0.0.1:${world.port}`;
  const { done, sent, change, output, lines } = await ask({ resolver, port: right.port });
  await done;
  expect(lines()[0]).toMatch(/^Asked \d\d:\d\d about www\.example\.com A\.$/);
  expect(lines().slice(1, 3)).toEqual([
    'The zone says 192.0.2.1; TTL 1 h.',
    `Resolver 127.0.0.1: 192.0.2.1; 1 h left; as the zone says`,
  ]);
  expect(lines().slice(3).toSorted()).toEqual([
    'a.ns.example (127.0.0.2): 192.0.2.1; TTL 1 h; as the zone says',
    'b.ns.example (127.0.0.3): 192.0.2.99; TTL 1 h; not as the zone says',
    'c.ns.example (127.0.0.4) answers REFUSED',
    'd.ns.example has no known address: none is told',
  ]);
  expect(output()?.ending).toBe('2 of 5 answer as the zone says.');
  expect(output()?.tones?.toSorted()).toEqual(['bad', 'good', 'good', 'plain', 'plain', 'warn', 'warn']);
  expect(change()?.results[0]?.state).toBe('done');
  expect(new Set(right.asked)).toEqual(new Set(['A www.example.com']));
  expect(world.asked.every((one) => one.endsWith(' +'))).toBe(true);
  expect(sent.filter((one) => !one.startsWith('GET '))).toEqual([]);
});

test('a resolver that keeps silent is said, and what answers is there before', async () => {
  const silent = await openDnsServer(() => undefined);
  const resolver = `127.0.0.1:${silent.port}`;
  const { done, lines, change, output } = await ask({ resolver });
  await vi.waitUntil(() => lines()[1] === 'The zone says 192.0.2.1; TTL 1 h.', { interval: 10 });
  expect(lines()[2]).toBe(`Resolver 127.0.0.1 is asked …`);
  expect(change()?.isOver).toBe(false);
  await done;
  expect(lines().slice(2)).toEqual([
    `Resolver 127.0.0.1 did not answer within 3 s`,
    'The name servers of example.com are not known: the resolver did not answer within 3 s',
  ]);
  expect(change()?.results[0]?.state).toBe('done');
  expect(output()?.ms).toBeGreaterThan(2_900);
});

test('the resolvers of the machine are asked one after the other until one answers', async () => {
  const silent = await openDnsServer(() => undefined);
  const world = await openDnsServer(tells({ 'a.ns.example': '' }), '127.0.0.2');
  const machine = [`127.0.0.1:${silent.port}`, `127.0.0.2:${world.port}`];
  const { done, lines } = await ask({ machine });
  await done;
  expect(lines().slice(2).toSorted()).toEqual([
    'Resolver 127.0.0.1 did not answer within 3 s',
    'Resolver 127.0.0.2: 192.0.2.1; 1 h left; as the zone says',
    'a.ns.example has no known address: none is told',
  ]);
  expect(new Set(silent.asked)).toEqual(new Set(['A www.example.com +', 'NS example.com +']));
});

test('a machine without a resolver says so, and nothing is asked', async () => {
  const { done, lines } = await ask({});
  await done;
  expect(lines().slice(2)).toEqual([
    'The name servers of example.com are not known: the resolver is not named by this machine',
  ]);
});

test('an API that does not answer holds no answer of a name server back; X stops it', async () => {
  const world = await openDnsServer(tells({}));
  const records = () => new Promise<never>(() => {});
  const { stores, done, lines, output } = await ask({ resolver: `127.0.0.1:${world.port}`, records });
  await vi.waitUntil(() => lines().length === 4, { interval: 10 });
  expect(lines().slice(1).toSorted()).toEqual(
    [
      'Reading the zone …',
      `Resolver 127.0.0.1: 192.0.2.1; 1 h left`,
      'The name servers of example.com are not known: none is told',
    ].toSorted(),
  );
  stores.changes.stop(1);
  await done;
  expect(output()?.ending).toBe('It was stopped.');
});

test('a zone that cannot be read makes no answer right or wrong', async () => {
  const world = await openDnsServer(tells({}));
  const records = () => Promise.reject(apiError());
  const { done, lines, output } = await ask({ resolver: `127.0.0.1:${world.port}`, records });
  await done;
  expect(lines()[1]).toMatch(/^What the zone says is not known: It broke\./);
  expect(output()?.tones).toEqual(['plain', 'plain', 'warn', 'warn']);
});

test('of several records of a zone the zone is read once, and its name servers are looked up once', async () => {
  const right = await openDnsServer(serves('192.0.2.1'), '127.0.0.2');
  const world = await openDnsServer(tells({ 'a.ns.example': right.address }));
  const { done, sent, lines, change } = await ask({
    resolver: `127.0.0.1:${world.port}`,
    port: right.port,
    about: Array.from({ length: 60 }, (_, nth) => (nth % 2 === 0 ? www : mail)),
  });
  await done;
  expect(change()?.title).toBe('Ask name servers about 60 records');
  expect(sent).toHaveLength(1);
  // A machine that is busy for a second asks once more.
  expect(world.asked.filter((one) => one.startsWith('NS ')).length).toBeLessThan(3);
  expect(right.asked.length).toBeGreaterThan(59);
  expect(lines(59)).toContain('a.ns.example (127.0.0.2): 192.0.2.2; TTL 1 h; as the zone says');
});

test('rows of an API that breaks its word are asked about as far as they can be', async () => {
  const world = await openDnsServer(tells({}));
  const rows = [null, undefined, 5, {}, ['a'], true, 'a..b', '.', ' '].flatMap((odd, nth) => [
    { ...www, id: 10 + nth, name: odd },
    { ...www, id: 30 + nth, target: odd },
    { ...www, id: 50 + nth, type: odd },
    { ...www, id: 70 + nth, type: 'SRV', service: odd, port: odd, ttl_sec: odd },
  ]) as unknown as readonly (typeof www)[];
  const records = async () => [...rows, www];
  const { done, change } = await ask({ resolver: `127.0.0.1:${world.port}`, about: rows, records });
  await done;
  expect(change()?.results.every(({ state, output }) => state === 'done' && (output?.lines.length ?? 0) > 2)).toBe(
    true,
  );
});

test('names out of the world are shown clean', async () => {
  const world = await openDnsServer(tells({ 'e\x1b[31mvil\u202e.example': '' }));
  const { done, lines } = await ask({ resolver: `127.0.0.1:${world.port}` });
  await done;
  expect(lines().at(-1)).toBe('evil⟨RLO⟩.example has no known address: none is told');
});
