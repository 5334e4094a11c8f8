import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Demo } from '../../src/demo/server.ts';
import { answered } from './answered.ts';
import { openSkydeck, type Skydeck, startQuietDemo } from './skydeck.ts';

let demo: Demo;
beforeAll(async () => {
  demo = await startQuietDemo();
});
afterAll(() => demo.close());

/** The lowest line of a page that has something on it, the footer aside. */
const lowestOf = (skydeck: Skydeck): number => {
  const lines = skydeck.text().split('\n').slice(0, -1);
  return lines.findLastIndex((line) => line.trim() !== '') + 1;
};

/** A page of each kind whose facts alone leave most of a tall screen blank. */
const pages = [
  ['servers', '48200104'],
  ['volumes', '610029'],
  ['images', 'server/debian11'],
  ['kernels', 'server/grub2'],
  ['server-types', 'g6-standard-4'],
  ['nodebalancers', '18301'],
  ['stackscripts', '1001'],
  ['invoices', '27400113'],
  ['object-keys', '48100'],
  ['managed-services', '9207'],
  ['object-clusters', 'ap-south-1'],
  ['object-clusters', 'us-east-1'],
] as const;

test.each(pages)('a page of %s has more than the upper half of 200×60', async (area, id) => {
  const skydeck = await openSkydeck({ demo, columns: 200, rows: 60, place: { area, id } });
  await skydeck.waitFor(() => lowestOf(skydeck) > 30);
});

test.each([
  ['managed-credentials', '4102', 'Managed service  database'],
  ['managed-issues', '70426', 'Managed service  search'],
  ['managed-contacts', '5305', 'Managed service  database'],
  ['buckets', 'eu-central-1/assets', 'Key  deploy-assets'],
  ['object-clusters', 'us-east-1', 'Region  us-east'],
] as const)('what is left of 200×60 beneath a row of %s shows what it is related to', async (area, id, heading) => {
  const skydeck = await openSkydeck({ demo, columns: 200, rows: 60, place: { area, id } });
  await skydeck.press('1');
  await skydeck.waitFor((frame) => frame.includes(`  ${heading} ─`) && lowestOf(skydeck) > 45);
});

test('the heading of a related row beneath a page leads to it', async () => {
  const place = { area: 'managed-credentials', id: '4102' };
  const skydeck = await openSkydeck({ demo, columns: 200, rows: 60, place });
  await skydeck.waitFor('Managed service  database ─');
  await skydeck.press('down', 'down', 'down', 'down', 'down', 'down', 'down', 'enter');
  await skydeck.waitFor('Managed services › database');
});

test('the rows around a row are a list that can be walked, and asks about none of them', async () => {
  const skydeck = await openSkydeck({ demo, columns: 120, rows: 40, place: { area: 'managed-contacts', id: '5301' } });
  await skydeck.waitFor(/Managed contacts {2}5 ─+\n +NAME.*\n[\s\S]*\n› +On-call[\s\S]* JSON ─+\n +\{/);
  await skydeck.pointAt('Database team');
  await skydeck.press('enter');
  await skydeck.waitFor('Managed contacts › Database team');
  await answered(skydeck, '/managed/contacts/5305');
  expect(skydeck.requests.filter(({ path }) => path.startsWith('/managed/contacts'))).toHaveLength(3);
});

test('a page that is full shows no list below', async () => {
  const skydeck = await openSkydeck({ demo, columns: 80, rows: 24, place: { area: 'servers', id: '48200104' } });
  await skydeck.waitFor('Related');
  expect(skydeck.text()).not.toMatch(/^ +Servers {2}40/m);
});

test('a notice moves nothing of a page of 80×24, nor do four lines of one', async () => {
  const place = { area: 'servers', id: '48200104' };
  const skydeck = await openSkydeck({ demo, columns: 80, rows: 24, place });
  const whole = /80 GiB disk[^\n]*\n\n[\s\S]*Disk I\/O .* p95 /;
  await skydeck.waitFor(whole);
  const upper = () => skydeck.text().split('\n').slice(2, 12);
  const before = upper();
  await skydeck.press('u');
  await skydeck.waitFor('No change from here is left to take back.');
  expect(upper()).toEqual(before);
  // As high as above a notice of four lines.
  const low = await openSkydeck({ demo, columns: 80, rows: 20, place });
  await low.waitFor(whole);
});

test('the page of a problem shows its object as the page of that does, where there is room', async () => {
  const skydeck = await openSkydeck({ demo, columns: 200, rows: 60, place: { area: 'problems' } });
  await skydeck.pointAt('has backups, but the last successful one');
  await skydeck.press('enter');
  await skydeck.waitFor(/What to do[\s\S]*Last 24 hours ─+ {4}Related ─[\s\S]*[▁-█]{40}/);
  expect(skydeck.text()).not.toMatch(/ Problems {2}\d/);
  // At its own size only the facts of the list have room.
  skydeck.resize(80, 24);
  await skydeck.waitFor((frame) => !frame.includes('Last 24 hours'));
});

test('a list in a tab of a wide page has the row under the cursor beside it', async () => {
  const skydeck = await openSkydeck({ demo, columns: 200, rows: 60, place: { area: 'servers', id: '48200104' } });
  await skydeck.press('3');
  await skydeck.waitFor(/│My Debian 12 Disk Profile[\s\S]*│Virtualization +paravirt/);
});

test('beside rows of which a list tells all is what they belong to', async () => {
  const skydeck = await openSkydeck({ demo, columns: 200, rows: 60, place: { area: 'servers', id: '48200104' } });
  await skydeck.press('4');
  await skydeck.waitFor(/FILESYSTEM[^│\n]*│[\s\S]*│CPU [\s\S]*│Image +server\/debian12/);
});

test('beside a narrow tab of a wide page is its row', async () => {
  const skydeck = await openSkydeck({ demo, columns: 200, rows: 60, place: { area: 'servers', id: '48200104' } });
  await skydeck.press('7');
  await skydeck.waitFor(/Transfer [^│]*│CPU|│CPU [\s\S]*│Image +server\/debian12/);
  skydeck.resize(120, 40);
  await skydeck.waitFor((frame) => !frame.includes('│CPU'));
  await skydeck.goTo('tickets');
  await skydeck.press('enter');
  skydeck.resize(200, 60);
  await skydeck.press('2');
  await skydeck.waitFor(/ticket \d+[^│\n]*│[\s\S]*│Opened by +/);
  expect(skydeck.text()).not.toMatch(/│(?:Status|Description)\b/);
});

test('beside the nodes of a NodeBalancer is what it does; beside an empty list is no line', async () => {
  const skydeck = await openSkydeck({ demo, columns: 200, rows: 60, place: { area: 'nodebalancers', id: '18301' } });
  await skydeck.press('2');
  await skydeck.waitFor(/│Connections .* p95 .*connections\/s\n.*port 80 http[^│]*│[▁-█ ]+\n/);
  await skydeck.goTo('journal');
  await skydeck.waitFor('Nothing was sent from here yet');
  expect(skydeck.text()).not.toContain('│');
});

test('the graphs of a server are no higher than what stands beside them, so that its list has the room', async () => {
  const skydeck = await openSkydeck({ demo, columns: 200, rows: 60, place: { area: 'servers', id: '48200104' } });
  await skydeck.waitFor(/ CPU [^\n]* p95 [\s\S]*\n {2}Servers {2}40 ─/);
  const lines = skydeck.text().split('\n');
  const list = lines.findIndex((line) => line.startsWith('  Servers  40 ─'));
  const facts = lines.slice(0, list).findLastIndex((line) => line.slice(142).trim() !== '');
  expect(list - facts).toBeLessThan(5);
});

test('beside a sum of costs are the rows that it is of, with whole names', async () => {
  const skydeck = await openSkydeck({ demo, columns: 200, rows: 60, place: { area: 'costs' } });
  await skydeck.waitFor(/│prod\n.*│ +STATE +LABEL +COST +SINCE\n.*│.* db-primary +\$328\.00/);
  await skydeck.press('down');
  await skydeck.waitFor(/│database\n.*\n.*│.* db-primary +\$328\.00/);
  // The rows themselves have the whole width.
  await skydeck.press('tab', 'tab');
  await skydeck.waitFor(/LABEL.*WHY.*REGION/);
  expect(skydeck.text()).not.toContain('│');
});

test('beside a problem stands the row that it is of', async () => {
  const skydeck = await openSkydeck({ demo, columns: 200, rows: 60, place: { area: 'problems' } });
  await skydeck.waitFor('batch-4 is offline');
  await skydeck.pointAt('batch-4 is offline');
  await skydeck.waitFor(/│batch-4\n[\s\S]*│Network in[\s\S]*│Image +server\/ubuntu24\.04/);
});
