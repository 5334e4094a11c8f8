import { describe, expect, onTestFinished, test } from 'vitest';
import { putAt } from '../../src/resources/body.ts';
import { creationsOf, resourceNamed, resources } from '../../src/resources/index.ts';
import {
  type Action,
  type Field,
  fieldOf,
  type Operation,
  type Params,
  type Resource,
  type Row,
} from '../../src/resources/resource.ts';
import { carryOutPlan } from '../../src/store/plans/carryOut.ts';
import type { Plan, PlanStep } from '../../src/store/plans/plan.ts';
import { drawing, drawn, seed, someOf } from '../draw.ts';
import { actionOf } from '../resources/actionOf.ts';
import { type Fate, inThreeRuns, losingDemo } from './losingDemo.ts';
import { openStores } from './openStores.ts';

const cloud = losingDemo();

/** Counts the trials, so that each has names of its own. */
let nth = 0;
const label = () => `lost-${nth}`;
const host = () => `${label()}.example`;

const idIn = async (resource: string, params: Params = {}, is: (row: Row) => boolean = () => true) =>
  String((await cloud.rows(resource, params)).find(is)?.id);

const region = 'us-east';
const server1 = async () => ({ serverId: await idIn('servers', {}, ({ label }) => label === 'api-1') });
/** Another one each time, as the one before may be busy. */
async function anyServer(): Promise<Params> {
  const running = (await cloud.rows('servers')).filter(({ status, image }) => status === 'running' && image);
  return { serverId: String(running[nth % running.length]?.id) };
}
/** A server whose disk is all free. */
async function emptyServer(): Promise<Params> {
  const { create } = resourceNamed('servers');
  const body = { label: `empty-${nth}`, region, type: 'g6-standard-1' };
  return { serverId: String((await cloud.ask('full', create as Operation, {}, body)).id) };
}
const domain1 = async () => ({ domainId: await idIn('domains', {}, ({ type }) => type === 'master') });
const balancer = async () => ({ nodeBalancerId: await idIn('nodebalancers') });
const config = async () => {
  const params = await balancer();
  return { ...params, configId: await idIn('nodebalancer-configs', params) };
};

interface Creation {
  params?: () => Promise<Params>;
  body: (params: Params) => Row | Promise<Row>;
}

/** Bodies that need more than the required fields, and the parents of rows that lie under another. */
const creations: Readonly<Record<string, Creation>> = {
  'servers.create': {
    body: () => ({
      label: label(),
      region,
      type: 'g6-standard-1',
      image: 'server/debian12',
      root_pass: 'correct-Horse-77-b',
    }),
  },
  'volumes.create': { body: () => ({ label: label(), region, size: 20 }) },
  'images.create': { body: async () => ({ label: label(), disk_id: Number(await idIn('disks', await anyServer())) }) },
  'images.upload': { body: () => ({ label: label(), region }) },
  'buckets.create': { body: () => ({ label: label(), cluster: 'us-east-1' }) },
  'object-keys.create': { body: () => ({ label: label() }) },
  'stackscripts.create': {
    body: () => ({ label: label(), images: ['server/debian12'], script: '#!/bin/sh\n', is_public: nth % 2 === 0 }),
  },
  'domains.create': { body: () => ({ domain: host(), type: 'master', soa_email: `a@${host()}` }) },
  'domains.import': { body: () => ({ domain: host(), remote_nameserver: '203.0.113.5' }) },
  'nodebalancers.create': { body: () => ({ label: label(), region }) },
  'disks.create': { params: emptyServer, body: () => ({ label: label(), size: 512, filesystem: 'ext4' }) },
  'configs.create': {
    params: server1,
    body: async (params) => ({ label: label(), devices: { sda: { disk_id: Number(await idIn('disks', params)) } } }),
  },
  'records.create': { params: domain1, body: () => ({ type: 'A', name: label(), target: '192.0.2.77' }) },
  'nodebalancer-configs.create': {
    params: balancer,
    body: () => ({ port: 8700 + nth, protocol: 'http', algorithm: 'roundrobin' }),
  },
  'nodebalancer-nodes.create': {
    params: config,
    body: () => ({ label: label(), address: `192.168.200.${nth % 250}:80`, mode: 'accept', weight: 50 }),
  },
  'tickets.create': { body: () => ({ summary: `Lost ${nth}`, description: 'The answer was lost.' }) },
  'replies.create': {
    params: async () => ({ ticketId: await idIn('tickets', {}, ({ status }) => status !== 'closed') }),
    body: () => ({ description: `Answer ${nth} was lost.` }),
  },
  'entity-transfers.create': {
    body: async () => {
      const { serverId } = await emptyServer();
      return { entities: { servers: [Number(serverId)] } };
    },
  },
  'managed-services.create': {
    body: () => ({ label: label(), service_type: 'url', address: `https://${host()}`, timeout: 30 }),
  },
  'managed-contacts.create': { body: () => ({ name: `Lost ${nth}`, email: `a@${host()}` }) },
  'managed-credentials.create': { body: () => ({ label: label(), password: 'correct-Horse-77-b' }) },
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
    if (kind === 'reference' && typeof to === 'string') return (await cloud.rows(to, {}))[0]?.id;
    return kind === 'choice' ? options?.[0] : kind === 'integer' ? min : label();
  };
  const body: Record<string, unknown> = {};
  for (const [name, field] of entries) putAt(body, name.slice(0, -1).split('.'), await valueFor(field));
  return body;
}

/** The request that makes a row, and what it is about. */
async function creation(name: string) {
  const [of = '', action = ''] = name.split('.');
  const resource = resourceNamed(of);
  const { params: under, body } = creations[name] ?? { body: () => requiredBody(resource, actionOf(resource, action)) };
  const params = (await under?.()) ?? {};
  return { resource, action: actionOf(resource, action), params, body: await body(params) };
}

interface Trial {
  fates: readonly Fate[];
  /** When a colleague makes an equal row: this long before, in milliseconds, or while the answer is lost. */
  colleague?: 20_000 | 'between';
}

/** Carries out in three runs a creation whose answers have these fates. */
async function carriedOut(name: string, { fates, colleague }: Trial) {
  nth++;
  // A row of the trial before is not of the same second.
  cloud.ahead += 2_000;
  const { resource, action, params, body } = await creation(name);
  const filter = resource.name === 'stackscripts' ? { mine: true } : undefined;
  const rows = () => cloud.rows(resource.name, params, filter);
  const ids = async () => new Set((await rows()).map((row) => String(row[resource.id])));
  const known = await ids();
  let theirs: string | undefined;
  const equal = async () => {
    const before = await ids();
    await cloud.ask('colleague', action, params, body);
    theirs = [...(await ids())].find((id) => !before.has(id));
  };
  if (colleague === 20_000) {
    await equal();
    cloud.ahead += colleague;
  }
  cloud.done = [];
  cloud.fates = ['answered', ...fates];
  cloud.onChange = async () => {
    if (colleague !== 'between' || cloud.fates.length !== fates.length - 1 || theirs !== undefined) return;
    await equal();
  };
  const { name: of } = resource;
  const record = { resource: of, action: action.name, params, label: 'the new one', body };
  const { states, result } = await inThreeRuns(cloud, `first-${nth}`, record);
  const { says, made } = result;
  const done = cloud.done
    .filter((line) => !line.endsWith('/tags') || resource.name === 'tags')
    .slice(resource.name === 'tags' ? 1 : 0);
  const own = [...(await ids())].filter((id) => !known.has(id) && id !== theirs && !id.startsWith('first-')).length;
  // A tag is its label, whoever made it.
  const isTheirs =
    resource.name !== 'tags' && theirs !== undefined && made !== undefined && Object.values(made).includes(theirs);
  return { states, says, sent: done.length, own, isTheirs, hasEqual: theirs !== undefined };
}

/** Kinds of which the API never tells who made a row, so that one like it may be anybody's. */
const anybodys = ['buckets.create', 'object-keys.create', 'managed-contacts.create', 'managed-credentials.create'];

const random = drawing('colleagues');

describe.each(someOf('lost creations', ways, 3))(`%s (seed ${seed})`, (name) => {
  test('whose answer is lost after it was done is made once', async () => {
    const { states, says, sent, own } = await carriedOut(name, { fates: ['lost after'] });
    expect([sent, own], says).toEqual([1, 1]);
    expect(states, says).toEqual(Array(3).fill(anybodys.includes(name) ? 'unknown' : 'done'));
  });

  test('that did not arrive is sent again by the next run', async () => {
    const { states, says, sent, own } = await carriedOut(name, { fates: ['lost before'] });
    expect(states, says).toEqual(['sent', 'done', 'done']);
    expect([sent, own], says).toEqual([1, 1]);
  });

  const trials: readonly Trial[] = [
    { fates: ['lost before'], colleague: 20_000 },
    { fates: ['lost before'], colleague: 'between' },
    { fates: ['lost after'], colleague: 'between' },
  ];
  test.each([drawn(random, trials)])(
    `that is $fates.0 beside a colleague's equal row ($colleague) is neither that row nor made twice (seed ${seed})`,
    async (trial) => {
      const { states, says, sent, own, isTheirs, hasEqual } = await carriedOut(name, trial);
      expect(isTheirs, says).toBe(false);
      // The API may have refused it because of the colleague's.
      expect(sent, says).toBeLessThanOrEqual(1);
      if (trial.fates[0] === 'lost after') expect(own, says).toBeLessThanOrEqual(sent);
      else if (hasEqual) expect(states[0], says).not.toBe('done');
    },
  );
});

test.each<[string, readonly Fate[], number]>([
  ['both are done', ['lost after', 'lost after'], 2],
  ['the second does not arrive', ['answered', 'lost before'], 1],
])('of two equal rows without a label none is taken for the other where %s', async (_, fates, count) => {
  nth++;
  const before = (await cloud.rows('servers')).length;
  const body = { region, type: 'g6-nanode-1' };
  const steps = [1, 2].map(
    (id): PlanStep => ({
      id,
      uid: `equal-${id}`,
      record: { resource: 'servers', action: 'create', params: {}, label: 'the new server', body },
    }),
  );
  let plan: Plan = { host: 'demo', steps };
  cloud.done = [];
  cloud.fates = [...fates];
  cloud.onChange = undefined;
  const api = cloud.open();
  onTestFinished(() => api.close());
  const stores = openStores(api);
  plan = await carryOutPlan(stores, plan, { isTyped: true, keep: () => {} });
  const made = plan.steps.flatMap(({ result }) => (result?.made ? [result.made.serverId] : []));
  expect(new Set(made).size).toBe(made.length);
  expect(plan.steps.filter(({ result }) => result?.state === 'done').length).toBeLessThanOrEqual(count);
  expect((await cloud.rows('servers')).length - before).toBe(cloud.done.length);
});
