import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { actionsOfCommands } from '../../src/config/commandActions.ts';
import type { CommandConfig } from '../../src/config/schema.ts';
import { coverageOf } from '../../src/program/doctor/coverage.ts';
import { resourceNamed, setUserActions } from '../../src/resources/index.ts';
import { idIndex } from '../../src/resources/problems/rowIndex.ts';
import { type Action, type CacheView, type Row, viewWith } from '../../src/resources/resource.ts';
import { type Change, changeOn } from '../../src/store/changes/change.ts';
import { sendChanges } from '../../src/store/changes/send.ts';
import type { Guard } from '../../src/store/guards/concern.ts';
import { guardFilter } from '../../src/store/guards/guardFilter.ts';
import { actionOf } from '../resources/actionOf.ts';
import { knowing } from '../resources/known.ts';
import { fakeApi, settled } from './fakeApi.ts';
import { openStores } from './openStores.ts';

const servers = resourceNamed('servers');
const volumes = resourceNamed('volumes');
const configs = resourceNamed('configs');

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

const server = (id: number, ...tags: readonly string[]): Row => ({ id, label: `web-${id}`, status: 'running', tags });

/** Stores with the servers given on the screen. */
async function open(guards: readonly Partial<Guard>[], ...rows: readonly Row[]) {
  const api = fakeApi();
  const stores = openStores(api);
  stores.configuration.setState({ guards: guards.map((guard) => ({ actions: ['delete'], ...guard })) });
  if (rows.length > 0) {
    stores.scheduler.subscribe([{ resource: 'servers', operation: 'list', params: {} }]);
    await api.next('servers.list').page(rows);
  }
  /** The results of changes, as far as they are known; what is sent is answered with nothing. */
  async function send(changes: readonly Change[], isTyped = false) {
    const [first] = changes;
    if (!first) throw new Error('there is nothing to send');
    const sending = sendChanges(stores, first, changes, { isTyped });
    await settled();
    // Before a row is made its list is read.
    const before = first.action.name === 'create' && api.open.find(({ name }) => name === 'servers.list');
    if (before) await before.page(rows);
    return {
      sent: api.open
        .filter(({ name }) => !/list|view/.test(name))
        .map(({ request }) => Object.values(request.params ?? {}).join('/')),
      /** Answers all changes; rows on the screen are there still as they were when they are read before their deletion. */
      async results() {
        for (;;) {
          const change = api.open.find(({ name }) => !/list|view/.test(name));
          const read = api.open.find(({ name }) => name === 'servers.view');
          const row = rows.find(({ id }) => String(id) === read?.request.params?.serverId);
          if (change) await change.answer({});
          else if (read && row) await read.answer(row);
          else break;
        }
        return (await sending).results.map(({ state, says }) => (state === 'done' ? 'done' : (says ?? state)));
      },
    };
  }
  return { api, stores, send };
}

const deletionOf = (row: Row): Change => changeOn(servers, actionOf(servers, 'delete'), row, {});
const prod: Partial<Guard> = { for: 'servers', where: 'tag:prod', deny: true, reason: 'production stays' };

describe('a guard by cost', () => {
  const type = (id: string, monthly: unknown) => ({
    id,
    price: { monthly },
    addons: { backups: { price: { monthly: 5 } } },
  });
  const types = [type('small', 18), type('large', 24), type('odd', 'soon')];
  const found = (row: Row, view = knowing({ 'server-types': types }), given?: ReadonlySet<string>) => {
    const filter = guardFilter('cost>20', servers, view);
    if ('error' in filter) throw new Error(filter.error);
    return filter.find(row, given);
  };
  const unknown = { fields: ['cost'], resources: [] };

  test.each([
    ['large', false, 'yes'],
    ['small', false, 'no'],
    ['small', true, 'yes'],
    ['odd', false, unknown],
    ['gone', false, unknown],
  ] as const)('means what the column shows of the type %s, backups %s: %o', (type, enabled, is) => {
    expect(found({ ...server(1), type, backups: { enabled } })).toEqual(is);
  });

  test('passes nothing where the types cannot be read', () => {
    expect(found({ ...server(1), type: 'small', backups: { enabled: false } }, knowing())).toEqual({
      fields: ['cost'],
      resources: ['server-types'],
    });
  });

  test.each<[Row, unknown]>([
    [{ type: 'small', backups_enabled: false }, 'no'],
    [{ type: 'small', backups_enabled: true }, 'yes'],
    [{ type: 'odd' }, unknown],
  ])('knows what a new server %o will cost', (body, is) => {
    expect(found(body, undefined, new Set(['type', 'backups_enabled']))).toEqual(is);
  });
});

describe('a denying guard', () => {
  test('holds for the rows that its filter finds, and sends the others', async () => {
    const rows = [server(1, 'prod'), server(2)];
    const { api, send } = await open([prod], ...rows);
    const changes = await send(rows.map(deletionOf));
    expect(await changes.results()).toEqual(['web-1 is guarded: production stays.', 'done']);
    expect(api.count('servers.delete')).toBe(1);
    // Each is read before its deletion, and not once more for the guard.
    expect(api.count('servers.view')).toBe(2);
  });

  test('reads a row that is not loaded, once more than its list where that is old', async () => {
    const { api, send } = await open([prod]);
    const changes = await send([deletionOf(server(7))]);
    await api.next('servers.view').answer(server(7, 'prod'));
    expect(await changes.results()).toEqual(['web-7 is guarded: production stays.']);

    const { api: other, send: sendOther } = await open([prod], server(1));
    await vi.advanceTimersByTimeAsync(20_000);
    const later = await sendOther([deletionOf(server(1))]);
    expect(later.sent).toEqual([]);
    await other.next('servers.view').answer(server(1, 'prod'));
    expect(await later.results()).toEqual(['web-1 is guarded: production stays.']);
    expect(other.count('servers.delete')).toBe(0);
  });

  test('sends a row that turns out to be free', async () => {
    const { api, send } = await open([prod]);
    const changes = await send([deletionOf(server(7))]);
    await api.next('servers.view').answer(server(7, 'web'));
    expect(await changes.results()).toEqual(['done']);
  });

  test('refuses a row that cannot be read, even where an older one is known', async () => {
    const { api, send } = await open([prod], server(1));
    await vi.advanceTimersByTimeAsync(20_000);
    const changes = await send([deletionOf(server(1))]);
    for (const _ of ['its name', 'the guard'])
      await api.next('servers.view').fail({ status: 403, message: 'Your token may not.' });
    expect(await changes.results()).toEqual([
      'It is not known whether web-1 is guarded (tag:prod), so nothing was sent: the server could not be read. Your token may not.',
    ]);
    expect(api.count('servers.delete')).toBe(0);
  });

  test.each([401, 503])(
    'reads no further row once the API answers %d, and says it by its reason alone',
    async (status) => {
      const scripts = resourceNamed('stackscripts');
      const guard: Partial<Guard> = { for: 'stackscripts', where: 'public:yes', deny: true, actions: ['edit'] };
      const { api, stores } = await open([guard]);
      const rows = Array.from({ length: 200 }, (_, nth) => ({ id: nth + 1, label: `setup-${nth + 1}` }));
      const changes = rows.map((row) => changeOn(scripts, actionOf(scripts, 'edit'), row, {}, { label: 'new' }));
      const sending = sendChanges(stores, { resource: scripts, action: actionOf(scripts, 'edit') }, changes);
      for (const _ of [1, 2, 3, 4])
        await api.next('stackscripts.view').fail({ status, message: `It answers ${status}.` });
      await vi.advanceTimersByTimeAsync(1000);
      for (const { name, fail } of [...api.open]) if (name === 'stackscripts.view') await fail({ status });
      const { results } = await sending;
      expect([api.count('stackscripts.view'), api.count('stackscripts.edit')]).toEqual([4, 0]);
      const says = results.map((result) => [result.state, result.says]);
      expect(says.slice(0, 4)).toEqual(Array(4).fill(['not sent', `It answers ${status}, so nothing was sent.`]));
      expect(says.slice(4)).toEqual(Array(196).fill(['not sent', undefined]));
      expect(stores.changes.getState().changes[0]?.isRefused).toBe(true);
    },
  );

  test('of many rows that are not loaded reads the list', async () => {
    const { api, send } = await open([prod]);
    const rows = [1, 2, 3, 4, 5, 6].map((id) => server(id));
    const changes = await send(rows.map(deletionOf));
    await api.next('servers.list').page(rows.map((row, index) => (index === 2 ? server(3, 'prod') : row)));
    const results = await changes.results();
    expect(results.filter((one) => one === 'done')).toHaveLength(5);
    expect(results[2]).toBe('web-3 is guarded: production stays.');
    expect(api.count('servers.view')).toBe(0);
  });

  test('does not pass a row whose API does not tell the field', async () => {
    const row = { id: 1, label: 'web-1', status: 'running' };
    const { send } = await open([prod], row);
    const [says] = await (await send([deletionOf(row)])).results();
    expect(says).toBe(
      'It is not known whether web-1 is guarded (tag:prod), so nothing was sent: tags: the API does not tell it of this server.',
    );
  });

  test('reads a row again whose turn comes more than 15 s after the others were read', async () => {
    const rows = Array.from({ length: 12 }, (_, index) => server(index + 1));
    const { api, stores } = await open([prod], ...rows);
    const [first] = rows.map(deletionOf);
    if (!first) throw new Error('there are no rows');
    const sending = sendChanges(stores, first, rows.map(deletionOf));
    await api.next('servers.list').page(rows);
    await settled();
    const deletions = () => api.open.filter(({ name }) => name === 'servers.delete');
    const begun = deletions().map(({ request }) => request.params?.serverId);
    expect(begun.length).toBeLessThan(rows.length);
    // The first ones take their time, and meanwhile a colleague guards all others.
    await vi.advanceTimersByTimeAsync(20_000);
    for (const deletion of deletions()) await deletion.answer({});
    for (let turn = 0; turn < 2 * rows.length; turn++) {
      for (const asked of api.open) {
        if (asked.name === 'servers.view') await asked.answer(server(Number(asked.request.params?.serverId), 'prod'));
        else if (asked.name === 'servers.list') await asked.page(rows.map(({ id }) => server(Number(id), 'prod')));
      }
      await settled();
    }
    const { results } = await sending;
    expect(results.filter(({ state }) => state === 'done').map(({ rowId }) => rowId)).toEqual(begun);
    expect(results.at(-1)?.says).toBe('web-12 is guarded: production stays.');
    expect(api.count('servers.delete')).toBe(begun.length);
  });

  test('reads a row whose list may lack what it is about', async () => {
    const scripts = resourceNamed('stackscripts');
    const row = { id: 5, label: 'setup', is_public: false, mine: true, images: [] };
    const guard: Partial<Guard> = { for: 'stackscripts', where: 'public:yes', deny: true, reason: 'others use it' };
    const { api, stores, send } = await open([guard]);
    stores.scheduler.subscribe([{ resource: 'stackscripts', operation: 'list', params: {} }]);
    await api.next('stackscripts.list').page([row]);
    const changes = await send([changeOn(scripts, actionOf(scripts, 'delete'), row, {})]);
    expect(changes.sent).toEqual([]);
    await api.next('stackscripts.view').answer({ ...row, is_public: true });
    expect(await changes.results()).toEqual(['setup is guarded: others use it.']);
    expect(api.count('stackscripts.delete')).toBe(0);
  });

  test('names neither reason nor filter where there is none', async () => {
    const { send } = await open([{ deny: true }], server(1));
    expect(await (await send([deletionOf(server(1))])).results()).toEqual(['web-1 is guarded by the configuration.']);
  });

  test('holds for nothing else than it names', async () => {
    const { send } = await open(
      [
        { ...prod, actions: ['resize'] },
        { ...prod, for: 'volumes', actions: ['*'] },
      ],
      server(1, 'prod'),
    );
    expect(await (await send([deletionOf(server(1, 'prod'))])).results()).toEqual(['done']);
  });
});

describe('what belongs to a guarded row', () => {
  const config = { id: 5, label: 'boot', kernel: 'latest' };
  const params = { serverId: '1' };
  const edit = changeOn(configs, actionOf(configs, 'edit'), config, params, { label: 'x' });
  const made: Change = {
    resource: configs,
    action: actionOf(configs, 'create'),
    params,
    label: 'the new config',
    body: {},
  };

  test('is guarded with it by a guard for all actions', async () => {
    const { send } = await open([{ ...prod, actions: ['*'] }], server(1, 'prod'));
    const says = ['Server web-1 is guarded: production stays.'];
    expect(await (await send([edit])).results()).toEqual(says);
    expect(await (await send([made])).results()).toEqual(says);
  });

  test('is not by one for some', async () => {
    const { send } = await open([{ ...prod, actions: ['edit', 'create'] }], server(1, 'prod'));
    expect(await (await send([edit])).results()).toEqual(['done']);
  });

  test('is by one without an area, whose filter it cannot be asked itself', async () => {
    const { send } = await open([{ ...prod, for: undefined, actions: ['edit'] }], server(1, 'prod'));
    expect(await (await send([edit])).results()).toEqual(['Server web-1 is guarded: production stays.']);
  });

  test('has the row above read first', async () => {
    const { api, send } = await open([{ ...prod, actions: ['*'] }]);
    const changes = await send([edit]);
    await api.next('servers.view').answer(server(1));
    expect(await changes.results()).toEqual(['done']);
  });
});

describe("a command of one's own", () => {
  const command = (more: Partial<CommandConfig>): CommandConfig => ({ name: 'Bin it', for: 'servers', ...more });
  const changeBy = (own: CommandConfig, row: Row): Change => {
    const [[name, [action]]] = [...actionsOfCommands([own])] as unknown as [[string, [Action]]];
    return changeOn(resourceNamed(name), action, row, {});
  };
  const pathTo = (id: string, rest = '') => actionOf(servers, 'delete').path.replace('{serverId}', id) + rest;
  const deletes = command({ request: { method: 'DELETE', path: pathTo('{id}') } });

  test('is guarded by the request that it sends, whatever it is called', async () => {
    const rows = [server(1, 'prod'), server(2)];
    const { stores, send } = await open([prod], ...rows);
    const changes = rows.map((row) => changeBy(deletes, row));
    expect(await (await send(changes)).results()).toEqual(['web-1 is guarded: production stays.', 'done']);
    const [first, other] = changes;
    if (!first || !other) throw new Error('there are no changes');
    const refusal = ({ action, params }: Change) => stores.guards.refusal(servers, action, params);
    expect(refusal(first)).toBe('web-1 is guarded: production stays');
    expect(refusal(other)).toBeUndefined();
  });

  test('is guarded by the row that it names from another area', async () => {
    const volume = { id: 9, label: 'data', server_id: 1 };
    const of = { for: 'volumes', request: { method: 'DELETE' as const, path: pathTo('{server_id}') } };
    const { api, send } = await open([prod]);
    const changes = await send([changeBy(command(of), volume)]);
    await api.next('servers.view').answer(server(1, 'prod'));
    expect(await changes.results()).toEqual(['Server web-1 is guarded: production stays.']);
  });

  test('is guarded by what all servers have in common, at most so many at once', async () => {
    const rows = [server(1, 'prod'), server(2, 'prod'), server(3)];
    const { send } = await open([{ ...prod, deny: undefined, at_most: 1 }], ...rows);
    const tooMany = 'These are 2 servers, and a guard allows 1 at once: production stays.';
    const changes = rows.map((row) => changeBy(deletes, row));
    expect(await (await send(changes)).results()).toEqual([tooMany, tooMany, 'done']);
  });

  test.each<[string, Partial<CommandConfig>]>([
    ['an id of its own', { request: { method: 'DELETE', path: pathTo('1') } }],
    ['what belongs to it', { request: { method: 'POST', path: pathTo('{id}', '/disks') } }],
  ])('is guarded by %s', async (_, more) => {
    const { send } = await open([{ ...prod, actions: ['*'] }], server(1, 'prod'));
    const [says] = await (
      await send([changeBy(command({ ...more, for: 'volumes' }), { id: 1, label: 'data' })])
    ).results();
    expect(says).toBe('Server web-1 is guarded: production stays.');
  });

  test.each<[string, Partial<CommandConfig>]>([
    ['by another method', { request: { method: 'POST', path: pathTo('{id}', '/reboot') } }],
    ['that is unknown', { request: { method: 'POST', path: pathTo('{id}', '/poke') } }],
  ])('is free where it sends a request %s', async (_, more) => {
    const { send } = await open([prod], server(1, 'prod'));
    expect(await (await send([changeBy(command(more), server(1, 'prod'))])).results()).toEqual(['done']);
  });

  test('is guarded in the words of the platform as well', async () => {
    const api = fakeApi();
    const toDocuments = (path: string) => path.replace('/acme/', '/server/');
    const stores = openStores({ ...api, documented: { path: toDocuments, value: (value) => value } });
    stores.configuration.setState({ guards: [{ actions: ['delete'], ...prod }] });
    stores.scheduler.subscribe([{ resource: 'servers', operation: 'list', params: {} }]);
    await api.next('servers.list').page([server(1, 'prod')]);
    const own = command({ request: { method: 'DELETE', path: pathTo('{id}').replace('/server/', '/acme/') } });
    const change = changeBy(own, server(1, 'prod'));
    const { results } = await sendChanges(stores, change, [change]);
    expect(results.map(({ says }) => says)).toEqual(['web-1 is guarded: production stays.']);
  });

  test('that runs a program is guarded by its row as it is now', async () => {
    const { api, send } = await open([{ ...prod, actions: ['bin-it'] }], server(1));
    await vi.advanceTimersByTimeAsync(16_000);
    const changes = await send([changeBy(command({ run: ['true'] }), server(1))]);
    await api.next('servers.view').answer(server(1, 'prod'));
    expect(await changes.results()).toEqual(['web-1 is guarded: production stays.']);
  });

  test('is among what a guard covers', () => {
    const owner = {};
    setUserActions(owner, actionsOfCommands([deletes]));
    const [covered] = coverageOf({ for: 'servers', where: 'tag:prod', actions: ['delete'], deny: true });
    setUserActions(owner, undefined);
    expect(covered?.actions.map(({ name }) => name)).toEqual(['delete', 'bin-it']);
  });
});

test('what is sent before an action is guarded as what it is', async () => {
  const buckets = resourceNamed('buckets');
  const bucket = { label: 'media', cluster: 'us-east-1', hostname: 'media.example.com' };
  const guard: Partial<Guard> = { for: 'buckets', actions: ['delete-certificate'], deny: true, reason: 'it is in use' };
  const { stores } = await open([guard]);
  const replace = changeOn(buckets, actionOf(buckets, 'replace-certificate'), bucket, {});
  expect(stores.guards.refusal(buckets, replace.action, replace.params, bucket)).toBe(
    'us-east-1/media is guarded: it is in use',
  );
});

describe('a new row', () => {
  const create = (body: Row): Change => ({
    resource: servers,
    action: actionOf(servers, 'create'),
    params: {},
    label: 'web-9',
    body,
  });

  test('is looked at as it is about to be made', async () => {
    const { send } = await open([{ ...prod, actions: ['create'], where: 'region:eu tag:prod' }]);
    expect(await (await send([create({ region: 'eu-west', tags: ['prod'] })])).results()).toEqual([
      'A new server is guarded: production stays.',
    ]);
    expect(await (await send([create({ region: 'us-east', tags: ['prod'] })])).results()).toEqual(['done']);
    // A field that the form leaves out has no value.
    expect(await (await send([create({ region: 'eu-west' })])).results()).toEqual(['done']);
  });

  test('is refused where the filter is about what it will only become', async () => {
    const { send } = await open([{ ...prod, actions: ['*'], where: 'status:running' }]);
    expect(await (await send([create({})])).results()).toEqual([
      'It is not known whether a new server is guarded (status:running), so nothing was sent: status: the server is not made yet.',
    ]);
  });
});

describe('several rows', () => {
  const rows = [server(1, 'prod'), server(2, 'prod'), server(3, 'prod'), server(4)];
  const few: Partial<Guard> = { for: 'servers', where: 'tag:prod', at_most: 2, reason: 'in small steps' };

  test('are refused as a whole where too many are guarded; the others do not count', async () => {
    const { stores, send } = await open([few], ...rows);
    const tooMany = 'These are 3 servers, and a guard allows 2 at once: in small steps.';
    expect(await (await send(rows.map(deletionOf))).results()).toEqual([tooMany, tooMany, tooMany, 'done']);
    const targets = rows.map((row) => ({ row, params: {} }));
    expect(stores.guards.limit(servers, { name: 'delete' }, targets)).toBe(tooMany.toLowerCase().slice(0, -1));
    expect(stores.guards.limit(servers, { name: 'delete' }, targets.slice(1))).toBeUndefined();
  });

  test('pass where they are few enough', async () => {
    const { send } = await open([few], ...rows);
    expect(await (await send(rows.slice(1).map(deletionOf))).results()).toEqual(['done', 'done', 'done']);
  });
});

describe('the label', () => {
  const asking: Partial<Guard> = { ...prod, deny: undefined, ask: 'label' };

  test('is asked for where a row is guarded, and what was not typed is not sent', async () => {
    const { stores, send } = await open([asking], server(1, 'prod'), server(2));
    const [guarded, free] = [deletionOf(server(1, 'prod')), deletionOf(server(2))];
    expect(stores.guards.asks(() => [guarded, free])).toEqual(['Guarded: production stays.']);
    expect(stores.guards.asks(() => [free])).toEqual([]);
    expect(await (await send([guarded])).results()).toEqual([
      'web-1 is guarded: production stays; its label must be typed first, so nothing was sent: do it again.',
    ]);
    expect(await (await send([free])).results()).toEqual(['done']);
    expect(await (await send([guarded], true)).results()).toEqual(['done']);
  });

  test('does not help where the same is denied, or too much', async () => {
    const { send } = await open([asking, { ...prod, reason: 'never' }], server(1, 'prod'));
    expect(await (await send([deletionOf(server(1, 'prod'))], true)).results()).toEqual(['web-1 is guarded: never.']);
  });
});

describe('the filter of a guard', () => {
  const find = (where: string, row: Row, view = knowing()) => {
    const filter = guardFilter(where, volumes, view);
    return 'error' in filter ? filter : filter.find(row);
  };
  const volume = { id: 1, label: 'data', region: 'us-east', tags: ['prod'], specs: { gpus: 2, plan: null } };

  test('tells what it finds and what it does not', () => {
    expect(find('tag:prod region:us', volume)).toBe('yes');
    expect(find('tag:prod !region:us', volume)).toBe('no');
    expect(find('specs.gpus>1', volume)).toBe('yes');
    expect(find('prod', volume)).toBe('yes');
  });

  test('means what the column shows, and a date by the whole of it', () => {
    const server = (more: Row) => ({ id: 1, watchdog_enabled: true, created: '2025-05-20T10:00:00', ...more });
    const findServer = (where: string, more: Row = {}) => {
      const filter = guardFilter(where, servers, knowing());
      return 'error' in filter ? filter.error : filter.find(server(more));
    };
    expect(findServer('watchdog:yes')).toBe('yes');
    expect(findServer('watchdog:no')).toBe('no');
    expect(findServer('watchdog:no', { watchdog_enabled: false })).toBe('yes');
    expect(findServer('watchdog:yes', { watchdog_enabled: undefined })).toMatchObject({ fields: ['watchdog_enabled'] });
    expect(findServer('backup:none', { backups: { enabled: false } })).toBe('yes');
    expect(findServer('created>2025-05')).toBe('no');
    expect(findServer('created>2025-05', { created: '2025-06-01T00:00:00' })).toBe('yes');
    expect(findServer('created>=2025-05')).toBe('yes');
  });

  test('knows that null is no value, and that an absent field is unknown', () => {
    expect(find('specs.plan:x', volume)).toBe('no');
    expect(find('specs.plan.name:x', volume)).toBe('no');
    expect(find('specs.gpuz>1', volume)).toEqual({ fields: ['specs.gpuz'], resources: [] });
    expect(find('!status:active', volume)).toEqual({ fields: ['status'], resources: [] });
    expect(find('xyz', volume)).toMatchObject({ fields: expect.arrayContaining(['hardware_type']) });
  });

  test('need not know all where one word decides', () => {
    expect(find('status:active region:eu', volume)).toBe('no');
    expect(find('region:us|status:active', volume)).toBe('yes');
  });

  test('tells that a list which a column looks at is not read', () => {
    const domains = resourceNamed('tags');
    const filter = guardFilter('servers>1', domains, knowing());
    expect('error' in filter || filter.find({ label: 'prod' })).toEqual({ fields: [], resources: ['servers'] });
  });

  test('knows of no selector what it would say of data that are not read', () => {
    const looks: Readonly<Record<keyof CacheView, (view: CacheView) => unknown>> = {
      rows: ({ rows }) => rows('domains'),
      row: ({ row }) => row('domains', 1),
      find: ({ find }) => find('domains', idIndex('id'), '1'),
      deleted: ({ deleted }) => deleted('domains'),
      lists: ({ lists }) => lists('domains'),
      loaded: ({ loaded }) => loaded('domains'),
      isRead: ({ isRead }) => isRead('domains'),
      answer: ({ answer }) => answer('servers', 'transfer', { serverId: '1' }),
      usage: ({ usage }) => usage('1'),
      day: ({ day }) => day('1'),
      transferShare: ({ transferShare }) => transferShare('1'),
      measured: ({ measured }) => [...measured()],
      standing: ({ standing }) => standing?.(volume),
      events: ({ events }) => events,
      now: ({ now }) => now,
    };
    const view = viewWith(knowing(), { standing: () => undefined });
    const known = Object.entries(looks).flatMap(([name, look]) => {
      const column = { title: 'Probe', value: (_: Row, seen: CacheView) => [look(seen)].flat().join() };
      const filter = guardFilter('!probe:x', { ...volumes, columns: [column] }, view);
      const found = 'error' in filter ? filter.error : filter.find(volume);
      return typeof found === 'object' && found.resources.length === 1 ? [] : [name, found];
    });
    expect(known).toEqual(['events', 'yes', 'now', 'yes']);
  });

  test('cannot wait for figures, and names a field that is none with its position', () => {
    expect(guardFilter('tag:prod cpu>80', servers, knowing())).toEqual({
      error: 'cpu is read row by row, which no guard can wait for',
      position: 9,
    });
    expect(find('tag:prod colour:red', volume)).toMatchObject({
      error: expect.stringContaining('no field colour'),
      position: 9,
    });
  });
});

describe('a lock', () => {
  const row = server(1, 'prod');
  const deny = (more: Partial<Guard>) => ({ for: 'servers', deny: true as const, ...more });
  const lockedBy = async (...guards: readonly Partial<Guard>[]) => {
    const { stores } = await open(guards);
    return stores.guards.isLocked(servers, {}, row);
  };

  test('is on a row of which a guard denies the deletion, or everything', async () => {
    expect(await lockedBy(deny({ where: 'tag:prod' }))).toBe(true);
    expect(await lockedBy(deny({ where: 'tag:prod', actions: ['*'] }))).toBe(true);
    expect(await lockedBy(deny({ where: 'tag:dev' }))).toBe(false);
    expect(await lockedBy(deny({ actions: ['resize'] }))).toBe(false);
    expect(await lockedBy({ for: 'servers', ask: 'label' as const })).toBe(false);
    expect(await lockedBy()).toBe(false);
  });

  test('is on none where that is not known, and follows row and guards', async () => {
    const { stores } = await open([deny({ where: 'tag:prod' })]);
    const isLocked = (one: Row) => stores.guards.isLocked(servers, {}, one);
    expect(isLocked({ id: 1, label: 'web-1' })).toBe(false);
    expect([isLocked(row), isLocked({ ...row, tags: [] })]).toEqual([true, false]);
    stores.configuration.setState({ guards: [] });
    expect(isLocked(row)).toBe(false);
  });

  test('is explained by the guard and its actions', async () => {
    const { stores } = await open([
      deny({ where: 'tag:prod', actions: ['delete', 'resize'], reason: 'the pipeline does that' }),
      deny({ actions: ['*'] }),
    ]);
    expect(stores.guards.denials(servers, {}, row)).toEqual([
      expect.stringMatching(/^Guarded: the pipeline does that\. Denied: (delete and resize|resize and delete)\.$/),
      'Guarded by the configuration. Denied: all.',
    ]);
  });
});
