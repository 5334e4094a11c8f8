import { test } from 'vitest';
import { answered } from './answered.ts';
import { openSkydeck } from './skydeck.ts';

const now = Date.UTC(2026, 4, 13, 12);

async function openTab(key: string) {
  const skydeck = await openSkydeck({
    columns: 100,
    rows: 40,
    place: { area: 'servers', id: '48200125' },
    demo: { now: () => now },
    now: () => now,
  });
  await skydeck.waitFor(/Servers › api-1[\s\S]*● running {2}api-1/);
  await skydeck.press(key);
  return skydeck;
}

test('graphs show the last day, a crosshair reads them, and they go back month by month', async () => {
  const skydeck = await openTab('2');
  await skydeck.waitFor(/Last 24 hours[\s\S]*CPU[\s\S]*LAST +MIN +AVG/);
  await skydeck.press('left');
  await skydeck.waitFor(/UTC[\s\S]*\d\d:\d\d/);
  await skydeck.press('esc');
  await skydeck.press('down');
  await skydeck.waitFor(/❯ Disk I\/O/);
  await skydeck.press('<');
  await skydeck.waitFor('Last 30 days');
  await skydeck.press('<');
  await skydeck.waitFor('April 2026');
  await skydeck.press('>');
  await skydeck.waitFor('Last 30 days');
  await skydeck.press('m');
  await skydeck.waitFor('month:');
  await skydeck.type('2026-02');
  await skydeck.press('enter');
  await skydeck.waitFor('February 2026');
  await answered(skydeck, '/server/instances/48200125/stats/2026/2');
  await skydeck.press('t');
  await skydeck.waitFor('Last 24 hours');
});

test('a month that cannot be is refused with the reason, and can be mended', async () => {
  const skydeck = await openTab('2');
  await skydeck.waitFor('Last 24 hours');
  await skydeck.press('m');
  await skydeck.type('2026-13');
  await skydeck.press('enter');
  await skydeck.waitFor(/month: 2026-13 +\S/);
  await skydeck.press('backspace');
  await skydeck.type('2');
  await skydeck.press('ctrl-u');
  await skydeck.type('2027-01');
  await skydeck.press('enter');
  await skydeck.waitFor(/month: 2027-01 +\S/);
  await skydeck.press('esc');
  await skydeck.waitFor('Last 24 hours');
});

test('transfer shows the quota of this month and any month before', async () => {
  const skydeck = await openTab('7');
  await skydeck.waitFor(/This month[\s\S]*% of the quota[\s\S]*May 2026/);
  await skydeck.press('<', '<');
  await skydeck.waitFor(/❯ March 2026 +[\d.]+ [GT]iB/);
  await answered(skydeck, '/server/instances/48200125/transfer/2026/3');
});
