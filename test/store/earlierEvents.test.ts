import { expect, test } from 'vitest';
import { isInProgress } from '../../src/resources/account/events.ts';
import type { Row } from '../../src/resources/resource.ts';
import { createPoller, type EventsState, type Poller } from '../../src/store/events.ts';
import type { Transition } from '../../src/store/problems/transitions.ts';
import { client, json, serve, version } from '../api/server.ts';
import { takeSnapshot } from '../main/takeSnapshot.ts';
import { openStores } from './openStores.ts';

const now = Date.now();
const minute = 60_000;

const event = (id: number, minutesAgo: number, given: Row = {}): Row => ({
  id,
  action: 'server_update',
  status: 'notification',
  created: new Date(now - minutesAgo * minute).toISOString().slice(0, 19),
  entity: { id: 1, label: 'web-1', type: 'server', url: `${version}/server/instances/1` },
  secondary_entity: null,
  percent_complete: null,
  username: 'operator',
  ...given,
});

/** So many edits within the last minutes, the newest first. */
const edits = (count: number) =>
  Array.from({ length: count }, (_, index) => event(10_000 - index, (10 * (index + 1)) / count));

const off = { id: 4, label: 'batch-4', type: 'server', url: `${version}/server/instances/4` };
const failedBoot = event(20, 20, { action: 'server_boot', status: 'failed', entity: off, message: 'No root device.' });
const reboot = event(19, 19, { action: 'server_reboot', status: 'finished' });
const resize = event(21, 13, { action: 'server_resize', status: 'started', percent_complete: 50 });

interface Account {
  /** The newest first. */
  events: readonly Row[];
  servers?: readonly Row[];
  /** Whether it knows filters of events; one that does not refuses them. */
  filters?: boolean;
}

/** An account with these events and servers, and empty lists of all else. */
const account = ({ events, servers = [], filters = true }: Account) =>
  serve(({ url, headers }, response) => {
    const [page, size] = [Number(url.searchParams.get('page') ?? 1), Number(url.searchParams.get('page_size') ?? 100)];
    const filter = JSON.parse(String(headers['x-filter'] ?? '{}')) as Record<string, unknown>;
    if (Object.keys(filter).length > 0 && !filters)
      return json(response, { errors: [{ field: 'X-Filter', reason: 'Cannot filter on action' }] }, 400);
    const actions = (filter['+or'] as readonly Row[] | undefined)?.map(({ action }) => action);
    const all = url.pathname.endsWith('/events')
      ? events.filter(({ action }) => actions?.includes(action) ?? true)
      : url.pathname.endsWith('/instances')
        ? servers
        : [];
    const data = all.slice((page - 1) * size, page * size);
    return json(response, { data, page, pages: Math.max(1, Math.ceil(all.length / size)), results: all.length });
  });

async function open(given: Account): Promise<{ poller: Poller; url: string; seen: readonly { url: URL }[] }> {
  const { url, seen } = await account(given);
  const poller = createPoller(client(url).api, Date.now, () => {});
  return { poller, url, seen };
}

const ids = ({ getState }: Poller) => getState().events.map(({ id }) => id);
const whole = ({ getState }: Poller) => expect.poll(() => getState().isReadingOn, { timeout: 10_000 }).toBe(false);

test('a burst of newer events hides no older one: reading goes on to a day back', async () => {
  const old = event(1, 26 * 60);
  const events = [...edits(160), resize, failedBoot, reboot, old];
  const { poller, seen } = await open({ events });
  const states: EventsState[] = [];
  poller.subscribe((state) => states.push(state));
  poller.start();
  await whole(poller);
  // The newest page is shown at once.
  expect(states.find(({ polledAt }) => polledAt !== undefined)).toMatchObject({
    isReadingOn: true,
    events: { length: 100 },
  });
  poller.stop();
  expect(ids(poller)).toEqual(events.map(({ id }) => id));
  // All events of 90 days are there.
  expect(poller.getState().knownSince).toBe(0);
  expect(seen.length).toBeLessThanOrEqual(3);
});

test('no further than a day, and from then on all is known', async () => {
  const older = Array.from({ length: 500 }, (_, index) => event(900 - index, 25 * 60 + index));
  const { poller, seen } = await open({ events: [...edits(120), ...older] });
  poller.start();
  await whole(poller);
  poller.stop();
  expect(poller.getState().events.length).toBe(200);
  const { knownSince = 0 } = poller.getState();
  expect(knownSince).toBeLessThan(now - 25 * 60 * minute);
  expect(seen.filter(({ url }) => url.searchParams.get('page') === '3')).toEqual([]);
});

test('what is under way is known also where it began before all that is read', async () => {
  const { poller } = await open({ events: [...edits(1500), resize, failedBoot] });
  poller.start();
  await whole(poller);
  poller.stop();
  const { events, knownSince = 0, isProgressKnown } = poller.getState();
  expect(events.filter(isInProgress).map(({ id }) => id)).toEqual([21]);
  expect(isProgressKnown).toBe(true);
  expect(events.length).toBe(1001);
  expect(knownSince).toBeGreaterThan(now - 10 * minute - 1000);
});

test('where the API knows no such filter, it is not said to be known', async () => {
  const { poller } = await open({ events: [...edits(1500), resize], filters: false });
  poller.start();
  await whole(poller);
  poller.stop();
  const { events, isProgressKnown } = poller.getState();
  expect(events.filter(isInProgress)).toEqual([]);
  expect(isProgressKnown).toBe(false);
});

const servers = [
  { id: 1, label: 'web-1', status: 'running' },
  { id: 4, label: 'batch-4', status: 'offline' },
];

test('a snapshot waits for the events of a day, and has the problems that hang on them', async () => {
  const { url } = await account({ events: [...edits(160), failedBoot], servers });
  const snapshot = await takeSnapshot(client(url, { readOnly: true }).api, { area: 'problems' }, 'text', {
    now,
    glyphs: 'unicode',
  });
  expect(snapshot.text).toContain('its last boot failed');
  expect(snapshot.text).toContain('No root device.');
  expect(snapshot.text).not.toContain('events before');
});

test('a snapshot says from when on the events were not examined', async () => {
  const { url } = await account({ events: [...edits(1500), failedBoot], servers });
  const snapshot = await takeSnapshot(client(url, { readOnly: true }).api, { area: 'problems' }, 'text', {
    now,
    glyphs: 'unicode',
  });
  expect(snapshot.text).not.toContain('its last boot failed');
  expect(snapshot.text).toMatch(/Not examined: .*events before \d{4}-\d\d-\d\d \d\d:\d\d UTC/);
  expect(snapshot.unexamined).toMatchObject([{ resource: 'events', operation: 'list' }]);
});

test('what is found in older events is no news', async () => {
  const { url } = await account({ events: [...edits(160), failedBoot], servers });
  const stores = openStores(client(url, { readOnly: true }).api);
  const told: Transition[] = [];
  stores.transitions.subscribe((all) => void told.push(...all));
  stores.problems.watch();
  stores.events.start();
  await expect
    .poll(() => stores.problems.getState().problems.map(({ says }) => says), { timeout: 10_000 })
    .toContain('batch-4 is offline; its last boot failed');
  expect(stores.problems.getState().news).toEqual([]);
  expect(told.filter(({ on }) => on === 'critical' || on === 'job-ended')).toEqual([]);
});
