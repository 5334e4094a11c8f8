import { expect, test } from 'vitest';
import { refusal, startOtherApi } from './otherApi.ts';
import { openSkydeck } from './skydeck.ts';

test('an API without the access of buckets: no column, no tab, no further request, and all else as ever', async () => {
  const isAccess = (path: string) => /^\/object-storage\/buckets\/[^/]+\/[^/]+\/access$/.test(path);
  const api = await startOtherApi(({ path }) => (isAccess(path) ? refusal(405, 'Method Not Allowed') : undefined));
  const skydeck = await openSkydeck({ demo: api, columns: 200, rows: 40, place: { area: 'buckets' } });
  await skydeck.waitFor('LABEL');
  await skydeck.byName('preview');
  await skydeck.waitFor((text) => /LABEL/.test(text) && /CERTIFICATE/.test(text) && !/ACCESS|CORS/.test(text));
  const asked = () => api.seen.filter(({ path }) => isAccess(path)).length;

  await skydeck.press('enter');
  await skydeck.waitFor(/Overview +Objects +History +JSON/);
  expect(skydeck.text()).not.toContain('Access');
  await skydeck.press('esc');
  await skydeck.waitFor('CERTIFICATE');
  // Those that were under way together are all that there ever are.
  const first = asked();
  await skydeck.press('ctrl-r');
  await skydeck.press('e');
  await skydeck.waitFor('── Set the access');
  expect(asked()).toBe(first);
  expect(skydeck.text()).not.toContain('Method Not Allowed');
});
