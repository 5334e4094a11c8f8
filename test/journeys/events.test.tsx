import { expect, test } from 'vitest';
import { openSkydeck } from './skydeck.ts';

async function openEvents() {
  const skydeck = await openSkydeck({ columns: 100, place: { area: 'events' } });
  await skydeck.waitFor(/❯ +● /);
  return skydeck;
}

test('an event is read, and leads to what it is about', async () => {
  const skydeck = await openEvents();
  await skydeck.press('a', 'M');
  await skydeck.waitFor('Mark as read:');
  await skydeck.waitFor(() => !/❯ +● +[●○]/.test(skydeck.text()));
  expect(skydeck.changes).toMatchObject([{ method: 'POST', path: expect.stringMatching(/events\/\d+\/read$/) }]);
  await skydeck.press('a');
  await skydeck.waitFor(/Mark as read +This event is already read/);
  await skydeck.press('esc', 'o');
  await skydeck.waitFor(/demo › Servers › \S+/);
  await skydeck.press('esc');
  await skydeck.waitFor('demo › Events');
});

test('everything up to an event is seen', async () => {
  const skydeck = await openEvents();
  await skydeck.press('down', 'down', 'a', 'U');
  await skydeck.waitFor('── Mark all up to here as seen?');
  await skydeck.press('enter');
  await skydeck.waitFor('Mark all up to here as seen:');
  const { data } = await skydeck.elsewhere('GET', '/account/events');
  expect((data as { seen: boolean }[]).slice(0, 4).map(({ seen }) => seen)).toEqual([false, false, true, true]);
});

test('only events of one action, user or entity are left by the filter', async () => {
  const skydeck = await openEvents();
  await skydeck.press('/');
  await skydeck.type('action:reboot user:deploy-bot');
  await skydeck.press('enter');
  await skydeck.waitFor(/Events {2}\d+ of 363/);
  const rows = skydeck.text().split('\n').slice(4, -1);
  for (const row of rows) expect(row).toMatch(/^$|server reboot.*deploy-bot/);
});

test.each([
  [120, 40],
  [80, 24],
])('the message of an event stands in full at %i×%i', async (columns, rows) => {
  const skydeck = await openSkydeck({ columns, rows, place: { area: 'events' } });
  await skydeck.waitFor(/❯ +● /);
  await skydeck.press('/');
  await skydeck.type('status:failed entity:batch-4');
  await skydeck.press('enter');
  await skydeck.waitFor(/Events {2}\d+ of \d+/);
  await skydeck.press('enter');
  await skydeck.waitFor(/Message/);
  const said = skydeck.text().replace(/\s+/g, ' ');
  expect(said).toContain('The root device of the configuration could not be found.');
});
