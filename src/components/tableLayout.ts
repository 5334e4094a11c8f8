import stringWidth from 'string-width';

/** A column of a table as it is laid out. */
export interface TableColumn {
  title: string;
  /** 1 stays in the narrowest table, 3 comes only when there is room. */
  keep: 1 | 2 | 3;
  align: 'left' | 'right';
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

/**
 * Chooses the columns that fit into a width and how wide each is. The most important ones come first; when not even
 * those fit, the widest give way. What is left over goes to the columns whose text is cut.
 */
export function placeColumns(columns: readonly TableColumn[], width: number): readonly Placed[] {
  const wanted = columns.map(({ title, content, most }) => Math.max(stringWidth(title), Math.min(content, most ?? 40)));
  const chosen = new Set<number>();
  let used = 0;
  for (const keep of [1, 2, 3]) {
    for (const [index, column] of columns.entries()) {
      if (column.keep !== keep) continue;
      const needs = (wanted[index] ?? 0) + gap;
      if (keep > 1 && used + needs > width + gap) continue;
      chosen.add(index);
      used += needs;
    }
  }
  const placed = [...chosen].sort((one, other) => one - other).map((index) => ({ index, width: wanted[index] ?? 0 }));
  return shrunk(placed, width);
}

function shrunk(placed: readonly Placed[], width: number): readonly Placed[] {
  let excess = placed.reduce((sum, { width }) => sum + width + gap, -gap) - width;
  const result = placed.map((place) => ({ ...place }));
  while (excess > 0) {
    const widest = result.reduce((one, other) => (other.width > one.width ? other : one));
    if (widest.width <= narrowest) break;
    widest.width--;
    excess--;
  }
  return result;
}

/** The blank between two columns. */
export const columnGap = ' '.repeat(gap);
