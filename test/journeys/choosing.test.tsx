import { expect, test } from 'vitest';
import { startSilentApi } from './silentApi.ts';
import { openSkydeck } from './skydeck.ts';

test('a choice is typed: what is offered is taken, what is not is named with the nearest', async () => {
  const skydeck = await openSkydeck({ place: { area: 'domains' } });
  await skydeck.waitFor('example.com');
  await skydeck.pointAt('example.com');
  await skydeck.press('enter');
  await skydeck.waitFor('Records');
  await skydeck.press('n');
  await skydeck.waitFor('── New record');
  await skydeck.type('txt');
  await skydeck.waitFor(/── Type ─[\s\S]*❯ +TXT/);
  // Who goes on typing after enter types into the same list again.
  await skydeck.waitFor('  tab choose, next field  ');
  await skydeck.press('tab');
  await skydeck.waitFor(/Type \* +✓ TXT[\s\S]*❯ Name/);
  await skydeck.fill('Name', 'typed');
  await skydeck.fill('Target', 'hello');
  await skydeck.field('TTL');
  await skydeck.type('10m');
  await skydeck.waitFor(
    /── TTL ─[\s\S]*❯ +10m[\s\S]*is not offered; the nearest: 300 \(5 minutes\),[\s│]+3600 \(1 hour\)/,
  );
  await skydeck.press('enter', 'tab');
  await skydeck.waitFor('10m is not offered; ctrl-u clears it, esc leaves the list.');
  await skydeck.press('ctrl-u');
  await skydeck.type('5m');
  await skydeck.waitFor(/❯ +300 +5 minutes/);
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(/❯ TTL +✓ 300 {2}5 minutes/);
  await skydeck.press('backspace');
  await skydeck.waitFor(/❯ TTL +0/);
  await skydeck.paste('300\n');
  await skydeck.waitFor(/── TTL ─[\s\S]*❯ +300 /);
  await skydeck.press('enter', 'ctrl-s');
  await skydeck.waitFor('New record: TXT typed');
  expect(skydeck.changes.at(-1)?.body).toMatchObject({ type: 'TXT', target: 'hello', ttl_sec: 300 });
});

test('a row is typed, a switch is typed, and no letter is lost', async () => {
  const skydeck = await openSkydeck({ columns: 60, rows: 16, place: { area: 'servers' } });
  await skydeck.waitFor('Servers');
  await skydeck.press('n');
  await skydeck.waitFor('── New server');
  await skydeck.field('Region');
  await skydeck.type('eu-cent');
  await skydeck.waitFor(/── Region ─[\s\S]*❯ +eu-central/);
  await skydeck.press('enter');
  await skydeck.waitFor(/❯ Region \* +✓ eu-central/);
  await skydeck.type('eu-cxx');
  await skydeck.waitFor(/❯ +eu-cxx +is not offered/);
  await skydeck.press('enter');
  await skydeck.waitFor(/eu-cxx is not offered(; the nearest: [\w, \n-]+)?\./);
  await skydeck.press('esc');
  await skydeck.field('Private address');
  await skydeck.press('y');
  await skydeck.waitFor(/❯ Private address +✓ yes/);
  await skydeck.press('z');
  await skydeck.waitFor('Private address: y or n, or space to change it.');
  await skydeck.press('n');
  await skydeck.waitFor(/❯ Private address +✓ no/);
});

test('an image past its end of life is offered behind those that live, and says so', async () => {
  const skydeck = await openSkydeck({ columns: 60, rows: 60, place: { area: 'servers' } });
  await skydeck.waitFor('api-1');
  await skydeck.press('n');
  await skydeck.waitFor('── New server');
  await skydeck.field('Image');
  await skydeck.press('enter');
  await skydeck.waitFor(
    /── Image ─[\s\S]*❯ AlmaLinux 8[\s\S]*Rocky Linux 9[\s\S]* golden-web [\s\S]* Alpine 3.18 +past its end of life since 2025-0/,
  );
  await skydeck.paste('cent');
  await skydeck.waitFor(/❯ CentOS Stream 9 [\s\S]* CentOS 7 +past its end of life since 2024-0/);
});

test('of several, nothing is taken that was not ticked, and space ticks while a filter is typed', async () => {
  const skydeck = await openSkydeck({ place: { area: 'object-keys' } });
  await skydeck.waitFor('Object storage keys');
  await skydeck.press('n');
  await skydeck.waitFor('── New object storage key');
  await skydeck.fill('Label', 'for-one');
  await skydeck.field('May use');
  await skydeck.type('lim');
  await skydeck.waitFor(/❯ +limited/);
  await skydeck.press('tab');
  await skydeck.waitFor(/May use \* +✓ limited[\s\S]*❯ Read and write/);
  await skydeck.field('Read and write');
  await skydeck.press('enter');
  await skydeck.waitFor('space ticks, enter ends');
  // Before the buckets are read, there is nothing to move over.
  await skydeck.waitFor(/❯ +eu-central-1\/assets/);
  await skydeck.press('down', 'enter');
  await skydeck.waitFor('Read and write: nothing is ticked; space ticks.');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('choose a bucket here or below, or let it use nothing');
  await skydeck.press('d');
  await skydeck.type('b-back');
  await skydeck.waitFor(/❯ +us-east-1\/db-backups/);
  await skydeck.press('space');
  await skydeck.waitFor(/❯ ✓ us-east-1\/db-backups/);
  await skydeck.press('enter', 'ctrl-s');
  await skydeck.waitFor('This is shown now and never again');
  expect(skydeck.changes.at(-1)?.body).toMatchObject({
    bucket_access: [{ bucket_name: 'db-backups', cluster: 'us-east-1', permissions: 'read_write' }],
  });
});

test('what tells rows apart stands in columns', async () => {
  const skydeck = await openSkydeck({ columns: 120, rows: 40, place: { area: 'servers' } });
  await skydeck.waitFor('api-1');
  await skydeck.press('n');
  await skydeck.waitFor('── New server');
  await skydeck.field('Region');
  await skydeck.press('enter');
  await skydeck.waitFor(/── Region ─[\s\S]*ap-northeast/);
  const rows = skydeck.text().match(/^│..[a-z]+-[a-z]+ .*│/gm) ?? [];
  expect(rows.length).toBeGreaterThan(8);
  for (const said of [/ [a-z]{2} {2}/, /[●✗] (?:ok|outage)/, /Servers \d/])
    expect(new Set(rows.map((row) => row.search(said))).size).toBe(1);
});

test.each([
  [80, 24],
  [120, 40],
])('a region tells its capabilities, the rarest first, on %i × %i', async (columns, rows) => {
  const skydeck = await openSkydeck({ columns, rows, place: { area: 'servers' } });
  await skydeck.waitFor('api-1');
  await skydeck.press('n');
  await skydeck.waitFor('── New server');
  await skydeck.field('Region');
  await skydeck.press('enter');
  await skydeck.waitFor(
    /❯ us-east +us {2}● ok +Servers \d+ {2}GPU Servers {2}Object Storage {2}Vlans.*\n.*NodeBalancers/,
  );
  expect(skydeck.text()).toMatch(/ us-west +us {2}● ok +Servers \d+ +Servers {2}Block Storage {2}NodeBalancers/);
  expect(skydeck.text()).toMatch(/ ap-south +sg {2}● ok +Servers \d+ +GPU Servers {2}Object Storage .*…/);
  await skydeck.type('gpu');
  await skydeck.waitFor(/❯ us-east .*\n.*\n.* ap-south .*\n(?!.*[●✗])/);
});

test.each(['enter', 'tab'])('of several, the only one that matches what is typed is taken by %s', async (key) => {
  const skydeck = await openSkydeck({ place: { area: 'volumes' } });
  await skydeck.waitFor('archive-2023');
  await skydeck.pointAt('archive-2023');
  await skydeck.press('a', '+');
  await skydeck.waitFor('── Add tags');
  await skydeck.press('ctrl-o');
  await skydeck.waitFor('space ticks, enter ends');
  await skydeck.waitFor(/^\W+database\b/m);
  await skydeck.type('databa');
  await skydeck.waitFor(/❯ +database/);
  await skydeck.press(key);
  await skydeck.waitFor(/Tags to add \* +✓ database/);
});

test('what is said below a wrong entry begins as a sentence', async () => {
  const skydeck = await openSkydeck({ place: { area: 'volumes' } });
  await skydeck.waitFor('archive-2023');
  await skydeck.pointAt('archive-2023');
  await skydeck.press('a', '+');
  await skydeck.waitFor('── Add tags');
  await skydeck.fill('Tags to add', 'x');
  await skydeck.waitFor(/3–50 characters[^\n]*\n\W*Separated by commas\. Only unrestricted/);
});

test('why a list of choices cannot be read is said whole', async () => {
  const silent = await startSilentApi();
  silent.refused = /\/instances$/;
  const skydeck = await openSkydeck({ demo: silent, columns: 60, rows: 16, place: { area: 'volumes' } });
  await skydeck.waitFor('Volumes  ');
  await skydeck.press('n');
  await skydeck.waitFor('── New volume');
  await skydeck.field('Server');
  await skydeck.press('enter');
  await skydeck.waitFor(/── Server ─/);
  await skydeck.waitFor(/❯ type to narrow\n +The token has no permission [\s\S]*\n❯ none +leave it out/);
  await skydeck.type('x');
  await skydeck.waitFor(/❯ x[ │]+\n│? +The token has no permission [\s\S]*scope servers:read_only\./);
  await silent.close();
});

test('enter opens the choices of every field that has some, so that what is typed next lands in no other', async () => {
  const skydeck = await openSkydeck({ columns: 100, rows: 40, place: { area: 'domains' } });
  await skydeck.waitFor('example.com');
  await skydeck.press('n');
  await skydeck.waitFor('I  Import a domain');
  await skydeck.press('enter');
  await skydeck.waitFor(/── New domain {2}1\//);
  await skydeck.fill('Domain', 'fresh.example');
  await skydeck.field('Type');
  await skydeck.press('enter');
  await skydeck.waitFor(/── Type ─[\s\S]*type to narrow/);
  await skydeck.type('slave');
  await skydeck.waitFor(/❯ +slave/);
  await skydeck.press('enter');
  await skydeck.waitFor(/❯ Type \* +✓ slave/);
  await skydeck.waitFor('Masters');
  await skydeck.press('esc');
  await skydeck.waitFor((text) => !text.includes('── New domain'));
  await skydeck.goTo('servers');
  await skydeck.press('n');
  await skydeck.waitFor('── New server');
  await skydeck.field('Private address');
  await skydeck.press('enter');
  await skydeck.waitFor(/── Private address ─[\s\S]*yes[\s\S]*no/);
  await skydeck.type('y');
  await skydeck.press('enter');
  await skydeck.waitFor(/❯ Private address +✓ yes/);
});

test('ctrl-a is offered where a plan can hold it, and says elsewhere why not', async () => {
  const skydeck = await openSkydeck({ columns: 80, rows: 24, place: { area: 'domains' } });
  await skydeck.waitFor('old-shop.example');
  await skydeck.pointAt('old-shop.example');
  await skydeck.press('e');
  await skydeck.waitFor('── Edit old-shop.example');
  await skydeck.field('Status');
  await skydeck.waitFor(/ctrl-s send .* ctrl-a plan .* esc close/);
  await skydeck.press('esc', 'a');
  await skydeck.waitFor('── Actions on old-shop.example');
  await skydeck.type('enable');
  await skydeck.waitFor('ctrl-a plan');
  await skydeck.press('ctrl-a');
  await skydeck.waitFor('Step 1 is in the plan: Enable old-shop.example');
  expect(skydeck.changes).toEqual([]);
  await skydeck.press('a');
  await skydeck.waitFor('── Actions on old-shop.example');
  await skydeck.type('set the ttl');
  await skydeck.waitFor((text) => !text.includes('ctrl-a plan'));
  await skydeck.press('esc');
  await skydeck.goTo('object storage keys');
  await skydeck.press('n');
  await skydeck.waitFor('── New object storage key');
  expect(skydeck.text()).not.toContain('ctrl-a');
  await skydeck.press('ctrl-a');
  await skydeck.waitFor('Its answer shows a secret once, to somebody who sees it: send it by itself.');
});

test('where several are ticked, tab goes to the next field as well', async () => {
  const skydeck = await openSkydeck({ columns: 110, place: { area: 'stackscripts' } });
  await skydeck.waitFor('web-node');
  await skydeck.press('n');
  await skydeck.field('Images');
  await skydeck.press('enter');
  await skydeck.waitFor('space tick  tab choose, next field');
  await skydeck.paste('debian12');
  await skydeck.waitFor(/❯ +Debian 12 /);
  await skydeck.press('space', 'tab');
  await skydeck.waitFor(/Images \* +✓ Debian 12[\s\S]*❯ Script/);
});
