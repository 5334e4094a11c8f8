import { lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Demo } from '../../src/demo/server.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { startOtherApi } from './otherApi.ts';
import { openSkydeck, startQuietDemo } from './skydeck.ts';

let demo: Demo;
beforeAll(async () => {
  demo = await startQuietDemo();
});
afterAll(() => demo.close());

async function openMarked(...labels: readonly string[]) {
  const skydeck = await openSkydeck({ demo, columns: 120, rows: 50, place: { area: 'servers' } });
  await skydeck.waitFor('api-1');
  for (const label of labels) {
    await skydeck.pointAt(`${label} `);
    await skydeck.press('space');
  }
  return skydeck;
}

test('c copies a line of each marked row, and says how many', async () => {
  const skydeck = await openMarked('web-1', 'web-2', 'web-4');
  await skydeck.press('c');
  await skydeck.waitFor('── Copy of 3 servers');
  await skydeck.type('label');
  await skydeck.waitFor(/label +3 lines: web-1, web-2, web-4/);
  await skydeck.press('enter');
  await skydeck.waitFor('Copied the label of 3 servers, 3 lines');
  expect(skydeck.copied).toEqual(['web-1\nweb-2\nweb-4']);
  await skydeck.press('c');
  await skydeck.type('json');
  await skydeck.press('enter');
  await skydeck.waitFor('Copied the JSON of 3 servers');
  expect(JSON.parse(skydeck.copied[1] ?? '')).toMatchObject([
    { label: 'web-1' },
    { label: 'web-2' },
    { label: 'web-4' },
  ]);
});

test('a in the problems acts on the objects of all that are marked', async () => {
  const skydeck = await openSkydeck({ demo, columns: 120, rows: 50, place: { area: 'problems' } });
  await skydeck.waitFor(/Problems .*Open \d/);
  await skydeck.press('/');
  await skydeck.type('what:server severity:notice');
  await skydeck.press('enter');
  await skydeck.waitFor(/filter: what:server[\s\S]*○ notice/);
  await skydeck.press('space', 'space', 'a');
  await skydeck.waitFor('── Actions on 2 servers');
  await skydeck.press('esc', 'esc', 'esc', '/');
  await skydeck.type('severity:notice');
  await skydeck.press('enter', '*', 'a');
  await skydeck.waitFor(/── Actions on 5 tickets, .* and \d+ more/);
});

test('behind a question about a few marked rows the rows above them stay in sight', async () => {
  const skydeck = await openMarked('web-1', 'web-2', 'web-4');
  await skydeck.pointAt('api-6 ');
  await skydeck.press('d');
  await skydeck.waitFor('── Delete 3 of 3 servers');
  expect(skydeck.text()).toMatch(/LABEL[^\n]*\n[^\n]*api-1 [\s\S]*❯[^\n]*api-6 [\s\S]*── Delete 3/);
});

test('nodes are marked, and their number is in the titles', async () => {
  const skydeck = await openSkydeck({ demo, columns: 120, rows: 50, place: { area: 'nodebalancers' } });
  await skydeck.waitFor('web-lb');
  await skydeck.pointAt('web-lb');
  await skydeck.press('enter');
  await skydeck.waitFor('› web-lb');
  await skydeck.press('tab');
  await skydeck.waitFor('web-3');
  await skydeck.pointAt('web-1');
  await skydeck.press('space', 'space', 'c');
  await skydeck.waitFor('── Copy of 2 nodes');
  await skydeck.press('esc', 'w');
  await skydeck.waitFor('── Write 2 nodes');
});

test('one more like this starts from the values of the row, without its name and without a secret', async () => {
  const skydeck = await openMarked();
  await skydeck.pointAt('web-1 ');
  await skydeck.press('a');
  await skydeck.waitFor('── Actions on web-1');
  await skydeck.press('pageDown');
  await skydeck.waitFor('New server like this');
  await skydeck.press('N');
  await skydeck.waitFor('── New server');
  await skydeck.waitFor(/server\/debian12/);
  await skydeck.waitFor('Cost  $24.00 + backups $5.00 = $29.00 a month');
  expect(skydeck.text()).not.toMatch(/Label +web-1/);
  await skydeck.fill('Root password', 'correct horse battery');
  await skydeck.fill('Label', 'web-9');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(/Creates web-9: Standard 4 GB .*[\s\S]*It[\s│]+has[\s│]+backups/);
  await skydeck.press('enter');
  await skydeck.waitFor('New server: web-9');
  expect(skydeck.changes.at(-1)?.body).toMatchObject({
    label: 'web-9',
    type: 'g6-standard-2',
    image: 'server/debian12',
    tags: ['web', 'prod'],
    backups_enabled: true,
    private_ip: true,
  });
});

test('the marked rows are written as CSV to a file that nobody else can read, over another once that was asked', async () => {
  const folder = temporaryFolder('export');
  const skydeck = await openMarked('web-1', 'web-2');
  const file = join(folder, 'web.csv');
  await skydeck.press('w');
  await skydeck.waitFor('── Write 2 servers');
  await skydeck.waitFor(/CSV to the file servers\.csv +[\d.]+ (?:B|KiB)/);
  const ends = skydeck
    .text()
    .split('\n')
    .flatMap((line) => /^.* to the file \S+ +[\d.]+ (?:B|KiB)/.exec(line)?.[0].length ?? []);
  expect(ends).toEqual([ends[0], ends[0]]);
  await skydeck.type(file);
  await skydeck.press('enter');
  await skydeck.waitFor('Wrote 2 servers to');
  const [titles = '', ...rows] = readFileSync(file, 'utf8').split('\r\n');
  expect(titles).toMatch(/^Status,Label,IPv4,CPU,Region,Type,vCPU,RAM,Backup,Tags,Cost,/);
  expect(rows).toEqual([
    expect.stringMatching(/^running,web-1,192\.0\.2\.10,.*,g6-standard-2,2,4096,[^,]+,web prod,29,/),
    expect.stringMatching(/^running,web-2,192\.0\.2\.11,.*,g6-standard-2,2,4096,[^,]+,web prod,29,/),
    '',
  ]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await skydeck.press('w');
  await skydeck.type(file);
  await skydeck.press('enter');
  await skydeck.waitFor(/── Overwrite .*web\.csv\?[\s\S]*It is there already, with [\d.]+ K?i?B/);
  await skydeck.waitFor(/❯ +Keep it, and name another file/);
  await skydeck.press('enter');
  await skydeck.waitFor('── Write 2 servers');
  writeFileSync(file, 'older', { mode: 0o644 });
  await skydeck.press('enter');
  await skydeck.waitFor('with 5 B, which are lost then');
  await skydeck.press('down', 'enter');
  await expect.poll(() => readFileSync(file, 'utf8')).toContain('running,web-2');
  expect([statSync(file).mode & 0o777, readdirSync(folder)]).toEqual([0o600, ['web.csv']]);
  await skydeck.waitFor((text) => !text.includes('── Overwrite'));
  await skydeck.press('w');
  await skydeck.waitFor('── Write 2 servers');
  await skydeck.press('down', 'down', 'down');
  await skydeck.press('enter');
  await skydeck.waitFor('Copied the JSON of 2 servers');
  expect(JSON.parse(skydeck.copied[0] ?? '')).toMatchObject({
    area: 'servers',
    rows: [{ label: 'web-1' }, { label: 'web-2' }],
  });
});

test('in place of a link a file is written, and it is said before that what the link leads to stays', async () => {
  const folder = temporaryFolder('links');
  const [file, link] = [join(folder, 'kept.csv'), join(folder, 'link.csv')];
  writeFileSync(file, 'older');
  symlinkSync(file, link);
  const skydeck = await openMarked('web-1', 'web-2');
  await skydeck.press('w');
  await skydeck.type(link);
  await skydeck.press('enter');
  await skydeck.waitFor(
    /It is there already, as a link: that is lost then, and the file to which\s+it leads\s+stays\./,
  );
  await skydeck.press('down', 'enter');
  await skydeck.waitFor('Wrote 2 servers to');
  expect(lstatSync(link).isFile()).toBe(true);
  expect(readFileSync(file, 'utf8')).toBe('older');
});

test('without marks all that are shown are written, and no value becomes a formula or breaks its line', async () => {
  const api = await startOtherApi(({ path, text }) =>
    path === '/server/instances'
      ? text.replaceAll('"us-east"', '"=cmd|\' /C calc\'!A0"').replaceAll('"us-west"', '"a,\\"b\\"\\nc"')
      : undefined,
  );
  const skydeck = await openSkydeck({ demo: api, columns: 120, rows: 40, place: { area: 'servers' } });
  await skydeck.waitFor('web-3');
  await skydeck.press('w');
  await skydeck.waitFor('── Write 3 servers');
  await skydeck.press('down', 'enter');
  await skydeck.waitFor('Copied the CSV of 3 servers');
  expect(skydeck.copied[0]).toContain(",'=cmd|' /C calc'!A0,");
  expect(skydeck.copied[0]).toContain(',"a,""b""\nc",');
});

test('what is too long for a clipboard says so, and how long it may be', async () => {
  const many = await startQuietDemo({ servers: 400 });
  const skydeck = await openSkydeck({ demo: many, columns: 120, rows: 40, place: { area: 'servers' } });
  await skydeck.waitFor(/Servers {2}400/);
  await skydeck.press('w');
  await skydeck.waitFor('── Write 400 servers');
  await skydeck.press('down', 'down', 'down', 'enter');
  await skydeck.waitFor(/a terminal copies at most 73.2 KiB; write a file/);
  expect(skydeck.copied).toEqual([]);
  await skydeck.close();
  await many.close();
});
