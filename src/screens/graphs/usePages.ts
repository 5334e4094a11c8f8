import { useState } from 'react';
import type { Size } from '../props.ts';

/** Small graphs in a grid, as many on a page as fit. */
export interface Pages extends Size {
  /** The indices of the first graph of the page, and of the one after its last. */
  from: number;
  to: number;
  across: number;
  /** The size of each, in cells. */
  /** `1–6 of 20`; empty where all fit. */
  text: string;
}

const minWidth = 36;
const minHeight = 9;
const gap = 2;

/**
 * The grid for so many small graphs: all of them where they fit, as large as possible, with columns before rows.
 * @param width cells of the room
 * @param height lines of the room
 */
export function gridFor(
  count: number,
  width: number,
  height: number,
): Pick<Pages, 'across' | 'width' | 'height'> & { down: number } {
  const maxAcross = Math.max(1, Math.floor((width + gap) / (minWidth + gap)));
  const maxDown = Math.max(1, Math.floor(height / minHeight));
  const fitting = Array.from({ length: maxAcross }, (_, index) => index + 1).find(
    (across) => Math.ceil(count / across) <= Math.max(1, Math.min(maxDown, Math.floor(height / (minHeight + 3)))),
  );
  const across = Math.min(count, fitting ?? maxAcross);
  const down = Math.min(maxDown, Math.ceil(count / across));
  return { across, down, width: Math.floor((width - gap * (across - 1)) / across), height: Math.floor(height / down) };
}

/** The page of small graphs that is shown, and the keys that turn it. */
export function usePages(count: number, width: number, height: number) {
  const [first, setFirst] = useState(0);
  const { across, down, ...size } = gridFor(count, width, height);
  const each = across * down;
  const from = Math.min(Math.floor(first / each), Math.ceil(count / each) - 1) * each;
  const to = Math.min(count, from + each);
  const text = each < count ? `${from + 1}–${to} of ${count}` : '';
  return {
    from,
    to,
    across,
    ...size,
    text,
    keys: {
      pageDown: to < count ? () => setFirst(to) : 'These are the last graphs.',
      pageUp: from > 0 ? () => setFirst(from - each) : 'These are the first graphs.',
    },
  };
}
