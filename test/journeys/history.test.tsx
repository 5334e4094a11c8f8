import { expect, test } from 'vitest';
import { openSkydeck } from './skydeck.ts';

test('the history of a row tells who did what, and what was seen to differ between two readings', async () => {
  const skydeck = await openSkydeck({ columns: 120, rows: 30, place: { area: 'servers', id: '48200125' } });
  await skydeck.waitFor('Status');
  await skydeck.press('8');
  await skydeck.waitFor(/WHEN +WHO +WHAT +TOOK +CHANGED/);
  await skydeck.waitFor('Events reach back 90 days. Differences between readings are seen since');
  // Past the dashboard, so that only another reading tells of it.
  await skydeck.elsewhere('PUT', '/server/instances/48200125', { label: 'api-one', tags: ['api', 'blue'] });
  await skydeck.press('r');
  await skydeck.waitFor(/server update +.* label +api-1 → api-one/);
  await skydeck.waitFor(/tags +\+blue −/);
  expect(skydeck.text()).not.toContain('updated');
  await skydeck.press('g', 'enter');
  await skydeck.waitFor('demo › Events › server update');
});
