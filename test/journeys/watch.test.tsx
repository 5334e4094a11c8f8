import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import type { Demo } from '../../src/demo/server.ts';
import { boardNames } from '../../src/screens/watch/boardNames.ts';
import { expectFrame } from '../frames/golden.ts';
import { openSkydeck, startQuietDemo } from './skydeck.ts';

vi.stubEnv('TZ', 'UTC');

const now = () => Date.UTC(2026, 4, 13, 12);
const hour = 3_600_000;

let demo: Demo;
beforeAll(async () => {
  demo = await startQuietDemo({ now, pace: 1 });
});
afterAll(() => demo.close());

/** Those that take turns unless others are named. */
const usual = boardNames.filter((name) => name !== 'big');

describe.each([
  [60, 16],
  [80, 24],
  [160, 50],
] as const)('%i×%i', (columns, rows) => {
  test('the boards of NodeBalancers and managed services', async () => {
    const watch = { boards: ['nodebalancers', 'managed'] as const, everyMs: hour, onCritical: () => {} };
    const skydeck = await openSkydeck({ demo, now, columns, rows, watch });
    await expectFrame(skydeck, 'watchBalancers');
    await skydeck.press('n');
    await expectFrame(skydeck, 'watchManaged');
  });
});

test('in ASCII no other character is drawn on any board', async () => {
  const skydeck = await openSkydeck({ demo, now, ascii: true, watch: { everyMs: hour, onCritical: () => {} } });
  await skydeck.waitFor('FRESH');
  for (const [index] of usual.entries()) {
    await skydeck.press(String(index + 1));
    await skydeck.waitFor(`${index + 1} of ${usual.length}`);
    const others = [...skydeck.text()].filter((character) => !/[\n\x20-\x7e]/.test(character));
    expect(others, skydeck.text()).toEqual([]);
  }
});

test('no key opens a form, a question or a menu on the wall', async () => {
  const skydeck = await openSkydeck({ demo, now, readOnly: true, watch: { everyMs: hour, onCritical: () => {} } });
  await skydeck.waitFor('FRESH');
  for (const [index] of usual.entries()) {
    await skydeck.press(String(index + 1));
    await skydeck.waitFor(`${index + 1} of ${usual.length}`);
    for (const key of ['e', 'd', 'a', 'f', 't', 'u', ':', 'enter', 'ctrl-a', 'ctrl-s']) {
      await skydeck.press(key);
      expect(skydeck.text()).not.toMatch(/── (New|Edit|Delete|Actions|Go to|Plan)|ctrl-a plan/);
    }
  }
  expect(skydeck.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('a window that is too small says so, and one of another size is filled again', async () => {
  const skydeck = await openSkydeck({ demo, now, watch: { everyMs: hour, onCritical: () => {} } });
  await skydeck.waitFor('FRESH');
  skydeck.resize(59, 16);
  await skydeck.waitFor('Skydeck needs 60 columns and 16 rows, but has 59 and 16.');
  skydeck.resize(120, 40);
  await skydeck.waitFor((text) => text.split('\n')[37]?.includes('FRESH') === true);
});

test('what is new and critical stops it at the problems, and says so until a key goes on', async () => {
  let passed = 0;
  const said: string[] = [];
  const skydeck = await openSkydeck({
    demo: { now, pace: 1, latencyMs: 300 },
    now: () => now() + passed,
    configuration: {
      rules: [{ for: 'servers', where: 'label:aaa-new', severity: 'critical', says: '{label} is one too many' }],
    },
    watch: { boards: ['managed'], everyMs: hour, onCritical: (says) => said.push(says) },
  });
  await skydeck.waitFor('READING');
  await skydeck.waitFor('FRESH');
  // A service that does not answer was there before.
  await skydeck.waitFor('4 critical');
  await vi.waitFor(() => expect(skydeck.isExamined()).toBe(true), { timeout: 30_000 });
  expect(said).toEqual([]);
  passed = hour / 2;
  await skydeck.elsewhere('POST', '/server/instances', { region: 'us-east', type: 'g6-nanode-1', label: 'aaa-new' });
  await skydeck.waitFor(/› Problems {2}on hold[\s\S]* ✗ New at 12:30, on hold until 12:35: /);
  await skydeck.waitFor('search does not answer as expected');
  expect(said).toEqual(['aaa-new is one too many']);
  await skydeck.press('space');
  await skydeck.waitFor((text) => text.includes('› Managed  1 of 1') && !text.includes('New at'));
  // One board of one page has no other to turn to, and says so.
  await skydeck.waitFor((text) => text.split('\n').at(-1) === ' q quit');
  for (const [key, says] of [
    ['n', 'There is no other board.'],
    ['down', 'This board has one page.'],
    ['2', 'There is no other board.'],
    ['space', 'Nothing turns: there is one board of one page.'],
  ] as const) {
    await skydeck.press(key);
    await skydeck.waitFor(says);
  }
});

test('a board that comes again and says the same costs no byte', async () => {
  const watch = { boards: ['nodebalancers'] as const, everyMs: hour, onCritical: () => {} };
  const skydeck = await openSkydeck({ demo, now, watch });
  await skydeck.waitFor('port 5432');
  const cost = async () => {
    const before = skydeck.bytes.length;
    await skydeck.press('n', 'n', 'n');
    return skydeck.bytes.length - before;
  };
  // Readings that are under way may come in between.
  await expect.poll(cost, { timeout: 10_000 }).toBe(0);
});
