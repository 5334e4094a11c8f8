import { expect, test } from 'vitest';
import { refusal, startOtherApi } from './otherApi.ts';
import { openSkydeck } from './skydeck.ts';

const big = '9007199254740993';

test('without events, and of a row whose id no number holds, it tells what was seen to differ', async () => {
  let fields = '"label": "one", "size": 20, "tags": ["a", "b"]';
  const api = await startOtherApi(({ path }) => {
    if (path === '/account/events') return refusal(403, 'Your OAuth token is not authorized to use this endpoint.');
    const row = `{"id": ${big}, "status": "active", "server_id": null, ${fields}}`;
    if (path === '/volumes') return `{"data": [${row}], "page": 1, "pages": 1, "results": 1}`;
    return path === `/volumes/${big}` ? row : undefined;
  });
  const skydeck = await openSkydeck({ demo: api, columns: 80, rows: 24, place: { area: 'volumes' } });
  await skydeck.waitFor(/one +/);
  await skydeck.press('enter', '=');
  await skydeck.waitFor(/Events: \S/);
  await skydeck.press('space');
  await skydeck.waitFor('There is no entry.');

  fields = '"label": "t\\u001b[31mwo\\u202e", "tags": ["b", "c"], "size": 20, "odd": {"deep": [null]}';
  await skydeck.press('ctrl-r');
  await skydeck.waitFor('seen changed');
  expect(skydeck.text()).toMatch(/Label +one → two⟨RLO⟩/);
  expect(skydeck.text()).toMatch(/Tags +\+c −a/);
  expect(skydeck.text()).toMatch(/odd +– → \{"deep":\[null\]\}/);
  await skydeck.press('enter');
  await skydeck.waitFor(/before seen changed, .* after seen changed/);
  expect(skydeck.text()).toMatch(/Label +one +two⟨RLO⟩/);
  expect(skydeck.text()).toMatch(/odd\.deep +absent +\[null\]/);
  await skydeck.press('esc', 'u');
  await skydeck.waitFor('Only what was sent from here can be taken back');
});
