import { expect, test } from 'vitest';
import { openSkydeck, type Skydeck } from './skydeck.ts';

function fits(skydeck: Skydeck, columns: number, rows: number): boolean {
  const lines = skydeck.text().split('\n');
  return lines.length === rows && lines.every((line) => [...line].length <= columns) && (lines.at(-1) ?? '') !== '';
}

test('a form keeps what was typed whatever becomes of the window', async () => {
  const skydeck = await openSkydeck({ place: { area: 'servers' } });
  await skydeck.waitFor('api-1');
  await skydeck.press('n');
  await skydeck.waitFor('── New server');
  await skydeck.fill('Label', 'web-99');
  for (const [columns, rows] of [
    [160, 50],
    [60, 16],
    [100, 30],
    [60, 20],
    [80, 24],
  ] as const) {
    skydeck.resize(columns, rows);
    await skydeck.waitFor(() => fits(skydeck, columns, rows) && /Label +.? ?web-99/.test(skydeck.text()));
    expect(skydeck.text()).toContain('New server');
  }
  await skydeck.type('x');
  await skydeck.waitFor(/Label +.? ?web-99x/);
});

test('menus, questions, help and the palette follow the window', async () => {
  const skydeck = await openSkydeck({ place: { area: 'servers' } });
  await skydeck.waitFor('api-1');
  for (const [key, says] of [
    ['a', 'Actions on api-1'],
    ['d', 'Type api-1 to go on'],
    ['?', '── Keys'],
    [':', 'Go to'],
    ['s', 'Sort by'],
    ['c', '── Copy'],
  ] as const) {
    await skydeck.press(key);
    await skydeck.waitFor(says);
    skydeck.resize(60, 16);
    await skydeck.waitFor((frame) => frame.includes(says) && fits(skydeck, 60, 16));
    skydeck.resize(160, 50);
    await skydeck.waitFor((frame) => frame.includes(says) && fits(skydeck, 160, 50));
    await skydeck.press('esc');
    await skydeck.waitFor((frame) => !frame.includes(says));
    skydeck.resize(80, 24);
    await skydeck.waitFor(() => fits(skydeck, 80, 24));
  }
});

test('below 60×16 one line says how much is needed, and everything comes back with the room', async () => {
  const skydeck = await openSkydeck({ columns: 60, rows: 16, place: { area: 'servers' } });
  await skydeck.waitFor('api-1');
  await skydeck.pointAt('api-4');
  skydeck.resize(59, 16);
  await skydeck.waitFor('Skydeck needs 60 columns and 16 rows; here are 59 and 16.');
  skydeck.resize(60, 15);
  await skydeck.waitFor('Skydeck needs 60 columns and 16 rows; here are 60 and 15.');
  skydeck.resize(60, 16);
  await skydeck.waitFor('api-4');
  expect(skydeck.cursorLine()).toContain('api-4');
  skydeck.resize(20, 5);
  await skydeck.waitFor('Skydeck needs 60');
  await skydeck.press('q');
  await skydeck.quit;
});

test('a wide window shows the row under the cursor beside the list', async () => {
  const skydeck = await openSkydeck({ columns: 160, rows: 50, place: { area: 'servers' } });
  await skydeck.waitFor(/api-1 .*[\s\S]*Addresses +192\.0\.2\.18, 192/);
  await skydeck.press('down');
  await skydeck.waitFor(/Addresses +192\.0\.2\.19/);
});
