import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Demo } from '../../src/demo/server.ts';
import { refusal, startOtherApi } from './otherApi.ts';
import { openSkydeck, type Skydeck, startQuietDemo } from './skydeck.ts';

let demo: Demo;
beforeAll(async () => {
  demo = await startQuietDemo();
});
afterAll(() => demo.close());

/** Types into the palette until this stands under its cursor, and chooses it. */
async function choose(skydeck: Skydeck, typed: string, wanted: string | RegExp): Promise<void> {
  await skydeck.press(':');
  await skydeck.type(typed);
  await skydeck.waitFor(() => skydeck.cursorLine().match(wanted) !== null);
  await skydeck.press('enter');
}

test('a server is found by its address with two keys, and two places in turns with two', async () => {
  const skydeck = await openSkydeck({ demo, columns: 100, rows: 30, place: { area: 'servers' } });
  await skydeck.waitFor('api-1');
  await skydeck.press(':');
  await skydeck.type('192.0.2.12');
  await skydeck.waitFor(() => /web-3 +server +192\.0\.2\.12 /.test(skydeck.cursorLine()));
  await skydeck.waitFor(/1 of \d+ things|2 of \d+ things/);
  await skydeck.press('enter');
  await skydeck.waitFor('Servers › web-3');

  await skydeck.press(':', 'enter');
  await skydeck.waitFor(/Servers {2}40/);
  await skydeck.press(':', 'enter');
  await skydeck.waitFor('Servers › web-3');
  await choose(skydeck, 'tag:web', /Servers tag:web +filter/);
  await skydeck.waitFor(/filter: tag:web[\s\S]*web-1/);
  await skydeck.goTo('volumes');
  await skydeck.press(':');
  await skydeck.waitFor(/Go to[\s\S]*❯ Servers +area +filter: tag:web[\s\S]*web-3 +server/);
  await skydeck.press('enter');
  await skydeck.waitFor(/Servers {2}8 of 40/);
});

test('a name that is typed without waiting among thousands of rows is gone to', async () => {
  const skydeck = await openSkydeck({ demo: { servers: 3000 }, columns: 100, rows: 30, place: { area: 'servers' } });
  await skydeck.waitFor(/Servers {2}3\D?000 /, { timeoutMs: 20_000 });
  await skydeck.type(':web-40');
  await skydeck.press('enter');
  await skydeck.waitFor(/Servers › web-40\b/);
});

test('one more like a row is begun by its name, and a replacement goes on in the line', async () => {
  const skydeck = await openSkydeck({ demo, place: { area: 'servers' } });
  await skydeck.waitFor('api-1');
  await choose(skydeck, 'replace', 'Replace a target in the records of all domains');
  await skydeck.waitFor(/── Go to[\s\S]*replace +/);
  await skydeck.type('192.0.2.10 by 198.51.100.7');
  await skydeck.waitFor(() => skydeck.cursorLine().includes('Replace 192.0.2.10 by 198.51.100.7 in the records'));
  await skydeck.press('esc');
  await choose(skydeck, 'like web-8', 'New server like web-8');
  await skydeck.waitFor('── New server');
  await skydeck.waitFor(/Region \* +us-east/);
  expect(skydeck.changes).toEqual([]);
});

test('a verb and a name do it from anywhere, with the question of the key', async () => {
  const skydeck = await openSkydeck({ demo, columns: 100, rows: 30 });
  await choose(skydeck, 'volumes', 'Volumes');
  await skydeck.waitFor(/Volumes {2}24/);
  await choose(skydeck, 'resz web5', /Resize web-5 +server .* a Z/);
  await skydeck.waitFor('Servers › web-5');
  await skydeck.waitFor('── Resize web-5');
  await skydeck.press('esc');
  await choose(skydeck, 'graphs web-5', /Graphs of web-5/);
  await skydeck.waitFor(/\[Graphs\]| Graphs /);
  await choose(skydeck, 'json', /JSON of web-5 .* 9/);
  await skydeck.waitFor('"label": "web-5"');
});

test.each([
  [200, 60],
  [120, 40],
  [80, 24],
])('at %i×%i Home keeps its layout beneath it', async (columns, rows) => {
  const skydeck = await openSkydeck({ demo, columns, rows });
  await skydeck.waitFor(/Problems {2}✗ 4 critical +! \d+ warnings +○ 3\d notices/);
  const placeOf = (title: string) =>
    skydeck
      .text()
      .split('\n')
      .map((line, row) => [row, line.indexOf(` ${title}`)])
      .find(([, column = -1]) => column >= 0);
  await skydeck.press(':');
  await skydeck.waitFor('── Go to');
  const titles = columns < 200 ? ['Happening now'] : ['Happening now', 'Activity'];
  const beneath = titles.map(placeOf);
  expect(beneath).not.toContain(undefined);
  await skydeck.press('esc');
  await skydeck.waitFor(() => !skydeck.text().includes('Go to ─') && placeOf('Servers') !== undefined);
  expect(titles.map(placeOf)).toEqual(beneath);
});

test('verbs are offered on marked rows, on the row under the cursor and on a problem', async () => {
  const skydeck = await openSkydeck({ demo, columns: 100, rows: 40, place: { area: 'volumes' } });
  await skydeck.pointAt('archive-2023');
  await skydeck.press(':');
  await skydeck.type('delete');
  await skydeck.waitFor(/Delete archive-2023 +volume .* d/);
  await skydeck.press('esc', 'space', 'space', 'space');
  await skydeck.waitFor('marked 3');
  await skydeck.press(':');
  await skydeck.type('clone');
  await skydeck.waitFor(/\d+ of \d+ things/);
  expect(skydeck.text()).not.toContain('Clone 3 volumes');
  await skydeck.press('ctrl-u');
  await skydeck.type('delete');
  await skydeck.waitFor(() => /Delete 3 volumes +volumes +! type 3 volumes/.test(skydeck.cursorLine()));
  await skydeck.press('enter');
  await skydeck.waitFor(/── Delete \d of 3 volumes/);
  await skydeck.press('esc');

  await choose(skydeck, 'home', /Home/);
  await skydeck.waitFor('batch-4 is offline');
  await skydeck.pointAt('batch-4 is offline');
  await skydeck.press(':');
  await skydeck.type('boot batch');
  await skydeck.waitFor(/Boot batch-4 into rescue +server/);
  await skydeck.press('ctrl-u');
  await skydeck.type('fix');
  await skydeck.waitFor(() => /Configs of batch-4 +remedy .* f/.test(skydeck.cursorLine()));
  await skydeck.press('enter');
  await skydeck.waitFor('Servers › batch-4');
});

test('commands and themes are offered with their keys, and a theme is there at once', async () => {
  const skydeck = await openSkydeck({ demo, columns: 100, rows: 30, place: { area: 'servers' } });
  await skydeck.waitFor('api-1');
  await choose(skydeck, 'theme mono', 'Theme mono');
  await skydeck.waitFor((frame) => !frame.includes('Go to ─'));
  await skydeck.press(':');
  await skydeck.type('theme mono');
  await skydeck.waitFor(/Theme mono +theme +current/);
  await skydeck.press('esc');
  for (const [typed, key, there] of [
    ['copy', 'c', '── Copy'],
    ['sort', 's', '── Sort by'],
    ['filter', '/', 'enter accept'],
  ] as const) {
    await choose(skydeck, typed, new RegExp(` ${key === '/' ? '/' : key} *(│|$)`));
    await skydeck.waitFor(there);
    await skydeck.press('esc');
  }
  for (const [typed, there] of [
    ['journal', /Sent from here \d/],
    ['audit', /Nothing was sent from here yet/],
    ['changes', /Nothing was sent from here yet/],
    ['notices', 'There are no messages yet.'],
    ['changed', 'Nothing has changed in the lists'],
    ['running', 'Nothing has been changed or transferred'],
  ] as const) {
    await skydeck.press(':');
    await skydeck.type(typed);
    await skydeck.press('enter');
    await skydeck.waitFor(there);
  }
  await choose(skydeck, 'quit', /Quit .* q/);
  await skydeck.quit;
});

test('read-only, of changes only what can be planned is offered', async () => {
  const skydeck = await openSkydeck({ demo, columns: 100, rows: 30, readOnly: true, place: { area: 'servers' } });
  await skydeck.waitFor('api-1');
  for (const [typed, found, pane] of [
    ['resize api-1', /❯ Resize api-1 .*into the plan/, '── Resize api-1'],
    ['delete web-3', /❯ Delete web-3 .*into the plan/, '── Delete?'],
    ['new server', /❯ New server/, '── New server'],
  ] as const) {
    await choose(skydeck, typed, found);
    await skydeck.waitFor((frame) => frame.includes(pane) && /\n ctrl-a plan /.test(frame));
    await skydeck.press('esc');
    await skydeck.waitFor((frame) => !frame.includes(pane));
  }
  await skydeck.goTo('object storage keys');
  await skydeck.waitFor('deploy-assets');
  await skydeck.press(':');
  await skydeck.type('upload a file');
  await skydeck.waitFor(/ Upload +is left out while this session is read-only/);
  await skydeck.press('esc');
  for (const typed of ['rotate', 'rotate deploy-assets', 'new-object-key']) {
    await skydeck.press(':');
    await skydeck.type(typed);
    await skydeck.waitFor(/\d+ of \d+ things|Nothing loaded is called that/);
    expect(skydeck.text()).not.toMatch(/Rotate|New .*key|Upload/);
    await skydeck.press('esc');
  }
  await skydeck.press(':');
  await skydeck.type('zzqq');
  await skydeck.waitFor('Read-only: of changes, only what can be planned is offered.');
  await skydeck.press('esc');
  expect(skydeck.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  await choose(skydeck, 'graphs api-1', /Graphs of api-1/);
  await skydeck.waitFor('Servers › api-1');
});

/** The lists that were read and that no region needs. */
const listsRead = ({ requests }: Skydeck): readonly string[] =>
  requests
    .map(({ path }) => path)
    .filter((path) =>
      /^\/(images|domains|server\/stackscripts|server\/kernels|support\/tickets|object-storage\/\w+)$/.test(path),
    );

test('of the rows to choose from those come first to which it can be done', async () => {
  const skydeck = await openSkydeck({ columns: 120, rows: 40, place: { area: 'volumes' } });
  await skydeck.waitFor('db-primary-data');
  await skydeck.goTo('home');
  await choose(skydeck, 'attach', 'Attach which volume to a server?');
  await skydeck.waitFor(
    / which volume to a server[\s\S]*❯ archive-2023 [\s\S]* {2}scratch [\s\S]* api-1-uploads +api-1-uploads is attached/,
  );
});

test('a verb alone asks of which row it is to be done, and with its name behind begins', async () => {
  const skydeck = await openSkydeck({ demo, columns: 60, rows: 16 });
  await skydeck.waitFor('Problems');
  await choose(skydeck, 'resize', 'Resize which server?');
  await skydeck.waitFor(/── Resize which server\?[\s\S]*api-1/);
  await skydeck.press('esc');
  await skydeck.waitFor('── Go to');
  await skydeck.press('esc');
  await choose(skydeck, 'power off web-5', 'Shut down web-5');
  await skydeck.waitFor('Shuts web-5 down.');
  expect(skydeck.changes).toEqual([]);
});

test('what is no verb of a row is done, whatever is typed behind its other word', async () => {
  const skydeck = await openSkydeck({ demo, columns: 80, rows: 24 });
  await choose(skydeck, 'upload a file to backups', /Upload an image file +create/);
  await skydeck.waitFor('── Upload an image file');
  await skydeck.press('esc');
  await choose(skydeck, 'logs of yesterday', /Events +area/);
  await skydeck.waitFor('› Events');
});

test('another name of a verb behind the first is no name of a row', async () => {
  const skydeck = await openSkydeck({ demo, columns: 80, rows: 24 });
  await choose(skydeck, 'renew certificate', 'Configs of which NodeBalancer?');
  await skydeck.waitFor(/── Configs of which NodeBalancer\?[\s\S]*❯ api-lb /);
  await skydeck.press('esc', 'esc');
  await skydeck.press(':');
  await skydeck.type('renew the tls certificate of web-lb');
  await skydeck.waitFor(/Configs of web-lb +NodeBalancer/);
  await skydeck.press('ctrl-u');
  await skydeck.type('renew certificate nowhere');
  await skydeck.waitFor(/❯ renew certificate nowhere\s/);
  await skydeck.press('enter');
  await skydeck.waitFor(/❯ nowhere[\s\S]*None of the NodeBalancer\w*(?: configs)? is called that/);
});

test('the rows to choose from begin at the first one, wherever their verb stood', async () => {
  const skydeck = await openSkydeck({ demo, columns: 80, rows: 24, place: { area: 'servers' } });
  await skydeck.waitFor('api-1');
  await skydeck.press(':');
  await skydeck.type('snapshot');
  await skydeck.waitFor(/❯ Take a snapshot of api-1 [\s\S]*\n│ +Take a snapshot of which server\?/);
  await skydeck.press('down', 'enter');
  await skydeck.waitFor(/── Take a snapshot of which server\?[\s\S]*api-2 /);
  expect(skydeck.cursorLine()).toMatch(/❯ api-1 /);
});

test('a title that is too long for all of the position has the middle of it', async () => {
  const skydeck = await openSkydeck({ demo, columns: 60, rows: 16 });
  await choose(skydeck, 'attach a volume', /Attach which volume to a server\?/);
  await skydeck.waitFor(/── Attach which volume to a server\? ─+ 1–\d+ of \d+ {2}↓ \d+ ─/);
  await skydeck.press('pageDown', 'pageDown');
  // The one under the cursor says whole on a line more why it is refused.
  await skydeck.waitFor(/── Attach which volume to a server\? ─+ 9–14 of 24 ─/);
});

test('rows that match alike stand in the order of their names', async () => {
  const skydeck = await openSkydeck({ demo, columns: 80, rows: 30 });
  await choose(skydeck, 'resize', 'Resize which server?');
  await skydeck.waitFor(/── Resize which server\?[\s\S]*api-1/);
  await skydeck.type('db-replica');
  await skydeck.waitFor(/❯ db-replica-1 [\s\S]* db-replica-2 [\s\S]* db-replica-3 /);
  await skydeck.press('ctrl-u');
  await skydeck.type('web');
  await skydeck.waitFor(/❯ web-1 [\s\S]* web-2 [\s\S]* web-3 [\s\S]* web-4 [\s\S]* web-5 /);
});

test('of a list that was not read one list is read, and no other', async () => {
  const skydeck = await openSkydeck({ demo, columns: 100, rows: 30, place: { area: 'regions' } });
  await skydeck.waitFor('us-east');
  expect(listsRead(skydeck)).toEqual([]);
  await choose(skydeck, 'zone file', 'Zone file of which domain?');
  await skydeck.waitFor('old-shop.example');
  expect(listsRead(skydeck)).toEqual(['/domains']);
  await skydeck.press('enter');
  await skydeck.waitFor('$TTL 3600');
});

test('a mistyped word is typed right by enter, and however often that is pressed nothing is read', async () => {
  const skydeck = await openSkydeck({ demo, columns: 100, rows: 30, place: { area: 'regions' } });
  await skydeck.waitFor('us-east');
  await skydeck.press(':');
  await skydeck.type('shutdwon');
  await skydeck.waitFor(
    /❯ shutdown +did you mean[ │]+\n│ +shut down +did you mean[ │]+\n│ +\S+ +did you mean[ │]+\n│ +Search \d+ lists/,
  );
  await skydeck.press('enter');
  await skydeck.waitFor(() => skydeck.cursorLine().includes('Shut down which server?'));
  await skydeck.press('ctrl-u');
  // The longer of two words with as many mistakes has more of the letters.
  await skydeck.type('resz');
  await skydeck.waitFor(/❯ resize +did you mean[ │]+\n/);
  await skydeck.press('ctrl-u');
  await skydeck.type('users');
  await skydeck.press('enter', 'enter', 'enter');
  await skydeck.waitFor(/Users are not in this API's documents; the provider's console has[\s│]+them\./);
  await skydeck.press('ctrl-u');
  await skydeck.type('xyzzyx');
  await skydeck.waitFor(() => /Search \d+ lists not loaded/.test(skydeck.cursorLine()));
  await skydeck.press('enter');
  await skydeck.waitFor(() => /enter once more reads \d+ lists/.test(skydeck.cursorLine()));
  expect(listsRead(skydeck)).toEqual([]);
});

test('its box keeps its width where nothing is called that, and stays a box where much is', async () => {
  const skydeck = await openSkydeck({ demo, columns: 120, rows: 40, place: { area: 'servers' } });
  await skydeck.waitFor('api-1');
  const top = () => /┌── Go to [^┐\n]*┐/.exec(skydeck.text())?.[0].length;
  await skydeck.press(':');
  await skydeck.waitFor('┌── Go to ');
  const before = top();
  await skydeck.type('zzqx');
  await skydeck.waitFor('Nothing loaded is called that.');
  expect(top()).toBe(before);
  await skydeck.press('ctrl-u');
  await skydeck.type('certificate');
  await skydeck.waitFor('Upload a certificate for which bucket?');
  expect(top()).toBeLessThanOrEqual(120);
});

test('where nothing loaded is called that, the lists that are not loaded are searched', async () => {
  const skydeck = await openSkydeck({ demo, columns: 100, rows: 30, place: { area: 'buckets' } });
  await skydeck.waitFor(/Buckets {2}\d/);
  await skydeck.press(':');
  await skydeck.type('robots.txt');
  await skydeck.waitFor('Nothing loaded is called that.');
  await skydeck.waitFor(() => /Search \d+ lists not loaded +servers, volumes/.test(skydeck.cursorLine()));
  await skydeck.press('enter');
  await skydeck.waitFor(() => /enter once more reads \d+ lists/.test(skydeck.cursorLine()));
  await skydeck.press('enter');
  await skydeck.waitFor(() => /robots\.txt +object/.test(skydeck.cursorLine()));
  await skydeck.press('enter');
  await skydeck.waitFor(/Buckets › [\s\S]*❯ .*robots\.txt/);
});

test('where nothing at all is called that, all is read once, within reason, and refusals do not matter', async () => {
  const api = await startOtherApi(({ path }) => (path === '/images' ? refusal(403, 'Not for you.') : undefined));
  const skydeck = await openSkydeck({ demo: api, columns: 100, rows: 30, place: { area: 'servers' } });
  await skydeck.waitFor(/Servers {2}3/);
  await skydeck.press(':');
  await skydeck.type('qqqzzz');
  await skydeck.waitFor(() => /Search \d+ lists not loaded/.test(skydeck.cursorLine()));
  await skydeck.press('enter');
  await skydeck.waitFor(() => /enter once more reads \d+ lists/.test(skydeck.cursorLine()));
  expect(skydeck.requests.map(({ path }) => path)).not.toContain('/images');
  await skydeck.press('enter');
  await skydeck.waitFor(/Searching … \d+ of \d+ lists read/);
  await skydeck.press('esc');
  await skydeck.waitFor((frame) => frame.includes('Go to ─') && !frame.includes('Searching'));
  await skydeck.press('enter');
  await skydeck.waitFor(/None of \d[\d ]* things is called that\./);
  const read = skydeck.requests.map(({ path }) => path).filter((path) => path === '/images');
  expect(read).toHaveLength(1);
  await skydeck.press('esc');
  await skydeck.waitFor((frame) => !frame.includes('Go to ─'));
});
