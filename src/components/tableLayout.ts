import { widthOf } from '../text/cells.ts';

/** A column of a table, before its layout. */
export interface TableColumn {
  title: string;
  /** 0 is shown whatever else has to go, 1 is kept in the narrowest table, 3 is shown only when there is room. */
  keep: 0 | 1 | 2 | 3;
  /** Width of its widest text, in cells. */
  content: number;
  /** Widest useful width, in cells. */
  maxWidth?: number;
  /** The width at which it is still of use, in cells; by default that of a text. */
  least?: number;
}

/** A column that is shown: its index in the given columns and its width in cells. */
export interface PlacedColumn {
  index: number;
  width: number;
}

const gap = 2;
const minShrunkWidth = 6;

/** The least width for a column of long text. */
const usefulTextWidth = 20;
/** So many columns are shown in the narrowest table, besides one that is shown whatever else has to go. */
const minColumns = 2;
/** The widest that text is shown unless its column says otherwise. */
const maxTextWidth = 48;

/**
 * Chooses the columns that fit into a width, and their widths. Columns are taken by importance, and none while a more
 * important one has no room; those of importance 3 only when no text of the others is cut. When not even the first fit,
 * the widest shrink. Spare room goes to the columns whose text is cut, from left to right.
 */
export function placeColumns(columns: readonly TableColumn[], width: number): readonly PlacedColumn[] {
  const sizes = columns.map(({ title, content, maxWidth, least = usefulTextWidth }) => {
    const wanted = Math.max(widthOf(title), Math.min(content, maxWidth ?? maxTextWidth));
    return { wanted, least: Math.max(widthOf(title), Math.min(wanted, least)) };
  });
  const chosen: number[] = [];
  let room = width + gap;
  let promised = 0;
  const hasFirst = columns.some(({ keep }) => keep === 0);
  for (const keep of [0, 1, 2, 3]) {
    let isFull = false;
    if (keep === 3) {
      promised = chosen.reduce((sum, index) => sum + missingWidth(sizes[index]), 0);
      room -= promised;
    }
    for (const [index, column] of columns.entries()) {
      const needs = (sizes[index]?.least ?? 0) + gap;
      if (column.keep !== keep) continue;
      if ((keep > 1 || (hasFirst && chosen.length > minColumns)) && needs > room) {
        isFull = true;
        continue;
      }
      chosen.push(index);
      room -= needs;
    }
    if (isFull) break;
  }
  room += promised;
  const placed = chosen.sort((one, other) => one - other).map((index) => ({ index, width: sizes[index]?.least ?? 0 }));
  return room >= 0 ? widen(placed, sizes, room) : narrow(placed, -room);
}

const missingWidth = (size: { wanted: number; least: number } | undefined) => (size ? size.wanted - size.least : 0);

function widen(
  placed: readonly PlacedColumn[],
  sizes: readonly { wanted: number }[],
  spare: number,
): readonly PlacedColumn[] {
  let room = spare;
  return placed.map(({ index, width }) => {
    const more = Math.min(room, (sizes[index]?.wanted ?? 0) - width);
    room -= more;
    return { index, width: width + more };
  });
}

function narrow(placed: readonly PlacedColumn[], lacking: number): readonly PlacedColumn[] {
  const result = placed.map((place) => ({ ...place }));
  for (let excess = lacking; excess > 0; excess--) {
    const largest = result.reduce((one, other) => (other.width > one.width ? other : one));
    if (largest.width <= minShrunkWidth) break;
    largest.width--;
  }
  return result;
}

/** The blank between two columns. */
export const columnGap = ' '.repeat(gap);
