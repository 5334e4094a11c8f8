import type { Api } from '../api/client.ts';
import { ApiError } from '../api/error.ts';
import { redacted } from '../api/redact.ts';
import { type Look, statusRole } from '../components/looks.ts';
import { idOf, paramsFrom } from '../resources/identity.ts';
import { resourceNamed } from '../resources/index.ts';
import type { Column, Known, Resource, Row } from '../resources/resource.ts';
import { valueIn } from '../store/filter.ts';
import { readEveryRow } from '../store/reading.ts';
import { sorted } from '../store/sorting.ts';
import { areas, type Place } from './areas.ts';
import type { Format } from './arguments.ts';
import { homeSnapshot } from './homeSnapshot.ts';
import { csv, type PrintContext, type Printed, safeJson, textCard, textTable } from './print.ts';

/** What is printed, and what could not be. */
export interface Snapshot {
  /** Without escape sequences; empty where nothing could be read. */
  text: string;
  /** One sentence for each part that is missing. */
  missing: readonly string[];
  /** How many rows are in trouble. */
  problems: number;
}

/** Reads what an area shows once, completely, and writes it down. Rejects only on a fault of the program. */
export async function takeSnapshot(api: Api, place: Place, format: Format, context: PrintContext): Promise<Snapshot> {
  if (place.area === 'home') {
    return homeSnapshot(api, areas, format, context);
  }
  const resource = resourceNamed(place.area);
  try {
    const rows = await rowsAt(api, resource, place);
    const problems = rows.filter((row) => isTroubled(resource, row)).length;
    const { beside, missing } = format === 'json' ? nothingBeside : await readBeside(api, resource);
    return { text: written(resource, place, rows, format, context, beside), missing, problems };
  } catch (error) {
    return { text: '', missing: [missingPart(resource, error)], problems: 0 };
  }
}

/** The sentence for a part that could not be read. Throws what is no error of the API. */
export function missingPart({ many }: Resource, error: unknown): string {
  if (!(error instanceof ApiError)) throw error;
  return `${many} are missing: ${error.message}`;
}

/** Whether the status of a row says that something is wrong with it. */
export function isTroubled(resource: Resource, row: Row): boolean {
  const status = resource.status?.(row);
  return status !== undefined && statusRole(status) === 'bad';
}

/** Every row of a resource, each once. */
export async function everyRow(api: Api, resource: Resource): Promise<readonly Row[]> {
  const { list } = resource;
  if (!list) return [];
  const { rows } = await readEveryRow(
    () => api.pages(list),
    (row) => idOf(resource, row),
    () => {},
  );
  return rows;
}

async function rowsAt(api: Api, resource: Resource, { id }: Place): Promise<readonly Row[]> {
  if (resource.view && (id !== undefined || !resource.list)) {
    const { body } = await api.send(resource.view, id === undefined ? {} : { params: paramsFrom(resource, id) });
    return [body as Row];
  }
  const rows = await everyRow(api, resource);
  return id === undefined ? rows : rows.filter((row) => idOf(resource, row) === id);
}

/** The rows of other resources at which columns look, as far as they were read. */
type Beside = ReadonlyMap<string, readonly Row[]>;

const nothingBeside: { beside: Beside; missing: readonly string[] } = { beside: new Map(), missing: [] };

async function readBeside(api: Api, { reads = [] }: Resource): Promise<typeof nothingBeside> {
  const beside = new Map<string, readonly Row[]>();
  const missing: string[] = [];
  for (const name of reads) {
    const other = resourceNamed(name);
    try {
      beside.set(name, await everyRow(api, other));
    } catch (error) {
      missing.push(missingPart(other, error));
    }
  }
  return { beside, missing };
}

/** A column counts rows that were not read. */
class NotRead extends Error {}

/** What a column can know here: what was read. Other rows are unknown one by one, and cannot be counted. */
function knownOnly(resource: Resource, rows: readonly Row[], now: number, beside: Beside): Known {
  const read = new Map([...beside, [resource.name, rows]]);
  return {
    now,
    rows: (name) => {
      const found = read.get(name);
      if (!found) throw new NotRead(name);
      return found;
    },
    row: (name, id) => read.get(name)?.find((row) => idOf(resourceNamed(name), row) === String(id)),
    gone: () => [],
  };
}

/** The columns that these rows fill; those that take further requests are left out rather than wrong. */
export function printedColumns(
  columns: readonly Column[],
  resource: Resource,
  rows: readonly Row[],
  now: number,
  beside: Beside = new Map(),
): readonly Printed<Row>[] {
  const known = knownOnly(resource, rows, now, beside);
  return columns
    .filter((column) => column.lazy === undefined && !countsOthers(column, rows, known))
    .map((column) => ({
      ...column,
      look: printedLook(column.look),
      keep: column.keep ?? 2,
      value: (row) => valueIn(row, column, known),
    }));
}

function countsOthers(column: Column, rows: readonly Row[], known: Known): boolean {
  try {
    for (const row of rows) valueIn(row, column, known);
    return false;
  } catch (error) {
    if (error instanceof NotRead) return true;
    throw error;
  }
}

/** What is only drawn on a screen is written in words. */
function printedLook(as: Column['look']): Look | undefined {
  if (as === 'mark') return 'boolean';
  return as === 'sparkline' ? undefined : as;
}

function written(
  resource: Resource,
  { id }: Place,
  rows: readonly Row[],
  format: Format,
  context: PrintContext,
  beside: Beside,
): string {
  if (format === 'json') {
    const takenAt = new Date(context.now).toISOString();
    return safeJson({ area: resource.name, takenAt, rows: rows.map(redacted) });
  }
  const printed = (columns: readonly Column[]) => printedColumns(columns, resource, rows, context.now, beside);
  const columns = printed(resource.columns);
  const titles = new Set(columns.map(({ title }) => title));
  const sortable = resource.columns.filter(({ title }) => titles.has(title));
  const ordered = sorted(rows, resource.sort, sortable, knownOnly(resource, rows, context.now, beside));
  if (format === 'csv') return csv(columns, ordered);
  const [only] = rows;
  if (only && (id !== undefined || !resource.list)) {
    return textCard([...columns, ...printed(resource.card ?? [])], only, context);
  }
  return rows.length === 0 ? `There are no rows in ${resource.many}.\n` : textTable(columns, ordered, context);
}
