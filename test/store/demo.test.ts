import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { connect } from '../../src/api/client.ts';
import { type Demo, startDemo } from '../../src/demo/server.ts';
import { actionsOf, resourceNamed } from '../../src/resources/index.ts';
import type { Row } from '../../src/resources/resource.ts';
import { changeOn } from '../../src/store/changes/change.ts';
import { sendChanges } from '../../src/store/changes/send.ts';
import { progressOf } from '../../src/store/events.ts';
import { keyOf, type Question } from '../../src/store/records.ts';
import { createSession } from '../../src/store/session.ts';
import { openDeck } from './openDeck.ts';

const servers = resourceNamed('servers');
const all: Question = { resource: 'servers', operation: 'list', params: {} };

let demo: Demo;
beforeAll(async () => {
  demo = await startDemo({ servers: 250, pace: 50, colleagues: false });
});
afterAll(() => demo.close());

function open(token = demo.tokens.full) {
  const session = createSession(Date.now);
  const api = connect({ baseUrl: demo.url, token, onCall: session.noteCall });
  onTestFinished(() => api.close());
  const deck = openDeck(api, session);
  const collection = () => deck.records.getState().collections[keyOf(all)];
  const row = (label: string): Row => {
    const found = collection()?.rows.find((row) => row.label === label);
    if (!found) throw new Error(`there is no server ${label}`);
    return found;
  };
  return { deck, collection, row };
}

function action(name: string) {
  const found = actionsOf(servers).find((action) => action.name === name);
  if (!found) throw new Error(`servers have no action ${name}`);
  return found;
}

const sizeOf = (type: Row): number => Number(type.disk);

describe('against the demo', () => {
  test('a list of several pages arrives whole, and reading it again leaves it as it is', async () => {
    const { deck, collection } = open();
    await deck.records.readCollection(all);
    const rows = collection()?.rows;
    expect(new Set(rows?.map(({ id }) => id)).size).toBe(250);
    expect(collection()).toMatchObject({ results: 250, loading: false });
    await deck.records.readCollection(all);
    expect(collection()?.rows).toBe(rows);
  });

  test('a resize started elsewhere shows its progress, and the row is fresh when it ends', async () => {
    const [here, elsewhere] = [open(), open()];
    here.deck.scheduler.subscribe([all]);
    await Promise.all([here.deck.records.readCollection(all), elsewhere.deck.records.readCollection(all)]);
    here.deck.events.start();
    await vi.waitFor(() => expect(here.deck.events.getState().polledAt).toBeDefined());
    const label = String(here.collection()?.rows.find(({ status }) => status === 'running')?.label);
    const statuses = new Set<unknown>();
    const percents = new Set<unknown>();
    here.deck.records.subscribe(() => statuses.add(here.row(label).status));
    const progress = () => progressOf(here.deck.events.getState().events, 'server', here.row(label).id);
    here.deck.events.subscribe(() => percents.add(progress()?.percent_complete));

    const types: Question = { resource: 'server-types', operation: 'list', params: {} };
    await elsewhere.deck.records.readCollection(types);
    const largest = elsewhere.deck.view
      .rows('server-types')
      .reduce((one, other) => (sizeOf(other) > sizeOf(one) ? other : one));
    const change = changeOn(servers, action('resize'), elsewhere.row(label), {}, { type: largest.id });
    const { results } = await sendChanges(elsewhere.deck, change, [change]);
    expect(results).toMatchObject([{ state: 'done' }]);
    await here.deck.events.poll();
    expect(progress()).toMatchObject({ action: 'server_resize' });
    await vi.waitFor(() => expect(statuses).toContain('migrating'), { timeout: 10_000 });
    await vi.waitFor(() => expect(progress()).toBeUndefined(), { timeout: 20_000 });
    await vi.waitFor(() => expect(here.row(label)).toMatchObject({ status: 'running', type: largest.id }), {
      timeout: 20_000,
    });
    expect([...percents].some((percent) => typeof percent === 'number')).toBe(true);
  });

  test('a token that may not read a list is told so, and that is no trouble', async () => {
    const { deck } = open(demo.tokens.restricted);
    const domains: Question = { resource: 'domains', operation: 'list', params: {} };
    await deck.records.readCollection(domains);
    const { rows, error } = deck.records.getState().collections[keyOf(domains)] ?? {};
    expect(rows).toEqual([]);
    expect(error).toMatchObject({ status: 403, message: expect.stringContaining('domains:read_only') });
    expect(deck.session.getState().trouble).toBeUndefined();
  });

  test('what is wrong is found once somebody wants to know, also with a token that may not read everything', async () => {
    for (const token of [demo.tokens.full, demo.tokens.restricted]) {
      const { deck } = open(token);
      await Promise.resolve();
      expect(deck.session.getState().calls).toEqual([]);
      deck.problems.want();
      await vi.waitFor(() => {
        const { examinedAt, problems } = deck.problems.getState();
        expect(examinedAt).toBeDefined();
        expect(problems.length).toBeGreaterThan(0);
      }, 10_000);
      const refused = deck.session.getState().calls.filter(({ status }) => status === 403);
      expect(new Set(refused.map(({ path }) => path)).size).toBe(refused.length);
    }
  });
});
