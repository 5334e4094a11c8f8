import { expect, test } from 'vitest';
import type { Configuration } from '../../src/config/configuration.ts';
import { refusal, startOtherApi } from './otherApi.ts';
import { openSkydeck, type Skydeck, type SkydeckOptions } from './skydeck.ts';

type Guard = Configuration['guards'][number];

const reason = 'Production is changed by the pipeline.';
const prod: Guard = { for: 'servers', where: 'tag:prod', actions: ['delete', 'shutdown'], reason };

/** The text as it is before it is broken into lines. */
const unwrapped = (text: string) => text.replace(/[│\s]+/g, ' ');

async function openGuarded(guards: readonly Guard[], options: SkydeckOptions = {}): Promise<Skydeck> {
  const skydeck = await openSkydeck({
    rows: 50,
    columns: 100,
    place: { area: 'servers' },
    ...options,
    configuration: { guards: [...guards] },
  });
  await skydeck.waitFor(options.place?.id === undefined ? 'api-1' : 'web-1');
  return skydeck;
}

/** Marks twenty servers, of which fifteen have the tag prod. */
async function markTwenty(skydeck: Skydeck): Promise<void> {
  await skydeck.press('/');
  await skydeck.type('label:/^(web|api|batch|vpn|mail)/');
  await skydeck.press('enter');
  await skydeck.waitFor('Servers  20 of 40');
  await skydeck.press('*');
  await skydeck.waitFor('marked 20');
}

test('of twenty marked servers those that are guarded are left out and told', async () => {
  const skydeck = await openGuarded([{ ...prod, deny: true }]);
  await markTwenty(skydeck);
  await skydeck.press('d');
  await skydeck.waitFor('── Delete 5 of 20 servers');
  await skydeck.waitFor('15 skipped: guarded (15)');
  await skydeck.type('5 servers');
  await skydeck.press('tab');
  await skydeck.waitFor('api-1 is guarded: Production is changed by the pipeline');
  await skydeck.press('enter');
  await skydeck.waitFor('Delete 5 servers: all done');
  expect(skydeck.changes).toHaveLength(5);
  await skydeck.waitFor('marked 15');
  // None of those that are left can be deleted, so that it is said at once.
  await skydeck.press('d');
  await skydeck.waitFor(
    /api-1 is guarded: Production is changed by the pipeline; the other 14 are refused as\s+well\./,
  );
  expect(skydeck.changes).toHaveLength(5);
});

test('more rows at once than a guard allows are refused as a whole', async () => {
  const skydeck = await openGuarded([{ ...prod, at_most: 5 }]);
  await markTwenty(skydeck);
  await skydeck.press('d');
  const tooMany = 'hese are 15 servers, and a guard allows 5 at once: Production is changed by the pipeline';
  await skydeck.waitFor(`T${tooMany}`);
  await skydeck.press('a');
  await skydeck.waitFor('── Actions on 20 servers');
  await skydeck.press('D');
  await skydeck.waitFor(`t${tooMany.slice(0, 40)}`);
  await skydeck.press('esc', 'esc', 'esc');
  await skydeck.waitFor('Servers  40 ');
  await skydeck.pointAt('api-1 ');
  await skydeck.press('d');
  await skydeck.waitFor('Type api-1 to confirm');
  expect(skydeck.changes).toEqual([]);
});

test('the label is typed where a guard asks for it, in questions, forms and of what else is sent at once', async () => {
  const skydeck = await openGuarded([{ where: 'tag:prod', actions: ['*'], ask: 'label', reason }]);
  await skydeck.pointAt('web-1 ');
  await skydeck.press('a');
  await skydeck.waitFor(/S {2}Shut down +! type the label/);
  await skydeck.press('S');
  await skydeck.waitFor('Guarded: Production is changed by the pipeline.');
  await skydeck.press('enter');
  await skydeck.waitFor('Type web-1 first');
  expect(skydeck.changes).toEqual([]);
  await skydeck.type('web-1');
  await skydeck.press('enter');
  await skydeck.waitFor('Shut down: web-1');
  await skydeck.press('e');
  await skydeck.fill('Label', 'web-9');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Type web-1 to confirm');
  await skydeck.type('web-1');
  await skydeck.press('enter');
  await skydeck.waitFor('Edit: web-9');
  expect(skydeck.changes.map(({ method }) => method)).toEqual(['POST', 'PUT']);
  // A row that is free is changed as ever.
  await skydeck.pointAt('vpn ');
  await skydeck.press('e');
  await skydeck.fill('Label', 'vpn-2');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Edit: vpn-2');
});

test.each([
  [80, 24],
  [60, 16],
])('at %i×%i a guarded action is greyed with its reason', async (columns, rows) => {
  const all: Guard = { actions: ['delete', 'create'], deny: true, reason };
  const skydeck = await openGuarded([all], { columns, rows });
  await skydeck.press('a');
  await skydeck.type('dele');
  await skydeck.waitFor(/Delete +api-1 is guarded/);
  await skydeck.press('enter');
  await skydeck.waitFor((text) => unwrapped(text).includes('api-1 is guarded: Production is changed by the pipeline'));
  await skydeck.press('esc', 'n');
  await skydeck.waitFor('new server is guarded: Production');
  await skydeck.press(':');
  await skydeck.waitFor('Go to ─');
  await skydeck.type('new volume');
  await skydeck.waitFor(/New volume +create +a new volume/);
  await skydeck.waitFor((text) => unwrapped(text).includes('a new volume is guarded: Production'));
  await skydeck.press('esc');
  expect(skydeck.changes).toEqual([]);
});

test('a row that was read a while ago is read again first; where that is refused, nothing is sent', async () => {
  let isRefused = false;
  const api = await startOtherApi(({ method, path }) =>
    isRefused && method === 'GET' && /\/instances(\/\d+)?$/.test(path)
      ? refusal(403, 'You may not look at it.')
      : undefined,
  );
  let ahead = 0;
  const id = '48200101';
  const skydeck = await openGuarded([{ ...prod, where: 'tag:secret', deny: true }], {
    demo: api,
    place: { area: 'servers', id },
    now: () => Date.now() + ahead,
  });
  const shutDown = async () => {
    await skydeck.press('a');
    await skydeck.waitFor('── Actions on web-1');
    await skydeck.press('S');
    await skydeck.waitFor('Shut down?');
    await skydeck.press('enter');
  };
  isRefused = true;
  ahead = 20_000;
  await shutDown();
  await skydeck.waitFor((text) =>
    unwrapped(text).includes(
      'It is not known whether web-1 is guarded (tag:secret), so nothing was sent: the server could not be read',
    ),
  );
  await skydeck.waitFor('You may not look at it');
  expect(api.seen.filter(({ method }) => method !== 'GET')).toEqual([]);
  const before = api.seen.length;
  isRefused = false;
  await shutDown();
  await skydeck.waitFor(/Shut down: web-1, begun *\n/);
  const since = api.seen.slice(before);
  const change = since.findIndex(({ method }) => method === 'POST');
  const reading = since.findIndex(({ path, status }) => /\/instances(\/\d+)?$/.test(path) && status === 200);
  expect(reading).toBeGreaterThanOrEqual(0);
  expect(reading).toBeLessThan(change);
});
