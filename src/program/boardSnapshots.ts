import { resourceNamed } from '../resources/index.ts';
import { rules } from '../resources/problems/index.ts';
import type { Resource, Row } from '../resources/resource.ts';
import type { Format } from './arguments.ts';
import { csv, jsonDocument, type PrintContext, type PrintedColumn, textTable } from './print.ts';
import { printedList } from './printedColumns.ts';
import { documented, problemColumns, problemRow, problemSection } from './problemTable.ts';
import type { ProblemReport, Snapshot, SnapshotReader } from './snapshotReader.ts';

/** One line of a board for machines. */
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

/** The problems as rows of a board, for a table that has room for nothing else. */
export const problemBoardRows = ({ problems }: ProblemReport): readonly BoardRow[] =>
  problems
    .map(problemRow)
    .map(({ severity, says, since }) => ({ section: 'problems', subject: says, status: severity, value: since }));

/** Everything that is wrong with the account, the most urgent first. */
export async function problemsSnapshot(
  reader: SnapshotReader,
  format: Format,
  context: PrintContext,
): Promise<Snapshot> {
  const examined = await reader.examine(rules);
  const { problems, unexamined } = examined;
  const missing = reader.missing();
  const rows = problems.map(problemRow);
  if (format === 'json')
    return { text: jsonDocument('problems', context, { unexamined, rows, missing }), missing, problems };
  if (reader.completeLists().size === 0) return { text: '', missing, problems };
  if (format === 'csv') return { text: csv(problemColumns(context), rows), missing, problems };
  return { text: `${problemSection(examined, context)}\n`, missing, problems };
}

const services = resourceNamed('managed-services');
const issues = resourceNamed('managed-issues');

/** The services of managed monitoring, and the issues that it has opened. */
export async function managedSnapshot(
  reader: SnapshotReader,
  format: Format,
  context: PrintContext,
  examined: ProblemReport | undefined,
): Promise<Snapshot> {
  const reads = format === 'text' ? [...(services.reads ?? []), ...(issues.reads ?? [])] : [];
  const [watched, opened] = await Promise.all([
    reader.list(services),
    reader.list(issues),
    ...reads.map((name) => reader.list(resourceNamed(name))),
  ]);
  const missing = reader.missing();
  const problems = examined?.problems ?? [];
  if (!watched && !opened && format !== 'json') return { text: '', missing, problems };
  const rows = [...(watched ?? []).map(serviceRow), ...(opened ?? []).map(issueRow)];
  if (format === 'json')
    return {
      text: jsonDocument('managed', context, { ...(examined && documented(examined)), rows, missing }),
      missing,
      problems,
    };
  if (format === 'csv') {
    return { text: csv(boardColumns, [...(examined ? problemBoardRows(examined) : []), ...rows]), missing, problems };
  }
  const parts = [
    ...(examined ? [problemSection(examined, context)] : []),
    ...(watched ? [tableOf(services, watched, reader, context)] : []),
    ...(opened ? [tableOf(issues, opened, reader, context)] : []),
  ];
  return { text: `${parts.join('\n\n')}\n`, missing, problems };
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
