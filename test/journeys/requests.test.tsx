import { expect, test } from 'vitest';
import { openSkydeck } from './skydeck.ts';

test('what was asked of the API is listed with what became of it, and opens', async () => {
  const skydeck = await openSkydeck({ columns: 120, rows: 30, place: { area: 'servers' } });
  await skydeck.waitFor('api-1');
  await skydeck.goTo('requests');
  await skydeck.waitFor(/● ok +GET +\S*\/server\/instances +200/);
  await skydeck.press('/');
  await skydeck.type('path:instances');
  await skydeck.press('enter');
  await skydeck.waitFor(/All \d+ of \d+/);
  await skydeck.press('enter');
  await skydeck.waitFor(/Started +\d{4}-\d\d-\d\dT/);
  await skydeck.press('esc', 'tab', 'tab');
  await skydeck.waitFor(/^ +No request has failed\.$/m);
});

test('a change is among the changes; its body is nowhere', async () => {
  const skydeck = await openSkydeck({ place: { area: 'servers' } });
  await skydeck.waitFor('api-1');
  await skydeck.press('e');
  await skydeck.waitFor('── Edit api-1');
  await skydeck.fill('Label', 'renamed-by-me');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Edit: renamed-by-me');
  await skydeck.goTo('requests');
  await skydeck.press('tab');
  await skydeck.waitFor(/● ok +PUT +/);
  await skydeck.byName('JSON');
  await skydeck.waitFor('"method": "PUT"');
  expect(skydeck.text()).not.toMatch(/"(label|body)"/);
});

test('while the API asks to wait, the header counts the seconds down', async () => {
  const skydeck = await openSkydeck({
    columns: 120,
    rows: 30,
    demo: { faults: ['limits:1'], pace: 50, colleagues: false },
    place: { area: 'servers' },
  });
  await skydeck.waitFor(/asked to wait 2 s/);
  await skydeck.waitFor(/asked to wait 1 s/);
  await skydeck.goTo('requests');
  await skydeck.waitFor(/! limited +GET .* 429/);
});
