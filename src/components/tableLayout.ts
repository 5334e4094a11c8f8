import { cell, clean, widthOf } from '../text/cells.ts';
import type { Span } from './spans.ts';
import { pointerOf, type Theme } from './theme.ts';

/** A column of a table, before its layout. */
export interface TableColumn {
  title: string;
  /** 0 is shown whatever else has to go, 1 is kept in the narrowest table, 3 is shown only when there is room. */
  keep: 0 | 1 | 2 | 3;
  /** Width of its widest text, in cells. */
  content: number;
  /** Widest useful width while others are cut, in cells. */
  maxWidth?: number;
  /** The width at which it is still of use, in cells; by default that of a text. */
  least?: number;
  /** Chosen by the user, and so wide in cells; 0 is as wide as its text. */
  exact?: number;
  /** The only widths at which it is of use, in cells, the widest first. */
  steps?: readonly number[];
}

/** A column that is shown: its index in the given columns and its width in cells. */
export interface PlacedColumn {
  index: number;
  width: number;
}

const gap = 2;
const minShrunkWidth = 6;
/** Room behind the last column for the number of those that are cut off, in cells. */
const cutOffWidth = 4;

/** The least width for a column of long text. */
const usefulTextWidth = 20;
/** So many columns are shown in the narrowest table, besides one that is shown whatever else has to go. */
const minColumns = 2;
/** The widest that text is shown unless its column says otherwise. */
const maxTextWidth = 48;

/**
 * Chooses the columns that fit into a width, and their widths. Columns are taken by importance, and none while a more
 * important one has no room, so that a wider table never shows less; those of importance 3 only when no text of the
 * others is cut. When not even the first fit, the widest shrink. Spare room goes to the columns whose text is cut, from
 * left to right. Columns that the user has chosen stay in their order, and are cut off at the right.
 */
export function placeColumns(given: readonly TableColumn[], width: number): readonly PlacedColumn[] {
  const columns = given.map((column) => stepped(column, given, width));
  const sizes = columns.map(sizeOf);
  if (areChosen(columns)) return placeInOrder(sizes, width);
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
    const same = columns.flatMap((column, index) => (column.keep === keep ? [index] : []));
    // A column that is there only when there is room is not cut itself.
    const needs = (index: number) => ((keep === 3 ? sizes[index]?.wanted : sizes[index]?.least) ?? 0) + gap;
    for (const [nth, index] of same.entries()) {
      const size = needs(index);
      const mayGo = keep > 1 || (hasFirst && chosen.length > minColumns);
      if (mayGo && size > room) isFull = true;
      if (keep === 3 && isFull) break;
      // A table too narrow for this column may show the narrower ones behind it: it comes only where it displaces none.
      const narrower = same
        .slice(nth + 1)
        .map(needs)
        .filter((other) => other <= size);
      if (mayGo && keep < 3 && narrower.reduce((sum, other) => sum + other, size) > room) {
        isFull = true;
        continue;
      }
      chosen.push(index);
      room -= size;
      if (keep === 3) promised += missingWidth(sizes[index]);
    }
    if (isFull) break;
  }
  room += promised;
  const placed = chosen.sort((one, other) => one - other).map((index) => ({ index, width: sizes[index]?.least ?? 0 }));
  return fitted(placed, sizes, room);
}

/** A column of few widths at the widest beside which the others of importance 1 have room, and of importance 2 unless they cost it much. */
function stepped(column: TableColumn, columns: readonly TableColumn[], width: number): TableColumn {
  const { steps } = column;
  if (!steps) return column;
  // Those like it are drawn, whatever their text.
  const others = columns
    .filter((other) => other !== column)
    .map((other) => ({ ...other, content: other.steps?.at(-1) ?? other.content }));
  const beside = (most: number) => {
    const kept = others.filter(({ keep, exact }) => keep <= most || exact !== undefined);
    const room = kept.reduce((left, other) => left - sizeOf(other).wanted - gap, width);
    return steps.find((step) => step <= room) ?? steps.at(-1) ?? 0;
  };
  const [alone, together] = [beside(1), beside(2)];
  const size = together > leastShare * alone ? together : alone;
  return { ...column, content: size, maxWidth: size, least: size };
}

/** The share of its width that such a column keeps where columns of importance 2 stand beside it. */
const leastShare = 0.7;

/** Whether columns are those that the user has chosen. */
export const areChosen = (columns: readonly Pick<TableColumn, 'exact'>[]): boolean =>
  columns.length > 0 && columns.every(({ exact }) => exact !== undefined);

/** The width that a column is to have, the least of use, and that of its whole text, in cells. */
function sizeOf({ title, content, maxWidth, least = usefulTextWidth, exact = 0 }: TableColumn) {
  if (exact > 0) return { wanted: exact, least: exact, content: exact };
  const wanted = Math.max(widthOf(title), Math.min(content, maxWidth ?? maxTextWidth));
  return { wanted, least: Math.max(widthOf(title), Math.min(wanted, least)), content };
}

/** As many columns from the left as have room, at least one. */
function placeInOrder(sizes: readonly ReturnType<typeof sizeOf>[], width: number): readonly PlacedColumn[] {
  const needed = (count: number) => sizes.slice(0, count).reduce((sum, { least }) => sum + least + gap, -gap);
  const isWhole = needed(sizes.length) <= width;
  const room = isWhole ? width : width - cutOffWidth;
  let count = isWhole ? sizes.length : 1;
  while (!isWhole && needed(count + 1) <= room) count++;
  const placed = sizes.slice(0, count).map(({ least }, index) => ({ index, width: least }));
  return fitted(placed, sizes, room - needed(count));
}

const missingWidth = (size: { wanted: number; least: number } | undefined) => (size ? size.wanted - size.least : 0);

/**
 * Gives spare room to columns from left to right, to each as much as it takes to be as wide as wanted, and then as its
 * whole text; where room is lacking, the widest shrink.
 */
function fitted(
  placed: readonly PlacedColumn[],
  sizes: readonly ReturnType<typeof sizeOf>[],
  spare: number,
): readonly PlacedColumn[] {
  if (spare < 0) return narrow(placed, -spare);
  let room = spare;
  const widen = (own: readonly PlacedColumn[], to: 'wanted' | 'content') =>
    own.map(({ index, width }) => {
      const more = Math.max(0, Math.min(room, (sizes[index]?.[to] ?? 0) - width));
      room -= more;
      return { index, width: width + more };
    });
  return widen(widen(placed, 'wanted'), 'content');
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

/** A column of a table of cells: without its own content it is as wide as the widest of them. */
export interface CellColumn extends Partial<TableColumn> {
  title: string;
  align?: 'left' | 'right';
}

/** The text of a cell, or what is drawn into the width of its column. */
export interface TableCell extends Span {
  draw?: (width: number) => string;
}

/** The column of a bar, which takes what room is left. */
export const barColumn: CellColumn = { title: '', keep: 2, content: 60, maxWidth: 60, least: 1 };

/**
 * Lays out rows that are given as their cells; one with fewer ends behind its last. Of the row at the cursor the first
 * cell with a title is coloured.
 */
export function cellTable(
  theme: Theme,
  given: readonly CellColumn[],
  rows: readonly (readonly TableCell[])[],
  width: number,
) {
  const columns = given.map((column, nth) => {
    const content = Math.max(column.content ?? 0, ...rows.map((cells) => widthOf(clean(cells[nth]?.text ?? ''))));
    // Without any content there is none to keep.
    return { ...column, content, keep: content > 0 ? (column.keep ?? 1) : (3 as const) };
  });
  const name = columns.findIndex(({ title }) => title !== '');
  const placed = placeColumns(columns, width - 2);
  const written = (cells: readonly TableCell[], isCurrent = false) => {
    const texts = placed.flatMap(({ index, width }) => {
      const { text, role, draw } = cells[index] ?? {};
      if (draw) return draw(width);
      const own = isCurrent && index === name ? 'cursor' : role;
      return text === undefined ? [] : theme.paint(own, cell(text, width, columns[index]?.align));
    });
    return `${pointerOf(theme, isCurrent)} ${texts.join(columnGap)}`;
  };
  return {
    head: written(columns.map(({ title }) => ({ text: title, role: 'dim' }))),
    line: (nth: number, isCurrent = false) => written(rows[nth] ?? [], isCurrent),
  };
}
