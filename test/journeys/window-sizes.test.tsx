import { expect, test } from 'vitest';
import { refusal, startOtherApi } from './otherApi.ts';
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
    ['d', 'Type api-1 to confirm'],
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
  await skydeck.waitFor('Skydeck needs 60 columns and 16 rows, but has 59 and 16.');
  skydeck.resize(60, 15);
  await skydeck.waitFor('Skydeck needs 60 columns and 16 rows, but has 60 and 15.');
  skydeck.resize(60, 16);
  await skydeck.waitFor('api-4');
  expect(skydeck.cursorLine()).toContain('api-4');
  skydeck.resize(20, 5);
  await skydeck.waitFor((frame) => frame.replace(/\s+/g, ' ').includes('and 16 rows, but has 20 and 5.'));
  await skydeck.press('q');
  await skydeck.quit;
});

test('below 60×16 nothing typed is lost, and no key does what cannot be seen', async () => {
  const skydeck = await openSkydeck({ columns: 80, rows: 24, place: { area: 'servers' } });
  await skydeck.waitFor('api-1');
  await skydeck.press('n');
  await skydeck.waitFor('── New server');
  await skydeck.fill('Root password', 'Correct-horse-9');
  await skydeck.waitFor(/Root password \* +✓/);
  skydeck.resize(59, 15);
  await skydeck.waitFor('Skydeck needs');
  await skydeck.press('ctrl-u', 'esc');
  await skydeck.waitFor(/Skydeck needs[\s\S]*"esc" does nothing here\./);
  skydeck.resize(80, 24);
  await skydeck.waitFor(/❯ Root password \* +✓ •/);
});

test('what is said takes the lines it needs, and the ways to help and on are never crowded out', async () => {
  // It tells no scopes of the token, so nothing is known of them before it refuses something.
  const demo = await startOtherApi(
    () => undefined,
    ({ method }) => (method === 'POST' ? refusal(403, 'Unauthorized') : undefined),
  );
  const skydeck = await openSkydeck({ columns: 80, rows: 24, demo, place: { area: 'servers' } });
  await skydeck.waitFor('web-1');
  expect(skydeck.line(23)).toMatch(/: go to {2}\? keys/);
  await skydeck.press('a', 'S');
  await skydeck.waitFor('── Shut down?');
  await skydeck.press('enter');
  await skydeck.waitFor(/✗ Shut down: web-1: The token has no permission[\s\S]*servers:read_write/);
  await skydeck.press('a', 'S');
  await skydeck.waitFor(/── Shut down\?[\s\S]*\n ctrl-a plan /);
  await skydeck.press('enter');
  await skydeck.waitFor(/The token has no permission [\s\S]*servers:read_write[\s\S]*ctrl-a puts it into the plan/);
  await skydeck.press('esc', 'n');
  await skydeck.waitFor('── New server  1/');
  await skydeck.press('tab');
  await skydeck.waitFor('enter choose');
  expect(skydeck.line(23)).toMatch(/ctrl-p preview {2}esc close/);
});

test('a wide window shows the row under the cursor beside the list', async () => {
  const skydeck = await openSkydeck({ columns: 160, rows: 50, place: { area: 'servers' } });
  await skydeck.waitFor(/api-1 .*[\s\S]*Addresses\s[\s\S]*192\.0\.2\.18, public IPv4/);
  await skydeck.press('down');
  await skydeck.waitFor(/192\.0\.2\.19, public IPv4/);
});

test.each([
  [80, 24],
  [120, 40],
  [160, 50],
  [200, 60],
] as const)('at %i×%i a popup is as wide as its text, over the list, and cuts nothing', async (columns, rows) => {
  const skydeck = await openSkydeck({ columns, rows, place: { area: 'servers' } });
  await skydeck.waitFor('cost: $');
  const top = () =>
    skydeck
      .text()
      .split('\n')
      .slice(1, Math.floor(rows / 2) - 1);
  const before = top().map((line) => line.slice(0, 45));
  await skydeck.press('a');
  await skydeck.waitFor(/^┌── Actions on api-1 ─.*┐/m);
  // The list beside and above it stays whole.
  expect(top().map((line) => line.slice(0, 45))).toEqual(before);
  const [frame = ''] = /^┌── Actions.*?┐/m.exec(skydeck.text()) ?? [];
  expect(frame.length).toBeLessThan(60);
  expect(
    skydeck
      .text()
      .split('\n')
      .findIndex((line) => line.startsWith('┌')),
  ).toBeGreaterThanOrEqual(rows / 2 - 1);
  await skydeck.press('esc', ':');
  await skydeck.type('server');
  await skydeck.waitFor(/^│? ❯ server/m);
  const popup = skydeck
    .text()
    .split('\n')
    .filter((line) => line.startsWith('│'));
  expect(popup.length).toBeLessThanOrEqual(16);
  for (const line of popup) expect(line.split('│')[1]).not.toContain('…');
  await skydeck.press('esc', 'c');
  await skydeck.waitFor(/^┌── Copy of api-1 .{20,60}┐/m);
});

test('the chosen line of a menu wraps, and the cursor of the list is never under a popup', async () => {
  const skydeck = await openSkydeck({ columns: 60, rows: 16, place: { area: 'servers' } });
  await skydeck.waitFor('api-1');
  await skydeck.press('G', 'a');
  await skydeck.waitFor('── Actions on worker-5');
  expect(skydeck.text()).toMatch(/^❯.* worker-5 [\s\S]*── Actions on worker-5/m);
  await skydeck.press('down', 'down');
  await skydeck.waitFor(/❯ B {2}Set the backup window +Backups are[^…\n]*\n[^…]+console\n/);
});
