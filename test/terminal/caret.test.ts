import { describe, expect, it } from 'vitest';
import { createPainter } from '../../src/terminal/painter.ts';
import { Emulator } from '../emulator.ts';

const size = { columns: 20, rows: 4 };
const area = { top: 1, left: 8, width: 12, height: 2 };
const inverse = (text: string) => `\x1b[7m${text}\x1b[27m`;

/** A painter, and the terminal that it paints on. */
function painted(options: Parameters<typeof createPainter>[0] = {}) {
  const painter = createPainter(options);
  const glass = new Emulator(size.columns, size.rows, true);
  glass.write('\x1b[?25l');
  let isShown = false;
  return {
    glass,
    paint: async (lines: readonly string[], caret?: typeof area): Promise<string> => {
      const bytes = painter.paint(lines.join('\n'), size, caret);
      glass.write(bytes);
      await glass.shown();
      for (const [, mode] of bytes.matchAll(/\x1b\[\?25([hl])/g)) isShown = mode === 'h';
      return bytes;
    },
    /** Where the cursor is seen: its row and column. */
    cursor: () => {
      const { cursorX, cursorY } = glass.terminal.buffer.active;
      return isShown ? [cursorY, cursorX] : undefined;
    },
  };
}

describe('the cursor of the terminal', () => {
  it('rests where the caret of an input is drawn, which is drawn plain, and hides when the input goes', async () => {
    const { glass, paint, cursor } = painted();
    await paint(['one', 'filter: we'], undefined);
    expect(cursor()).toBeUndefined();
    await paint(['one', `filter: we${inverse(' ')}`], area);
    expect(cursor()).toEqual([1, 10]);
    expect(glass.styleAt(1, 10).inverse).toBe(false);
    // The same frame costs nothing, another line only what it changes and the way back.
    expect(await paint(['one', `filter: we${inverse(' ')}`], area)).toBe('');
    const bytes = await paint(['two', `filter: we${inverse(' ')}`], area);
    expect(bytes.length).toBeLessThan(20);
    expect(cursor()).toEqual([1, 10]);
    await paint(['two', `filter: w${inverse('e')}`], area);
    expect(cursor()).toEqual([1, 9]);
    await paint(['two', 'filter: we']);
    expect(cursor()).toBeUndefined();
  });

  it('rests on the first cell of a wide character, and behind wide ones', async () => {
    const { paint, cursor, glass } = painted();
    await paint(['', `filter: 漢字${inverse(' ')}`], area);
    expect(cursor()).toEqual([1, 12]);
    await paint(['', `filter: 漢${inverse('字')}`], area);
    expect(cursor()).toEqual([1, 10]);
    expect(glass.styleAt(1, 10).inverse).toBe(false);
    expect(glass.line(1)).toBe('filter: 漢字');
  });

  it('looks for a caret within the input only, and is behind its text where none is drawn', async () => {
    const { paint, cursor, glass } = painted();
    await paint([inverse('tab'), `${inverse('❯')} label web`, '        more'], area);
    expect(cursor()).toEqual([2, 12]);
    expect(glass.styleAt(0, 0).inverse).toBe(true);
    await paint([inverse('tab'), '', ''], area);
    expect(cursor()).toEqual([1, 8]);
  });

  it('draws the caret again where the input has lost the focus but shows it', async () => {
    const { paint, glass } = painted();
    const frame = ['', `filter: ${inverse('w')}`];
    await paint(frame, area);
    expect(glass.styleAt(1, 8).inverse).toBe(false);
    await paint(frame);
    expect(glass.styleAt(1, 8).inverse).toBe(true);
  });

  it('follows the row of the list or menu that moved last for a screen reader', async () => {
    const { paint, cursor } = painted({ isFollowed: true });
    await paint(['list', '❯  one', '   two']);
    expect(cursor()).toEqual([1, 0]);
    await paint(['list', '   one', '❯  two']);
    expect(cursor()).toEqual([2, 0]);
    await paint(['list', '   one   │❯ a', '❯  two   │  b']);
    expect(cursor()).toEqual([1, 10]);
    await paint(['List', '   one   │❯ a', '❯  two   │  b']);
    expect(cursor()).toEqual([1, 10]);
    await paint(['List', '   one', '❯  two']);
    expect(cursor()).toEqual([2, 0]);
    await paint(['header', 'facts']);
    expect(cursor()).toEqual([1, 0]);
  });
});
