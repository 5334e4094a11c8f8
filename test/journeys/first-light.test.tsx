import { expect, test } from 'vitest';
import { openSkydeck } from './skydeck.ts';

test('look', async () => {
  const t0 = Date.now();
  const s = await openSkydeck();
  await s.waitFor('Activity');
  console.log(Date.now() - t0);
  console.log(s.text());
  await s.goTo('servers');
  console.log(s.text());
  await s.press('n');
  await s.waitFor('New server');
  console.log(s.text(), s.cursorLine());
  await s.pick('Image', 'server/debian12');
  await s.fill('Label', 'web-99');
  console.log(s.text(), s.cursorLine());
  await s.press('esc', '?');
  await s.waitFor('Keys');
  console.log(s.text());
  await s.press('esc');
  await s.press(...'jjj');
  console.log(s.cursorLine(), Date.now() - t0);
});
test('burst', async () => {
  const s = await openSkydeck({place: {area: 'servers'}});
  await s.waitFor('api-1');
  await s.pressAtOnce('down','down','down');
  await s.waitFor(() => s.cursorLine().includes('api-4'));
  await s.pressAtOnce('j','j','j');
  await s.waitFor(() => s.cursorLine().includes('batch-1'));
  await s.pressAtOnce(':','v','o','l','u','m','e','s','enter');
  await s.waitFor('Volumes  24');
  await s.pressAtOnce('/','d','a','t','a','enter','down');
  await s.waitFor(() => s.cursorLine().includes('db-replica-1-data'));
});
