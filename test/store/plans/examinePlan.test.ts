import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../src/api/error.ts';
import { tokenScopes } from '../../../src/api/tokenScopes.ts';
import { paramsFrom } from '../../../src/resources/identity.ts';
import { resourceNamed } from '../../../src/resources/index.ts';
import type { Row } from '../../../src/resources/resource.ts';
import { readRules } from '../../../src/store/changes/readAgain.ts';
import { carryOutPlan } from '../../../src/store/plans/carryOut.ts';
import { examinePlan } from '../../../src/store/plans/examinePlan.ts';
import type { PlannedRecord, PlanStep } from '../../../src/store/plans/plan.ts';
import { putInPlan } from '../../../src/store/plans/planning.ts';
import { sketchOf } from '../../../src/store/plans/stepChange.ts';
import { openStores } from '../openStores.ts';
import { type RowsCloud, rowsCloud } from './rowsCloud.ts';

const first: Readonly<Record<string, Row>> = {
  '/domains/1': { id: 1, domain: 'alpha.example', type: 'master', status: 'active', tags: [] },
  '/domains/1/records/11': { id: 11, type: 'A', name: 'www', target: '192.0.2.1' },
  '/nodebalancers/3': { id: 3, label: 'web-lb', ipv4: '192.0.2.3', tags: [] },
  '/nodebalancers/3/configs/4': { id: 4, port: 80, protocol: 'http', nodes_status: { up: 0, down: 1 } },
  '/nodebalancers/3/configs/4/nodes/5': { id: 5, label: 'node-1', address: '192.168.1.1:80', mode: 'accept' },
  '/server/instances/7/configs/70': { id: 70, label: 'boot', devices: {} },
  '/server/instances/7': { id: 7, label: 'web-1', status: 'running', tags: [] },
  '/volumes/9': { id: 9, label: 'data', size: 20, status: 'active', server_id: null, tags: [] },
};

const step = (
  id: number,
  resource: string,
  action: string,
  label: string,
  record: Pick<PlannedRecord, 'params'> & Partial<PlannedRecord>,
): PlanStep => ({ id, uid: `uid-${id}`, record: { resource, action, label, ...record } as PlannedRecord });

/** Why the steps of a plan would be refused, by their ids. */
async function refusals(cloud: RowsCloud, steps: readonly PlanStep[]) {
  const found = await examinePlan(openStores(cloud.api), { host: '', steps });
  return Object.fromEntries(found.flatMap(({ id, why }) => (why === undefined ? [] : [[id, why]])));
}

/** The deletion of a row as it is planned once its question has read what goes along. */
async function plannedDeletion(cloud: RowsCloud, name: string, id: string): Promise<PlanStep> {
  const stores = openStores(cloud.api);
  const resource = resourceNamed(name);
  const params = paramsFrom(resource, id);
  await stores.cache.readRow(resource, params);
  const row = stores.view.row(name, id);
  if (!row || !resource.remove) throw new Error('there is no such row');
  const { remove } = resource;
  const sketch = sketchOf(step(1, name, remove.name, '', { params }));
  if ('why' in sketch) throw new Error(sketch.why);
  await readRules(stores, sketch);
  await readRules(stores, sketch);
  const why = putInPlan(stores, { resource, action: remove, targets: [{ row, params }], params, draft: {} });
  const [planned] = stores.plans.getState().steps;
  if (!planned) throw new Error(why);
  return planned;
}

describe('a deletion whose row has gained others', () => {
  test.each([
    [
      'domains',
      '1',
      { '/domains/1/records/12': { id: 12, type: 'A', name: 'new' } },
      'it had 1 record and has 2 records now',
    ],
    [
      'domains',
      '1',
      { '/domains/1/records/11': undefined, '/domains/1/records/12': { id: 12, type: 'A', name: 'new' } },
      '1 of its 1 record is another now',
    ],
    [
      'nodebalancers',
      '3',
      { '/nodebalancers/3/configs/6': { id: 6, port: 443, protocol: 'http' } },
      'it had 1 NodeBalancer config and has 2 NodeBalancer configs now',
    ],
    [
      'nodebalancers',
      '3',
      { '/nodebalancers/3/configs/4/nodes/8': { id: 8, label: 'live', address: '192.168.1.2:80', mode: 'accept' } },
      'it had 1 node and has 2 nodes now',
    ],
  ])('is refused: %s/%s %j', async (name, id, fresh: Readonly<Record<string, Row | undefined>>, clause) => {
    const cloud = rowsCloud(first);
    const planned = await plannedDeletion(cloud, name, id);
    expect(await refusals(cloud, [planned])).toEqual({});
    for (const [path, row] of Object.entries(fresh)) {
      if (row) cloud.rows.set(path, row);
      else cloud.rows.delete(path);
    }
    const { [planned.id]: why = '' } = await refusals(cloud, [planned]);
    expect(why).toContain(`It was changed since this was planned: ${clause}`);
    const plan = { host: '', steps: [planned] };
    const { steps } = await carryOutPlan(openStores(cloud.api), plan, { isTyped: true, keep: () => {} });
    expect(steps[0]?.result).toMatchObject({ state: 'refused', says: why });
    expect(cloud.writes).toEqual([]);
  });

  test.each([404, 403, 500])(
    'is refused where its list is answered by %i, as others may be there by now',
    async (status) => {
      const cloud = rowsCloud(first);
      const planned = await plannedDeletion(cloud, 'domains', '1');
      cloud.refused.set('/domains/1/records', status);
      const { [planned.id]: why = '' } = await refusals(cloud, [planned]);
      expect(why).toBe('Its records cannot be read, and they go with it: Refused. Nothing was sent.');
      expect(cloud.writes).toEqual([]);
    },
  );

  test.each([404, 403, 500])(
    'is not planned while its list is answered by %i, as nobody sees what goes',
    async (status) => {
      const cloud = rowsCloud(first);
      cloud.refused.set('/nodebalancers/3/configs', status);
      await expect(plannedDeletion(cloud, 'nodebalancers', '3')).rejects.toThrow(
        'Its NodeBalancer configs cannot be read, and they go with it: Refused.',
      );
    },
  );

  test('is not refused for the health of its nodes, unless it is used anew', async () => {
    const cloud = rowsCloud(first);
    const params = { nodeBalancerId: '3', configId: '4' };
    const config = (up: number, down: number) => ({ id: 4, port: 80, nodes_status: { up, down } });
    const why = async (before: number, now: number) => {
      cloud.rows.set('/nodebalancers/3/configs/4', config(now, 2));
      const one = step(1, 'nodebalancer-configs', 'delete', 'port 80', { params, before: config(before, 1) });
      return (await refusals(cloud, [one]))[1];
    };
    expect(await why(3, 2)).toBeUndefined();
    expect(await why(3, 0)).toBeUndefined();
    expect(await why(0, 3)).toContain('nodes_status.up was 0 and is now 3');
  });

  test('is refused where a volume that was being made has grown, and not for what it became', async () => {
    const cloud = rowsCloud(first);
    const volume = { id: 9, label: 'data', status: 'creating', size: 10, filesystem_path: '' };
    const why = async (now: Row, status = 'creating') => {
      cloud.rows.set('/volumes/9', { ...volume, status: 'active', filesystem_path: '/dev/disk', ...now });
      const before = { ...volume, status };
      const one = step(1, 'volumes', 'delete', 'data', { params: { volumeId: '9' }, before });
      return (await refusals(cloud, [one]))[1];
    };
    expect(await why({})).toBeUndefined();
    expect(await why({ size: 490 })).toContain('size was 10 GiB and is now 490 GiB');
    // Nothing tells the end of that resizing from another one.
    expect(await why({ size: 490 }, 'resizing')).toContain('size was 10 GiB and is now 490 GiB');
  });

  test.each([
    ['attach', { server_id: null }, { server_id: 7 }, { server_id: 7, server_label: 'web-1' }],
    ['detach', { server_id: 7 }, undefined, { server_id: null, server_label: null }],
    ['resize', { size: 20 }, { size: 40 }, { size: 40, status: 'active' }],
  ])('is refused behind its own %s where something else has grown', async (name, was, body, left: Row) => {
    const cloud = rowsCloud(first);
    const params = { volumeId: '9' };
    const before = { id: 9, label: 'data', size: 20, status: 'active', server_id: null, server_label: null, ...was };
    const own = step(1, 'volumes', name, 'data', { params, before, body });
    const done: PlanStep = { ...own, result: { state: 'done', at: 0 } };
    const why = async (now: Row) => {
      cloud.rows.set('/volumes/9', { ...before, ...left, ...now });
      return (await refusals(cloud, [done, step(2, 'volumes', 'delete', 'data', { params, before })]))[2];
    };
    // Its own change is undone by hand meanwhile, so that the volume can be deleted.
    expect(await why({ server_id: null })).toBeUndefined();
    expect(await why({ server_id: null, size: 500 })).toContain('size was 20 GiB and is now 500 GiB');
  });

  test('is not refused for what the plan itself has made', async () => {
    const cloud = rowsCloud(first);
    const planned = { ...(await plannedDeletion(cloud, 'domains', '1')), id: 2 };
    cloud.rows.set('/domains/1/records/12', { id: 12, type: 'A', name: 'own' });
    const own: PlanStep = {
      ...step(1, 'records', 'create', 'A own', { params: { domainId: '1' }, body: { type: 'A', name: 'own' } }),
      result: { state: 'done', at: 0, made: { domainId: '1', recordId: '12' } },
    };
    expect(await refusals(cloud, [own, planned])).toEqual({});
    expect(Object.keys(await refusals(cloud, [planned]))).toEqual(['2']);
  });
});

describe('a row that a step names otherwise than the API', () => {
  const record = (names: Readonly<Record<string, string>>) =>
    step(1, 'records', 'delete', 'A www', { params: { domainId: '1', recordId: '11' }, names });
  const attach = (names: Readonly<Record<string, string>>) =>
    step(1, 'volumes', 'attach', 'data', { params: { volumeId: '9' }, body: { server_id: 7 }, names });

  test('refuses the step, be it the one that this lies in or one that it refers to', async () => {
    const cloud = rowsCloud(first);
    expect(await refusals(cloud, [record({ 'domains/1': 'alpha.example' })])).toEqual({});
    expect((await refusals(cloud, [record({ 'domains/1': 'scratch.example' })]))[1]).toContain(
      'The plan calls this domain scratch.example, and it is alpha.example:',
    );
    expect(await refusals(cloud, [attach({ 'servers/7': 'web-1' })])).toEqual({});
    expect((await refusals(cloud, [attach({ 'servers/7': 'test-1' })]))[1]).toContain(
      'The plan calls this server test-1, and it is web-1:',
    );
    cloud.rows.delete('/server/instances/7');
    expect((await refusals(cloud, [attach({ 'servers/7': 'web-1' })]))[1]).toBe(
      'The server web-1, which it needs, is gone; nothing was sent.',
    );
    expect((await refusals(cloud, [record({ 'nonsense/1': 'x' })]))[1]).toBe(
      'The plan calls nonsense/1 x, and that is no row.',
    );
  });

  test('does not where a step before it has renamed that', async () => {
    const cloud = rowsCloud({ ...first, '/server/instances/7': { id: 7, label: 'web-9', tags: [] } });
    const rename: PlanStep = {
      ...step(1, 'servers', 'edit', 'web-1', {
        params: { serverId: '7' },
        changes: { set: { label: 'web-9' } },
        before: { label: 'web-1' },
      }),
      result: { state: 'done', at: 0 },
    };
    expect(await refusals(cloud, [rename, { ...attach({ 'servers/7': 'web-1' }), id: 2 }])).toEqual({});
  });
});

describe('a step that will be refused for what steps before it do', () => {
  const params = { volumeId: '9' };
  const attach = (id: number) => step(id, 'volumes', 'attach', 'data', { params, body: { server_id: 7 } });
  const detach = (id: number) => step(id, 'volumes', 'detach', 'data', { params });
  const remove = (id: number) => step(id, 'volumes', 'delete', 'data', { params });

  test('is told before anything is sent', async () => {
    const cloud = rowsCloud(first);
    expect(await refusals(cloud, [attach(1), remove(2)])).toEqual({
      2: 'After step 1, data is attached to server 7; detach it first.',
    });
    expect(await refusals(cloud, [attach(1), detach(2), remove(3)])).toEqual({});
    const zone = step(1, 'domains', 'delete', 'alpha.example', { params: { domainId: '1' } });
    const record = step(2, 'records', 'create', 'A b', { params: { domainId: '1' }, body: { type: 'A', name: 'b' } });
    expect(await refusals(cloud, [zone, record])).toEqual({ 2: 'Step 1 deletes this domain first.' });
    expect(await refusals(cloud, [remove(4), attach(5)])).toEqual({ 5: 'Step 4 deletes this volume first.' });
    cloud.rows.set('/volumes/9', { ...first['/volumes/9'], server_id: 7, server_label: 'web-1' });
    expect(await refusals(cloud, [detach(1), detach(2)])).toEqual({
      2: 'After step 1, data is not attached to a server.',
    });
  });
});

describe('a value that its field does not take', () => {
  const volume = (id: number, body: Row) => step(id, 'volumes', 'create', String(body.label), { params: {}, body });
  const right = { label: 'new', size: 20, region: 'us-east' };

  test('is told before anything is sent, also where the row is made only by then', async () => {
    const cloud = rowsCloud(first);
    const params = { volumeId: { $step: 1 } };
    const steps = [
      volume(1, right),
      volume(2, { ...right, size: 3 }),
      volume(3, { ...right, tags: ['t1'] }),
      volume(4, { size: 20, label: 'new' }),
      step(5, 'volumes', 'edit', 'new', { params, changes: { add: { tags: ['ok-1', 'x'] } } }),
      step(6, 'volumes', 'edit', 'new', { params, changes: { set: { label: '9' } } }),
      step(7, 'volumes', 'attach', 'new', { params, body: {} }),
      step(8, 'domains', 'edit', 'alpha.example', { params: { domainId: '1' }, changes: { set: { ttl_sec: 7 } } }),
    ];
    expect(await refusals(cloud, steps)).toEqual({
      2: 'Size must be 10–10240 GiB; it is 3.',
      3: 'Tags must be 3–50 characters each.',
      4: 'Region is required.',
      5: 'Tags must be 3–50 characters each.',
      6: 'Label must be made of a letter first, then letters, digits, - and _, never -- or __.',
      7: 'Server is required.',
      8: expect.stringContaining('TTL must be one of'),
    });
    expect(cloud.writes).toEqual([]);
  });
});

describe('a row that a step makes', () => {
  const made = (id: number, name: string): PlanStep => ({
    ...step(id, 'volumes', 'create', 'a plan calls it so', { params: {}, body: { label: name, size: 20 } }),
    result: { state: 'done', at: 0, made: { volumeId: '9' } },
  });
  const params = { volumeId: { $step: 1 } };
  const tag = (label: string) => step(2, 'volumes', 'edit', label, { params, changes: { add: { tags: ['t-1'] } } });

  test('is of the kind that the description names, also in a plan that no file was checked for', async () => {
    const says = 'params.serverId must name a server, and that step makes a volume. Nothing was sent.';
    const remove = step(2, 'servers', 'delete', 'data', { params: { serverId: { $step: 1 } } });
    const cloud = rowsCloud({ ...first, '/server/instances/9': { id: 9, label: 'prod-db', tags: [] } });
    const { result: _, ...open } = made(1, 'data');
    for (const maker of [open, made(1, 'data')]) expect((await refusals(cloud, [maker, remove]))[2]).toBe(says);
    const ended = await carryOutPlan(
      openStores(cloud.api),
      { host: '', steps: [made(1, 'data'), remove] },
      { keep: () => {} },
    );
    expect(ended.steps[1]?.result?.state).toBe('refused');
    expect(cloud.writes).toEqual([]);
  });

  test('is called as the file says, or as its step calls it', async () => {
    const cloud = rowsCloud(first);
    expect(await refusals(cloud, [made(1, 'other'), tag('data')])).toEqual({});
    expect(await refusals(cloud, [made(1, 'data'), tag('whatever')])).toEqual({});
    expect(await refusals(cloud, [made(1, 'other'), tag('whatever')])).toEqual({
      2: expect.stringContaining('The plan calls this volume whatever, and it is data:'),
    });
    // A step before it has given it the name that it has.
    const rename = step(3, 'volumes', 'edit', 'other', { params, changes: { set: { label: 'data' } } });
    const renamed: PlanStep = { ...rename, result: { state: 'done', at: 0 } };
    expect(await refusals(cloud, [made(1, 'other'), renamed, tag('other')])).toEqual({});
  });

  test('leads to another by its fields only where that is called as the file says', async () => {
    const cloud = rowsCloud({ ...first, '/volumes/9': { ...first['/volumes/9'], server_id: 7 } });
    const tagServer = (label: string) =>
      step(2, 'servers', 'edit', label, {
        params: { serverId: { $step: 1, field: 'server_id' } },
        changes: { add: { tags: ['t-1'] } },
      });
    expect(await refusals(cloud, [made(1, 'data'), tagServer('web-1')])).toEqual({});
    expect(await refusals(cloud, [made(1, 'data'), tagServer('data')])).toEqual({
      2: expect.stringContaining('The plan calls this server data, and it is web-1:'),
    });
  });
});

test('a step that the scopes of the token do not allow is refused; one that may be done is looked for', async () => {
  const cloud = rowsCloud(first);
  const stores = openStores({ ...cloud.api, scopes: tokenScopes('domains:read_write volumes:read_only', String) });
  const tag = (id: number) =>
    step(id, 'volumes', 'edit', 'data', { params: { volumeId: '9' }, changes: { add: { tags: ['t-1'] } } });
  const made = step(2, 'volumes', 'create', 'a', { params: {}, body: { label: 'a', size: 20, region: 'us-east' } });
  const onMade = step(3, 'volumes', 'resize', 'a', { params: { volumeId: { $step: 2 } }, body: { size: 30 } });
  const zone = step(4, 'domains', 'edit', 'alpha.example', {
    params: { domainId: '1' },
    changes: { set: { description: 'a' } },
  });
  const doubt: PlanStep = { ...tag(5), result: { state: 'unknown', at: 0, since: { at: 0, ids: [], whole: [] } } };
  const found = await examinePlan(stores, { host: '', steps: [tag(1), made, onMade, zone, doubt] });
  const says = 'The token has no permission for this; it needs the scope volumes:read_write.';
  expect(found.map(({ why }) => why)).toEqual([says, says, says, undefined, undefined]);
});

test('a step about the account keeps no more of it than it changes', () => {
  const stores = openStores(rowsCloud({}).api);
  const resource = resourceNamed('account');
  const [action] = (resource.actions ?? []).filter(({ name }) => name === 'card');
  if (!action) throw new Error('there is no such action');
  const row = { company: 'Example', email: 'me@example.com', phone: '+1 555', credit_card: { last_four: '1117' } };
  const draft = { card_number: '4111111111111111', cvv: '123', expiry_month: '1', expiry_year: '2030' };
  expect(putInPlan(stores, { resource, action, targets: [{ row, params: {} }], params: {}, draft })).toBeUndefined();
  const [planned] = stores.plans.getState().steps;
  expect(planned?.record.body).toMatchObject({ expiry_year: 2030 });
  expect(planned?.record.before).toEqual({});
});

describe('a volume and the configs of its server', () => {
  const config = (id: number) => ({ [`/server/instances/8/configs/${id}`]: { id, label: `boot-${id}`, devices: {} } });
  const params = { volumeId: '9' };
  const names = ({ server_id }: Row) => (server_id === 8 ? { names: { 'servers/8': 'web-8' } } : {});
  const attach = (body: Row, id = 1) => step(id, 'volumes', 'attach', 'data', { params, body, ...names(body) });
  const create = (body: Row, id = 1) =>
    step(id, 'volumes', 'create', 'new', { params: {}, body: { label: 'new', size: 20, ...body }, ...names(body) });
  const server = (id: number, body: Row) =>
    step(id, 'servers', 'create', 'web-9', {
      params: {},
      body: { label: 'web-9', region: 'us-east', type: 'g6-nanode-1', ...body },
    });
  const newConfig = (id: number, serverId: unknown) =>
    step(id, 'configs', 'create', 'boot', {
      params: { serverId } as PlannedRecord['params'],
      body: { label: 'boot', devices: { sda: { volume_id: 9 } } },
    });
  /** The refusal of the last step, or the note about it. */
  async function said(steps: readonly PlanStep[], more: Readonly<Record<string, Row>> = {}, refused = '-') {
    const { api, writes } = rowsCloud({
      ...first,
      '/server/instances/8': { id: 8, label: 'web-8', status: 'running', tags: [] },
      ...more,
    });
    const send: typeof api.send = (operation, request) =>
      operation.path.endsWith(refused)
        ? Promise.reject(new ApiError({ kind: 'answer', status: 403, method: 'GET', path: '', message: 'No scope.' }))
        : api.send(operation, request);
    const pages: typeof api.pages = (operation, request) => {
      if (operation.path.endsWith(refused))
        throw new ApiError({ kind: 'answer', status: 403, method: 'GET', path: '', message: 'No scope.' });
      return api.pages(operation, request);
    };
    const found = await examinePlan(openStores({ ...api, send, pages }), { host: '', steps });
    expect(writes).toEqual([]);
    const { why, note } = found.at(-1) ?? {};
    return { ...(why !== undefined && { why }), ...(note !== undefined && { note }) };
  }
  const none = 'Server: web-8 has no config, which an attached volume needs: make one first, or';

  test.each([
    ['attached', attach({ server_id: 8 })],
    ['made attached', create({ server_id: 8 })],
  ])('one that is %s is refused where there is none, and where it is doubtful which, that is said', async (_, one) => {
    expect(await said([one])).toEqual({ why: expect.stringContaining(none) });
    expect(await said([one], config(1))).toEqual({});
    expect(await said([one], { ...config(1), ...config(2) })).toEqual({
      note: 'Of the 2 configs of server web-8 none is named: the API takes the one last booted, and refuses it where none was.',
    });
    expect(await said([one], {}, '/configs')).toEqual({
      note: 'It is not known whether server web-8 has a config, without which the API refuses it.',
    });
    expect(await said([newConfig(4, '8'), one])).toEqual({
      note: 'Step 4 changes the configs first, so they are looked at then.',
    });
  });

  test('one that needs no config, or names its own, is not', async () => {
    expect(await said([attach({ server_id: 8, persist_across_boots: false })])).toEqual({});
    expect(await said([attach({ server_id: 8, config_id: 1 })], config(1))).toEqual({});
    expect(await said([create({ region: 'us-east' })])).toEqual({});
  });

  test('one is refused whose server an earlier step makes without any', async () => {
    const one = attach({ server_id: { $step: 2 } }, 8);
    expect(await said([server(2, {}), one])).toEqual({
      why: expect.stringContaining('Server: web-9 has no config, which an attached volume needs: make one first, or'),
    });
    const later = { note: 'Step 2 makes its row, so it is looked at then.' };
    expect(await said([server(2, { image: 'server/debian12', root_pass: 'correct horse' }), one])).toEqual(later);
    expect(await said([server(2, {}), newConfig(5, { $step: 2 }), one])).toEqual(later);
  });
});

test('a long plan is examined without going through all of its steps for each', async () => {
  /** So often the steps of a plan are looked at while it is examined. */
  const looks = async (count: number) => {
    const configs = Array.from({ length: count }, (_, id) => ({ id, label: `boot-${id}`, devices: {} }));
    const cloud = rowsCloud(Object.fromEntries(configs.map((row) => [`/server/instances/7/configs/${row.id}`, row])));
    let looked = 0;
    const counting: ProxyHandler<PlanStep> = {
      get: (target, name) => {
        looked++;
        return Reflect.get(target, name);
      },
    };
    const steps = configs.map(({ id, label }) =>
      step(id, 'configs', 'edit', label, {
        params: { serverId: '7', configId: String(id) },
        changes: { set: { label: `new-${id}` } },
        before: { label },
      }),
    );
    const counted = steps.map((one) => new Proxy(one, counting));
    expect(await examinePlan(openStores(cloud.api), { host: '', steps: counted })).toEqual(
      steps.map(({ id }) => ({ id, why: undefined, note: undefined, error: undefined })),
    );
    return looked;
  };
  expect(await looks(80)).toBeLessThan(2.2 * (await looks(40)));
});
