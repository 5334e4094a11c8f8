import { lineOf } from '../../src/terminal/frameLine.ts';
import type { Emulator } from '../emulator.ts';

/** Skydeck itself sends these: colours, cursor moves, erasing, scrolling, the modes that it switches, and its title kept. */
const own = [
  /\x1b\[(?:\d{1,3}(?:;\d{1,3})*)?m/,
  /\x1b\[\d{0,3}[BCD]/,
  /\x1b\[(?:\d{0,3}(?:;\d{1,3})?)H/,
  /\x1b\[(?:2K|K|2J|G|1A)/,
  /\x1b\[\d{0,3}[ST]/,
  /\x1b\[(?:\d{1,3};\d{1,3})?r/,
  /\x1b\[\?(?:7|25|1004|1049|2004|2026|1)[hl]/,
  /\x1b\[2[23];2t/,
  /\x1b\[<u/,
  /\x1b[78>]/,
  /[\b\r\n\v]/,
];
/** Letters, marks and signs, but nothing that hides, reorders or is no character; joiners and variations belong to writing. */
const printable = /[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\u00ad\u180e\u200b\u2060-\u2064\ufeff\ufff9-\ufffb]/u;
const known = new RegExp(`(?:${[...own, printable].map(({ source }) => source).join('|')}){1,500}`, 'uy');

/** Bytes without links to web addresses, which Skydeck makes of some of the API's values. */
export const withoutWebLinks = (bytes: string): string => bytes.replace(/\x1b\]8;;(?:https?:\/\/[!-~]+)?\x1b\\/g, '');

/** Finds bytes that are neither Skydeck's own nor harmless text, with those around them; undefined when there are none. */
export function foreignIn(bytes: string): string | undefined {
  let end = 0;
  while (end < bytes.length) {
    known.lastIndex = end;
    if (!known.test(bytes)) return JSON.stringify(bytes.slice(Math.max(0, end - 40), end + 40));
    end = known.lastIndex;
  }
  return undefined;
}

/**
 * Says what of a frame is not on the glass where it should be: each cell of a single narrow character is compared,
 * so whatever stands left of it took exactly the room it was given.
 */
export function misplacedOn(glass: Pick<Emulator, 'terminal'>, frame: string): string | undefined {
  const { active } = glass.terminal.buffer;
  const { cols, rows } = glass.terminal;
  const lines = frame.split('\n');
  if (lines.length > rows) return `${lines.length} lines on ${rows} rows`;
  for (const [row, source] of lines.entries()) {
    const { text } = lineOf(source, cols * 2);
    if (text.length > cols) return `line ${row} takes ${text.length} of ${cols} cells: ${JSON.stringify(source)}`;
    for (const [column, wanted] of text.entries()) {
      if (!/^[\x21-\x7e]$/.test(wanted)) continue;
      const shown = active
        .getLine(active.baseY + row)
        ?.getCell(column)
        ?.getChars();
      if (shown !== wanted)
        return `row ${row}, column ${column} shows ${shown} for ${wanted}: ${JSON.stringify(source)}`;
    }
  }
  return undefined;
}
