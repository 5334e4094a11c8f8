import { expect, test } from 'vitest';
import { resourceNamed } from '../../src/resources/index.ts';
import { startOtherApi } from './otherApi.ts';
import { openSkydeck } from './skydeck.ts';

async function openEvents() {
  const skydeck = await openSkydeck({ columns: 100, place: { area: 'events' } });
  await skydeck.waitFor(/❯ +● /);
  return skydeck;
}

test('an event is read, and leads to what it is about', async () => {
  const skydeck = await openEvents();
  await skydeck.press('a', 'M');
  await skydeck.waitFor('Mark as read:');
  await skydeck.waitFor(() => !/❯ +● +[●○]/.test(skydeck.text()));
  expect(skydeck.changes).toMatchObject([{ method: 'POST', path: expect.stringMatching(/events\/\d+\/read$/) }]);
  await skydeck.press('a');
  await skydeck.waitFor(/Mark as read +This event is already read/);
  await skydeck.press('esc', 'o');
  await skydeck.waitFor(/demo › Servers › \S+/);
  await skydeck.press('esc');
  await skydeck.waitFor('demo › Events');
});

test('everything up to an event is seen', async () => {
  const skydeck = await openEvents();
  await skydeck.press('down', 'down', 'a', 'U');
  await skydeck.waitFor('── Mark all up to here as seen?');
  await skydeck.press('enter');
  await skydeck.waitFor('Mark all up to here as seen:');
  const { data } = await skydeck.elsewhere('GET', '/account/events');
  expect((data as { seen: boolean }[]).slice(0, 4).map(({ seen }) => seen)).toEqual([false, false, true, true]);
});

test('only events of one action, user or entity are left by the filter', async () => {
  const skydeck = await openEvents();
  await skydeck.press('/');
  await skydeck.type('action:reboot user:deploy-bot');
  await skydeck.press('enter');
  await skydeck.waitFor(/Events {2}\d+ of 363/);
  const rows = skydeck.text().split('\n').slice(4, -1);
  for (const row of rows) expect(row).toMatch(/^$|server reboot.*deploy-bot/);
});

test.each([
  [120, 40],
  [80, 24],
])('the message of an event stands in full at %i×%i', async (columns, rows) => {
  const skydeck = await openSkydeck({ columns, rows, place: { area: 'events' } });
  await skydeck.waitFor(/❯ +● /);
  await skydeck.press('/');
  await skydeck.type('status:failed entity:batch-4');
  await skydeck.press('enter');
  await skydeck.waitFor(/Events {2}\d+ of \d+/);
  await skydeck.press('enter');
  await skydeck.waitFor(/Message/);
  const said = skydeck.text().replace(/\s+/g, ' ');
  expect(said).toContain('The root device of the configuration could not be found.');
});

/** An API on which somebody edits so much that older events are on no page that is read at the start. */
async function busyApi(knowsFilters: boolean) {
  const now = Date.now();
  const edit = (id: number) => ({
    id,
    action: 'server_update',
    status: 'notification',
    created: new Date(now - (1_000_000 - id)).toISOString().slice(0, 19),
    entity: { id: 2, label: 'other', type: 'server', url: '' },
    secondary_entity: null,
    username: 'pipeline',
  });
  const edits = Array.from({ length: 1100 }, (_, index) => edit(1_000_000 - index));
  const reboot = {
    ...edit(7),
    action: 'server_reboot',
    status: 'finished',
    created: new Date(now - 19 * 60_000).toISOString().slice(0, 19),
    duration: 12,
    username: 'night-shift',
    entity: {},
  };
  const api = await startOtherApi(({ method, path, query, filter }) => {
    if (method !== 'GET' || path !== '/account/events') return undefined;
    if (filter && !knowsFilters)
      return { status: 400, text: JSON.stringify({ errors: [{ field: 'X-Filter', reason: 'Cannot filter' }] }) };
    const all = filter?.['entity.id'] === id ? [reboot] : filter ? [] : [...edits, reboot];
    const [page, size] = [Number(query.get('page') ?? 1), Number(query.get('page_size') ?? 100)];
    const data = all.slice((page - 1) * size, page * size);
    return JSON.stringify({ data, page, pages: Math.ceil(all.length / size), results: all.length });
  });
  const headers = { authorization: `Bearer ${api.tokens.full}` };
  const answer = await fetch(`${api.url}${resourceNamed('servers').list?.path}`, { headers });
  const [server] = ((await answer.json()) as { data: readonly { id: number; label: string }[] }).data;
  const id = server?.id ?? 0;
  reboot.entity = { id, label: server?.label, type: 'server', url: '' };
  return { ...api, id };
}

test('the page of a row has its own events, however many newer ones the account has', async () => {
  const demo = await busyApi(true);
  const skydeck = await openSkydeck({ columns: 120, rows: 40, demo, place: { area: 'servers', id: String(demo.id) } });
  await skydeck.waitFor(/Events[\s\S]*19 min +server reboot +night-shift/);
  expect(skydeck.text()).not.toContain('None of late');
  await skydeck.press('=');
  await skydeck.waitFor(/19 min +night-shift +server reboot/);
  await skydeck.waitFor('Events reach back 90 days.');
  expect(
    demo.seen.filter(({ filter }) => filter?.['entity.id'] === demo.id).map(({ filter }) => filter),
  ).toContainEqual({ 'entity.type': 'server', 'entity.id': demo.id });
});

test('where the API knows no filter of events, the page says since when there are none', async () => {
  const demo = await busyApi(false);
  const skydeck = await openSkydeck({ columns: 120, rows: 40, demo, place: { area: 'servers', id: String(demo.id) } });
  await skydeck.waitFor(/Events[\s\S]*None since (yesterday )?\d\d:\d\d; the tab has 90 days\./);
  await skydeck.press('=');
  await skydeck.waitFor(/19 min +night-shift +server reboot/);
  await skydeck.waitFor('Events reach back 90 days.');
});
