import { resourceNamed } from '../resources/index.ts';
import { rules } from '../resources/problems/index.ts';
import type { Resource, Row } from '../resources/resource.ts';
import type { Format } from './arguments.ts';
import { csv, type PrintContext, type PrintedColumn, textTable } from './print.ts';
import { printedList } from './printedColumns.ts';
import { jsonDocument, problemColumns, problemRow, problemSection } from './problemTable.ts';
import type { ProblemReport, SnapshotReader } from './snapshotReader.ts';

/** One row of a board for programs. */
export interface BoardRow {
  section: string;
  subject: string;
  status: string | null;
  /** A count, a percentage, a time or a text, by section. */
  value: unknown;
}

/** The columns of a board. */
export const boardColumns: readonly PrintedColumn<BoardRow>[] = (
  ['section', 'subject', 'status', 'value'] as const
).map((title) => ({ title, value: (row) => row[title], keep: 1 }));

/** The problems as rows of a board, for CSV. */
export const problemBoardRows = ({ problems }: ProblemReport): readonly BoardRow[] =>
  problems
    .map(problemRow)
    .map(({ severity, says, since }) => ({ section: 'problems', subject: says, status: severity, value: since }));

/** All problems of the account, the most urgent first. */
export async function problemsSnapshot(reader: SnapshotReader, format: Format, context: PrintContext): Promise<string> {
  const report = await reader.examine(rules);
  if (format === 'json') return jsonDocument('problems', context, reader);
  if (reader.completeLists().size === 0) return '';
  if (format === 'csv') return csv(problemColumns(context), report.problems.map(problemRow));
  return `${problemSection(report, context)}\n`;
}

const services = resourceNamed('managed-services');
const issues = resourceNamed('managed-issues');

/** The services of managed monitoring and their issues. */
export async function managedSnapshot(reader: SnapshotReader, format: Format, context: PrintContext): Promise<string> {
  const reads = format === 'text' ? [...(services.reads ?? []), ...(issues.reads ?? [])] : [];
  const [watched, opened] = await Promise.all([
    reader.list(services),
    reader.list(issues),
    ...reads.map((name) => reader.list(resourceNamed(name))),
  ]);
  const report = reader.report();
  const rows = [...(watched ?? []).map(serviceRow), ...(opened ?? []).map(issueRow)];
  if (format === 'json') return jsonDocument('managed', context, reader, rows);
  if (!watched && !opened) return '';
  if (format === 'csv') return csv(boardColumns, [...(report ? problemBoardRows(report) : []), ...rows]);
  const parts = [
    ...(report ? [problemSection(report, context)] : []),
    ...(watched ? [tableOf(services, watched, reader, context)] : []),
    ...(opened ? [tableOf(issues, opened, reader, context)] : []),
  ];
  return `${parts.join('\n\n')}\n`;
}

const serviceRow = (row: Row): BoardRow => ({
  section: 'services',
  subject: services.label(row),
  status: services.status?.(row) ?? null,
  value: row.address ?? null,
});

const issueRow = (row: Row): BoardRow => ({
  section: 'issues',
  subject: issues.label(row),
  status: issues.status?.(row) ?? null,
  value: row.created ?? null,
});

/** The list of a resource below its heading, in its own order. */
function tableOf(resource: Resource, rows: readonly Row[], reader: SnapshotReader, context: PrintContext): string {
  if (rows.length === 0) return `${resource.many}\nThere are no rows in ${resource.many}.`;
  const { columns, ordered } = printedList(resource, rows, reader.cache);
  return `${resource.many}\n${textTable(columns, ordered, context).trimEnd()}`;
}
