import { type Glyphs, type Look, look } from '../components/looks.ts';
import { cell, clean, cut, widthOf } from '../text/cells.ts';
import { visibleJson } from '../text/escapes.ts';

/** A column to print and how its value is found in a row. */
export interface PrintedColumn<T> {
  title: string;
  value: (row: T) => unknown;
  look?: Look;
  /** 1 is never left out, 3 only printed where nothing limits the width. */
  keep: 1 | 2 | 3;
  /** Widest, in cells. */
  width?: number;
}

export interface PrintContext {
  /** Milliseconds since the epoch. */
  now: number;
  glyphs: Glyphs;
  /** Cells in a line; undefined where nobody wraps. */
  width?: number;
}

const gap = '  ';
const widest = 48;

/**
 * An aligned table without escape sequences, its titles in the first line. Where a terminal limits the width, long values
 * are cut and the less important columns left out; elsewhere all is printed whole.
 */
export function textTable<T>(columns: readonly PrintedColumn<T>[], rows: readonly T[], context: PrintContext): string {
  const isLimited = context.width !== undefined;
  const ordinary = isLimited ? columns.filter(({ keep }) => keep <= 2) : columns;
  const laid = ordinary.map((column) => laidOut(column, rows, context));
  const total = laid.reduce((sum, { width }) => sum + width + gap.length, -gap.length);
  const shown = context.width !== undefined && total > context.width ? laid.filter(({ keep }) => keep === 1) : laid;
  const lines = ['', ...rows].map((_, index) =>
    shown
      .map(({ cells, width, align }) => {
        const text = cells[index] ?? '';
        return widthOf(text) > width ? text : cell(text, width, align);
      })
      .join(gap)
      .trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}

function laidOut<T>(
  { title, value, look: as, keep, width: most = widest }: PrintedColumn<T>,
  rows: readonly T[],
  context: PrintContext,
) {
  const looked = rows.map((row) => look(value(row), as, context));
  const isLimited = context.width !== undefined;
  const cells = [title.toUpperCase(), ...looked.map(({ text }) => (isLimited ? cut(text, most) : text))];
  // A longer value stands out of its column rather than widening it for all rows.
  const width = cells.reduce((widestYet, text) => Math.max(widestYet, Math.min(widthOf(text), most)), 0);
  return { cells, width, keep, align: looked[0]?.align };
}

/** One row, a line for each column that has a value. */
export function textCard<T>(columns: readonly PrintedColumn<T>[], row: T, context: PrintContext): string {
  const width = Math.max(...columns.map(({ title }) => widthOf(title)));
  return columns
    .map(({ title, value, look: as }) => `${cell(title, width)}${gap}${look(value(row), as, context).text}\n`)
    .join('');
}

/** Comma-separated values by RFC 4180, values as the API gives them; texts that a spreadsheet would run get a `'` before them. */
export function csv<T>(columns: readonly PrintedColumn<T>[], rows: readonly T[]): string {
  const lines = [columns.map(({ title }) => title), ...rows.map((row) => columns.map(({ value }) => value(row)))];
  return lines.map((line) => `${line.map(csvValue).join(',')}\r\n`).join('');
}

function csvValue(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  const raw = plain(value);
  const lines = raw.split(/\r\n|[\r\n]/).map((line) => clean(line, line.length));
  const cleaned = lines.join('\n').replace(laterFormula, "$1'$2");
  // A character that is cleaned away may have stood before a formula.
  const text = [raw, cleaned].some(isFormula) ? `'${cleaned}` : cleaned;
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Whether a spreadsheet may take a text for a formula; full-width signs count as the plain ones in some. */
const isFormula = (text: string): boolean => /^\s*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/.test(text);

/** Where semicolons separate values, as in many countries, what follows one begins a value of its own. */
const laterFormula = /(;[\s"']*)([=+\-@\uff1d\uff0b\uff0d\uff20])/g;

const plain = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(plain).join(' ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

/** The content of a document beside its area and time. */
export interface Content {
  problems?: readonly unknown[];
  unexamined?: readonly unknown[];
  rows: readonly unknown[];
  missing: readonly string[];
}

/** A snapshot for machines; what was not examined for problems has no `problems`. */
export const jsonDocument = (
  area: string,
  { now }: Pick<PrintContext, 'now'>,
  { problems, unexamined, rows, missing }: Content,
): string => `${visibleJson({ area, takenAt: new Date(now).toISOString(), problems, unexamined, rows, missing }, 2)}\n`;
