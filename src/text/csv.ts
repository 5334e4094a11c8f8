import { clean } from './cells.ts';
import { isoText } from './times.ts';

interface CsvColumn<T> {
  title: string;
  value: (row: T) => unknown;
  format?: string;
}

/** The titles of the columns and the rows, each as `lineOf` writes its safe texts. */
const written = <T>(columns: readonly CsvColumn<T>[], rows: readonly T[], lineOf: (texts: string[]) => string) =>
  [columns.map(({ title }) => title), ...rows.map((row) => columns.map((column) => cellOf(column, row)))]
    .map((line) => lineOf(line.map(safeText)))
    .join('');

/** The value of a column; times in milliseconds as those of the API are written. */
function cellOf<T>({ value, format }: CsvColumn<T>, row: T): unknown {
  const own = value(row);
  return (format === 'age' && isoText(own)) || own;
}

/** CSV by RFC 4180, with the values of the API; a text that a spreadsheet would take for a formula gets a `'` before it. */
export const csv = <T>(columns: readonly CsvColumn<T>[], rows: readonly T[]): string =>
  written(columns, rows, (texts) => `${texts.map(quotedText).join(',')}\r\n`);

const quotedText = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** The same with tabs between, each row in one line. */
export const tsv = <T>(columns: readonly CsvColumn<T>[], rows: readonly T[]): string =>
  written(columns, rows, (texts) => `${texts.map((text) => text.replaceAll('\n', ' ')).join('\t')}\n`);

/** A value without what would steer a terminal or a spreadsheet; of texts, the ends of lines are left. */
function safeText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  const raw = plain(value);
  const lines = raw.split(/\r\n|[\r\n]/).map((line) => clean(line, line.length));
  const cleaned = lines.join('\n').replace(laterFormula, "$1'$2");
  // Cleaning may remove a character before a formula.
  // A spreadsheet may take such a text for a formula; some accept full-width signs.
  return [raw, cleaned].some((text) => /^\s*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/.test(text)) ? `'${cleaned}` : cleaned;
}

/** In many countries spreadsheets separate values by semicolons, so a formula may follow one, or a line of a value in quotes. */
const laterFormula = /([;\n][\s"']*)([=+\-@\uff1d\uff0b\uff0d\uff20])/g;

const plain = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(plain).join(' ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};
