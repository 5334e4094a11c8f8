import { resourceNamed } from '../resources/index.ts';
import { allRules } from '../resources/problems/index.ts';
import type { Column, Resource, Row } from '../resources/resource.ts';
import { plural } from '../resources/wording.ts';
import { titled, valueIn } from '../store/filter/fields.ts';
import { sorted } from '../store/sorting.ts';
import { grouped } from '../text/numbers.ts';
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
  const report = await reader.examine(allRules());
  if (format === 'json') return jsonDocument('problems', context, reader);
  if (reader.completeLists().size === 0) return '';
  if (format === 'csv') return csv(problemColumns(context), report.problems.map(problemRow), context);
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
  if (format === 'csv') return csv(boardColumns, [...(report ? problemBoardRows(report) : []), ...rows], context);
  const parts = [
    ...(report ? [problemSection(report, context)] : []),
    ...(watched ? [tableOf(services, watched, reader, context)] : []),
    ...(opened ? [tableOf(issues, opened, reader, context)] : []),
  ];
  return `${parts.join('\n\n')}\n`;
}

const servers = resourceNamed('servers');

/** The API allows 100 statistics a minute. */
const maxMeasured = 100;

/** The load of the servers, the busiest first: the newest readings, CPU in percent of all CPUs. */
export async function fleetSnapshot(reader: SnapshotReader, format: Format, context: PrintContext): Promise<string> {
  const rows = await reader.list(servers);
  const measured = (rows ?? []).slice(0, maxMeasured);
  await reader.answers(servers, 'stats', measured);
  const left = (rows ?? []).length - measured.length;
  if (left > 0)
    reader.noteMissing(
      `Statistics of ${grouped(left)} ${plural(servers)} were not read: the API allows ${maxMeasured} a minute.`,
    );
  const ordered = sorted(measured, '-CPU', servers.columns, reader.cache);
  if (format === 'json') return jsonDocument('fleet', context, reader, ordered.map(loadRow(reader)));
  if (!rows) return '';
  if (format === 'csv') return csv(loadColumns(reader), ordered, context);
  const report = reader.report();
  const problems = report ? `\n${problemSection(report, context)}\n` : '';
  if (rows.length === 0) return `There are no rows in ${servers.many}.\n${problems}`;
  return `${textTable(loadColumns(reader), ordered, context)}${problems}`;
}

const isLoad = ({ asks }: Column) => asks === 'stats';
const loadColumnNames: readonly string[] = ['Label', 'Region', 'Status'];

/** The columns of the servers that name them, and those of their loads. */
const loadColumns = ({ cache }: SnapshotReader): readonly PrintedColumn<Row>[] =>
  servers.columns
    .filter((column) => loadColumnNames.includes(column.title) || isLoad(column))
    .map((column) => ({
      ...column,
      keep: isLoad(column) ? 1 : (column.keep ?? 2),
      value: (row) => valueIn(row, column, cache),
    }));

/** A server for programs: its loads by the names that filters have for them. */
const loadRow =
  ({ cache }: SnapshotReader) =>
  (row: Row): Row => ({
    id: row.id,
    label: servers.label(row),
    ...Object.fromEntries(
      servers.columns.filter(isLoad).map((column) => [titled(column), valueIn(row, column, cache) ?? null]),
    ),
  });

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
