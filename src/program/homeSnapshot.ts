import type { Api } from '../api/client.ts';
import { cell, widthOf } from '../components/cells.ts';
import { look } from '../components/looks.ts';
import { resourceNamed } from '../resources/index.ts';
import { at, type Resource, type Row } from '../resources/resource.ts';
import { isInProgress, percentOf } from '../store/events.ts';
import type { Format } from './arguments.ts';
import { csv, type PrintContext, type Printed, safeJson, textTable } from './print.ts';
import { everyRow, isTroubled, missingPart, printedColumns, type Snapshot } from './snapshot.ts';

/** All rows of one area, counted. */
interface Counted {
  resource: Resource;
  total: number;
  /** How many rows have each status, the most frequent first. */
  statuses: readonly (readonly [status: string, count: number])[];
  troubled: readonly Row[];
}

/** One line of the home screen for machines. */
interface HomeRow {
  section: 'problems' | 'counts' | 'happening now' | 'last activity';
  subject: string;
  status: string | null;
  /** A count, a percentage or a time, by section. */
  value: unknown;
}

const newest = 100;
const shownActivity = 10;

/** Problems, counts by status, what is going on and what happened last. A part that cannot be read leaves the others standing. */
export async function homeSnapshot(
  api: Api,
  areas: readonly Resource[],
  format: Format,
  context: PrintContext,
): Promise<Snapshot> {
  const events = resourceNamed('events');
  const counting = areas.filter(({ list, status, name }) => list && status && name !== events.name);
  const missing: string[] = [];
  const unless = <T>(resource: Resource, reading: Promise<T>): Promise<T | undefined> =>
    reading.catch((error) => {
      missing.push(missingPart(resource, error));
      return undefined;
    });
  const [happened, ...counts] = await Promise.all([
    unless(events, newestEvents(api, events)),
    ...counting.map((resource) =>
      unless(
        resource,
        everyRow(api, resource).then((rows) => counted(resource, rows)),
      ),
    ),
  ]);
  const read = counts.filter((count) => count !== undefined);
  const problems = read.reduce((sum, { troubled }) => sum + troubled.length, 0);
  if (read.length === 0 && !happened) return { text: '', missing, problems };
  return { text: written(read, events, happened ?? [], format, context), missing, problems };
}

async function newestEvents(api: Api, { list }: Resource): Promise<readonly Row[]> {
  if (!list) return [];
  const { body } = await api.send(list, { query: { page: 1, page_size: newest } });
  return (at(body, 'data') as readonly Row[] | undefined) ?? [];
}

function counted(resource: Resource, rows: readonly Row[]): Counted {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const status = resource.status?.(row) ?? 'unknown';
    counts.set(status, (counts.get(status) ?? 0) + 1);
  }
  return {
    resource,
    total: rows.length,
    statuses: [...counts].sort(([, one], [, other]) => other - one),
    troubled: rows.filter((row) => isTroubled(resource, row)),
  };
}

function written(
  counts: readonly Counted[],
  events: Resource,
  happened: readonly Row[],
  format: Format,
  context: PrintContext,
): string {
  const current = happened.filter(isInProgress);
  const last = happened.filter((event) => !isInProgress(event)).slice(0, shownActivity);
  if (format === 'text') return homeText(counts, events, current, last, context);
  const rows = homeRows(counts, events, current, last);
  if (format === 'csv') return csv(homeColumns, rows);
  return safeJson({ area: 'home', takenAt: new Date(context.now).toISOString(), rows });
}

const homeColumns: readonly Printed<HomeRow>[] = (['section', 'subject', 'status', 'value'] as const).map((title) => ({
  title,
  value: (row) => row[title],
  keep: 1,
}));

const homeRows = (
  counts: readonly Counted[],
  events: Resource,
  current: readonly Row[],
  last: readonly Row[],
): readonly HomeRow[] => [
  ...counts.flatMap(({ resource, troubled }) =>
    troubled.map(
      (row): HomeRow => ({
        section: 'problems',
        subject: `${resource.one} ${resource.label(row)}`,
        status: resource.status?.(row) ?? null,
        value: null,
      }),
    ),
  ),
  ...counts.flatMap(({ resource, statuses }) =>
    statuses.map(([status, value]): HomeRow => ({ section: 'counts', subject: resource.name, status, value })),
  ),
  ...current.map(
    (event): HomeRow => ({
      section: 'happening now',
      subject: events.label(event),
      status: events.status?.(event) ?? null,
      value: percentOf(event) ?? null,
    }),
  ),
  ...last.map(
    (event): HomeRow => ({
      section: 'last activity',
      subject: events.label(event),
      status: events.status?.(event) ?? null,
      value: event.created,
    }),
  ),
];

function homeText(
  counts: readonly Counted[],
  events: Resource,
  current: readonly Row[],
  last: readonly Row[],
  context: PrintContext,
): string {
  const statusText = (status: string) => look(status, 'status', context).text;
  const troubled = counts.flatMap(({ resource, troubled: rows }) =>
    rows.map((row) => `${statusText(resource.status?.(row) ?? '')}  ${resource.one} ${resource.label(row)}`),
  );
  const widest = Math.max(0, ...counts.map(({ resource }) => widthOf(resource.many)));
  const totals = counts.map(({ resource, total, statuses }) => {
    const parts = statuses.map(([status, count]) => `${statusText(status)} ${count}`);
    return `${cell(resource.many, widest)}  ${String(total).padStart(6)}  ${parts.join('  ')}`.trimEnd();
  });
  const table = (rows: readonly Row[]) => {
    const spoken = events.columns.filter(({ look: as }) => as !== 'mark');
    return textTable(printedColumns(spoken, events, rows, context.now), rows, context).trimEnd();
  };
  const taken = look(new Date(context.now).toISOString(), 'date', context).text;
  const sections = [
    `Skydeck  ${taken} UTC`,
    section('Problems', troubled.join('\n')),
    totals.join('\n'),
    section('Happening now', current.length > 0 ? table(current) : ''),
    section('Last activity', last.length > 0 ? table(last) : ''),
  ];
  return `${sections.filter(Boolean).join('\n\n')}\n`;
}

const section = (title: string, body: string): string => (body ? `${title}\n${body}` : '');
