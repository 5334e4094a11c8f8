import type { Api } from '../api/client.ts';
import { redacted } from '../api/redact.ts';
import { idOf, paramsFrom } from '../resources/identity.ts';
import { isSingle, resourceNamed } from '../resources/index.ts';
import { rules } from '../resources/problems/index.ts';
import type { Problem, Rule } from '../resources/problems/rule.ts';
import { ancestorsOf } from '../resources/relations.ts';
import type { CacheView, ListOperation, Resource, Row } from '../resources/resource.ts';
import { plural } from '../resources/wording.ts';
import { operationNamed } from '../store/questions.ts';
import { isGradual, pagesOf, readEveryRow } from '../store/reading.ts';
import { type AreaTarget, areas } from './areas.ts';
import type { Format } from './arguments.ts';
import { managedSnapshot, problemsSnapshot } from './boardSnapshots.ts';
import { homeSnapshot } from './homeSnapshot.ts';
import { csv, jsonDocument, type PrintContext, type PrintedColumn, textCard, textTable } from './print.ts';
import { isPrinted, printedColumns, printedList, type RowAnswers } from './printedColumns.ts';
import { documented, problemSection } from './problemTable.ts';
import { quoted } from './rules.ts';
import { createSnapshotReader, type ProblemReport, type Snapshot, type SnapshotReader } from './snapshotReader.ts';

/** Further wishes for a snapshot. */
export interface SnapshotOptions {
  /** Examine what is printed for problems, which takes what the rules look at. */
  examine?: boolean;
  /** Read long catalogues whole. */
  all?: boolean;
  /** Problems that somebody knows of are none; none by default. */
  isAcknowledged?: (problem: Problem) => boolean;
}

/** Reads what an area or a board shows once, completely, and writes it down. Rejects only on a fault of the program. */
export async function takeSnapshot(
  api: Api,
  place: AreaTarget,
  format: Format,
  context: PrintContext,
  { examine = false, all = false, isAcknowledged = () => false }: SnapshotOptions = {},
): Promise<Snapshot> {
  if (!api.readOnly) throw new Error('a snapshot is taken through a closed gate only');
  const reader = createSnapshotReader(api, context.now, isAcknowledged);
  switch (place.area) {
    case 'home':
      return homeSnapshot(reader, areas, format, context);
    case 'problems':
      return problemsSnapshot(reader, format, context);
    case 'managed': {
      const examined = examine ? await reader.examine(rules.filter(isManaged)) : undefined;
      return managedSnapshot(reader, format, context, examined);
    }
    default:
      return areaSnapshot({ api, reader, place, format, context, all, examine });
  }
}

const isManaged = ({ of }: Rule) => resourceNamed(of).area === 'Managed';

/** One area is printed from these. */
interface AreaParts {
  api: Api;
  reader: SnapshotReader;
  place: AreaTarget;
  format: Format;
  context: PrintContext;
  all: boolean;
  examine: boolean;
}

async function areaSnapshot(parts: AreaParts): Promise<Snapshot> {
  const { reader, place, format, context } = parts;
  const resource = resourceNamed(place.area === 'activity' ? 'events' : place.area);
  const rows = await rowsAt(parts, resource);
  const examined = rows && parts.examine ? await examinedAt(reader, resource, place) : undefined;
  const problems = examined?.problems ?? [];
  const isAbsent = place.id !== undefined && rows?.length === 0;
  const absence = isAbsent
    ? [`The ${resource.one} ${quoted(place.id ?? '')} is missing: the list of ${plural(resource)} has no such row.`]
    : [];
  if (format === 'json') {
    const missing = [...reader.missing(), ...absence];
    const text = jsonDocument(place.area, context, {
      ...(examined && documented(examined)),
      rows: (rows ?? []).map(redacted),
      missing,
    });
    return { text, missing, problems };
  }
  if (!rows || isAbsent) return { text: '', missing: [...reader.missing(), ...absence], problems };
  // Only the columns look at what lies beside the rows.
  await Promise.all((resource.reads ?? []).map((name) => reader.list(resourceNamed(name))));
  const answers = await readAnswers(reader, resource, rows);
  const text = written({
    resource,
    isOne: place.id !== undefined,
    rows,
    format,
    context,
    view: reader.cache,
    answers,
    examined,
  });
  return { text, missing: reader.missing(), problems };
}

/** Finds the problems of the rows of an area and of what lies under them. */
async function examinedAt(reader: SnapshotReader, resource: Resource, { id }: AreaTarget): Promise<ProblemReport> {
  const isAbout = ({ of }: Rule) => [resourceNamed(of), ...ancestorsOf(resourceNamed(of))].includes(resource);
  const examined = await reader.examine(rules.filter(isAbout));
  if (id === undefined) return examined;
  const own = Object.entries(paramsFrom(resource, id));
  const isOwn = ({ params }: Problem) => own.every(([name, value]) => params[name] === value);
  return { ...examined, problems: examined.problems.filter(isOwn) };
}

async function rowsAt(parts: AreaParts, resource: Resource): Promise<readonly Row[] | undefined> {
  const { reader, place } = parts;
  const { id } = place;
  if (place.area === 'activity') return reader.newestEvents();
  if (resource.view && (id !== undefined || isSingle(resource))) {
    const row = await reader.view(resource, id === undefined ? {} : paramsFrom(resource, id));
    return row && [row];
  }
  const isLong = resource.list !== undefined && isGradual(resource.list);
  const rows = isLong ? await longList(parts, resource) : await reader.list(resource);
  return id === undefined ? rows : rows?.filter((row) => idOf(resource, row) === id);
}

/** Of a long catalogue its first section, which is the account's own; with `all` the others as well. */
async function longList({ api, reader, all }: AreaParts, resource: Resource): Promise<readonly Row[] | undefined> {
  const sections = resource.sections ?? [];
  const names = [...new Set([...sections.map(({ operation = 'list' }) => operation), 'list'])];
  const rows = new Map<string, Row>();
  for (const name of all ? names : names.slice(0, 1)) {
    const operation = operationNamed(resource, name) as ListOperation;
    const read = (sofar: readonly Row[]) => {
      for (const row of sofar) rows.set(idOf(resource, row), row);
    };
    try {
      const whole = await readEveryRow(
        () => pagesOf(api, operation, {}),
        (row) => idOf(resource, row),
        (sofar) => read(sofar()),
      );
      read(whole.rows);
    } catch (error) {
      reader.noteFailure(resource.many, error);
      if (rows.size === 0) return undefined;
    }
  }
  return [...rows.values()];
}

/** Of a longer list no further requests are made for each row: the API allows 100 statistics a minute. */
const maxAnswered = 100;

/** The answers that fill the columns which take a request for each row; none where the list is too long for that. */
async function readAnswers(reader: SnapshotReader, resource: Resource, rows: readonly Row[]): Promise<RowAnswers> {
  if (rows.length > maxAnswered) return new Map();
  const names = [...new Set(resource.columns.filter(isPrinted).flatMap(({ lazy }) => lazy ?? []))];
  return new Map(
    await Promise.all(names.map(async (name) => [name, await reader.answers(resource, name, rows)] as const)),
  );
}

/** The parts of an area for people and spreadsheets. */
interface Parts {
  resource: Resource;
  isOne: boolean;
  rows: readonly Row[];
  format: Exclude<Format, 'json'>;
  context: PrintContext;
  view: CacheView;
  answers: RowAnswers;
  examined: ProblemReport | undefined;
}

function written(parts: Parts): string {
  const { resource, rows, format, context, view, answers, examined } = parts;
  const { columns, ordered } = printedList(resource, rows, view, answers);
  if (format === 'csv') return csv(columns, ordered);
  const body = bodyOf(parts, columns, ordered);
  return examined ? `${body}\n${problemSection(examined, context)}\n` : body;
}

function bodyOf(
  { resource, isOne, context, view }: Parts,
  columns: readonly PrintedColumn<Row>[],
  rows: readonly Row[],
): string {
  const [only] = rows;
  if (!only) return `There are no rows in ${resource.many}.\n`;
  if (!isOne && resource.list) return textTable(columns, rows, context);
  const further = printedColumns(resource.card ?? [], resource, rows, view);
  return textCard([...columns, ...further], only, context);
}
