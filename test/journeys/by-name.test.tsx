import { expect, test } from 'vitest';
import { startOtherApi } from './otherApi.ts';
import { openSkydeck } from './skydeck.ts';

const token = 'OFFER_5f3c9a71_from_elsewhere';
const transfer = {
  token,
  status: 'pending',
  is_sender: false,
  entities: { servers: [4711, 4712] },
  created: '2026-01-01T00:00:00',
  updated: '2026-01-01T00:00:00',
  expiry: '2199-01-01T00:00:00',
};

test('what has a name of its own is opened by it: servers/ID, and a transfer by a token of any shape', async () => {
  const api = await startOtherApi(({ method, path }) => {
    if (path === `/account/entity-transfers/${token}`) return JSON.stringify(transfer);
    return method === 'POST' && path === `/account/entity-transfers/${token}/accept` ? '{}' : undefined;
  });
  const skydeck = await openSkydeck({ demo: api, columns: 100, rows: 30 });
  const { data } = await skydeck.elsewhere('GET', '/server/instances');
  const [server] = data as { id: number; label: string }[];
  await skydeck.press(':');
  await skydeck.type(`servers/${server?.id}`);
  await skydeck.press('enter');
  await skydeck.waitFor(`› ${server?.label}`);

  await skydeck.press(':');
  await skydeck.type(token);
  await skydeck.waitFor(`Open entity transfer ${token}`);
  await skydeck.press('esc', ':');
  await skydeck.type('transfers');
  await skydeck.press('enter');
  await skydeck.waitFor('DIRECTION');
  await skydeck.press('n');
  await skydeck.waitFor('Accept a transfer by its token');
  await skydeck.pointAt('Accept a transfer by its token');
  await skydeck.press('enter');
  await skydeck.waitFor('── Accept a transfer by its token');
  await skydeck.press('enter');
  await skydeck.waitFor('Token is required.');
  await skydeck.type(token);
  await skydeck.press('enter');
  await skydeck.waitFor(/Servers +4711, 4712/);
  await skydeck.waitFor('Check what it contains before you accept it with a and Y.');
  await skydeck.press('a', 'Y');
  await skydeck.waitFor('Moves 2 servers to this account');
  await skydeck.press('enter');
  await skydeck.waitFor('Accept: ');
  expect(api.seen.filter(({ method }) => method === 'POST').map(({ path }) => path)).toEqual([
    `/account/entity-transfers/${token}/accept`,
  ]);
});

test('a verb tells of what lies in others where it does', async () => {
  const skydeck = await openSkydeck({ columns: 100, rows: 30, place: { area: 'nodebalancers' } });
  await skydeck.pointAt('web-lb ');
  await skydeck.press('enter', '2');
  await skydeck.waitFor(/web-3 [\s\S]* web-3 /);
  await skydeck.press(':');
  await skydeck.type('drain web-3');
  await skydeck.waitFor(/Drain web-3 of port 80 of web-lb +node +! asks/);
  await skydeck.waitFor(/Drain web-3 of port 443 of web-lb +node +! asks/);
});

test('a label in the place of an id leads to its row by one request', async () => {
  const skydeck = await openSkydeck({ columns: 100, rows: 30, place: { area: 'servers', id: 'web-1' } });
  await skydeck.waitFor(/› Servers › web-1[\s\S]*● running +web-1 /);
  const paths = skydeck.requests.map(({ path }) => path).filter((path) => path.startsWith('/server/instances'));
  expect(paths.slice(0, 2)).toEqual(['/server/instances', '/server/instances/48200101']);
  await skydeck.press('esc');
  await skydeck.waitFor('Servers  40');
});

test.each([
  ['volumes', 'nothing', 'No volume is called nothing; esc goes back.'],
  ['stackscripts', 'Docker host', 'Several StackScripts are called Docker host; esc goes back.'],
])('of %s, %s: %s', async (area, id, says) => {
  const skydeck = await openSkydeck({ place: { area, id } as never });
  await skydeck.waitFor(says);
});

/** An API that heeds no X-Filter, or refuses it, and has so many rows of a list. */
const unfiltered = (of: string, answers: 'heeds none' | 'refuses') =>
  startOtherApi(({ path, query, filter }) => {
    const [, id] = new RegExp(`^${of}/(\\d+)$`).exec(path) ?? [];
    const row = (nth: number) => ({ id: nth, label: `box-${nth}`, status: 'running', images: [] });
    if (id !== undefined) return JSON.stringify(row(Number(id)));
    if (path !== of) return undefined;
    if (filter && answers === 'refuses')
      return { status: 400, text: JSON.stringify({ errors: [{ field: 'X-Filter', reason: 'Cannot filter' }] }) };
    const page = Number(query.get('page') ?? 1);
    const data = Array.from({ length: page < 3 ? 100 : 40 }, (_, nth) => row((page - 1) * 100 + nth + 1));
    return JSON.stringify({ data, page, pages: 3, results: 240 });
  });

test.each(['heeds none', 'refuses'] as const)(
  'a label leads to its row where the API %s of a filter',
  async (answers) => {
    const demo = await unfiltered('/server/instances', answers);
    const skydeck = await openSkydeck({ demo, columns: 100, rows: 30, place: { area: 'servers', id: 'box-233' } });
    await skydeck.waitFor(/● running +box-233 /);
  },
);

test('a catalogue that the API does not filter is not read whole for a label', async () => {
  const demo = await unfiltered('/server/stackscripts', 'heeds none');
  await (await openSkydeck({ demo, place: { area: 'stackscripts', id: 'box-33' } })).waitFor(
    'The API finds no StackScript by its label; esc goes back.',
  );
  expect(demo.seen.filter(({ path }) => path === '/server/stackscripts')).toHaveLength(1);
});

test('a label that cannot be looked for is said with a way that goes on', async () => {
  const skydeck = await openSkydeck({ demo: { faults: ['errors:1'] }, place: { area: 'servers', id: 'web-1' } });
  await skydeck.waitFor((text) => /failed to handle GET .*esc goes back\./.test(text.replace(/\s+/g, ' ')));
});

test('what has only a name says by it why it does nothing here', async () => {
  const skydeck = await openSkydeck({ columns: 120, rows: 40, place: { area: 'servers' } });
  await skydeck.waitFor('api-1');
  await skydeck.press(':');
  await skydeck.type('preview');
  await skydeck.waitFor('❯ Show or hide the preview');
  await skydeck.press('enter');
  await skydeck.waitFor(/is not possible: the preview needs 150 columns; here are 120\.(?!\.)/);
});
