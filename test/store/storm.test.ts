import type { ServerResponse } from 'node:http';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { connect } from '../../src/api/client.ts';
import { operationOf, queryKey } from '../../src/store/queries.ts';
import { createSession } from '../../src/store/session.ts';
import { json, serve } from '../api/server.ts';
import { drawing, seed } from '../draw.ts';
import { onePage } from './apiOn.ts';
import { openStores } from './openStores.ts';

afterEach(() => void vi.useRealTimers());

const everyList = ['servers', 'volumes', 'domains', 'nodebalancers', 'tickets', 'images', 'tags'];
const listOf = (resource: string) => ({ resource, operation: 'list', params: {} });
const statistics = Array.from({ length: 40 }, (_, index) => ({
  resource: 'servers',
  operation: 'stats',
  params: { serverId: String(index + 1) },
}));

const rows = Array.from({ length: 40 }, (_, index) => ({ id: index + 1, label: `row-${index + 1}`, status: 'active' }));
const page = onePage(rows);

/** A stores with a full screen, in front of a server that works until it is told to do something else; the clock only moves when told to. */
async function open() {
  let fail: ((response: ServerResponse) => void) | undefined;
  let open = 0;
  let mostOpen = 0;
  const { url, seen } = await serve((_, response) => {
    open++;
    mostOpen = Math.max(mostOpen, open);
    response.on('close', () => open--);
    if (fail) fail(response);
    else json(response, page);
  });
  const session = createSession(Date.now);
  const api = connect({
    baseUrl: url,
    token: 'token',
    onCall: session.noteCall,
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  });
  onTestFinished(() => api.close());
  // The first request loads what sending needs, which takes time of its own.
  await api.send(operationOf(listOf('servers')));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
  const stores = openStores(api, session);
  stores.events.start();
  for (const name of everyList) stores.scheduler.subscribe([listOf(name)]);
  stores.scheduler.subscribe(statistics, 'row');
  onTestFinished(stores.ruleQueries.start());

  const pass = async (seconds: number) => {
    let isOver = false;
    setTimeout(() => {
      isOver = true;
    }, seconds * 1000);
    while (!isOver && vi.isFakeTimers()) {
      await vi.advanceTimersToNextTimerAsync();
      // Over the wire it takes real turns of the event loop, but no time.
      for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
    }
  };
  const failing = () => {
    const { collections, answers } = stores.cache.getState();
    return [...Object.values(collections), ...Object.values(answers)].filter(({ error }) => error).length;
  };
  return {
    stores,
    pass,
    failing,
    seen,
    mostOpen: () => mostOpen,
    setFault: (next: typeof fail) => {
      fail = next;
    },
  };
}

const seconds = { 'ten minutes': 600, hour: 3600 } as const;

/** The API fails for so long, in this way, and may get so many requests meanwhile. */
type Fault = [lasts: keyof typeof seconds, how: string, atMost: number, (response: ServerResponse) => void];

const faults: readonly Fault[] = [
  ['hour', 'answers 503', 80, (response) => json(response, { errors: [] }, 503)],
  ['ten minutes', 'answers 500', 18, (response) => json(response, { errors: [] }, 500)],
  ['ten minutes', 'answers 429', 18, (response) => json(response, { errors: [] }, 429)],
  [
    'ten minutes',
    'answers 429 and asks for no patience',
    18,
    (response) => json(response, {}, 429, { 'retry-after': '0' }),
  ],
  ['ten minutes', 'does not accept the token any more', 18, (response) => json(response, { errors: [] }, 401)],
  ['ten minutes', 'breaks every connection', 18, (response) => response.destroy()],
  ['ten minutes', 'never answers', 18, () => {}],
  ['ten minutes', 'answers with a web page', 18, (response) => response.end('<html></html>')],
  ['ten minutes', 'redirects', 18, (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
];

const random = drawing('storms');

test.each(faults.filter(([lasts]) => lasts === 'hour' || random() < 0.5))(
  `the %s in which the API %s is no storm, and everything is read again afterwards (seed ${seed})`,
  { timeout: 240_000 },
  async (lasts, _how, atMost, fault) => {
    const { stores, pass, failing, seen, mostOpen, setFault } = await open();
    await pass(5);
    expect(failing()).toBe(0);

    const before = seen.length;
    const sent = () => seen.length - before;
    setFault(fault);
    await pass(60);
    expect(sent()).toBeGreaterThan(2);
    expect(sent()).toBeLessThanOrEqual(20);
    expect(stores.session.getState().trouble).toBeDefined();
    await pass(seconds[lasts] - 360);
    const last = sent();
    await pass(300);
    expect(sent() - last).toBeLessThanOrEqual(6);
    expect(sent()).toBeLessThanOrEqual(atMost);
    expect(mostOpen()).toBeLessThanOrEqual(8);

    setFault(undefined);
    await pass(70);
    expect(stores.session.getState().trouble).toBeUndefined();
    const { collections } = stores.cache.getState();
    for (const name of everyList) {
      const { error, loadedAt = 0 } = collections[queryKey(listOf(name))] ?? {};
      expect({ name, error, isFresh: Date.now() - loadedAt < 75_000 }).toEqual({
        name,
        error: undefined,
        isFresh: true,
      });
    }
    // Reading of single rows has a budget for each minute.
    await pass(130);
    expect(failing()).toBe(0);
  },
);
