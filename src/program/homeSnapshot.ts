import { formatValue } from '../components/format.ts';
import { isInProgress } from '../resources/account/events.ts';
import { resourceNamed } from '../resources/index.ts';
import { allRules } from '../resources/problems/index.ts';
import { emptyView, type Resource, type Row, viewWith } from '../resources/resource.ts';
import { percentOf } from '../store/events.ts';
import { cell, widthOf } from '../text/cells.ts';
import { countWords } from '../text/words.ts';
import type { Format } from './arguments.ts';
import { type BoardRow, boardColumns, problemBoardRows } from './boardSnapshots.ts';
import { csv, type PrintContext, textTable } from './print.ts';
import { printedColumns } from './printedColumns.ts';
import { jsonDocument, problemSection } from './problemTable.ts';
import type { ProblemReport, SnapshotReader } from './snapshotReader.ts';

/** The rows of one area, counted. */
interface Counted {
  resource: Resource;
  total: number;
  /** Rows by status, the most frequent first. */
  statuses: readonly (readonly [status: string, count: number])[];
}

interface Home {
  report: ProblemReport;
  counts: readonly Counted[];
  /** Events in progress. */
  current: readonly Row[];
  /** The newest of the other events. */
  last: readonly Row[];
}

const maxLastEvents = 10;

const events = resourceNamed('events');

/** Problems, counts by status, events in progress and the last ones. Parts that cannot be read are left out. */
export async function homeSnapshot(
  reader: SnapshotReader,
  areas: readonly Resource[],
  format: Format,
  context: PrintContext,
): Promise<string> {
  const report = await reader.examine(allRules());
  const newest = await reader.newestEvents();
  const lists = reader.completeLists();
  if (lists.size === 0 && !newest && format !== 'json') return '';
  const counts = areas.flatMap((resource) => {
    const rows = resource.status && lists.get(resource.name);
    return rows ? [counted(resource, rows)] : [];
  });
  const current = (newest ?? []).filter(isInProgress);
  const last = (newest ?? []).filter((event) => !isInProgress(event)).slice(0, maxLastEvents);
  const home = { report, counts, current, last };
  if (format === 'text') return homeText(home, context);
  const rows = homeRows(home);
  if (format === 'json') return jsonDocument('home', context, reader, rows);
  return csv(boardColumns, [...problemBoardRows(report), ...rows], context);
}

function counted(resource: Resource, rows: readonly Row[]): Counted {
  const counts = countWords(rows.map((row) => resource.status?.(row) ?? 'unknown'));
  const statuses = [...counts.values()].map(({ value, count }): [string, number] => [value, count]);
  statuses.sort(([, one], [, other]) => other - one);
  return { resource, total: rows.length, statuses };
}

const homeRows = ({ counts, current, last }: Home): readonly BoardRow[] => [
  ...counts.flatMap(({ resource, statuses }) =>
    statuses.map(([status, value]) => ({ section: 'counts', subject: resource.name, status, value })),
  ),
  ...current.map((event) => eventRow('happening now', event, percentOf(event) ?? null)),
  ...last.map((event) => eventRow('last activity', event, event.created)),
];

const eventRow = (section: string, event: Row, value: unknown): BoardRow => ({
  section,
  subject: events.label(event),
  status: events.status?.(event) ?? null,
  value,
});

function homeText({ report, counts, current, last }: Home, context: PrintContext): string {
  const statusText = (status: string) => formatValue(status, 'status', context).text;
  const widest = Math.max(0, ...counts.map(({ resource }) => widthOf(resource.many)));
  const totals = counts.map(({ resource, total, statuses }) => {
    const parts = statuses.map(([status, count]) => `${statusText(status)} ${count}`);
    return `${cell(resource.many, widest)}  ${String(total).padStart(6)}  ${parts.join('  ')}`.trimEnd();
  });
  const table = (rows: readonly Row[]) => {
    const spoken = events.columns.filter(({ format: as }) => as !== 'mark');
    return textTable(
      printedColumns(spoken, events, rows, viewWith(emptyView, { now: context.now })),
      rows,
      context,
    ).trimEnd();
  };
  const taken = formatValue(new Date(context.now).toISOString(), 'date', context).text;
  const sections = [
    `Skydeck  ${taken} UTC`,
    problemSection(report, context),
    totals.join('\n'),
    section('Happening now', current.length > 0 ? table(current) : ''),
    section('Last activity', last.length > 0 ? table(last) : ''),
  ];
  return `${sections.filter(Boolean).join('\n\n')}\n`;
}

const section = (title: string, body: string): string => (body ? `${title}\n${body}` : '');
