import { expect, test } from 'vitest';
import { version } from '../api/server.ts';
import { blankRecord } from '../resources/blankRecord.ts';
import { refusal, startOtherApi } from './otherApi.ts';
import { openSkydeck, type Skydeck, type SkydeckOptions } from './skydeck.ts';

/** Marks rows of an area, all of the domains by default, and opens the actions on them. */
async function openActions(options: SkydeckOptions = {}, area = 'domains', rows: readonly string[] = []) {
  const skydeck = await openSkydeck({ columns: 120, rows: 50, place: { area }, ...options });
  if (rows.length === 0) {
    await skydeck.waitFor('example.com');
    await skydeck.press('*');
  }
  for (const row of rows) {
    await skydeck.waitFor(row);
    await skydeck.pointAt(row);
    await skydeck.press('space');
  }
  await skydeck.press('a');
  await skydeck.waitFor('── Actions on');
  return skydeck;
}

/** Opens the form of one record for all domains, and fills it in. */
async function openRecord(options: SkydeckOptions = {}): Promise<Skydeck> {
  const skydeck = await openActions(options);
  await skydeck.press('esc');
  return fillRecord(skydeck, []);
}

async function fillRecord(skydeck: Skydeck, marks = ['*']): Promise<Skydeck> {
  await skydeck.press(...marks, 'a', 'R');
  await skydeck.waitFor('── New record in');
  await skydeck.pick('Type', 'TXT');
  await skydeck.fill('Name', '_check');
  await skydeck.fill('Target', 'site=1');
  return skydeck;
}

const sentTo = ({ changes }: Skydeck, wanted = 'POST') =>
  changes.flatMap(({ method, path }) => (method === wanted ? [path] : [])).toSorted();

const recordsOf = (...ids: readonly number[]) => ids.map((id) => `/domains/${id}/records`);

test('one record is added to each marked domain but those that have it; one that fails stays marked, and u takes the others back', async () => {
  const [have, fail] = recordsOf(1480204, 1480216);
  const api = await startOtherApi(
    () => undefined,
    ({ method, path }) => (method === 'POST' && path === fail ? refusal(400, 'Too many records') : undefined),
  );
  await fetch(`${api.url}${version}${have}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${api.tokens.full}`, 'content-type': 'application/json' },
    body: JSON.stringify({ type: 'TXT', name: '_check', target: 'site=1' }),
  });
  const skydeck = await openRecord({ demo: api });
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('── New record in 4 of 6 domains');
  await skydeck.waitFor(/Target: site=1[\s\S]*2 skipped: /);
  await skydeck.press('tab');
  await skydeck.waitFor('example.net: has the same record already');
  await skydeck.waitFor('partner.example is a slave, so its records are those of its masters');
  for (const row of ['example.com', 'old-shop.example', 'shop.example', 'status.example'])
    await skydeck.waitFor(new RegExp(`│ +${row} +master `));
  await skydeck.press('ctrl-p');
  await skydeck.waitFor(/POST \S+\/domains\/1480201\/records[\s\S]*and the same for 3 more/);
  await skydeck.press('esc', 'end', 'enter');
  await skydeck.waitFor('── New record: 3 of 4 done, 1 failed; these stay marked');
  await skydeck.waitFor(/✗ TXT _check in zone old-shop\.example +Too many records/);
  expect(sentTo(skydeck)).toEqual(recordsOf(1480201, 1480207, 1480210, 1480216));
  await skydeck.press('esc');
  await skydeck.waitFor('marked 3');

  // The form of the one that is left starts with what was typed.
  await skydeck.press('esc');
  await skydeck.pointAt('old-shop.example');
  await skydeck.press('a', 'R');
  await skydeck.waitFor(/── New record {2}[\s\S]*Target \* +✓? *site=1/);
  await skydeck.press('esc', 'u');
  await skydeck.waitFor(/Delete TXT _check in zone example\.com[\s\S]*3 of 3 changes/);
  await skydeck.press('end', 'enter');
  await expect.poll(() => sentTo(skydeck, 'DELETE').length, { timeout: 20_000 }).toBe(3);
});

test('records that were read before are read again first, so that one added elsewhere since is not made twice', async () => {
  const skydeck = await openSkydeck({ columns: 120, rows: 50, place: { area: 'domains' } });
  await skydeck.waitFor('example.net');
  await skydeck.pointAt('example.net');
  await skydeck.press('enter');
  await skydeck.waitFor(/› example\.net[\s\S]*Records {2}\d/);
  await skydeck.press('esc');
  await skydeck.waitFor('Domains  6');
  await skydeck.elsewhere('POST', '/domains/1480204/records', { type: 'TXT', name: '_check', target: 'site=1' });
  await fillRecord(skydeck);
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('enter do it');
  await skydeck.waitFor('── New record in 4 of 6 domains');
});

test('one reply goes to each of three marked tickets, and has a line of its own in the journal', async () => {
  const rows = ['search does not answer', 'The card on file', 'More than 50 servers'];
  const skydeck = await openActions({}, 'tickets', rows);
  await skydeck.press('R');
  await skydeck.waitFor('── Reply to 3 tickets');
  await skydeck.paste('Is there any news?\nWe wait for it.');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('── Reply to 3 of 3 tickets');
  await skydeck.waitFor('Reply: 2 lines: Is there any news? We wait for it.');
  await skydeck.waitFor('Cannot be taken back: a reply cannot be deleted.');
  for (const row of rows) await skydeck.waitFor(new RegExp(`│ +${row}`));
  await skydeck.press('end', 'enter');
  await skydeck.waitFor('Reply: all 3 done');
  expect(skydeck.changes.map(({ body }) => body)).toEqual(
    Array(3).fill({ description: 'Is there any news?\nWe wait for it.' }),
  );
  await skydeck.press('J');
  for (const row of rows) await skydeck.waitFor(new RegExp(`done +demo +Reply +${row}`));
  await skydeck.press('u');
  await skydeck.waitFor('Reply (More than 50 servers, please) cannot be taken back: a reply cannot be deleted.');
});

test('a guard of what is made below leaves rows out', async () => {
  const guard = { where: 'tag:shop', actions: ['create'], deny: true, reason: 'Ask the shop.' } as const;
  const skydeck = await openRecord({ configuration: { guards: [guard] } });
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('── New record in 4 of 6 domains');
  await skydeck.press('tab');
  await skydeck.waitFor('shop.example is guarded: Ask the shop');
});

test('a session that may send nothing plans it', async () => {
  const skydeck = await openRecord({ readOnly: true });
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Read-only: nothing is sent; ctrl-a puts it into the plan.');
  await skydeck.press('ctrl-a');
  await skydeck.waitFor('5 steps are in the plan: New record in 5 domains');
  await skydeck.waitFor(/1 left out: partner\.example is a slave/);
  await skydeck.press(':');
  await skydeck.type('plan');
  await skydeck.press('enter');
  await skydeck.waitFor(/New record TXT _check in zone example\.com/);
  expect(skydeck.changes).toEqual([]);
});

test('one by one it is done as a part of the plan, and each row is unmarked once it is', async () => {
  const skydeck = await openRecord();
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('── New record in 5 of 6 domains');
  await skydeck.press('ctrl-o');
  await skydeck.waitFor('How ❯one by one');
  await skydeck.press('end', 'enter');
  await skydeck.waitFor('New record in 5 domains: all done; u takes them back');
  await skydeck.waitFor('marked 1');
  expect(sentTo(skydeck)).toEqual(recordsOf(1480201, 1480204, 1480207, 1480210, 1480216));
});

test.each([2, 200])(
  'of %i domains each is in the question, its records are read once it is sent, and each gets one',
  async (count) => {
    const domains = Array.from({ length: count }, (_, nth) => ({
      ...{ id: nth + 1, domain: `zone-${nth + 1}.example.com`, type: 'master', status: 'active', tags: [], ttl_sec: 0 },
    }));
    const page = (data: readonly object[]) => JSON.stringify({ data, page: 1, pages: 1, results: data.length });
    const api = await startOtherApi(({ method, path, sent }) => {
      if (path === '/domains') return page(domains);
      if (!path.endsWith('/records')) return undefined;
      return method === 'GET' ? page([]) : JSON.stringify({ id: 7, ...blankRecord, ...JSON.parse(sent) });
    });
    const skydeck = await openRecord({ demo: api });
    const all = recordsOf(...domains.map(({ id }) => id)).toSorted();
    const read = () => api.seen.map(({ path }) => path).filter((path) => path.endsWith('/records'));
    // The form needs none of them.
    expect(read()).toEqual([]);
    await skydeck.press('ctrl-s');
    await skydeck.waitFor(`── New record in ${count} of ${count} domains`);
    expect(read().toSorted()).toEqual(all);
    if (count > 2) await skydeck.waitFor('pagedown the rest first');
    await skydeck.press('end');
    await skydeck.waitFor(new RegExp(`zone-${count}\\.example\\.com[\\s\\S]*enter do it`));
    await skydeck.press('enter');
    await skydeck.waitFor(`New record: all ${count} done`);
    expect(sentTo(skydeck)).toEqual(all);
  },
);

test('one port is opened at each marked NodeBalancer that has none of that number', async () => {
  const skydeck = await openActions({}, 'nodebalancers', ['api-lb', 'db-read', 'staging-lb']);
  await skydeck.press('C');
  await skydeck.waitFor('── New config of 3 NodeBalancers');
  await skydeck.fill('Port', '443');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('── New config of 2 of 3 NodeBalancers');
  await skydeck.waitFor('Port: 443');
  await skydeck.press('tab');
  await skydeck.waitFor('api-lb: Port: port 443 already has a config.');
  await skydeck.press('end', 'enter');
  await skydeck.waitFor('New config: all 2 done');
  expect(sentTo(skydeck)).toEqual(['/nodebalancers/18309/configs', '/nodebalancers/18313/configs']);
});
