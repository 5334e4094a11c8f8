import { head, wrapCells } from '../text/cells.ts';
import { visibleJson } from '../text/escapes.ts';
import { cutSpans, type Span, textOfSpans } from './spans.ts';

const maxStringUnits = 65_536;
const maxLines = 20_000;
const maxDepth = 60;
const rest = '...';

interface Writer {
  lines: (readonly Span[])[];
  width: number;
}

/**
 * A value as indented JSON in lines of at most `width` cells. Characters that hide, reorder or control text are written
 * as `\u` escapes. Strings beyond 64 Ki, lines beyond 20 000 and levels beyond 60 are named instead of written.
 */
export function jsonLines(value: unknown, width: number): readonly (readonly Span[])[] {
  const writer: Writer = { lines: [], width: Math.max(8, width) };
  write(writer, value, [], [], 0);
  if (writer.lines.length <= maxLines) return writer.lines;
  const says = `${rest} more than ${maxLines} lines`;
  return [...writer.lines.slice(0, maxLines), [{ text: says, role: 'dim' }]];
}

/** Writes a value between what stands before it on its line and what stands after. */
function write(writer: Writer, value: unknown, before: readonly Span[], after: readonly Span[], level: number): void {
  const short = inlineSpan(value, level);
  if (short) {
    addLine(writer, [...before, short, ...after], level);
    return;
  }
  const isList = Array.isArray(value);
  const entries = Object.entries(value as object);
  addLine(writer, [...before, { text: isList ? '[' : '{' }], level);
  for (const [index, [key, inner]] of entries.entries()) {
    if (writer.lines.length > maxLines) return;
    const label: readonly Span[] = isList ? [] : [{ text: quoted(key), role: 'accent' }, { text: ': ' }];
    const comma = index < entries.length - 1 ? [{ text: ',' }] : [];
    write(writer, inner, label, comma, level + 1);
  }
  addLine(writer, [{ text: isList ? ']' : '}' }, ...after], level);
}

/** Writes without lines of their own: scalars, empty values and those that lie too deep. */
function inlineSpan(value: unknown, level: number): Span | undefined {
  if (value === null || typeof value !== 'object') return scalarSpan(value);
  const count = Object.keys(value).length;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  if (count === 0) return { text: `${open}${close}` };
  return level < maxDepth ? undefined : { text: `${open}${rest} ${count}${close}`, role: 'dim' };
}

function scalarSpan(value: unknown): Span {
  if (typeof value === 'string') return { text: quoted(value), role: 'good' };
  if (typeof value === 'number') return { text: String(value), role: 'series2' };
  if (typeof value === 'boolean') return { text: String(value), role: 'series4' };
  return { text: value === null ? 'null' : quoted(String(value)), role: 'dim' };
}

/** A string as JSON without a character that cannot be seen; variation selectors and joiners are escaped as well. */
function quoted(text: string): string {
  const json = visibleJson(head(text, maxStringUnits));
  return text.length > maxStringUnits ? `${json} ${rest} ${text.length - maxStringUnits} more` : json;
}

function addLine({ lines, width }: Writer, spans: readonly Span[], level: number): void {
  const indent = Math.min(level * 2, Math.floor(width / 2));
  const pieces = wrapCells(textOfSpans(spans), width - indent, 2);
  let position = 0;
  for (const [index, piece] of pieces.entries()) {
    const lead = index === 0 ? 0 : Math.min(2, width - indent - 1);
    const length = piece.length - lead;
    const own = cutSpans(spans, position, position + length);
    const blank = ' '.repeat(indent + lead);
    lines.push(blank === '' ? own : [{ text: blank }, ...own]);
    position += length;
  }
}
