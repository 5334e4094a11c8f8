/** Rows that a guard keeps as they are have a lock in their list. */

import { expect, test } from 'vitest';
import type { Configuration } from '../../src/config/configuration.ts';
import { openSkydeck, type SkydeckOptions } from './skydeck.ts';

const guards: Configuration['guards'] = [
  { for: 'servers', where: 'label:web-1', actions: ['delete', 'resize'], deny: true, reason: 'web-1 is left alone' },
  { for: 'servers', where: 'label:web-2', actions: ['resize'], deny: true },
  { for: 'servers', where: 'label:web-3', actions: ['*'], deny: true, reason: 'production' },
  { for: 'servers', where: 'label:web-4', actions: ['delete'], ask: 'label' },
];

async function openServers(options: SkydeckOptions = {}) {
  const configuration = { guards, ...options.configuration };
  const skydeck = await openSkydeck({ columns: 100, rows: 40, place: { area: 'servers' }, ...options, configuration });
  await skydeck.waitFor('web-4');
  return skydeck;
}

test.each([
  ['dark', {}, '⚿', '✓'],
  ['no colours', { theme: 'mono' }, '⚿', '✓'],
  ['ASCII', { ascii: true }, '#', '*'],
  ['ASCII in a small window', { ascii: true, columns: 60, rows: 16 }, '#', '*'],
] as const)('a lock stands before a row whose deletion is denied: %s', async (_, options, lock, mark) => {
  const skydeck = await openServers({ demo: { servers: 6 }, ...options });
  await skydeck.waitFor((text) => text.includes(` ${lock} `) && / web-4 /.test(text));
  const before = (label: string) =>
    skydeck
      .text()
      .split('\n')
      .find((line) => line.includes(` ${label} `))
      ?.slice(1, 3);
  expect(['web-1', 'web-2', 'web-3', 'web-4'].map(before)).toEqual([`${lock} `, '  ', `${lock} `, '  ']);
  await skydeck.pointAt('web-3 ');
  await skydeck.press('space');
  await skydeck.waitFor('marked 1');
  expect(before('web-3')).toBe(`${mark}${lock}`);
});

test('its page names the guard and its actions, and help says what the lock is', async () => {
  const skydeck = await openServers({ demo: { servers: 6 } });
  await skydeck.press('?');
  await skydeck.waitFor(/Before a row[\s\S]*⚿ +a guard keeps it\s+as it\s+is/);
  await skydeck.press('esc');
  for (const [label, says] of [
    ['web-1', /⚿ Guarded: web-1 is left alone\. Denied: (delete and resize|resize and delete)\./],
    ['web-2', /⚿ Guarded by the configuration \(label:web-2\)\. Denied: resize\./],
    ['web-3', '⚿ Guarded: production. Denied: all.'],
  ] as const) {
    await skydeck.pointAt(`${label} `);
    await skydeck.press('enter');
    await skydeck.waitFor(says);
    await skydeck.press('esc');
    await skydeck.waitFor(/STATUS +LABEL/);
  }
});

test('it goes when the row is no more what the guard is about, and with the guard', async () => {
  const where = 'tag:prod';
  const tagged: Configuration['guards'] = [{ for: 'servers', where, actions: ['*'], deny: true }];
  const skydeck = await openServers({ demo: { servers: 6 }, configuration: { guards: tagged } });
  await skydeck.waitFor(/⚿ .* web-1 /);
  await skydeck.elsewhere('PUT', '/server/instances/48200101', { tags: ['dev'] });
  await skydeck.press('ctrl-r');
  await skydeck.waitFor((text) => !/⚿ .* web-1 /.test(text));
  expect(skydeck.text()).toMatch(/⚿ .* web-2 /);
});

test('without a guard that denies there is none, and help has no word of it', async () => {
  const skydeck = await openServers({ demo: { servers: 6 }, configuration: { guards: guards.slice(3) } });
  expect(skydeck.text()).not.toContain('⚿');
  await skydeck.press('?');
  await skydeck.waitFor('Everywhere');
  expect(skydeck.text()).not.toContain('⚿');
});
