import { StringDecoder } from 'node:string_decoder';
import { clean, withTabStops } from '../text/cells.ts';

/** A line that goes on and on is broken after so many letters, so that each can be shown. */
const maxLine = 2_000;

/**
 * Makes clean lines of output: no escape sequence reaches the terminal.
 * @param maxBytes so much is taken, and the rest is counted
 * @param onLines told of lines as soon as they are complete
 */
export function createPrintedLines(maxBytes: number, onLines?: (lines: readonly string[]) => void) {
  const lines: string[] = [];
  const streams: { decoder: StringDecoder; rest: string }[] = [];
  let bytes = 0;
  let droppedBytes = 0;
  const add = (more: readonly string[]) => {
    if (more.length === 0) return;
    for (const line of more) lines.push(line);
    onLines?.(more);
  };
  return {
    /** Takes the parts of one more stream. */
    reader() {
      const stream = { decoder: new StringDecoder(), rest: '' };
      streams.push(stream);
      return (part: Buffer) => {
        const taken = part.subarray(0, Math.max(0, maxBytes - bytes));
        bytes += taken.length;
        droppedBytes += part.length - taken.length;
        if (taken.length === 0) return;
        const parts = (stream.rest + stream.decoder.write(taken)).split('\n');
        stream.rest = parts.pop() ?? '';
        const broken = stream.rest.length > maxLine * 2 ? stream.rest.length - (stream.rest.length % maxLine) : 0;
        if (broken > 0) parts.push(stream.rest.slice(0, broken));
        stream.rest = stream.rest.slice(broken);
        add(parts.flatMap(linesOf));
      };
    },
    /** All lines, clean, and the bytes beyond the limit, which were read and thrown away. */
    end() {
      for (const stream of streams) {
        const rest = stream.rest + stream.decoder.end();
        if (rest !== '') add(linesOf(rest));
        stream.rest = '';
      }
      return { lines, droppedBytes };
    },
  };
}

/** One line as a terminal would show it in the end: what a return has begun anew is gone, tabs are spaces. */
function linesOf(text: string): readonly string[] {
  const last = text.replace(/\r+$/, '');
  const shown = last.slice(last.lastIndexOf('\r') + 1);
  const spaced = shown.includes('\t') ? withTabStops(shown, tabWidth).trimEnd() : shown;
  const line = clean(spaced, shown.length * tabWidth);
  if (line.length <= maxLine) return [line];
  return Array.from({ length: Math.ceil(line.length / maxLine) }, (_, index) =>
    line.slice(index * maxLine, (index + 1) * maxLine).toWellFormed(),
  );
}

const tabWidth = 8;
