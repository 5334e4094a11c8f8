import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Demo } from '../../src/demo/server.ts';
import { openSkydeck, type Skydeck, startQuietDemo } from './skydeck.ts';

let demo: Demo;
beforeAll(async () => {
  demo = await startQuietDemo();
});
afterAll(() => demo.close());

/** Goes to a line of home from part to part, then down; lines of several parts may share one of the screen. */
async function reach(skydeck: Skydeck, part: string, downs = 0): Promise<void> {
  // The words of a line may change by themselves, but not its subject.
  const subject = () => /❯ (.*?)(?: {2}|$)/.exec(skydeck.cursorLine())?.[1];
  const moves = async (key: string) => {
    const before = subject();
    await skydeck.press(key);
    await skydeck.waitFor(() => subject() !== before);
  };
  for (let step = 0; subject() !== part; step++) {
    if (step === 20) throw new Error(`there is no part ${part}:\n${skydeck.text()}`);
    await moves('tab');
  }
  for (let step = 0; step < downs; step++) await moves('down');
}

test('without a key home tells what is wrong, and enter opens it', async () => {
  const skydeck = await openSkydeck({ demo, columns: 120, rows: 40 });
  await skydeck.waitFor(/Problems {2}✗ 4 critical[\s\S]*critical +managed service +search does not answer/, {
    timeoutMs: 20_000,
  });
  await reach(skydeck, 'Problems', 1);
  await skydeck.press('enter');
  await skydeck.waitFor('Problems › search');
  await skydeck.press('o');
  await skydeck.waitFor('Managed services › search');
  await skydeck.press('esc', 'esc');
  await skydeck.waitFor('demo › Home');
  expect(skydeck.cursorLine()).toContain('search does not answer as expected');
});

test('a problem is acknowledged where it is told, and then is not told', async () => {
  const skydeck = await openSkydeck({ demo, columns: 120, rows: 40 });
  await skydeck.waitFor(/Problems {2}✗ 4 critical/, { timeoutMs: 20_000 });
  await reach(skydeck, 'Problems', 1);
  expect(skydeck.cursorLine()).toContain('search does not answer');
  await skydeck.press('m');
  await skydeck.waitFor('Acknowledge');
  await skydeck.press('enter');
  await skydeck.waitFor(/Problems {2}✗ 3 critical.* 1 acknowledged/);
  expect(skydeck.text()).not.toContain('search does not answer as expected');
  await reach(skydeck, 'Problems');
  await skydeck.press('enter');
  await skydeck.waitFor('demo › Problems');
});

test('tab goes from part to part, and each opens what it shows', async () => {
  const skydeck = await openSkydeck({ demo, columns: 120, rows: 40 });
  await skydeck.waitFor(/Problems {2}✗[\s\S]*✗ web-lb[\s\S]*Volumes +24 {2}4 unattached/, { timeoutMs: 20_000 });
  await reach(skydeck, 'NodeBalancers', 1);
  await skydeck.press('enter');
  await skydeck.waitFor('NodeBalancers › web-lb');
  await skydeck.press('esc', 'esc');
  await skydeck.waitFor('demo › Home');
  await skydeck.press('tab');
  await skydeck.waitFor(() => /❯ Managed/.test(skydeck.cursorLine()));
  await skydeck.press('tab', 'down');
  await skydeck.waitFor(() => /❯ Volumes/.test(skydeck.cursorLine()));
  await skydeck.press('enter');
  await skydeck.waitFor('Volumes  24');
  await skydeck.press('esc');
  await skydeck.waitFor('demo › Home');
  await skydeck.press('shift-tab', 'shift-tab');
  await skydeck.waitFor(() => /❯ NodeBalancers/.test(skydeck.cursorLine()));
});

test('what the token may not read says so, and is not asked for again', async () => {
  const skydeck = await openSkydeck({ demo, token: 'restricted' });
  await skydeck.waitFor(/Money +not allowed/);
  await skydeck.waitFor(/Servers +40[\s\S]*NodeBalancers +not allowed/);
  const refused = () => skydeck.requests.filter(({ status }) => status === 403).map(({ path }) => path);
  expect(refused().length).toBeGreaterThan(3);
  expect(new Set(refused()).size).toBe(refused().length);
});

test('an account without anything is told how to begin', async () => {
  const bare = await startQuietDemo({ servers: 0 });
  const skydeck = await openSkydeck({ demo: bare, columns: 120, rows: 40 });
  await skydeck.waitFor('No servers yet: enter, then n makes the first.');
  await reach(skydeck, 'Servers');
  await skydeck.press('enter');
  await skydeck.waitFor('There are no servers.');
  for (const id of [18301, 18305, 18309, 18313]) await skydeck.elsewhere('DELETE', `/nodebalancers/${id}`);
  await skydeck.goTo('nodebalancers');
  await skydeck.press('ctrl-r');
  await skydeck.waitFor('There are no NodeBalancers.');
  await skydeck.close();
  await bare.close();
});
