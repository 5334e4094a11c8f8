import { expect, test } from 'vitest';
import { callsDuring } from '../calls.ts';
import { startHeldDemo } from './heldDemo.ts';
import { openSkydeck } from './skydeck.ts';

test('a row that opens is drawn once until an answer comes', async () => {
  let isHeld = false;
  const demo = await startHeldDemo(() => isHeld);
  const skydeck = await openSkydeck({ demo, columns: 120, rows: 40, place: { area: 'servers' } });
  await skydeck.waitFor('web-1');
  await skydeck.pointAt('web-1 ');
  isHeld = true;
  const calls = await callsDuring(async () => {
    await skydeck.press('enter');
    await expect.poll(() => demo.held).toBeGreaterThan(3);
    await skydeck.waitFor('Overview');
  });
  expect([calls('DetailScreen'), calls('Overview'), calls('relationsOf')]).toEqual([1, 1, 1]);
});
