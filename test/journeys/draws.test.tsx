import { expect, test } from 'vitest';
import { callsDuring } from '../calls.ts';
import { startHeldDemo } from './heldDemo.ts';
import { planLabel } from './planLabel.ts';
import { openSkydeck } from './skydeck.ts';

test('a form that opens leaves the place beneath it as it is drawn', async () => {
  const skydeck = await openSkydeck({ columns: 120, rows: 40, place: { area: 'volumes' } });
  await skydeck.waitFor('db-primary-data');
  await skydeck.pointAt('db-primary-data');
  const calls = await callsDuring(async () => {
    await skydeck.press('e');
    await skydeck.waitFor('── Edit db-primary-data');
  });
  expect(calls('FilledForm')).toBe(1);
  expect([calls('App'), calls('PlainList')]).toEqual([0, 0]);
  // Of the list another part is covered than before.
  expect([calls('ListPane'), calls('ViewedList')]).toEqual([0, 1]);
});

test('a key that moves the cursor draws the view of the list, and asks for nothing again', async () => {
  let isHeld = false;
  const demo = await startHeldDemo(() => isHeld);
  const skydeck = await openSkydeck({ demo, columns: 120, rows: 40, place: { area: 'servers' } });
  await skydeck.waitFor(/Servers {2}40 {3}/);
  await skydeck.pointAt('web-1 ');
  isHeld = true;
  const calls = await callsDuring(async () => {
    await skydeck.press('down');
    await skydeck.waitFor(/❯.* web-2 /);
  });
  // Answers that were under way draw it as well.
  expect(calls('ViewedList')).toBeGreaterThan(0);
  expect([calls('ListPane'), calls('useReads'), calls('usePendingRows')]).toEqual([0, 0, 0]);
});

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
  // No line with its colours is measured.
  expect(calls('graphemes')).toBe(0);
});

test('of a change to many rows each answer draws its line and the rows, but not what is around', async () => {
  const demo = await startHeldDemo(undefined, { servers: 40 });
  const skydeck = await openSkydeck({ demo, columns: 120, rows: 30, place: { area: 'servers' } });
  await skydeck.waitFor(/Servers {2}40/);
  await skydeck.press('*');
  await skydeck.waitFor('marked 40');
  await skydeck.press('a');
  await skydeck.waitFor('Actions on 40 servers');
  await skydeck.press('+');
  await skydeck.waitFor('── Add tags to 40 servers');
  await skydeck.fill('Tags to add', 'moved');
  await skydeck.sendToAll();
  await skydeck.waitFor(' 0/40');
  await skydeck.press('esc');
  const calls = await callsDuring(async () => {
    demo.release(1);
    await skydeck.waitFor(' 1/40');
    demo.release(1);
    await skydeck.waitFor(' 2/40');
  });
  expect(calls('changeLine')).toBeGreaterThanOrEqual(2);
  expect([calls('App'), calls('Footer')]).toEqual([0, 0]);
});

test('a plan is told once as long as nothing that was read is another', async () => {
  let isHeld = false;
  const demo = await startHeldDemo(() => isHeld);
  const skydeck = await openSkydeck({ demo, columns: 120, rows: 40, place: { area: 'volumes' } });
  await skydeck.waitFor('db-primary-data');
  await planLabel(skydeck, 'db-primary-data', 'db-archive');
  await skydeck.press(':');
  await skydeck.type('plan');
  await skydeck.waitFor('❯ Plan');
  isHeld = true;
  const calls = await callsDuring(async () => {
    await skydeck.press('enter');
    await skydeck.waitFor('── Plan ');
    await expect.poll(() => demo.held).toBeGreaterThan(0);
  });
  expect(calls('shownPlan')).toBe(1);
});
