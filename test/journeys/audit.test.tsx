import { expect, test } from 'vitest';
import { openSkydeck } from './skydeck.ts';

test('what was changed is listed with its values, found, opened, copied as curl, and leads to its row', async () => {
  const skydeck = await openSkydeck({ columns: 120, rows: 40, place: { area: 'servers' } });
  await skydeck.waitFor('api-1');
  await skydeck.pointAt('api-1');
  await skydeck.press('e');
  await skydeck.waitFor('── Edit api-1');
  await skydeck.fill('Label', 'api-first');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Edit: api-first');
  await skydeck.goTo('journal');
  await skydeck.waitFor(/● done +demo +Edit +api-1 +Servers +label: api-1 → api-first/);

  await skydeck.goTo('tags');
  await skydeck.press('n');
  await skydeck.waitFor('── New tag');
  await skydeck.fill('Label', 'audited');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(/audited/);
  await skydeck.goTo('journal');
  await skydeck.waitFor(/● done +demo +New tag[\s\S]*● done +demo +Edit/);
  await skydeck.press('/');
  await skydeck.type('changed:api-first');
  await skydeck.press('enter');
  await skydeck.waitFor('1 of 2');
  await skydeck.press('enter');
  await skydeck.waitFor(/Values\s+label: api-1 → api-first/);
  await skydeck.waitFor(/curl -X PUT/);
  expect(skydeck.text()).toContain('"Authorization: Bearer $SKYDECK_TOKEN"');
  await skydeck.press('c');
  await skydeck.waitFor('── Copy of ');
  await skydeck.type('curl');
  await skydeck.press('enter');
  expect(skydeck.copied.at(-1)).toMatch(
    /^curl -X PUT \\\n.*-d '\{"label":"api-first"\}' \\\n {2}'http:.*\/server\/instances\/\d+'$/s,
  );
  expect(skydeck.copied.at(-1)).not.toContain(skydeck.demo.tokens.full);
  await skydeck.press('o');
  await skydeck.waitFor(/api-first/);
  await skydeck.waitFor('Overview');
  expect(skydeck.text()).toContain('Servers › api-first');
});
