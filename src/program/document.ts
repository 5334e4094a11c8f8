import { redacted, redactorOf } from '../api/redact.ts';
import { formatValue, type Glyphs } from '../components/format.ts';
import { byUrgency } from '../resources/problems/problem.ts';
import type { Problem } from '../resources/problems/rule.ts';
import type { Column, Params } from '../resources/resource.ts';
import { unexaminedPart } from '../screens/problems/unexamined.ts';
import { cell, cut, widthOf } from '../text/cells.ts';
import { csv, tsv } from '../text/csv.ts';
import { visibleJson } from '../text/escapes.ts';
import { isTime } from '../text/times.ts';
import type { Format } from './invocation.ts';
import type { Owned, ProblemReport } from './snapshotReader.ts';

/** A column to print. */
export interface PrintedColumn<T> extends Pick<Column, 'title' | 'format' | 'width'> {
  value: (row: T) => unknown;
  /** 1 is always printed, 3 only where nothing limits the width. */
  keep: 1 | 2 | 3;
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
function tableText({ columns, rows, title, none = '', isCard }: Table, context: PrintContext): string {
  const [first] = rows;
  const written = first && (isCard ? textCard(columns, first, context) : textTable(columns, rows, context));
  const body = written?.trimEnd() ?? none;
  return body && title ? `${title}\n${body}` : body;
}

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

/** A problem for programs. A secret parameter, like the token of a transfer, is redacted in every text. */
export function problemRow(problem: Owned<Problem>) {
  const { account, id, severity, rule, resource, params, label, says, since } = problem;
  const safe = redactorOf(params);
  return {
    ...(account !== undefined && { account }),
    id: safe(id),
    severity,
    rule,
    resource,
    params: redacted(params) as Params,
    label: safe(label),
    says: safe(says),
    /** A time by ISO 8601; null where it is unknown. */
    since: isTime(since) ? new Date(since).toISOString() : null,
  };
}

const sinceWidth = 10;
const severityWidth = 12;
const minSentenceWidth = 20;

/** The columns of a table of problems, as wide as a terminal leaves them. */
const problemColumns = (width: number | undefined): readonly PrintedColumn<ReturnType<typeof problemRow>>[] => [
  { title: 'Severity', value: ({ severity }) => severity, format: 'status', keep: 1 },
  {
    title: 'Problem',
    value: ({ says }) => says,
    keep: 1,
    width: width && Math.max(minSentenceWidth, width - severityWidth - sinceWidth),
  },
  { title: 'Since', value: ({ since }) => since, format: 'age', keep: 2 },
  { title: 'Resource', value: ({ resource }) => resource, keep: 3 },
  { title: 'Label', value: ({ label }) => label, keep: 3 },
  { title: 'Rule', value: ({ rule }) => rule, keep: 3 },
  { title: 'ID', value: ({ id }) => id, keep: 3 },
];

/** The problems with all that programs want of them. */
export const problemTable = ({ problems }: ProblemReport): Table =>
  tableOf(problemColumns(undefined), problems.map(problemRow));

/** The problems under a title, the most urgent first, and the rows that were not examined. */
function problemSection(
  { problems, unexamined, none = 'There are no problems.' }: ProblemReport,
  context: PrintContext,
): string {
  const accounts = problems.flatMap(({ account }) => account ?? []);
  const gutter = accounts.length > 0 ? Math.max(...[accountColumn.title, ...accounts].map(widthOf)) + 2 : 0;
  // The other columns are for programs.
  const columns = problemColumns(context.width && context.width - gutter).filter(({ keep }) => keep <= 2);
  const rows = problems.toSorted(byUrgency).map(problemRow);
  const table = tableOf(gutter > 0 ? [accountColumn, ...columns] : columns, rows);
  const parts = [...Map.groupBy(unexamined, ({ account }) => account)].map(
    ([account, parts]) =>
      `Not examined${account === undefined ? '' : ` of ${account}`}: ${parts.map((part) => unexaminedPart(part)).join(', ')}.`,
  );
  return [tableText({ ...table, title: 'Problems', none }, context), ...parts].join('\n');
}
