import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { pathOf } from '../../src/api/address.ts';
import { connect } from '../../src/api/client.ts';
import { type Demo, startDemo } from '../../src/demo/server.ts';
import { paramsOf } from '../../src/resources/identity.ts';
import { resourceNamed } from '../../src/resources/index.ts';
import type { Action, Operation, Params, Resource, Row } from '../../src/resources/resource.ts';
import { type Change, changeOn } from '../../src/store/changes/change.ts';
import { sendChanges } from '../../src/store/changes/send.ts';
import { actionOf } from '../resources/actionOf.ts';
import { openStores } from './openStores.ts';

let demo: Demo;
beforeAll(async () => {
  demo = await startDemo({ pace: 500, seed: 1, colleagues: false });
});
afterAll(() => demo.close());

async function asked(operation: Operation | undefined, params: Params): Promise<Row> {
  if (!operation) throw new Error('there is no such operation');
  const headers = { authorization: `Bearer ${demo.tokens.full}` };
  const answer = await fetch(`${demo.url}${pathOf(operation, params)}?page_size=100`, { headers });
  return (await answer.json()) as Row;
}

/** The first row of a list of which this is true, and its parameters. */
async function found(of: Resource, is: (row: Row) => boolean = () => true, under: Params = {}) {
  const { data } = (await asked(of.list, under)) as { data: readonly Row[] };
  const row = data.find(is);
  if (!row) throw new Error(`no such row in ${of.name}`);
  return { row, params: paramsOf(of, row, under) };
}

/** Fields that the platform itself changes all the time. */
const volatile = ['id', 'created', 'updated', 'balance_uninvoiced'];

/** A row without what the platform changes, and without a state of which an inverse says that it is checked anew. */
const comparable = (row: Row, isChecked: boolean) =>
  Object.fromEntries(
    Object.entries(row).filter(([name]) => !volatile.includes(name) && !(isChecked && name === 'status')),
  );

const domain = async () => (await found(resourceNamed('domains'), ({ domain }) => domain === 'example.com')).params;
const balancer = async () => (await found(resourceNamed('nodebalancers'))).params;
const config = async () =>
  (await found(resourceNamed('nodebalancer-configs'), ({ protocol }) => protocol === 'http', await balancer())).params;

interface Trip {
  of: string;
  action: string;
  under?: () => Promise<Params>;
  is?: (row: Row) => boolean;
  body?: Row;
}

const none = (value: unknown) => value === null || value === '';

const trips: readonly Trip[] = [
  { of: 'volumes', action: 'edit', body: { label: 'renamed', tags: ['one-tag'] } },
  { of: 'volumes', action: 'tag', body: { tags: ['prod', 'one-more'] } },
  { of: 'servers', action: 'alerts', body: { alerts: { cpu: 33, io: 44 } } },
  { of: 'servers', action: 'edit', body: { watchdog_enabled: false, group: 'a group' } },
  { of: 'domains', action: 'disable', is: ({ status }) => status === 'active', body: { status: 'disabled' } },
  {
    of: 'domains',
    action: 'edit',
    is: ({ type }) => type === 'master',
    body: { ttl_sec: 300, axfr_ips: ['192.0.2.7'] },
  },
  { of: 'records', action: 'ttl', under: domain, body: { ttl_sec: 604800 } },
  { of: 'records', action: 'edit', under: domain, is: ({ type }) => type === 'MX', body: { priority: 77 } },
  ...['A', 'CNAME', 'MX', 'TXT', 'CAA', 'SRV', 'NS'].map((type) => ({
    of: 'records',
    action: 'delete',
    under: domain,
    is: (row: Row) => row.type === type,
  })),
  { of: 'nodebalancers', action: 'edit', body: { label: 'balanced', client_conn_throttle: 7 } },
  { of: 'nodebalancer-configs', action: 'edit', under: balancer, body: { check: 'http', check_path: '/up' } },
  {
    of: 'nodebalancer-nodes',
    action: 'drain',
    under: config,
    is: ({ mode }) => mode === 'accept',
    body: { mode: 'drain' },
  },
  { of: 'nodebalancer-nodes', action: 'delete', under: config },
  { of: 'managed-contacts', action: 'edit', is: ({ group }) => none(group), body: { group: 'some group' } },
  { of: 'managed-contacts', action: 'delete' },
  { of: 'managed-services', action: 'disable', is: ({ status }) => status === 'ok' },
  { of: 'managed-credentials', action: 'edit', body: { label: 'a credential' } },
  { of: 'managed-server-settings', action: 'edit', body: { ssh: { access: false, user: 'somebody', port: 2222 } } },
  { of: 'account', action: 'edit', body: { company: 'Another one', phone: '1234567', address_2: 'Back yard' } },
];

test.each(trips.map((trip, place) => [`${place + 1}. ${trip.of}.${trip.action}`, trip] as const))(
  '%s is done and taken back, and the row is as before',
  async (_name, { of, action: named, under, is, body }) => {
    const resource = resourceNamed(of);
    const params = (await under?.()) ?? {};
    const single = !resource.list;
    const before = single ? { row: await asked(resource.view, {}), params: {} } : await found(resource, is, params);
    const api = connect({ baseUrl: demo.url, token: demo.tokens.full });
    const stores = openStores(api);
    onTestFinished(() => api.close());
    const send = async (change: Change) => {
      const { results } = await sendChanges(stores, change, [change]);
      expect(results.map(({ state, says }) => [state, says])).toEqual([['done', undefined]]);
      return results[0]?.row;
    };
    const action = actionOf(resource, named) as Action;
    await send(changeOn(resource, action, before.row, before.params, body));

    const [undo, ...others] = stores.changes.getState().undo.at(-1)?.undos ?? [];
    expect(others).toEqual([]);
    if (!undo) throw new Error('nothing takes it back');
    const { inverse } = undo;
    const back = { resource, action: actionOf(resource, inverse.action), params: inverse.params, label: undo.label };
    const answer = await send({ ...back, body: inverse.body });

    const made = named === 'delete' ? paramsOf(resource, answer ?? {}, params) : before.params;
    const { differs = [] } = inverse;
    const isChecked = differs.some((clause) => clause.endsWith('is checked anew'));
    expect(comparable(await asked(resource.view, made), isChecked)).toEqual(comparable(before.row, isChecked));
    expect(differs.includes('it gets another id')).toBe(named === 'delete');
  },
);
