import { formatValue } from '../../components/format.ts';
import { isInProgress } from '../../resources/account/events.ts';
import { resourceNamed } from '../../resources/index.ts';
import { emptyView, type Resource, type Row, viewWith } from '../../resources/resource.ts';
import { allRules } from '../../resources/rules/index.ts';
import { percentOf } from '../../store/events.ts';
import { cell, widthOf } from '../../text/cells.ts';
import { dateText, type Timestamp } from '../../text/times.ts';
import { countWords } from '../../text/words.ts';
import { type BoardDocument, type PrintContext, type Table, tableOf } from '../document.ts';
import { printedColumns } from '../printedColumns.ts';
import type { SnapshotReader } from '../snapshotReader.ts';
import { type BoardRow, boardOfParts } from './boardSnapshots.ts';

/** The rows of one area, counted. */
type Counted = ReturnType<typeof counted>;

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
    const rows = resource.status && lists.get(resource.name);
    return rows ? [counted(resource, rows)] : [];
  });
  const current = (newest ?? []).filter(isInProgress);
  const last = (newest ?? []).filter((event) => !isInProgress(event)).slice(0, maxLastEvents);
  const rows = [
    ...counts.flatMap(({ resource, statuses }) =>
      statuses.map(([status, value]) => ({ section: 'counts', subject: resource.name, status, value })),
    ),
    ...current.map((event) => eventRow('happening now', event, percentOf(event) ?? null)),
    ...last.map((event) => eventRow('last activity', event, event.created)),
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

function counted(resource: Resource, rows: readonly Row[]) {
  const counts = countWords(rows.map((row) => resource.status?.(row) ?? 'unknown'));
  /** Rows by status, the most frequent first. */
  const statuses = [...counts.values()].map(({ value, count }): [string, number] => [value, count]);
  statuses.sort(([, one], [, other]) => other - one);
  return { resource, total: rows.length, statuses };
}

const eventRow = (section: string, event: Row, value: unknown): BoardRow => ({
  section,
  subject: events.label(event),
  status: events.status?.(event) ?? null,
  value,
});

function countsText(counts: readonly Counted[], context: PrintContext): string {
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
