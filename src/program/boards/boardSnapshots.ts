import { resourceNamed } from '../../resources/index.ts';
import type { Column, Resource, Row } from '../../resources/resource.ts';
import { allRules } from '../../resources/rules/index.ts';
import { plural } from '../../resources/wording.ts';
import { titled as nameOf, valueIn } from '../../store/filter/fields.ts';
import { sorted } from '../../store/sorting.ts';
import { grouped } from '../../text/numbers.ts';
import type { BoardDocument } from '../document.ts';
import type { Format } from '../invocation.ts';
import { type PrintedColumn, type Table, tableOf } from '../print.ts';
import { printedList } from '../printedColumns.ts';
import type { ProblemReport, SnapshotReader } from '../snapshotReader.ts';
import { problemRow, problemTable } from './problemTable.ts';

/** One row of a board for programs. */
export interface BoardRow {
  section: string;
  subject: string;
  status: string | null;
  /** A count, a percentage, a time or a text, by section. */
  value: unknown;
}

const boardColumns = (['section', 'subject', 'status', 'value'] as const).map(
  (title): PrintedColumn<BoardRow> => ({ title, value: (row) => row[title], keep: 1 }),
);

/** The rows of a board below the problems, for CSV. */
export const boardTable = (rows: readonly BoardRow[], { problems }: ProblemReport = nothingExamined): Table =>
  tableOf(boardColumns, [
    ...problems
      .map(problemRow)
      .map(({ severity, says, since }) => ({ section: 'problems', subject: says, status: severity, value: since })),
    ...rows,
  ]);

const nothingExamined: ProblemReport = { problems: [], unexamined: [] };

/** All problems of the account, the most urgent first. */
export async function problemsSnapshot(
  reader: SnapshotReader,
  pick: (problems: ProblemReport['problems']) => ProblemReport['problems'],
): Promise<BoardDocument & { report?: ProblemReport }> {
  const all = await reader.examine(allRules());
  const report = { ...all, problems: pick(all.problems) };
  if (reader.completeLists().size === 0) return { sections: [] };
  return { table: problemTable(report), sections: ['problems'], report };
}

const services = resourceNamed('managed-services');
const issues = resourceNamed('managed-issues');

/** The services of managed monitoring and their issues. */
export async function managedSnapshot(reader: SnapshotReader, format: Format): Promise<BoardDocument> {
  const reads = format === 'text' ? [...(services.reads ?? []), ...(issues.reads ?? [])] : [];
  const [watched, opened] = await Promise.all([
    reader.list(services),
    reader.list(issues),
    ...reads.map((name) => reader.list(resourceNamed(name))),
  ]);
  const rows = [...(watched ?? []).map(serviceRow), ...(opened ?? []).map(issueRow)];
  if (!watched && !opened) return { rows, sections: [] };
  const tables = [
    ...(watched ? [titled(services, watched, reader)] : []),
    ...(opened ? [titled(issues, opened, reader)] : []),
  ];
  return { rows, table: boardTable(rows, reader.report()), sections: ['problems', ...tables] };
}

const servers = resourceNamed('servers');

/** The API allows 100 statistics a minute. */
const maxMeasured = 100;

/** The load of the servers, the busiest first: the newest readings, CPU in percent of all CPUs. */
export async function fleetSnapshot(reader: SnapshotReader): Promise<BoardDocument> {
  const rows = await reader.list(servers);
  const measured = (rows ?? []).slice(0, maxMeasured);
  await reader.readAbout(servers, 'stats', measured);
  const left = (rows ?? []).length - measured.length;
  if (left > 0)
    reader.noteMissing(
      `Statistics of ${grouped(left)} ${plural(servers)} were not read: the API allows ${maxMeasured} a minute.`,
    );
  const ordered = sorted(measured, '-CPU', servers.columns, reader.cache);
  if (!rows) return { rows: [], sections: [] };
  const table = tableOf(loadColumns(reader), ordered, { none: noRowsIn(servers.many) });
  return { rows: ordered.map(loadRow(reader)), table, sections: [table, 'problems'] };
}

const costs = resourceNamed('costs');

/** The rows that are made of other lists, once these are read; undefined where none of them could be. */
export async function madeRows({ made }: Resource, reader: SnapshotReader): Promise<readonly Row[] | undefined> {
  if (!made) return undefined;
  const { reads, single, about } = made;
  await Promise.all([
    ...reads.filter((name) => !resourceNamed(name).under).map((name) => reader.list(resourceNamed(name))),
    ...single.map((name) => reader.view(resourceNamed(name), {})),
    reader.newestEvents(),
  ]);
  await Promise.all(reads.filter((name) => resourceNamed(name).under).map(reader.readBelow));
  const measured = reader.cache.rows(about.of).slice(0, maxMeasured);
  await Promise.all(about.asks.map((operation) => reader.readAbout(resourceNamed(about.of), operation, measured)));
  return reader.completeLists().size === 0 ? undefined : made.rows(reader.cache);
}

/** The section of costs that has them by row. */
export const rowsSection = 2;

/** The costs of the account by tag, by area and by row. */
export async function costsSnapshot(reader: SnapshotReader): Promise<BoardDocument> {
  const rows = await madeRows(costs, reader);
  const { made, sections = [] } = costs;
  if (!rows) return { rows: [], sections: [] };
  const tables = sections.map((section) => {
    const columns = section.columns?.flatMap((title) => costs.columns.filter((column) => column.title === title));
    const own = rows.filter(section.only);
    const printed = printedList({ ...costs, columns: columns ?? costs.columns }, own, reader.cache);
    return tableOf(printed.columns, own, { title: section.title, none: section.empty });
  });
  return { rows, table: tables[rowsSection], sections: [...tables, () => made?.foot(reader.cache) ?? ''] };
}

/** The sentence for a list without rows. */
export const noRowsIn = (what: string): string => `There are no rows in ${what}.`;

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
      servers.columns.filter(isLoad).map((column) => [nameOf(column), valueIn(row, column, cache) ?? null]),
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

/** The list of a resource below its name, in its own order. */
function titled(resource: Resource, rows: readonly Row[], reader: SnapshotReader): Table {
  const { columns, ordered } = printedList(resource, rows, reader.cache);
  return tableOf(columns, ordered, { title: resource.many, none: noRowsIn(resource.many) });
}
