import { look } from '../components/looks.ts';
import { resourceNamed } from '../resources/index.ts';
import { rules } from '../resources/problems/index.ts';
import { emptyView, type Resource, type Row, viewWith } from '../resources/resource.ts';
import { isInProgress, percentOf } from '../store/events.ts';
import { cell, widthOf } from '../text/cells.ts';
import { countWords } from '../text/words.ts';
import type { Format } from './arguments.ts';
import { type BoardRow, boardColumns, problemBoardRows } from './boardSnapshots.ts';
import { csv, jsonDocument, type PrintContext, textTable } from './print.ts';
import { printedColumns } from './printedColumns.ts';
import { documented, problemSection } from './problemTable.ts';
import type { ProblemReport, Snapshot, SnapshotReader } from './snapshotReader.ts';

/** All rows of one area, counted. */
interface Counted {
  resource: Resource;
  total: number;
  /** Rows by status, the most frequent first. */
  statuses: readonly (readonly [status: string, count: number])[];
}

/** Everything that home tells. */
interface Home {
  examined: ProblemReport;
  counts: readonly Counted[];
  /** Events that go on. */
  current: readonly Row[];
  /** The newest of the others. */
  last: readonly Row[];
}

const shownActivity = 10;

const events = resourceNamed('events');

/** Problems, counts by status, what is going on and what happened last. A part that cannot be read leaves the others standing. */
export async function homeSnapshot(
  reader: SnapshotReader,
  areas: readonly Resource[],
  format: Format,
  context: PrintContext,
): Promise<Snapshot> {
  const examined = await reader.examine(rules);
  const happened = await reader.newestEvents();
  const { problems } = examined;
  const missing = reader.missing();
  const lists = reader.completeLists();
  if (lists.size === 0 && !happened)
    return { text: format === 'json' ? jsonDocument('home', context, { rows: [], missing }) : '', missing, problems };
  const counts = areas.flatMap((resource) => {
    const rows = resource.status && lists.get(resource.name);
    return rows ? [counted(resource, rows)] : [];
  });
  const current = (happened ?? []).filter(isInProgress);
  const last = (happened ?? []).filter((event) => !isInProgress(event)).slice(0, shownActivity);
  return { text: written({ examined, counts, current, last }, format, context, missing), missing, problems };
}

function counted(resource: Resource, rows: readonly Row[]): Counted {
  const counts = countWords(rows.map((row) => resource.status?.(row) ?? 'unknown'));
  const statuses = [...counts.values()].map(({ value, count }): [string, number] => [value, count]);
  statuses.sort(([, one], [, other]) => other - one);
  return { resource, total: rows.length, statuses };
}

function written(home: Home, format: Format, context: PrintContext, missing: readonly string[]): string {
  if (format === 'text') return homeText(home, context);
  const rows = homeRows(home);
  if (format === 'csv') return csv(boardColumns, [...problemBoardRows(home.examined), ...rows]);
  return jsonDocument('home', context, { ...documented(home.examined), rows, missing });
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

function homeText({ examined, counts, current, last }: Home, context: PrintContext): string {
  const statusText = (status: string) => look(status, 'status', context).text;
  const widest = Math.max(0, ...counts.map(({ resource }) => widthOf(resource.many)));
  const totals = counts.map(({ resource, total, statuses }) => {
    const parts = statuses.map(([status, count]) => `${statusText(status)} ${count}`);
    return `${cell(resource.many, widest)}  ${String(total).padStart(6)}  ${parts.join('  ')}`.trimEnd();
  });
  const table = (rows: readonly Row[]) => {
    const spoken = events.columns.filter(({ look: as }) => as !== 'mark');
    return textTable(
      printedColumns(spoken, events, rows, viewWith(emptyView, { now: context.now })),
      rows,
      context,
    ).trimEnd();
  };
  const taken = look(new Date(context.now).toISOString(), 'date', context).text;
  const sections = [
    `Skydeck  ${taken} UTC`,
    problemSection(examined, context),
    totals.join('\n'),
    section('Happening now', current.length > 0 ? table(current) : ''),
    section('Last activity', last.length > 0 ? table(last) : ''),
  ];
  return `${sections.filter(Boolean).join('\n\n')}\n`;
}

const section = (title: string, body: string): string => (body ? `${title}\n${body}` : '');
