import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { connect } from '../../src/api/client.ts';
import { type Demo, startDemo } from '../../src/demo/server.ts';
import { resourceNamed } from '../../src/resources/index.ts';
import type { Row } from '../../src/resources/resource.ts';
import { type Query, queryKey } from '../../src/store/cache.ts';
import { changeOn } from '../../src/store/changes/change.ts';
import { sendChanges } from '../../src/store/changes/send.ts';
import { progressOf } from '../../src/store/events.ts';
import { createSession } from '../../src/store/session.ts';
import { actionOf } from '../resources/actionOf.ts';
import { openStores } from './openStores.ts';

const servers = resourceNamed('servers');
const all: Query = { resource: 'servers', operation: 'list', params: {} };

let demo: Demo;
beforeAll(async () => {
  demo = await startDemo({ servers: 250, pace: 50, colleagues: false });
});
afterAll(() => demo.close());

function open(token = demo.tokens.full) {
  const session = createSession(Date.now);
  const api = connect({ baseUrl: demo.url, token, onCall: session.noteCall });
  onTestFinished(() => api.close());
  const stores = openStores(api, session);
  const collection = () => stores.cache.getState().collections[queryKey(all)];
  const row = (label: string): Row => {
    const found = collection()?.rows.find((row) => row.label === label);
    if (!found) throw new Error(`there is no server ${label}`);
    return found;
  };
  return { stores, collection, row };
}

const sizeOf = (type: Row): number => Number(type.disk);

describe('against the demo', () => {
  test('a list of several pages arrives whole, and reading it again leaves it as it is', async () => {
    const { stores, collection } = open();
    await stores.cache.readCollection(all);
    const rows = collection()?.rows;
    expect(new Set(rows?.map(({ id }) => id)).size).toBe(250);
    expect(collection()).toMatchObject({ results: 250, loading: false });
    await stores.cache.readCollection(all);
    expect(collection()?.rows).toBe(rows);
  });

  test('a resize started elsewhere shows its progress, and the row is fresh when it ends', async () => {
    const [here, elsewhere] = [open(), open()];
    here.stores.scheduler.subscribe([all]);
    await Promise.all([here.stores.cache.readCollection(all), elsewhere.stores.cache.readCollection(all)]);
    here.stores.events.start();
    await vi.waitFor(() => expect(here.stores.events.getState().polledAt).toBeDefined(), { timeout: 10_000 });
    const label = String(here.collection()?.rows.find(({ status }) => status === 'running')?.label);
    const statuses = new Set<unknown>();
    const percents = new Set<unknown>();
    here.stores.cache.subscribe(() => statuses.add(here.row(label).status));
    const progress = () => progressOf(here.stores.events.getState().events, 'server', here.row(label).id);
    here.stores.events.subscribe(() => percents.add(progress()?.percent_complete));

    const types: Query = { resource: 'server-types', operation: 'list', params: {} };
    await elsewhere.stores.cache.readCollection(types);
    const largest = elsewhere.stores.view
      .rows('server-types')
      .reduce((one, other) => (sizeOf(other) > sizeOf(one) ? other : one));
    const change = changeOn(servers, actionOf(servers, 'resize'), elsewhere.row(label), {}, { type: largest.id });
    const { results } = await sendChanges(elsewhere.stores, change, [change]);
    expect(results).toMatchObject([{ state: 'done' }]);
    await here.stores.events.poll();
    expect(progress()).toMatchObject({ action: 'server_resize' });
    await vi.waitFor(() => expect(statuses).toContain('migrating'), { timeout: 10_000 });
    await vi.waitFor(() => expect(progress()).toBeUndefined(), { timeout: 20_000 });
    await vi.waitFor(() => expect(here.row(label)).toMatchObject({ status: 'running', type: largest.id }), {
      timeout: 20_000,
    });
    expect([...percents].some((percent) => typeof percent === 'number')).toBe(true);
  });

  test('a token that may not read a list is told so, and that is no trouble', async () => {
    const { stores } = open(demo.tokens.restricted);
    const domains: Query = { resource: 'domains', operation: 'list', params: {} };
    await stores.cache.readCollection(domains);
    const { rows, error } = stores.cache.getState().collections[queryKey(domains)] ?? {};
    expect(rows).toEqual([]);
    expect(error).toMatchObject({ status: 403, message: expect.stringContaining('domains:read_only') });
    expect(stores.session.getState().trouble).toBeUndefined();
  });

  test('what is wrong is found once somebody wants to know, also with a token that may not read everything', async () => {
    for (const token of [demo.tokens.full, demo.tokens.restricted]) {
      const { stores } = open(token);
      await Promise.resolve();
      expect(stores.session.getState().calls).toEqual([]);
      stores.problems.watch();
      await vi.waitFor(() => {
        const { examinedAt, problems } = stores.problems.getState();
        expect(examinedAt).toBeDefined();
        expect(problems.length).toBeGreaterThan(0);
      }, 10_000);
      const refused = stores.session.getState().calls.filter(({ status }) => status === 403);
      expect(new Set(refused.map(({ path }) => path)).size).toBe(refused.length);
    }
  });
});
