import { afterEach, beforeEach, expect, test } from 'vitest';
import { openConfigs } from './openConfigs.ts';
import { refusal, startOtherApi } from './otherApi.ts';
import { type SilentApi, startSilentApi } from './silentApi.ts';
import { openSkydeck, type Skydeck, type SkydeckOptions } from './skydeck.ts';

let silent: SilentApi;
beforeEach(async () => {
  silent = await startSilentApi();
});
afterEach(() => silent.close());

const api1 = '/server/instances/48200125';

async function openServer(options: SkydeckOptions = {}): Promise<Skydeck> {
  const place = { area: 'servers', id: '48200125' };
  const skydeck = await openSkydeck({ rows: 64, place, demo: silent, ...options });
  await skydeck.waitFor(/Servers › [\s\S]*Watchdog/);
  return skydeck;
}

async function edit(skydeck: Skydeck): Promise<void> {
  await skydeck.press('e');
  await skydeck.waitFor('── Edit ');
}

const isClosed = (title: string) => (frame: string) => !frame.includes(`── ${title}`);

test('what a colleague changes while a form is open or kept is neither reverted nor hidden', async () => {
  // Without another demo an event tells of what others do, and the row is read again.
  const skydeck = await openServer({ demo: { pace: 1, servers: 10 } });
  await skydeck.elsewhere('POST', '/server/instances/48200101/resize', { type: 'g6-standard-4' });
  await skydeck.press('ctrl-r');
  await edit(skydeck);
  await skydeck.fill('Label', 'api-one');
  await skydeck.elsewhere('PUT', api1, { watchdog_enabled: false, alerts: { io: 777 } });
  await skydeck.waitFor('Changed elsewhere meanwhile: Watchdog and Disk I/O.');
  await skydeck.waitFor(/Watchdog +no/);
  await skydeck.press('esc');
  await skydeck.waitFor(isClosed('Edit'));
  await skydeck.press('q');
  await skydeck.waitFor('A kept draft is lost when you quit (Edit api-1); q once more quits.');
  await skydeck.elsewhere('PUT', api1, { group: 'theirs' });
  await skydeck.waitFor(/Group +theirs/);

  await edit(skydeck);
  await skydeck.waitFor('Kept draft: it changes Label. ctrl-x starts over.');
  await skydeck.waitFor('Changed elsewhere meanwhile: Watchdog, Disk I/O and Group.');
  await skydeck.press('ctrl-p');
  await skydeck.waitFor(/PUT http[\s\S]*"label": "api-one"/);
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Edit: api-one');
  expect(skydeck.changes.map(({ body }) => body)).toEqual([{ label: 'api-one' }]);
  const row = await skydeck.elsewhere('GET', api1);
  expect(row).toMatchObject({ label: 'api-one', watchdog_enabled: false, group: 'theirs', alerts: { io: 777 } });
});

test('a change that no event has announced is seen before anything is sent: tags are merged, a field is asked about', async () => {
  const skydeck = await openServer();
  await edit(skydeck);
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Nothing changed.');
  expect(skydeck.changes).toEqual([]);
  await skydeck.fill('Tags', 'api, green');
  await skydeck.elsewhere('PUT', api1, { tags: ['api', 'prod', 'blue'], watchdog_enabled: false });
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Edit: api-1');
  expect(skydeck.changes.map(({ body }) => body)).toEqual([{ tags: ['api', 'blue', 'green'] }]);
  expect(await skydeck.elsewhere('GET', api1)).toMatchObject({ watchdog_enabled: false });

  await edit(skydeck);
  await skydeck.fill('Label', 'api-mine');
  await skydeck.fill('CPU', '200');
  await skydeck.elsewhere('PUT', api1, { label: 'api-theirs', alerts: { cpu: 100 } });
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(/Label +was api-1\n +t theirs +api-theirs *\n +m mine +api-mine/);
  await skydeck.waitFor(/CPU +was \d+%\n +t theirs +100% *\n +m mine +200%/);
  await skydeck.press('enter', 'm');
  await skydeck.waitFor(/✓ m mine +api-mine/);
  await skydeck.press('t');
  await skydeck.waitFor(/✓ t theirs +100%/);
  expect(skydeck.changes).toHaveLength(1);
  await skydeck.press('enter');
  await skydeck.waitFor('Edit: api-mine');
  expect(skydeck.changes.at(-1)?.body).toEqual({ label: 'api-mine' });
  expect(await skydeck.elsewhere('GET', api1)).toMatchObject({ label: 'api-mine', alerts: { cpu: 100 } });
});

test('a question which value goes ends with a sentence when the other change is taken back', async () => {
  const skydeck = await openServer({ demo: { pace: 1, servers: 10 } });
  await skydeck.elsewhere('POST', '/server/instances/48200101/resize', { type: 'g6-standard-4' });
  await skydeck.press('ctrl-r');
  await edit(skydeck);
  await skydeck.fill('Label', 'api-mine');
  await skydeck.elsewhere('PUT', api1, { label: 'api-theirs' });
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(/t theirs +api-theirs/);
  await skydeck.elsewhere('PUT', api1, { label: 'api-1' });
  await skydeck.waitFor(/The other change was undone, or is now the same as yours; nothing was\s+sent\./);
  expect(skydeck.changes).toEqual([]);
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Edit: api-mine');
  expect(skydeck.changes.map(({ body }) => body)).toEqual([{ label: 'api-mine' }]);
});

test('a preview shows what is sent, also where that changes while it is looked at; a refused look holds nothing up', async () => {
  let clock = Date.now();
  const skydeck = await openServer({ now: () => clock });
  await skydeck.elsewhere('PUT', api1, { tags: ['prod'] });
  await edit(skydeck);
  await skydeck.fill('Tags', 'api, prod, x y z');
  await skydeck.press('ctrl-p');
  await skydeck.waitFor(/"tags": \[[^\]]*"prod",\s+"x y z"\s+\]/);
  await skydeck.elsewhere('PUT', api1, { tags: ['prod', 'late'] });
  clock += 60_000;
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('It was changed elsewhere just now');
  await skydeck.waitFor(/"late"/);
  expect(skydeck.changes).toEqual([]);
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(/Edit: api/);
  expect(skydeck.changes.at(-1)?.body).toEqual({ tags: ['prod', 'late', 'x y z'] });

  silent.refused = /instances\/48200125$/;
  await edit(skydeck);
  await skydeck.fill('Group', 'mine');
  clock += 60_000;
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(/Not sent: could not check whether others have changed it\./);
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(isClosed('Edit'));
  expect(skydeck.changes.at(-1)?.body).toEqual({ group: 'mine' });
});

test('an image that became available while it was described stays available', async () => {
  const skydeck = await openSkydeck({ demo: { pace: 1, servers: 10 }, place: { area: 'images' } });
  await skydeck.waitFor('Images');
  const { data } = await skydeck.elsewhere('GET', '/server/instances/48200125/disks');
  const [disk] = data as { id: number }[];
  const image = await skydeck.elsewhere('POST', '/images', { disk_id: disk?.id, label: 'fresh' });
  await skydeck.press('ctrl-r');
  await skydeck.pointAt('fresh');
  await edit(skydeck);
  await skydeck.waitFor(/Status +. creating/);
  await skydeck.fill('Description', 'nightly');
  await skydeck.elsewhere('PUT', `/images/${image.id}`, { status: 'available' });
  await skydeck.waitFor(/Status +. available[\s\S]*Changed elsewhere meanwhile: Status\./);
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Edit: fresh');
  expect(skydeck.changes.map(({ body }) => body)).toEqual([{ description: 'nightly' }]);
});

test('a form whose row cannot be changed any more says why and stays, with what was typed', async () => {
  const skydeck = await openSkydeck({
    columns: 120,
    rows: 40,
    demo: { pace: 1, servers: 10 },
    place: { area: 'volumes' },
  });
  await skydeck.waitFor('photos-old');
  const { data } = await skydeck.elsewhere('GET', '/volumes?page_size=100');
  const volume = (data as { id: number; label: string }[]).find(({ label }) => label === 'photos-old');
  await skydeck.pointAt('photos-old');
  await skydeck.press('a', 'A');
  await skydeck.waitFor('── Attach photos-old to a server');
  await skydeck.pick('Server', 'api-2');
  await skydeck.elsewhere('POST', `/volumes/${volume?.id}/attach`, { server_id: 48200128 });
  await skydeck.hear();
  await skydeck.waitFor(/photos-old .* api-2 /);
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(/── Attach photos-old to a server[\s\S]*detach it first/);
  expect(skydeck.changes).toEqual([]);
});

test('a row that is opened is shown as it is now, not as its list had it', async () => {
  const skydeck = await openSkydeck({ demo: silent, rows: 40, place: { area: 'volumes' } });
  await skydeck.waitFor('archive-2023');
  const { data } = await skydeck.elsewhere('GET', '/volumes');
  const [volume] = (data as { id: number; label: string }[]).filter(({ label }) => label === 'archive-2023');
  await skydeck.elsewhere('PUT', `/volumes/${volume?.id}`, { label: 'archive-2024' });
  await skydeck.pointAt('archive-2023');
  await skydeck.press('enter');
  await skydeck.waitFor(/Volumes › archive-2024[\s\S]*● active {2}archive-2024/);
  await skydeck.press('esc');
  await skydeck.waitFor(() => skydeck.cursorLine().includes('archive-2024'));
});

test('tags of marked rows are worked out from the rows as they are now, also where the list of tags is refused', async () => {
  silent.refused = /\/tags$/;
  const skydeck = await openSkydeck({ demo: silent, rows: 40, place: { area: 'volumes' } });
  await skydeck.waitFor('archive-2023');
  const { data } = await skydeck.elsewhere('GET', '/volumes');
  const chosen = (data as { id: number; label: string; tags: string[] }[]).slice(0, 2);
  for (const { id, label } of chosen) {
    await skydeck.elsewhere('PUT', `/volumes/${id}`, { tags: ['on call', 'kept'] });
    await skydeck.pointAt(label);
    await skydeck.press('space');
  }
  const reads = () => skydeck.requests.filter(({ path }) => path === '/volumes').length;
  const before = reads();
  await skydeck.press('ctrl-r');
  await expect.poll(reads, { timeout: 5000 }).toBeGreaterThan(before);
  for (const { id } of chosen) await skydeck.elsewhere('PUT', `/volumes/${id}`, { tags: ['on call', 'kept', 'late'] });
  await skydeck.press('a', '-');
  await skydeck.waitFor('── Remove tags from 2 volumes');
  await skydeck.press('enter');
  await skydeck.waitFor(/── Tags to remove[\s\S]*kept[\s\S]*on call/);
  await skydeck.pointAt('on call');
  await skydeck.press('space', 'enter');
  await skydeck.waitFor(/Tags to remove \* +. on call/);
  await skydeck.sendToAll();
  await skydeck.waitFor('Remove tags: all 2 done');
  for (const { body } of skydeck.changes) expect(body).toEqual({ tags: ['kept', 'late'] });
});

test('a rebuild sends the config and its nodes as they are now, with what was planned, and says what both changed', async () => {
  const skydeck = await openSkydeck({ demo: silent, columns: 118, rows: 40, place: { area: 'nodebalancers' } });
  await skydeck.waitFor('web-lb');
  await skydeck.pointAt('web-lb');
  await skydeck.press('enter', '2');
  await skydeck.waitFor(/❯ +✗ down +web-old/);
  await skydeck.pointAt('port 80 ');
  await skydeck.press('a', 'R');
  await skydeck.waitFor(/keep +web-old/);
  await skydeck.press('g', 'm');
  await skydeck.waitFor(/update +web-1 .*accept → reject/);

  const list = async (path: string) =>
    (await skydeck.elsewhere('GET', path)).data as { id: number; label: string; port: number }[];
  const [balancer] = (await list('/nodebalancers')).filter(({ label }) => label === 'web-lb');
  const [config] = (await list(`/nodebalancers/${balancer?.id}/configs`)).filter(({ port }) => port === 80);
  const path = `/nodebalancers/${balancer?.id}/configs/${config?.id}`;
  const nodes = await list(`${path}/nodes`);
  const of = (label: string) => `${path}/nodes/${nodes.find((node) => node.label === label)?.id}`;
  await skydeck.elsewhere('PUT', path, { algorithm: 'source' });
  await skydeck.elsewhere('PUT', of('web-old'), { mode: 'drain' });
  await skydeck.elsewhere('PUT', of('web-1'), { mode: 'backup' });
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Changed elsewhere too: web-1 (mode backup). Send again to keep this plan');
  expect(skydeck.changes).toEqual([]);
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('updates web-1 (mode backup → reject); keeps 7 nodes.');
  await skydeck.press('enter');
  await skydeck.waitFor('Rebuild: port 80');
  expect(skydeck.changes.at(-1)).toMatchObject({
    method: 'POST',
    body: {
      algorithm: 'source',
      nodes: expect.arrayContaining([
        expect.objectContaining({ label: 'web-1', mode: 'reject' }),
        expect.objectContaining({ label: 'web-old', mode: 'drain' }),
      ]),
    },
  });
});

test('the access of a bucket goes as far as it was touched, and a contact needs a name or an email', async () => {
  const skydeck = await openSkydeck({ demo: silent, columns: 100, rows: 40, place: { area: 'buckets' } });
  await skydeck.waitFor('Buckets  5');
  await skydeck.pointAt('db-backups');
  await skydeck.press('e');
  await skydeck.waitFor(/── Set the access to us-east-1\/db-backups[\s\S]*private[\s\S]*CORS +.*no/);
  await skydeck.elsewhere('POST', '/object-storage/buckets/us-east-1/db-backups/access', { acl: 'authenticated-read' });
  await skydeck.choose('CORS', 'yes');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Set the access: us-east-1/db-backups');
  expect(skydeck.changes.map(({ body }) => body)).toEqual([{ cors_enabled: true }]);

  await skydeck.goTo('managed contacts');
  await skydeck.press('n');
  await skydeck.waitFor('── New managed contact');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Name: enter a name or an email address.');
  await skydeck.fill('Name', 'Night desk');
  await skydeck.press('esc');
  await skydeck.press('n');
  await skydeck.waitFor('Kept draft: it fills in Name. ctrl-x starts over.');
  // Nothing that is entered now was kept.
  await skydeck.fill('Email', 'night@example.com');
  await skydeck.waitFor(/Email +✓ night@example.com/);
  await skydeck.waitFor('Kept draft: it fills in Name. ctrl-x starts over.');
  expect(skydeck.changes).toHaveLength(1);
});

test('a row that a colleague renames while its deletion is confirmed is not deleted under its old name', async () => {
  const skydeck = await openSkydeck({ place: { area: 'volumes' }, demo: silent, columns: 120 });
  await skydeck.waitFor('archive-2023');
  await skydeck.pointAt('archive-2023');
  await skydeck.press('d');
  await skydeck.waitFor('Type archive-2023 to confirm');
  const { data } = await skydeck.elsewhere('GET', '/volumes');
  const volume = (data as { id: number; label: string }[]).find(({ label }) => label === 'archive-2023');
  await skydeck.elsewhere('PUT', `/volumes/${volume?.id}`, { label: 'prod-db-now' });
  await skydeck.type('archive-2023');
  await skydeck.press('enter');
  await skydeck.waitFor(
    /archive-2023 is called prod-db-now now, so nothing was sent:\s+look at it, then do it again\./,
  );
  expect(skydeck.changes).toEqual([]);
});

test('what goes along with a rebuild or a cancellation is what it was when it was confirmed', async () => {
  const skydeck = await openSkydeck({ demo: silent, columns: 118, rows: 40, place: { area: 'nodebalancers' } });
  await skydeck.waitFor('web-lb');
  await skydeck.pointAt('web-lb');
  await skydeck.press('enter', '2');
  await skydeck.waitFor('web-old');
  await skydeck.pointAt('port 80 ');
  await skydeck.press('a', 'R');
  await skydeck.waitFor(/keep +web-old/);
  await skydeck.press('g', 'm', 'ctrl-s');
  await skydeck.waitFor('keeps 7 nodes.');
  const list = async (path: string) =>
    (await skydeck.elsewhere('GET', path)).data as { id: number; label: string; port: number }[];
  const [balancer] = (await list('/nodebalancers')).filter(({ label }) => label === 'web-lb');
  const [config] = (await list(`/nodebalancers/${balancer?.id}/configs`)).filter(({ port }) => port === 80);
  const nodes = `/nodebalancers/${balancer?.id}/configs/${config?.id}/nodes`;
  const { id } = await skydeck.elsewhere('POST', nodes, { label: 'web-late', address: '192.168.200.9:80' });
  await skydeck.press('enter');
  await skydeck.waitFor(/What goes along with it has changed meanwhile, so nothing was sent:\s+look at it, then do/);
  await skydeck.elsewhere('DELETE', `${nodes}/${id}`);

  await skydeck.press('esc');
  await skydeck.goTo('object storage');
  await skydeck.waitFor('of the 1 TiB');
  await skydeck.press('a');
  await skydeck.waitFor('Cancel object storage');
  await skydeck.press('X');
  await skydeck.waitFor('All 5 buckets');
  await skydeck.elsewhere('POST', '/object-storage/buckets', { label: 'made-late', cluster: 'us-east-1' });
  await skydeck.type('object storage');
  await skydeck.press('enter');
  await skydeck.waitFor(/What goes along with it has changed meanwhile, so nothing was sent:/);
  await skydeck.press('a', 'X');
  await skydeck.waitFor('All 6 buckets');
  expect(skydeck.changes).toEqual([]);
  await skydeck.elsewhere('DELETE', '/object-storage/buckets/us-east-1/made-late');
});

test('a port whose nodes cannot be read is not rebuilt, which would replace them by none', async () => {
  const isNodes = (path: string) => path.endsWith('/nodes');
  const demo = await startOtherApi(({ method, path }) =>
    method === 'GET' && isNodes(path) ? refusal(400, 'Not now.') : undefined,
  );
  const skydeck = await openConfigs('web-lb', { demo });
  await skydeck.pointAt(' 80 ');
  await skydeck.press('a', 'R');
  await skydeck.waitFor(/── Rebuild port 80[\s\S]*stickiness table/);
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Nodes: they could not be read, and are replaced by those of this plan');
  await skydeck.press('enter', 'ctrl-s');
  await skydeck.waitFor('Nodes: they could not be read');
  expect(skydeck.changes).toEqual([]);
});
