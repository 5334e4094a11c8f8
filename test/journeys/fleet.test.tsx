import { expect, test } from 'vitest';
import { openSkydeck, type SkydeckOptions } from './skydeck.ts';

const now = () => Date.UTC(2026, 4, 13, 12);
const open = (options: SkydeckOptions = {}) => openSkydeck({ columns: 100, rows: 30, demo: { now }, now, ...options });
const asked = (requests: readonly { path: string }[], path: RegExp) => requests.filter((one) => path.test(one.path));

test('the fleet is opened by its key, sorted, filtered, and leads to the graphs of a server', async () => {
  const skydeck = await open();
  await skydeck.press('F');
  await skydeck.waitFor(/Fleet +CPU 40 +Network in[\s\S]*40 of 40 known {3}median [\d.]+% {3}p95 [\d.]+%/);
  await skydeck.press('s');
  await skydeck.pointAt('Label');
  await skydeck.press('enter');
  await skydeck.waitFor(/sort: Label ↑[\s\S]*LABEL[^\n]*\n❯ {2}api-1 /);
  await skydeck.press('tab', 'tab', 'tab');
  await skydeck.waitFor(/blocks\/s/);
  await skydeck.press('shift-tab');
  await skydeck.waitFor('bit/s');
  await skydeck.press('/');
  await skydeck.type('label:db');
  await skydeck.press('enter');
  await skydeck.waitFor(/5 of 5 known[\s\S]*❯ {2}db-primary/);
  await skydeck.press('j', 'enter');
  await skydeck.waitFor(/Servers › db-replica-1[\s\S]*Last 24 hours/);
  await skydeck.press('esc');
  await skydeck.waitFor(/❯ {2}db-replica-1/);
  await skydeck.press('esc');
  await skydeck.waitFor('40 of 40 known');
  expect(asked(skydeck.requests, /\/stats$/)).toHaveLength(40);
});

test('the time under the crosshair is told with its value, and enter goes to that moment', async () => {
  const skydeck = await open({ columns: 200, place: { area: 'fleet' } });
  await skydeck.waitFor(/40 of 40 known[\s\S]*10 min a cell, UTC/);
  await skydeck.press('left', 'left', 'left');
  await skydeck.waitFor(/11:30–11:40 UTC {2}\S+ [\d.]+%\n.*▾/);
  await skydeck.press('right');
  await skydeck.waitFor(/11:40–11:50 UTC/);
  const [, label] = /❯ {2}(\S+)/.exec(skydeck.text()) ?? [];
  await skydeck.press('enter');
  await skydeck.waitFor((text) => text.includes(`Servers › ${label}`) && /AT 11:50/.test(text));
  await skydeck.press('esc', 'esc');
  await skydeck.waitFor(/11:40–11:50 UTC/);
  await skydeck.press('esc');
  await skydeck.waitFor((text) => !text.includes('11:40–11:50'));
  await skydeck.press('j', 'space', 'j', 'j', 'V');
  await skydeck.waitFor('marked 4');
});

test('marked servers are drawn on one chart, each load by itself, and nothing is read twice', async () => {
  const skydeck = await open({ place: { area: 'fleet' } });
  await skydeck.waitFor('40 of 40 known');
  await skydeck.press('s');
  await skydeck.pointAt('Label');
  await skydeck.press('enter');
  await skydeck.waitFor(/❯ {2}api-1 /);
  await skydeck.press('space', 'j', 'space');
  await skydeck.waitFor(/✓ api-1 [\s\S]*✓ api-3 [\s\S]*❯ {2}api-4/);
  await skydeck.press('v');
  await skydeck.waitFor(
    /Servers › Compare[\s\S]*Last 24 hours {2}api-1 and api-3[\s\S]*CPU {2}%[\s\S]*● api-1[\s\S]*■ api-3/,
  );
  await skydeck.press('down');
  await skydeck.waitFor(/Network in {2}bit\/s[\s\S]*● api-1 +[\d.]+ [kM]bit\/s/);
  await skydeck.press('left');
  await skydeck.waitFor(/AT \d\d:\d\d/);
  await skydeck.press('esc', 'esc');
  await skydeck.waitFor(/❯ {2}api-4/);
  expect(asked(skydeck.requests, /\/stats$/)).toHaveLength(40);
});

test('a month is compared with the one before, and each is read once', async () => {
  const skydeck = await open({ place: { area: 'servers', id: '48200125' } });
  await skydeck.waitFor(/● running {2}api-1/);
  await skydeck.press('2', '<');
  await skydeck.waitFor('Last 30 days');
  await skydeck.press('b');
  await skydeck.waitFor(/Last 30 days, the month before dashed[\s\S]*of its CPUs, month before +[\d.]+%/);
  await skydeck.press('<');
  await skydeck.waitFor(/April 2026, the month before dashed[\s\S]*of its CPUs, month before/);
  await skydeck.press('b');
  await skydeck.waitFor((text) => !text.includes('month before dashed'));
  const months = asked(skydeck.requests, /\/stats\/2026\//).map(({ path }) => path.split('/').at(-1));
  expect(months.sort()).toEqual(['3', '4', '5']);
});

test('the transfer of a month is told against the month before', async () => {
  const skydeck = await open({ place: { area: 'servers', id: '48200125' } });
  await skydeck.waitFor(/● running {2}api-1/);
  await skydeck.press('7', '<');
  await skydeck.waitFor(/❯ April 2026 +[\d.]+ [GT]iB/);
  await skydeck.press('b');
  await skydeck.waitFor(/❯ April 2026 [^\n]*[-+]?\d+%[\s\S]*March 2026/);
});

test('an empty account says so', async () => {
  const skydeck = await open({ place: { area: 'fleet' }, demo: { now, servers: 0 } });
  await skydeck.waitFor(/There are no servers/);
});

test('on the smallest screen a cell is an hour', async () => {
  const skydeck = await open({ place: { area: 'fleet' }, columns: 60, rows: 16 });
  await skydeck.waitFor(/40 of 40 known[\s\S]*1 h a cell, UTC/);
});

test('where the API fails, the fleet says so', async () => {
  const faulty = { now, faults: ['errors:1'] };
  const skydeck = await open({ place: { area: 'fleet' }, demo: faulty });
  await skydeck.waitFor(/ctrl-r tries again/);
});

test('a filter without a match says so', async () => {
  const skydeck = await open({ place: { area: 'fleet' } });
  await skydeck.waitFor('40 of 40 known');
  await skydeck.press('/');
  await skydeck.type('nothing');
  await skydeck.press('enter');
  await skydeck.waitFor('None of the servers matches nothing');
});

test('the statistics of a large account come in one after the other, within the budget', async () => {
  const skydeck = await open({ place: { area: 'fleet' }, demo: { now, servers: 300 } });
  await skydeck.waitFor(/\d+ of 300 known, the rest in \d/);
  expect(asked(skydeck.requests, /\/stats$/).length).toBeLessThanOrEqual(90);
});

test('the fleet is a list: its rows are marked, changed, copied, related, and have the columns that are chosen', async () => {
  const skydeck = await open({ place: { area: 'fleet' } });
  await skydeck.waitFor('40 of 40 known');
  await skydeck.press('/');
  await skydeck.type('label:db');
  await skydeck.press('enter');
  await skydeck.waitFor('5 of 5 known');
  await skydeck.press('*');
  await skydeck.waitFor('marked 5');
  await skydeck.press('a', '+');
  await skydeck.waitFor('── Add tags to 5 servers');
  await skydeck.fill('Tags to add', 'hot');
  await skydeck.sendToAll();
  await skydeck.waitFor('Add tags: all 5 done');
  await skydeck.waitFor((text) => !text.includes('marked 5'));
  await skydeck.press('V');
  await skydeck.waitFor('marked 5');
  await skydeck.press('esc', 'esc');
  await skydeck.waitFor('40 of 40 known');
  await skydeck.pointAt('db-primary ');
  await skydeck.press('c');
  await skydeck.waitFor('── Copy of db-primary');
  await skydeck.press('esc', 'x');
  await skydeck.waitFor('── Related to db-primary');
  await skydeck.press('esc', 's', 'C');
  await skydeck.waitFor('── Columns of servers');
  await skydeck.press('pageDown', 'pageDown');
  await skydeck.pointAt('Tags');
  await skydeck.press('space', 'esc');
  await skydeck.waitFor(/LABEL.*TAGS[\s\S]*❯ {2}db-primary .*hot/);
  await skydeck.press('right');
  await skydeck.press('left');
  await skydeck.waitFor(/\d\d:\d\d–\d\d:\d\d UTC/);
});
