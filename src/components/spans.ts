import { type Span, wrapCells } from './cells.ts';
import type { Role } from './theme.ts';

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
  const whole = spans.map(({ text }) => text).join('');
  let position = 0;
  return wrapCells(whole, width).map((piece) => {
    const from = position;
    position += piece.length;
    return cutSpans(spans, from, position);
  });
}
