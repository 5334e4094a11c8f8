import { expect, test } from 'vitest';
import { openSkydeck, type Skydeck } from './skydeck.ts';

/** The text before the terminal's cursor in its line; undefined while it is hidden. */
function beforeCursor({ terminal, bytes }: Skydeck): string | undefined {
  if (bytes.lastIndexOf('\x1b[?25l') > bytes.lastIndexOf('\x1b[?25h')) return undefined;
  const { cursorX, cursorY, baseY } = terminal.buffer.active;
  return terminal.buffer.active
    .getLine(baseY + cursorY)
    ?.translateToString(false, 0, cursorX)
    .replace(/^.*│/, '');
}

const rests = (skydeck: Skydeck, where: string | undefined) => expect.poll(() => beforeCursor(skydeck)).toBe(where);

test("the terminal's own cursor is where one types, and hidden elsewhere", async () => {
  const skydeck = await openSkydeck({ columns: 120, rows: 40, place: { area: 'servers' } });
  await skydeck.waitFor(/❯ .*api-1/);
  await rests(skydeck, undefined);
  await skydeck.press('/');
  await rests(skydeck, ' filter: ');
  await skydeck.type('we漢');
  await rests(skydeck, ' filter: we漢');
  await skydeck.press('left');
  await rests(skydeck, ' filter: we');
  await skydeck.press('backspace', 'esc');
  await rests(skydeck, undefined);
  await skydeck.press(':');
  await skydeck.waitFor('Go to ─');
  await skydeck.type('vol');
  await rests(skydeck, ' ❯ vol');
  await skydeck.press('esc');
  await rests(skydeck, undefined);
  await skydeck.press('e');
  await skydeck.waitFor('── Edit api-1');
  await expect.poll(() => beforeCursor(skydeck)).toMatch(/Label \* .* api-1$/);
  await skydeck.type('x');
  await expect.poll(() => beforeCursor(skydeck)).toMatch(/Label \* .* api-1x$/);
  await skydeck.press('esc');
  await rests(skydeck, undefined);
  await skydeck.goTo('stackscripts');
  await skydeck.waitFor('n new');
  await skydeck.press('n');
  await skydeck.waitFor('── New StackScript');
  await skydeck.field('Script');
  await skydeck.type('#!/bin/sh');
  await expect.poll(() => beforeCursor(skydeck)).toMatch(/#!\/bin\/sh$/);
  await skydeck.press('enter');
  await skydeck.type('é');
  await expect.poll(() => beforeCursor(skydeck)).toMatch(/^ *é$/);
});

test('a screen reader finds the cursor at the current row, and a first line that holds still', async () => {
  const skydeck = await openSkydeck({ columns: 120, rows: 40, place: { area: 'servers' }, screenReader: true });
  await skydeck.waitFor(/❯ .*api-1/);
  const row = () => skydeck.terminal.buffer.active.cursorY;
  await expect.poll(() => beforeCursor(skydeck)).toBe('');
  const first = row();
  await skydeck.press('down');
  await skydeck.waitFor(/❯ .*api-2/);
  await expect.poll(row).toBe(first + 1);
  expect(skydeck.line(0)).toMatch(/Servers$/);
  await skydeck.press('a');
  await skydeck.waitFor('Shut down');
  await rests(skydeck, ' ❯ ');
  await skydeck.press('down');
  await rests(skydeck, '');
  await skydeck.type('sh');
  await rests(skydeck, ' ❯ sh');
});
