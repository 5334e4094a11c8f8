import { formatValue, type Glyphs } from '../components/format.ts';
import type { CellFormat } from '../text/cellFormat.ts';
import { cell, cut, widthOf } from '../text/cells.ts';

/** A column to print. */
export interface PrintedColumn<T> {
  title: string;
  value: (row: T) => unknown;
  format?: CellFormat;
  /** 1 is always printed, 3 only where nothing limits the width. */
  keep: 1 | 2 | 3;
  /** The greatest width on a terminal, in cells. */
  width?: number;
}

export interface PrintContext {
  /** Milliseconds since the epoch. */
  now: number;
  glyphs: Glyphs;
  /** Cells in a line; undefined where lines are not wrapped. */
  width?: number;
}

type Values = readonly unknown[];

/** A table whose values are worked out. */
export interface Table {
  columns: readonly PrintedColumn<Values>[];
  rows: readonly Values[];
  /** A line above it. */
  title?: string;
  /** The sentence in its place where it has no rows; without it nothing is told of it then. */
  none?: string;
  /** Its one row has a line for each column. */
  isCard?: boolean;
}

const gap = '  ';
const maxWidth = 48;

/**
 * An aligned table without escape sequences, with titles in the first line. Where a terminal limits the width, long
 * values are cut and less important columns are left out.
 */
export function textTable<T>(columns: readonly PrintedColumn<T>[], rows: readonly T[], context: PrintContext): string {
  const { width: limit = Number.POSITIVE_INFINITY } = context;
  const ordinary = columns.filter(({ keep }) => keep <= 2 || context.width === undefined);
  const layouts = ordinary.map((column) => layoutOf(column, rows, context));
  const total = layouts.reduce((sum, { width }) => sum + width + gap.length, -gap.length);
  const shown = total > limit ? layouts.filter(({ keep }) => keep === 1) : layouts;
  const lines = ['', ...rows].map((_, index) =>
    shown
      .map(({ cells, width, align }) => cell(cells[index] ?? '', width, align))
      .join(gap)
      .trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}

function layoutOf<T>(
  { title, value, format: as, keep, width: columnWidth = maxWidth }: PrintedColumn<T>,
  rows: readonly T[],
  context: PrintContext,
) {
  const formatted = rows.map((row) => formatValue(value(row), as, context));
  const isLimited = context.width !== undefined;
  const cells = [title.toUpperCase(), ...formatted.map(({ text }) => (isLimited ? cut(text, columnWidth) : text))];
  const width = cells.reduce((widestYet, text) => Math.max(widestYet, widthOf(text)), 0);
  return { cells, width, keep, align: formatted[0]?.align };
}

/** One row, with a line for each column. */
function textCard<T>(columns: readonly PrintedColumn<T>[], row: T, context: PrintContext): string {
  const width = Math.max(...columns.map(({ title }) => widthOf(title)));
  return columns
    .map(({ title, value, format: as }) => `${cell(title, width)}${gap}${formatValue(value(row), as, context).text}\n`)
    .join('');
}

/** A table with its values worked out. */
export const tableOf = <T>(
  columns: readonly PrintedColumn<T>[],
  rows: readonly T[],
  words: Pick<Table, 'title' | 'none' | 'isCard'> = {},
): Table => ({
  columns: columns.map((column, nth) => ({ ...column, value: (values) => values[nth] })),
  rows: rows.map((row) => columns.map(({ value }) => value(row))),
  ...words,
});

/** Columns that are called as the fields that they have. */
export const columnsNamed = <const Name extends string>(
  ...names: readonly Name[]
): readonly PrintedColumn<Readonly<Record<Name, unknown>>>[] =>
  names.map((title) => ({ title, value: (row) => row[title], keep: 1 }));

/** The first column of tables of several accounts. */
export const accountColumn: PrintedColumn<{ account?: string }> = {
  title: 'Account',
  keep: 1,
  value: ({ account }) => account,
};

/** A table as text, without a line break at its end. */
export function tableText({ columns, rows, title, none = '', isCard }: Table, context: PrintContext): string {
  const [first] = rows;
  const written = first && (isCard ? textCard(columns, first, context) : textTable(columns, rows, context));
  const body = written?.trimEnd() ?? none;
  return body && title ? `${title}\n${body}` : body;
}
