import { widthOf } from '../text/cells.ts';

/** A column of a table as it is laid out. */
export interface TableColumn {
  title: string;
  /** 1 stays in the narrowest table, 3 comes only when there is room. */
  keep: 1 | 2 | 3;
  /** Width of its widest text, in cells. */
  content: number;
  /** Widest useful width, in cells. */
  most?: number;
}

/** Where a column stands: the index in the columns given, and its width in cells. */
export interface Placed {
  index: number;
  width: number;
}

const gap = 2;
const narrowest = 6;

/** A column of long text is useful from this width on. */
const useful = 20;
/** Wider than this no text is shown where its column does not say. */
const widest = 48;

/**
 * Chooses the columns that fit into a width and how wide each is. The most important ones come first, and none of less
 * importance while one of more has no room; those that only come when there is room wait until no text of the others is
 * cut. When not even the first fit, the widest give way. What is left over goes to the columns whose text is cut, from
 * left to right.
 */
export function placeColumns(columns: readonly TableColumn[], width: number): readonly Placed[] {
  const sizes = columns.map(({ title, content, most }) => {
    const wanted = Math.max(widthOf(title), Math.min(content, most ?? widest));
    return { wanted, least: Math.max(widthOf(title), Math.min(wanted, useful)) };
  });
  const chosen: number[] = [];
  let room = width + gap;
  let promised = 0;
  for (const keep of [1, 2, 3]) {
    let isFull = false;
    if (keep === 3) {
      promised = chosen.reduce((sum, index) => sum + lackOf(sizes[index]), 0);
      room -= promised;
    }
    for (const [index, column] of columns.entries()) {
      const needs = (sizes[index]?.least ?? 0) + gap;
      if (column.keep !== keep) continue;
      if (keep > 1 && needs > room) {
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
  return room >= 0 ? grown(placed, sizes, room) : shrunk(placed, -room);
}

const lackOf = (size: { wanted: number; least: number } | undefined) => (size ? size.wanted - size.least : 0);

function grown(placed: readonly Placed[], sizes: readonly { wanted: number }[], spare: number): readonly Placed[] {
  let room = spare;
  return placed.map(({ index, width }) => {
    const more = Math.min(room, (sizes[index]?.wanted ?? 0) - width);
    room -= more;
    return { index, width: width + more };
  });
}

function shrunk(placed: readonly Placed[], lacking: number): readonly Placed[] {
  const result = placed.map((place) => ({ ...place }));
  for (let excess = lacking; excess > 0; excess--) {
    const largest = result.reduce((one, other) => (other.width > one.width ? other : one));
    if (largest.width <= narrowest) break;
    largest.width--;
  }
  return result;
}

/** The blank between two columns. */
export const columnGap = ' '.repeat(gap);
