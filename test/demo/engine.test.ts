import { afterEach, describe, expect, test } from 'vitest';
import { servers as serverHandlers } from '../../src/demo/compute/servers.ts';
import { users } from '../../src/demo/engine/access.ts';
import { Cloud } from '../../src/demo/engine/cloud.ts';
import { faultInjector } from '../../src/demo/engine/faults.ts';
import type { Call } from '../../src/demo/engine/handler.ts';
import { appOf } from '../../src/demo/engine/routes.ts';
import { translatorFor } from '../../src/demo/engine/vocabulary.ts';
import * as handlers from '../../src/demo/handlers.ts';
import { balanceOf, serversOf } from '../../src/demo/inventory.ts';
import { startDemo } from '../../src/demo/server.ts';
import { resourceNamed } from '../../src/resources/index.ts';
import { type Clockwork, fetchServers, openClockwork, type Page, type Server } from './clock.ts';

const open: Clockwork[] = [];
const started = async (options: Parameters<typeof openClockwork>[0]) => {
  const cloud = await openClockwork(options);
  open.push(cloud);
  return cloud;
};
afterEach(async () => {
  await Promise.all(open.splice(0).map((cloud) => cloud.close()));
});

const everything = async (cloud: Clockwork) => {
  const lists = ['servers', 'volumes', 'images', 'kernels', 'events'].map((name) => cloud.ask(name, 'list'));
  const { data } = (await cloud.ask<Page<Server>>('servers', 'list')).body;
  const serverId = String(data[0]?.id);
  const below = ['disks', 'configs', 'backups'].map((name) => cloud.ask(name, 'list', { serverId }));
  const stats = cloud.ask('servers', 'stats', { serverId });
  return (await Promise.all([...lists, ...below, stats])).map(({ body }) => body);
};

describe('the seed', () => {
  test('the same one gives the same cloud', async () => {
    const [one, other] = [await started({ seed: 7 }), await started({ seed: 7 })];
    expect(await everything(one)).toEqual(await everything(other));
  });

  test('another one gives another cloud', async () => {
    const [one, other] = [await started({ seed: 7 }), await started({ seed: 8 })];
    expect(await everything(one)).not.toEqual(await everything(other));
  });

  test('twenty thousand servers have labels and addresses of their own', async () => {
    const cloud = new Cloud({ seed: 1, servers: 20_000, pace: 1, time: Date.UTC(2025, 5, 10) });
    const all = [...serversOf(cloud).values()];
    expect(all).toHaveLength(20_000);
    for (const value of ['id', 'label', 'ipv6'] as const)
      expect(new Set(all.map((one) => one[value])).size).toBe(20_000);
    const addresses = all.flatMap(({ ipv4 }) => ipv4);
    expect(new Set(addresses).size).toBe(addresses.length);
    const reserved = /^(192\.0\.2|198\.51\.100|203\.0\.113|198\.1[89]\.\d+|192\.168\.\d+)\.\d+$/;
    expect(addresses.filter((address) => !reserved.test(address))).toEqual([]);
  });
});

describe('faults', () => {
  test('errors answer with a server error, limits with 429', async () => {
    const errors = await started({ faults: ['errors:1'] });
    expect([500, 502, 504]).toContain((await fetchServers(errors)).status);
    const limits = await started({ faults: ['limits:1'] });
    const limited = await Promise.all(Array.from({ length: 12 }, () => fetchServers(limits)));
    expect(limited.map(({ status }) => status)).toEqual(Array(12).fill(429));
    expect(new Set(limited.map(({ headers }) => headers.get('Retry-After')))).toEqual(new Set(['2', null]));
  });

  test('busy refuses reads alone', async () => {
    const cloud = await started({ faults: ['busy:1'], servers: 0 });
    const refused = await fetchServers(cloud);
    expect(refused.status).toBe(400);
    expect(await refused.json()).toEqual({ errors: [{ reason: 'Server busy.' }] });
    const body = { region: 'us-east', type: 'g6-nanode-1', label: 'made' };
    expect((await cloud.ask('servers', 'create', {}, { body })).status).toBe(200);
  });

  test('drops lose the connection, some of them after the work was done', async () => {
    const cloud = await started({ faults: ['drops:0.5'], servers: 0 });
    const body = { region: 'us-east', type: 'g6-nanode-1' };
    let answered = 0;
    for (let nth = 0; nth < 40; nth += 1) {
      const asked = cloud.ask('servers', 'create', {}, { body: { ...body, label: `made-${nth}` } });
      answered += await asked.then(
        () => 1,
        () => 0,
      );
    }
    const made = await insistently(async () => (await cloud.ask<Page<Server>>('servers', 'list')).body.results);
    expect(answered).toBeGreaterThan(0);
    expect(made).toBeGreaterThan(answered);
    expect(made).toBeLessThan(40);
  });

  test('unavailable answers 503, with and without the time to wait', async () => {
    const cloud = await started({ faults: ['unavailable:1'] });
    const answers = await Promise.all(Array.from({ length: 12 }, () => fetchServers(cloud)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    expect(new Set(answers.map(({ headers }) => headers.get('Retry-After')))).toEqual(new Set(['2', null]));
  });

  test('pages are a web page where JSON should be', async () => {
    const answer = await fetchServers(await started({ faults: ['pages:1'] }));
    expect(answer.status).toBe(200);
    expect(await answer.text()).toMatch(/^<html>/);
  });

  test('truncated is half of an answer, some of them on a connection that breaks, after the work was done', async () => {
    const cloud = await started({ faults: ['truncated:1'], servers: 0 });
    const ends: string[] = [];
    for (let nth = 0; nth < 12; nth += 1) {
      const body = { region: 'us-east', type: 'g6-nanode-1', label: `cut-${nth}` };
      ends.push(
        await cloud.ask('servers', 'create', {}, { body }).then(
          () => 'whole',
          (error: Error) => error.name,
        ),
      );
    }
    expect(new Set(ends)).toEqual(new Set(['SyntaxError', 'TypeError']));
    cloud.setFaults([]);
    expect((await cloud.ask<Page<Server>>('servers', 'list')).body.results).toBe(12);
  });

  test('redirects lead to another host, and none is followed by the demo itself', async () => {
    const cloud = await started({ faults: ['redirects:1'] });
    const address = cloud.url + resourceNamed('regions').list?.path;
    const statuses = new Set<number>();
    for (let nth = 0; nth < 40; nth += 1) {
      const answer = await fetch(address, { redirect: 'manual' });
      expect(new URL(answer.headers.get('Location') ?? '').host).not.toBe(new URL(cloud.url).host);
      statuses.add(answer.status);
    }
    expect(statuses).toEqual(new Set([301, 302, 303, 307, 308]));
  });

  test('a token that is revoked stays so until the faults are taken back', async () => {
    const cloud = await started({ faults: ['revoked:0.2'] });
    const statuses: number[] = [];
    for (let nth = 0; nth < 40; nth += 1) statuses.push((await fetchServers(cloud)).status);
    const first = statuses.indexOf(401);
    expect(first).toBeGreaterThan(0);
    expect(new Set(statuses.slice(0, first))).toEqual(new Set([200]));
    expect(new Set(statuses.slice(first))).toEqual(new Set([401]));
    cloud.setFaults([]);
    expect((await fetchServers(cloud)).status).toBe(200);
  });

  test('a colleague changes what is read alone, once in a while', async () => {
    const cloud = await started({ faults: ['colleague:1'], servers: 3 });
    const [server] = (await cloud.ask<Page<Server>>('servers', 'list')).body.data;
    const read = async () => (await cloud.ask('servers', 'view', { serverId: String(server?.id) })).body;
    const changed = { label: `${server?.label}-new`, tags: expect.arrayContaining(['colleague']) };
    expect(await read()).toMatchObject(changed);
    expect(await read()).toMatchObject(changed);
  });

  test('skew tells another time with the right answer', async () => {
    const answer = await fetchServers(await started({ faults: ['skew:1'], servers: 3 }));
    const date = Date.parse(answer.headers.get('Date') ?? '');
    expect(Math.abs(date - Date.now())).toBeGreaterThan(3_500_000);
    expect(await answer.json()).toMatchObject({ results: 3 });
  });

  test('hangs never answer, and do not keep the demo from closing', async () => {
    const cloud = await openClockwork({ faults: ['hangs:1'] });
    await expect(fetchServers(cloud, AbortSignal.timeout(100))).rejects.toThrow(/timeout/);
    const asked = expect(fetchServers(cloud)).rejects.toThrow();
    await cloud.close();
    await asked;
  });

  test('the share is how often, and an unknown fault is named', async () => {
    const cloud = await started({ faults: ['errors:0'] });
    expect((await fetchServers(cloud)).status).toBe(200);
    await expect(startDemo({ faults: ['floods'] })).rejects.toThrow('floods');
    await expect(startDemo({ faults: ['errors:2'] })).rejects.toThrow('between 0 and 1');
  });
});

/** Asks again until the connection holds. */
async function insistently<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    const answer = await ask().then(
      (value) => ({ value }),
      () => undefined,
    );
    if (answer) return answer.value;
  }
}

describe('the start', () => {
  test('an operation without an answer is named', () => {
    const cloud = new Cloud({ seed: 1, servers: 1, pace: 1, time: 0 });
    const behaviour = { now: () => 0, latencyMs: 0, injectFault: faultInjector([], 1), translator: translatorFor() };
    const without = Object.values(handlers).filter(({ resource }) => resource !== 'regions');
    expect(() => appOf(cloud, without, behaviour)).toThrow('list of regions');
  });

  test('a port that is taken is an error', async () => {
    const cloud = await started({});
    await expect(startDemo({ port: Number(new URL(cloud.url).port) })).rejects.toThrow('EADDRINUSE');
  });
});

test('a balance due keeps a server from being resized', async () => {
  const cloud = new Cloud({ seed: 1, servers: 8, pace: 1, time: 0 });
  const [server] = serversOf(cloud).values();
  const { resize } = serverHandlers.handlers;
  if (!server || typeof resize !== 'function') throw new Error('there is no resize to try');
  const call: Call = {
    params: { serverId: String(server.id) },
    query: {},
    body: { type: 'g6-standard-8' },
    user: users.full,
    filter: undefined,
    request: new Request('http://127.0.0.1'),
  };
  balanceOf(cloud).due = 0.01;
  expect(() => resize(call, cloud)).toThrow('outstanding balance');
  balanceOf(cloud).due = 0;
  resize(call, cloud);
  expect(server.status).toBe('migrating');
});

test('connections are kept longer than clients keep them, so that none is closed under a request', async () => {
  const { url, close } = await startDemo();
  const { headers } = await fetch(`${url}/anything`);
  await close();
  const { timeout = '' } = /timeout=(?<timeout>\d+)/.exec(headers.get('keep-alive') ?? '')?.groups ?? {};
  expect(Number(timeout)).toBeGreaterThan(30);
});
