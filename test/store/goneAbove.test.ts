import { expect, test } from 'vitest';
import { paramsOf } from '../../src/resources/identity.ts';
import { actionNamed, resourceNamed } from '../../src/resources/index.ts';
import type { Action, Params, Resource, Row } from '../../src/resources/resource.ts';
import { changeOn, type Target } from '../../src/store/changes/change.ts';
import { nextBack } from '../../src/store/changes/nextBack.ts';
import { sendChanges } from '../../src/store/changes/send.ts';
import { submit } from '../../src/store/changes/submit.ts';
import { backRows, takeAllBack } from '../../src/store/plans/takingBack.ts';
import type { Stores } from '../../src/store/stores.ts';
import { loggedSessions, losingDemo } from './losingDemo.ts';

const losing = losingDemo();
const domains = resourceNamed('domains');
const ask = (action: Action | undefined, params: Params, body?: Row) =>
  losing.ask('colleague', action as Action, params, body);

test('what was done in a row that was deleted since is not proposed, here or in another session', async () => {
  const open = loggedSessions(losing);
  const stores = open();
  const records = resourceNamed('records');
  const remove = async (resource: Resource, row: Row | undefined, params: Params) => {
    const action = resource.remove as Action;
    const { results } = await sendChanges(stores, { resource, action }, [
      changeOn(resource, action, row ?? {}, params),
    ]);
    expect(results).toMatchObject([{ state: 'done' }]);
  };
  const zone = (await losing.rows('domains')).find(({ domain }) => domain === 'example.com');
  const params = paramsOf(domains, zone ?? {});
  const [first, second] = (await losing.rows('records', params)).filter(({ type }) => type === 'A');
  await remove(records, first, params);
  await remove(records, second, params);
  await remove(domains, zone, params);
  for (const session of [stores, open()]) {
    const says = async () => {
      await nextBack(session, 'undo');
      expect(session.navigation.getState().overlays).toEqual([]);
      return session.notices.getState().current?.text;
    };
    expect(await says()).toMatch(/^Delete \(example\.com\) cannot be taken back: its records are gone with it; /);
    for (const record of [second, first])
      expect(await says()).toBe(
        `Delete (${records.label(record ?? {})}) cannot be taken back: the domain example.com was deleted after it; u again goes on to what was before it.`,
      );
    expect(await says()).toBe('No change from here is left to take back.');
  }
});

/** Makes five domains of these names as a colleague. */
async function fiveDomains(name: string) {
  for (const nth of [1, 2, 3, 4, 5])
    await ask(domains.create, {}, { domain: `${name}-${nth}.example`, type: 'master', soa_email: 'a@zone.example' });
  const rows = (await losing.rows('domains')).filter(({ domain }) => String(domain).startsWith(`${name}-`));
  return rows.map((row) => ({ row, params: paramsOf(domains, row) }));
}

const draft = { type: 'TXT', name: '_check', target: 'site=1' };

/** Reads the records of these domains, as the one form does, and adds one to each. */
async function addRecords(stores: Stores, targets: readonly Target[], meanwhile?: () => Promise<unknown>) {
  for (const { params } of targets)
    await stores.cache.readCollection({ resource: 'records', operation: 'list', params });
  await meanwhile?.();
  const action = actionNamed(domains, 'record');
  return await submit(stores, { resource: domains, action, targets, params: {}, draft });
}

/** The rows about which u or U asks, each with why it cannot be. */
async function backBy(stores: Stores, way: 'undo' | 'redo') {
  await nextBack(stores, way);
  const asked = stores.navigation.getState().overlays.at(-1);
  return asked?.kind === 'takeBack' ? backRows(stores, asked.undos) : [];
}

test('of records in five domains of which a colleague has deleted one, here and in another session the other four are asked about', async () => {
  const open = loggedSessions(losing);
  const stores = open();
  const targets = await fiveDomains('zone');
  await addRecords(stores, targets);
  await ask(domains.remove, targets[1]?.params ?? {});
  for (const session of [stores, open()]) {
    const back = await backBy(session, 'undo');
    expect(back.flatMap(({ undo, why }) => (why === undefined ? [] : [`${undo.label}: ${why}`]))).toEqual([
      expect.stringMatching(/^TXT _check.*: this record is gone$/),
    ]);
    expect(back).toHaveLength(5);
  }
});

test('a record that a colleague has added to one of five domains since the form has read them is not made twice there', async () => {
  const stores = loggedSessions(losing)();
  const targets = await fiveDomains('since');
  const [, , params = {}] = targets.map((target) => target.params);
  const made = await addRecords(stores, targets, () => ask(resourceNamed('records').create, params, draft));
  const says = 'The same record is there already, so nothing was sent.';
  expect(made.map(({ state }) => state)).toEqual(['done', 'done', 'not sent', 'done', 'done']);
  expect(made[2]).toMatchObject({ params, says });
  expect((await losing.rows('records', params)).filter(({ name }) => name === '_check')).toHaveLength(1);
  expect(await backBy(stores, 'undo')).toHaveLength(4);
});

test('of records that are made again one that a colleague has made meanwhile is left out', async () => {
  const stores = loggedSessions(losing)();
  const targets = await fiveDomains('again');
  await addRecords(stores, targets);
  await takeAllBack(stores, { title: 'all' }, await backBy(stores, 'undo'), true);
  stores.navigation.close();
  await ask(resourceNamed('records').create, targets[2]?.params ?? {}, draft);
  const back = await backBy(stores, 'redo');
  const whys = back.flatMap(({ undo, why }) => (why === undefined ? [] : [undo.inverse.params, why]));
  expect(whys).toEqual([targets[2]?.params, expect.stringContaining('has the same TXT record twice')]);
  expect(back).toHaveLength(5);
});

test('a node that a colleague has made meanwhile is not made again beside theirs', async () => {
  const stores = loggedSessions(losing)();
  const [balancers, configs, nodes] = ['nodebalancers', 'nodebalancer-configs', 'nodebalancer-nodes'].map(
    resourceNamed,
  );
  const [balancer = {}] = await losing.rows('nodebalancers');
  const under = paramsOf(balancers as Resource, balancer);
  const [config = {}] = await losing.rows('nodebalancer-configs', under);
  const params = paramsOf(configs as Resource, config, under);
  const body = { label: 'twice-1', address: '192.168.200.9:80', mode: 'accept', weight: 50 };
  const [resource, action] = [nodes as Resource, nodes?.create as Action];
  const change = { resource, action, params, label: 'twice-1', body };
  const takesBack = { of: 'one.0', title: 'New node (twice-1)' };
  const send = (isRedo: boolean) => sendChanges(stores, change, [{ ...change, takesBack: { ...takesBack, isRedo } }]);
  await ask(action, params, body);
  const says = 'The same node is there already, so nothing was sent.';
  expect((await send(true)).results).toMatchObject([{ state: 'not sent', says }]);
  // Where one of two equal ones was deleted, that comes back.
  expect((await send(false)).results).toMatchObject([{ state: 'done' }]);
});
