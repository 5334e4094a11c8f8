import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Demo } from '../../src/demo/server.ts';
import { openSkydeck, startQuietDemo } from './skydeck.ts';

let demo: Demo;
beforeAll(async () => {
  demo = await startQuietDemo();
});
afterAll(() => demo.close());

async function openServers(size: { columns?: number; rows?: number } = {}) {
  const skydeck = await openSkydeck({ demo, rows: 30, ...size, place: { area: 'servers' } });
  await skydeck.waitFor('api-1');
  await skydeck.press('/');
  await skydeck.waitFor('enter accept');
  return skydeck;
}

test('tab completes fields and then the values that occur, with their counts', async () => {
  const skydeck = await openServers();
  await skydeck.waitFor(/\n +status {2}label {2}ipv4 {2}cpu {2}region/);
  await skydeck.type('sta');
  await skydeck.press('tab');
  await skydeck.waitFor(/filter: status: *\n +running 36 {3}offline 3 {3}stopped 1 *\n/);
  await skydeck.press('tab', 'enter');
  await skydeck.waitFor('filter: status:offline');
  await skydeck.waitFor('Servers  3 of 40');
  await skydeck.type('|');
  await skydeck.press('tab', 'right', 'left', 'left', 'enter');
  await skydeck.waitFor('filter: status:offline|stopped');
  await skydeck.type(' tag:');
  await skydeck.press('tab');
  await skydeck.waitFor(/tag: *\n +\S+ \d/);
  // Typing narrows the choice, and esc takes none of it.
  await skydeck.type('prod');
  await skydeck.press('esc');
  await skydeck.waitFor('filter: status:offline|stopped tag:prod');
  await skydeck.press('enter');
  await skydeck.waitFor((frame) => !frame.includes('enter accept'));
  expect(skydeck.text()).toContain('filter: status:offline|stopped tag:prod');
});

test('earlier filters come back by up, each once, and what was typed by down', async () => {
  const skydeck = await openServers();
  for (const filter of ['web', 'tag:prod', 'colour:red', 'vcpu>', 'web']) {
    await skydeck.press('ctrl-u');
    await skydeck.type(filter);
    await skydeck.press('enter');
    // A filter with a mistake in it is not taken.
    if (/colour|vcpu/.test(filter)) {
      await skydeck.waitFor('A filter with a mistake is not taken');
      continue;
    }
    await skydeck.waitFor((frame) => !frame.includes('enter accept'));
    await skydeck.press('/');
    await skydeck.waitFor('enter accept');
  }
  await skydeck.press('ctrl-u');
  await skydeck.type('vcpu>4');
  for (const [key, shows] of [
    ['up', 'filter: web'],
    ['up', 'filter: tag:prod'],
    ['up', 'There is no earlier filter.'],
    ['down', 'filter: web'],
    ['down', 'filter: vcpu>4'],
    ['down', 'There is no later filter.'],
  ] as const) {
    await skydeck.press(key);
    await skydeck.waitFor(shows);
  }
  await skydeck.press('esc', '/', 'up');
  await skydeck.waitFor('filter: vcpu>4');
  await skydeck.press('esc');
  await skydeck.waitFor('Servers  40   sort');
});

test('esc takes the filter off, as the foot says, and up brings back what was accepted before', async () => {
  const skydeck = await openServers();
  await skydeck.type('tag:web');
  await skydeck.press('enter');
  await skydeck.waitFor('Servers  8 of 40');
  await skydeck.press('/');
  await skydeck.waitFor(/ esc no filter/);
  await skydeck.press('ctrl-u');
  await skydeck.type('cpu>20');
  await skydeck.press('esc');
  await skydeck.waitFor('Servers  40   sort');
  await skydeck.press('/', 'up', 'up', 'enter');
  await skydeck.waitFor((frame) => frame.includes('Servers  8 of 40') && frame.includes('filter: tag:web'));
});

test('in a small terminal nothing is silent: errors wrap, and a filter without a match says how it is written', async () => {
  const skydeck = await openServers({ columns: 60, rows: 16 });
  await skydeck.type('colour:red');
  await skydeck.waitFor(/\^ there is no field colour; there are status,(.*\n){3} .*updated\n/);
  await skydeck.press('tab');
  await skydeck.waitFor('Nothing here begins like this.');
  await skydeck.press('ctrl-u');
  await skydeck.type('ram>=8');
  await skydeck.waitFor('8 alone counts MB; with a unit: ram>=8GiB');
  await skydeck.press('ctrl-u', 'tab');
  await skydeck.type('vcpu > 5');
  await skydeck.waitFor('No blanks around < and >: size>20.');
  await skydeck.press('esc', 'ctrl-u', 'tab');
  await skydeck.waitFor(/\n +status {3}label {3}ipv4 .* {3}\+\d+ *\n/);
  await skydeck.press('left', 'enter');
  await skydeck.waitFor(/filter: updated< *\n +7d 23 {3}30d 40/);
});
