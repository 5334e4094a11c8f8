import { csv, tsv } from '../text/csv.ts';
import { visibleJson } from '../text/escapes.ts';
import { problemRow, problemSection } from './boards/problemTable.ts';
import type { Format } from './invocation.ts';
import { type PrintContext, type Table, tableText } from './print.ts';
import type { ProblemReport } from './snapshotReader.ts';

/** A part of a snapshot as text: a table, words of its own, or the problems that were found. */
export type DocumentPart = Table | ((context: PrintContext) => string) | 'problems';

/** The contents of a board or an area. Where nothing could be read there is no table and no section. */
export interface BoardDocument {
  /** The rows as CSV. */
  table?: Table;
  /** The parts of the text, from top to bottom. */
  sections: readonly DocumentPart[];
  /** The text that other programs take, in place of all else. */
  code?: string;
  /** The rows for programs; without them they are the problems. */
  rows?: readonly object[];
}

/** A snapshot, before it is written in a format. */
export interface SnapshotDocument extends BoardDocument {
  area: string;
  /** The accounts that are joined in it. */
  accounts?: readonly string[];
  /** The open problems, where they were examined. */
  report?: ProblemReport;
  /** A sentence for each missing part. */
  missing: readonly string[];
}

/** Writes a snapshot, without escape sequences; empty as text and CSV where nothing could be read. */
export function printDocument(document: SnapshotDocument, format: Format, context: PrintContext): string {
  const { table, sections, report, code } = document;
  if (code !== undefined) return code;
  if (format === 'json') return jsonOf(document, context, 2);
  if (format === 'jsonl')
    return rowsOf(document)
      .map((row) => `${visibleJson(row)}\n`)
      .join('');
  if (format === 'csv' || format === 'tsv') return table ? { csv, tsv }[format](table.columns, table.rows) : '';
  const texts = sections.map((section) => {
    if (section === 'problems') return report ? problemSection(report, context) : '';
    return typeof section === 'function' ? section(context) : tableText(section, context);
  });
  const told = texts.filter(Boolean);
  return told.length > 0 ? `${told.join('\n\n')}\n` : '';
}

const rowsOf = ({ rows, report }: SnapshotDocument): readonly object[] =>
  rows ?? report?.problems.map(problemRow) ?? [];

/** A snapshot as JSON; without an indent in one line. */
export function jsonOf(document: SnapshotDocument, { now }: PrintContext, indent?: number): string {
  const { area, accounts, report, rows, missing } = document;
  const problems = rows && report?.problems.map(problemRow);
  const content = { problems, unexamined: report?.unexamined, rows: rowsOf(document), missing };
  return `${visibleJson({ area, takenAt: new Date(now).toISOString(), accounts, ...content }, indent)}\n`;
}
