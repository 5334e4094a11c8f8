import { clean } from './cells.ts';

/** A column of a file. */
interface CsvColumn<T> {
  title: string;
  value: (row: T) => unknown;
}

/** CSV by RFC 4180, with the values of the API; a text that a spreadsheet would take for a formula gets a `'` before it. */
export function csv<T>(columns: readonly CsvColumn<T>[], rows: readonly T[]): string {
  const lines = [columns.map(({ title }) => title), ...rows.map((row) => columns.map(({ value }) => value(row)))];
  return lines.map((line) => `${line.map(csvValue).join(',')}\r\n`).join('');
}

function csvValue(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  const raw = plain(value);
  const lines = raw.split(/\r\n|[\r\n]/).map((line) => clean(line, line.length));
  const cleaned = lines.join('\n').replace(laterFormula, "$1'$2");
  // Cleaning may remove a character before a formula.
  const text = [raw, cleaned].some(isFormula) ? `'${cleaned}` : cleaned;
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Whether a spreadsheet may take a text for a formula; some accept full-width signs. */
const isFormula = (text: string): boolean => /^\s*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/.test(text);

/** In many countries spreadsheets separate values by semicolons, so a formula may follow one. */
const laterFormula = /(;[\s"']*)([=+\-@\uff1d\uff0b\uff0d\uff20])/g;

const plain = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(plain).join(' ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};
