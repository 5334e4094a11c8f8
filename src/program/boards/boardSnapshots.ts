import { formatValue } from '../../components/format.ts';
import { isInProgress } from '../../resources/account/events.ts';
import { resourceNamed } from '../../resources/index.ts';
import { type Column, emptyView, type Resource, type Row, viewWith } from '../../resources/resource.ts';
import { allRules } from '../../resources/rules/index.ts';
import { noneMatching } from '../../resources/wording.ts';
import { percentOf } from '../../store/events.ts';
import { titled as nameOf, valueIn } from '../../store/filter/fields.ts';
import { columnOf } from '../../store/sorting.ts';
import { type UserView, viewIn } from '../../store/views/userViews.ts';
import { cell, widthOf } from '../../text/cells.ts';
import { dateText, type Timestamp } from '../../text/times.ts';
import { countWords, textIn } from '../../text/words.ts';
import {
  type BoardDocument,
  columnsNamed,
  type DocumentPart,
  type PrintContext,
  type PrintedColumn,
  problemRow,
  problemTable,
  type Table,
  tableOf,
} from '../document.ts';
import type { Format, ListFlags } from '../invocation.ts';
import { printedColumns, printedList } from '../printedColumns.ts';
import type { ProblemReport, SnapshotReader } from '../snapshotReader.ts';
import { checkColumns, rowsSection } from '../views/listFlags.ts';
import { columnsOfView, maxAsked, readAsked, readBeside, rowsOfView } from '../views/viewRows.ts';

/** One row of a board for programs. */
export interface BoardRow {
  section: string;
  subject: string;
  status: string | null;
  /** A count, a percentage, a time or a text, by section. */
  value: unknown;
}

const boardColumns = columnsNamed('section', 'subject', 'status', 'value');

/** The rows of a board below the problems, for CSV. */
const boardTable = (rows: readonly BoardRow[], { problems }: ProblemReport = nothingExamined): Table =>
  tableOf(boardColumns, [
    ...problems
      .map(problemRow)
      .map(({ severity, says, since }) => ({ section: 'problems', subject: says, status: severity, value: since })),
    ...rows,
  ]);

const nothingExamined: ProblemReport = { problems: [], unexamined: [] };

/** A board of parts by the names of their sections, or with one of them alone. */
export function boardOfParts(
  parts: Readonly<Record<string, DocumentPart>>,
  all: readonly BoardRow[],
  report: ProblemReport | undefined,
  only: string | undefined,
): BoardDocument {
  const isShown = (name: string) => only === undefined || name === only;
  const rows = all.filter(({ section }) => isShown(section));
  const sections = Object.entries(parts).flatMap(([name, part]) => (isShown(name) ? [part] : []));
  const table = boardTable(rows, isShown('problems') ? report : undefined);
  return { rows: only === 'problems' ? undefined : rows, table, sections };
}

/** All problems of the account, the most urgent first. */
export async function problemsSnapshot(
  reader: SnapshotReader,
  filter: string | undefined,
  pick: (problems: ProblemReport['problems']) => ProblemReport['problems'],
): Promise<BoardDocument & { report?: ProblemReport }> {
  const all = await reader.examine(allRules());
  const none = filter ? noneMatching(resourceNamed('problems'), filter) : undefined;
  const report = { ...all, problems: pick(all.problems), none };
  if (reader.completeLists().size === 0 && report.problems.length === 0) return { sections: [] };
  return { table: problemTable(report), sections: ['problems'], report };
}

const services = resourceNamed('managed-services');
const issues = resourceNamed('managed-issues');

/** The services of managed monitoring and their issues. */
export async function managedSnapshot(
  reader: SnapshotReader,
  format: Format,
  section: string | undefined,
): Promise<BoardDocument> {
  const reads = format === 'text' ? [...(services.reads ?? []), ...(issues.reads ?? [])] : [];
  const [watched, opened] = await Promise.all([
    reader.list(services),
    reader.list(issues),
    ...reads.map((name) => reader.list(resourceNamed(name))),
  ]);
  const rows = [
    ...(watched ?? []).map((row) => boardRow('services', services, row, row.address)),
    ...(opened ?? []).map((row) => boardRow('issues', issues, row, row.created)),
  ];
  if (!watched && !opened) return { rows, sections: [] };
  const parts = {
    problems: 'problems' as const,
    ...(watched && { services: titled(services, watched, reader) }),
    ...(opened && { issues: titled(issues, opened, reader) }),
  };
  return boardOfParts(parts, rows, reader.report(), section);
}

const servers = resourceNamed('servers');

/**
 * The load of the servers, the busiest first unless options say otherwise: the newest readings, CPU in percent of all CPUs.
 * Throws a UsageError where the options are wrong.
 */
export async function fleetSnapshot(
  reader: SnapshotReader,
  view: UserView = viewIn(servers, {}, ''),
  { limit = maxAsked }: ListFlags = {},
): Promise<BoardDocument> {
  const all = await reader.list(servers);
  if (!all) return { rows: [], sections: [] };
  if (view.columns) checkColumns(view, servers, all);
  if (view.columns) await readBeside(reader, servers);
  const sort = view.sort ?? '-CPU';
  const ordered = await rowsOfView({ ...view, sort }, all, reader);
  const rows = ordered.slice(0, Math.min(limit, maxAsked));
  if (columnOf(servers.columns, sort)?.fetches === undefined)
    await readAsked(reader, servers, [{ operation: 'stats', title: 'Load', rows: ordered.slice(0, limit) }]);
  const columns = view.columns ? columnsOfView(view, rows, reader.cache, new Set(['stats'])) : loadColumns(reader);
  const table = tableOf(columns, rows, { none: noRowsIn(servers, view) });
  return { rows: rows.map(loadRow(reader)), table, sections: [table, 'problems'] };
}

const costs = resourceNamed('costs');

/** The rows that are made of other lists, once these are read; undefined where none of them could be. */
export async function madeRows({ made }: Resource, reader: SnapshotReader): Promise<readonly Row[] | undefined> {
  if (!made) return undefined;
  const { reads, single, about } = made;
  await Promise.all([
    readBeside(reader, { reads }),
    ...single.map((name) => reader.view(resourceNamed(name), {})),
    reader.newestEvents(),
  ]);
  await Promise.all(reads.filter((name) => resourceNamed(name).under).map((name) => reader.readBelow(name)));
  const measured = reader.cache.rows(about.of).slice(0, maxAsked);
  await Promise.all(about.fetches.map((operation) => reader.readAbout(resourceNamed(about.of), operation, measured)));
  return reader.completeLists().size === 0 ? undefined : made.rows(reader.cache);
}

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
  const told = tables.flatMap((table, nth) => [table, () => sections[nth]?.says ?? '']);
  return { rows, table: tables[rowsSection], sections: [...told, () => made?.foot(reader.cache) ?? ''] };
}

/** The sentence for a list without rows. */
export const noRowsIn = (resource: Resource, view?: UserView): string =>
  view?.filter
    ? noneMatching(resource, view.filter)
    : `There are no rows in ${view?.name ? `the view ${view.name}` : resource.many}.`;

const isLoad = ({ fetches }: Column) => fetches === 'stats';
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

const boardRow = (section: string, resource: Resource, row: Row, value: unknown): BoardRow => ({
  ...{ section, subject: resource.label(row), status: textIn(row.status) ?? null },
  value: value ?? null,
});

/** The list of a resource below its name, in its own order. */
function titled(resource: Resource, rows: readonly Row[], reader: SnapshotReader): Table {
  const { columns, ordered } = printedList(resource, rows, reader.cache);
  return tableOf(columns, ordered, { title: resource.many, none: noRowsIn(resource) });
}

/** Counted are the rows that have a status, where their kind is not deprecated. */
const isCounted = ({ columns, deprecated }: Resource) =>
  !deprecated && columns.some(({ value, format }) => value === 'status' && format === 'status');

const maxLastEvents = 10;

const events = resourceNamed('events');

/** Problems, counts by status, events in progress and the last ones. Parts that cannot be read are left out. */
export async function homeSnapshot(
  reader: SnapshotReader,
  areas: readonly Resource[],
  section: string | undefined,
): Promise<BoardDocument> {
  const report = await reader.examine(allRules());
  const newest = await reader.newestEvents();
  const lists = reader.completeLists();
  const counts = areas.flatMap((resource) => {
    const rows = isCounted(resource) ? lists.get(resource.name) : undefined;
    return rows ? [counted(resource, rows)] : [];
  });
  const current = (newest ?? []).filter(isInProgress);
  const last = (newest ?? []).filter((event) => !isInProgress(event)).slice(0, maxLastEvents);
  const rows = [
    ...counts.flatMap(({ resource, statuses }) =>
      statuses.map(([status, value]) => ({ section: 'counts', subject: resource.name, status, value })),
    ),
    ...current.map((event) => boardRow('happening now', events, event, percentOf(event))),
    ...last.map((event) => boardRow('last activity', events, event, event.created)),
  ];
  if (lists.size === 0 && !newest) return { rows, sections: [] };
  const { now } = reader.cache;
  const parts = {
    problems: 'problems' as const,
    counts: (context: PrintContext) => countsText(counts, context),
    'happening now': eventTable('Happening now', current, now),
    'last activity': eventTable('Last activity', last, now),
  };
  const board = boardOfParts(parts, rows, report, section);
  if (section !== undefined) return board;
  return { ...board, sections: [() => `Skydeck  ${dateText(now)} UTC`, ...board.sections] };
}

/** The rows of one area, counted. */
function counted(resource: Resource, rows: readonly Row[]) {
  const counts = countWords(rows.map((row) => textIn(row.status) ?? 'unknown'));
  /** Rows by status, the most frequent first. */
  const statuses = [...counts.values()].map(({ value, count }): [string, number] => [value, count]);
  statuses.sort(([, one], [, other]) => other - one);
  return { resource, total: rows.length, statuses };
}

function countsText(counts: readonly ReturnType<typeof counted>[], context: PrintContext): string {
  const statusText = (status: string) => formatValue(status, 'status', context).text;
  const widest = Math.max(0, ...counts.map(({ resource }) => widthOf(resource.many)));
  const lines = counts.map(({ resource, total, statuses }) => {
    const parts = statuses.map(([status, count]) => `${statusText(status)} ${count}`);
    return `${cell(resource.many, widest)}  ${String(total).padStart(6)}  ${parts.join('  ')}`.trimEnd();
  });
  return lines.join('\n');
}

function eventTable(title: string, rows: readonly Row[], now: Timestamp): Table {
  const spoken = events.columns.filter(({ format }) => format !== 'mark');
  return tableOf(printedColumns(spoken, events, rows, viewWith(emptyView, { now })), rows, { title });
}
