import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { pathOf } from '../../src/api/address.ts';
import { connect } from '../../src/api/client.ts';
import { type Demo, startDemo } from '../../src/demo/server.ts';
import { creationsOf, resourceNamed, resources } from '../../src/resources/index.ts';
import {
  type Action,
  type Field,
  fieldOf,
  type Params,
  type Resource,
  type Row,
} from '../../src/resources/resource.ts';
import { sendChanges } from '../../src/store/changes/send.ts';
import { answering } from '../answering.ts';
import { actionOf } from '../resources/actionOf.ts';
import { openStores } from './openStores.ts';

let demo: Demo;
let url: string;
let server: ReturnType<typeof createServer>;
beforeAll(async () => {
  demo = await startDemo({ pace: 50, seed: 1, colleagues: false });
  // Carries every change out, and never answers it.
  const answer = answering(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method, url: path = '', headers } = request;
    const sent = new Headers();
    for (const name of ['authorization', 'content-type', 'x-filter']) {
      const value = headers[name];
      if (typeof value === 'string') sent.set(name, value);
    }
    const passed = await fetch(demo.url + path, {
      method,
      headers: sent,
      body: chunks.length > 0 ? Buffer.concat(chunks).toString() : undefined,
    });
    const body = await passed.text();
    if (method === 'GET' || !passed.ok) response.writeHead(passed.status).end(body);
    else response.destroy();
  });
  server = createServer(answer);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await demo.close();
});

/** All that the demo answers to a list, asked as somebody else does. */
async function rowsIn(resource: string, params: Params, filter = {}): Promise<readonly Row[]> {
  const { list } = resourceNamed(resource);
  if (!list) throw new Error(`${resource} has no list`);
  const headers = { authorization: `Bearer ${demo.tokens.full}`, 'x-filter': JSON.stringify(filter) };
  const rows: Row[] = [];
  for (let page = 1; ; page++) {
    const answer = await fetch(`${demo.url}${pathOf(list, params)}?page=${page}&page_size=100`, { headers });
    const body = (await answer.json()) as { data: readonly Row[]; pages: number };
    rows.push(...body.data);
    if (page >= body.pages) return rows;
  }
}

const idIn = async (resource: string, params: Params = {}, is: (row: Row) => boolean = () => true) =>
  String((await rowsIn(resource, params)).find(is)?.id);

const region = 'us-east';
const server1 = async () => ({ serverId: await idIn('servers', {}, ({ label }) => label === 'api-1') });
/** A server whose disk is all free. */
async function emptyServer(): Promise<Params> {
  const { create } = resourceNamed('servers');
  const headers = { authorization: `Bearer ${demo.tokens.full}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ label: 'empty', region, type: 'g6-standard-1' });
  const answer = await fetch(demo.url + create?.path, { method: 'POST', headers, body });
  return { serverId: String(((await answer.json()) as Row).id) };
}
const domain1 = async () => ({ domainId: await idIn('domains', {}, ({ type }) => type === 'master') });
const balancer = async () => ({ nodeBalancerId: await idIn('nodebalancers') });
const config = async () => {
  const params = await balancer();
  return { ...params, configId: await idIn('nodebalancer-configs', params) };
};

interface Creation {
  params?: () => Promise<Params>;
  body: Row | ((params: Params) => Promise<Row>);
}

/** Bodies that need more than the required fields, and the parents of rows that lie under another. */
const creations: Readonly<Record<string, Creation>> = {
  'servers.create': {
    body: { label: 'lost-1', region, type: 'g6-standard-1', image: 'server/debian12', root_pass: 'correct-Horse-77-b' },
  },
  'volumes.create': { body: { label: 'lost-1', region, size: 20 } },
  'images.create': {
    body: async () => {
      const params = await server1();
      return { label: 'lost-1', disk_id: Number(await idIn('disks', params)) };
    },
  },
  'images.upload': { body: { label: 'lost-2', region } },
  'buckets.create': { body: { label: 'lost-1', cluster: 'us-east-1' } },
  'object-keys.create': { body: { label: 'lost-1' } },
  'stackscripts.create': { body: { label: 'lost-1', images: ['server/debian12'], script: '#!/bin/sh\n' } },
  'domains.create': { body: { domain: 'lost-1.example', type: 'master', soa_email: 'a@lost-1.example' } },
  'domains.import': { body: { domain: 'lost-2.example', remote_nameserver: '203.0.113.5' } },
  'nodebalancers.create': { body: { label: 'lost-1', region } },
  'disks.create': { params: emptyServer, body: { label: 'lost-1', size: 512, filesystem: 'ext4' } },
  'configs.create': {
    params: server1,
    body: async (params) => ({
      label: 'lost-1',
      devices: { sda: { disk_id: Number(await idIn('disks', params)) } },
    }),
  },
  'records.create': { params: domain1, body: { type: 'A', name: 'lost-1', target: '192.0.2.77' } },
  'nodebalancer-configs.create': { params: balancer, body: { port: 8765, protocol: 'http', algorithm: 'roundrobin' } },
  'nodebalancer-nodes.create': {
    params: config,
    body: { label: 'lost-1', address: '192.168.200.77:80', mode: 'accept', weight: 50 },
  },
  'tickets.create': { body: { summary: 'Lost 1', description: 'The answer was lost.' } },
  'replies.create': {
    params: async () => ({ ticketId: await idIn('tickets', {}, ({ status }) => status !== 'closed') }),
    body: { description: 'The answer was lost.' },
  },
  'entity-transfers.create': {
    body: async () => ({ entities: { servers: [Number(await idIn('servers', {}, ({ label }) => label === 'ci-1'))] } }),
  },
  'managed-services.create': {
    body: { label: 'lost-1', service_type: 'url', address: 'https://lost-1.example', timeout: 30 },
  },
  'managed-contacts.create': { body: { name: 'Lost One', email: 'lost@example.com' } },
  'managed-credentials.create': { body: { label: 'lost-1', password: 'correct-Horse-77-b' } },
};

/**
 * An upload to a bucket is no row of its API: it asks for an address, and may do so as often as it likes. The way to a
 * transfer by its token sends nothing, and opens the transfer.
 */
const isRow = (name: string) => name !== 'objects.upload' && name !== 'entity-transfers.accept-by-token';

/** Every way to make a row. */
const ways = resources
  .flatMap((resource) => creationsOf(resource).map(({ name }) => `${resource.name}.${name}`))
  .filter(isRow);

test('every name in the table is a way to make a row', () => {
  expect(Object.keys(creations).filter((name) => !ways.includes(name))).toEqual([]);
});

/** The required fields of an action, each with a value of its kind. */
async function requiredBody(resource: Resource, action: Action): Promise<Row> {
  const entries = (action.body ?? []).flatMap((name) =>
    name.endsWith('!') ? [[name, fieldOf(resource, action, name)] as const] : [],
  );
  const valueFor = async ({ kind, to, options, min }: Field): Promise<unknown> => {
    if (kind === 'reference' && typeof to === 'string') return (await rowsIn(to, {}))[0]?.id;
    return kind === 'choice' ? options?.[0] : kind === 'integer' ? min : 'lost-1';
  };
  return Object.fromEntries(
    await Promise.all(entries.map(async ([name, field]) => [name.slice(0, -1), await valueFor(field)] as const)),
  );
}

const tries = async (name: string, further: Row, isLoaded: boolean) => {
  const [resource = '', action = ''] = name.split('.');
  const description = resourceNamed(resource);
  const { params: under, body: sent } = creations[name] ?? {
    body: () => requiredBody(description, actionOf(description, action)),
  };
  const params = (await under?.()) ?? {};
  const body = { ...(typeof sent === 'function' ? await sent(params) : sent), ...further };
  const count = async () => {
    const filter = resource === 'stackscripts' ? { mine: true } : {};
    return (await rowsIn(resource, params, filter)).length;
  };
  const api = connect({ baseUrl: url, token: demo.tokens.full });
  const stores = openStores(api);
  onTestFinished(() => api.close());
  if (isLoaded) await stores.cache.readCollection({ resource, operation: 'list', params });
  const before = await count();
  const says: (string | undefined)[] = [];
  for (let attempt = 1; attempt <= 4; attempt++) {
    const change = {
      resource: description,
      action: actionOf(description, action),
      params,
      label: 'the new one',
      body,
    };
    const [result] = (await sendChanges(stores, change, [change])).results;
    says.push(result?.says);
    if (result?.state === 'done') break;
  }
  return { made: (await count()) - before, says };
};

test.each(ways)('%s, whose answer is always lost, makes one', async (name) => {
  const { made, says } = await tries(name, {}, true);
  expect(made, says.join('\n')).toBe(1);
  expect(says[0]).toMatch(/ is there now: the answer was lost, but it was done\./);
});

test.each([
  ['object-keys.create', { label: 'lost-unseen' }],
  ['stackscripts.create', { label: 'lost-unseen' }],
  ['stackscripts.create', { label: 'lost-public', is_public: true }],
  ['managed-contacts.create', { name: 'Lost Unseen', email: 'unseen@example.com' }],
])('%s of %j, where no list was ever read, is not made again unasked', async (name, further) => {
  const { made, says } = await tries(name, further, false);
  expect(made, says.join('\n')).toBeLessThanOrEqual(2);
  if (made === 2) expect(says[1]).toMatch(/^Nothing was sent\. .* sending it once more makes another one\.$/);
});
