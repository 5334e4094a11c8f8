import { clean, cut, widthOf, wrapCells } from '../text/cells.ts';
import type { Role, Theme } from './theme.ts';

/** A piece of one line in one colour. */
export interface Span {
  text: string;
  role?: Role;
}

/** One line as a single string with the theme's colours in it. */
export const painted = (theme: Theme, spans: readonly Span[]): string =>
  spans.map(({ text, role }) => theme.paint(role, text)).join('');

/** The text of spans without their colours. */
export const textOfSpans = (spans: readonly Span[]): string => spans.map(({ text }) => text).join('');

/** Spans of which neighbours of the same role are one. */
export function joinSpans(spans: readonly Span[]): readonly Span[] {
  const joined: Span[] = [];
  for (const { text, role } of spans) {
    const before = joined.at(-1);
    if (before && before.role === role) before.text += text;
    else joined.push({ text, role });
  }
  return joined;
}

/** The part of spans between two positions of their joined text. */
export function cutSpans(spans: readonly Span[], from: number, to: number): readonly Span[] {
  let start = 0;
  return spans.flatMap(({ text, role }: { text: string; role?: Role }) => {
    const part = text.slice(Math.max(0, from - start), Math.max(0, to - start));
    start += text.length;
    return part === '' ? [] : [{ text: part, role }];
  });
}

/** Spans broken into lines of at most `width` cells, after a space where there is one. */
export function wrapSpans(spans: readonly Span[], width: number): readonly (readonly Span[])[] {
  let position = 0;
  return wrapCells(textOfSpans(spans), width).map((piece) => {
    const from = position;
    position += piece.length;
    return cutSpans(spans, from, position);
  });
}

/** Spans as one line of exactly so many cells: their texts cleaned, the last ones cut, the rest blank. */
export function fitSpans(spans: readonly Span[], width: number): readonly Span[] {
  const line: Span[] = [];
  let room = width;
  for (const span of spans) {
    const text = cut(span.text, room);
    room -= widthOf(text);
    if (text !== '') line.push({ ...span, text });
  }
  return room > 0 ? [...line, { text: ' '.repeat(room) }] : line;
}

/**
 * A text of several lines, e.g. a script or a zone file, as clean lines of at most `width` cells.
 * @param maxLines the rest of the text is left out
 */
export function textLines(text: string, width: number, maxLines = 20_000): readonly string[] {
  const lines: string[] = [];
  let start = 0;
  while (start <= text.length && lines.length < maxLines) {
    const end = text.indexOf('\n', start);
    const line = text
      .slice(start, end < 0 ? undefined : end)
      .replace(/\r$/, '')
      .replace(/\t/g, '    ');
    lines.push(...wrapCells(clean(line, 65_536), width));
    if (end < 0) break;
    start = end + 1;
  }
  return lines.slice(0, maxLines);
}

/** A sentence as lines of so many cells at most, which begin `indent` cells from the edge. */
export const saidLines = (theme: Theme, text: string, room: number, role: Role, indent = 1): readonly string[] =>
  wrapCells(clean(text), room).map((line) => theme.paint(role, ' '.repeat(indent) + line));
