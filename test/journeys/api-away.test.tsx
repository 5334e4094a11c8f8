import { expect, test } from 'vitest';
import { openSkydeck, startQuietDemo } from './skydeck.ts';

test('the API goes away and comes back: one calm line, nothing is lost, and it recovers by itself', async () => {
  const first = await startQuietDemo();
  const skydeck = await openSkydeck({ demo: first, place: { area: 'servers' } });
  await skydeck.waitFor('api-1');
  await skydeck.press('n');
  await skydeck.waitFor('── New server');
  await skydeck.fill('Label', 'half-typed');
  await skydeck.press('esc');

  await first.close();
  await skydeck.press('ctrl-r');
  await skydeck.waitFor(/✗ The API cannot be reached\. .*Next try/, { timeoutMs: 15_000 });
  expect(skydeck.text()).toMatch(/Data \d+ s old\. Next try \d\d:\d\d:\d\d \(ctrl-r now\)\./);
  expect(skydeck.text()).toContain('api-1');

  await skydeck.press('n');
  await skydeck.waitFor(/Label +.? ?half-typed/);
  await skydeck.press('esc');
  await skydeck.press('down');
  await skydeck.waitFor(() => skydeck.cursorLine().includes('api-2'));

  const second = await startQuietDemo({ port: Number(new URL(first.url).port) });
  try {
    await skydeck.waitFor((frame) => !frame.includes('cannot be reached'), { timeoutMs: 20_000 });
    await skydeck.press('n');
    await skydeck.waitFor(/Label +.? ?half-typed/);
  } finally {
    await skydeck.close();
    await second.close();
  }
});

test('a change that nobody answered stays in its form, with what is known about it', async () => {
  const demo = await startQuietDemo();
  const skydeck = await openSkydeck({ demo, place: { area: 'servers' } });
  await skydeck.waitFor('api-1');
  await skydeck.press('e');
  await skydeck.waitFor('── Edit api-1');
  await skydeck.fill('Label', 'renamed');
  await demo.close();
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(/Not sent: could not check whether others have changed it\.[\s\S]*cannot be reached for GET/);
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(/cannot be reached for PUT/);
  expect(skydeck.text()).toMatch(/Label \* +.? ?renamed/);
});

test('a dashboard whose API was never there can be looked at and left', async () => {
  const demo = await startQuietDemo();
  await demo.close();
  const skydeck = await openSkydeck({ demo, place: { area: 'servers' } });
  await skydeck.waitFor('demo › Servers');
  await skydeck.waitFor(/cannot be reached/, { timeoutMs: 15_000 });
  await skydeck.press('?');
  await skydeck.waitFor('── Keys');
  await skydeck.press('esc', 'q');
  await skydeck.quit;
});
