import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Demo } from '../../src/demo/server.ts';
import { openSkydeck, startQuietDemo } from './skydeck.ts';

let demo: Demo;
beforeAll(async () => {
  demo = await startQuietDemo();
});
afterAll(() => demo.close());

test('regions tell what they can do, how they are, and how much of ours is there', async () => {
  const skydeck = await openSkydeck({ demo, columns: 110 });
  await skydeck.waitFor(/Servers +40/);
  await skydeck.goTo('regions');
  await skydeck.waitFor(/ap-northeast +jp +✗ outage/);
  await skydeck.waitFor(/us-east +us +● ok +26 +16 +3 /);
  await skydeck.press('/');
  await skydeck.type('capabilities:gpu');
  await skydeck.press('enter');
  await skydeck.waitFor('Regions  2 of 13');
});

test('kernels can be found and their ids copied', async () => {
  const skydeck = await openSkydeck({ demo, columns: 110, place: { area: 'kernels' } });
  await skydeck.waitFor('GRUB 2');
  await skydeck.press('/');
  await skydeck.type('grub2');
  await skydeck.press('enter');
  await skydeck.waitFor('server/grub2');
  await skydeck.press('c');
  await skydeck.waitFor('── Copy');
  await skydeck.type('id');
  await skydeck.press('enter');
  await skydeck.waitFor('Copied the ID');
  expect(skydeck.copied).toEqual(['server/grub2']);
});

test('JSON is shown whole, and searched', async () => {
  const skydeck = await openSkydeck({ demo, place: { area: 'servers' } });
  await skydeck.waitFor('api-1');
  await skydeck.byName('JSON');
  await skydeck.waitFor('"label": "api-1"');
  await skydeck.press('/');
  await skydeck.type('watchdog');
  await skydeck.press('enter');
  await skydeck.waitFor(/›.*"watchdog_enabled": true/);
  await skydeck.waitFor('search: watchdog 1 match');
  await skydeck.press('g');
  await skydeck.waitFor('"label": "api-1"');
  await skydeck.press('n');
  await skydeck.waitFor(/›.*"watchdog_enabled"/);
});

test('the copy menu offers the ssh command, addresses and the whole row', async () => {
  const skydeck = await openSkydeck({ demo, place: { area: 'servers' } });
  await skydeck.waitFor('api-1');
  for (const [typed, copied] of [
    ['ssh', 'ssh root@192.0.2.18'],
    ['ipv6', '3fff:100:0:1::f03c:1008'],
    ['label', 'api-1'],
  ] as const) {
    await skydeck.press('c');
    await skydeck.waitFor('── Copy');
    await skydeck.type(typed);
    await skydeck.waitFor(`❯ ${typed}`);
    await skydeck.press('enter');
    await skydeck.waitFor((frame) => !frame.includes('── Copy'));
    expect(skydeck.copied.at(-1)).toBe(copied);
  }
});

test('help tells the keys that do something here first, then how many elsewhere, and by its name or all of them', async () => {
  const skydeck = await openSkydeck({ demo, place: { area: 'volumes' } });
  await skydeck.waitFor('archive-2023');
  await skydeck.press('?');
  await skydeck.waitFor(/── Keys [\s\S]*Here[\s\S]*enter right +open[\s\S]*n +new/);
  await skydeck.waitFor(/── Keys ─+ preset \[default\] vim k9s lazygit {2}↓ \d+ ─/);
  await skydeck.press('end');
  await skydeck.waitFor(/── Keys ─+ ↑ \d+ {2}[\s\S]*Wall monitor \d+/);
  await skydeck.press('tab', 'end');
  await skydeck.waitFor(/Wall monitor[\s\S]*next board/);
  await skydeck.type('curl');
  await skydeck.waitFor(/── Keys ─+ preset .*\n ❯ curl\s+Preview of a request\n +c +copy as curl\n/);
  await skydeck.press('ctrl-u');
  await skydeck.type('wall');
  await skydeck.waitFor(/Wall monitor[\s\S]* space +pause/);
  await skydeck.press('esc');
  await skydeck.waitFor('enter right');
  await skydeck.press('esc');
  await skydeck.waitFor('Volumes  24');
});

test('what was said can be read again', async () => {
  const skydeck = await openSkydeck({ demo, place: { area: 'volumes' } });
  await skydeck.waitFor('archive-2023');
  await skydeck.goTo('messages');
  await skydeck.waitFor('There are no messages yet.');
  await skydeck.press('esc', 'c', 'enter');
  await skydeck.waitFor('Copied the');
  await skydeck.press('J');
  await skydeck.waitFor(/Messages 1[\s\S]*\d s {2}Copied the/);
});
