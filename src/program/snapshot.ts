import type { Api } from '../api/client.ts';
import { ApiError, asApiError } from '../api/error.ts';
import { redacted } from '../api/redact.ts';
import type { RuleConfig } from '../config/schema.ts';
import { quoted } from '../config/settingRules.ts';
import { idIn, idOf, isLabel, liesUnder, paramsFrom, paramsIn, paramsOf } from '../resources/identity.ts';
import { fetchedFor, isSingle, resourceNamed } from '../resources/index.ts';
import { rowOfProblem } from '../resources/problems/problem.ts';
import type { Problem, Rule, Severity } from '../resources/problems/rule.ts';
import { ancestorsOf, isAcross, listedAt } from '../resources/relations.ts';
import type { ListOperation, Params, Resource, Row } from '../resources/resource.ts';
import { allRules, setUserRules } from '../resources/rules/index.ts';
import { plural } from '../resources/wording.ts';
import { titled, valueIn } from '../store/filter/fields.ts';
import { userRules } from '../store/problems/userRules.ts';
import { operationNamed } from '../store/queries.ts';
import { isGradual, pagesOf, readEveryRow } from '../store/reading.ts';
import { columnOf } from '../store/sorting.ts';
import { shownColumns } from '../store/views/columns.ts';
import type { UserView } from '../store/views/userViews.ts';
import { orSuggestions } from '../text/nearest.ts';
import type { Timestamp } from '../text/times.ts';
import { accountsSnapshot } from './accounts/accountsSnapshot.ts';
import type { JournalOf } from './accounts/journalSnapshot.ts';
import { type AreaTarget, areas } from './areas.ts';
import {
  costsSnapshot,
  fleetSnapshot,
  homeSnapshot,
  madeRows,
  managedSnapshot,
  noRowsIn,
  problemsSnapshot,
} from './boards/boardSnapshots.ts';
import { type ExportOptions, exported } from './boards/exported.ts';
import { type BoardDocument, type SnapshotDocument, tableOf } from './document.ts';
import type { Format, ListFlags } from './invocation.ts';
import { isPrinted, printedColumns, printedList } from './printedColumns.ts';
import { createSnapshotReader, type SnapshotReader, unreadSentence } from './snapshotReader.ts';
import { checkColumns, listOfBoard, narrowed } from './views/listFlags.ts';
import { columnsOfView, maxAsked, readBeside, rowsOfView } from './views/viewRows.ts';

export interface SnapshotOptions {
  /** Examine what is printed for problems, which reads what their rules need. */
  examine?: boolean;
  /** Whether a problem fails the run: then a rule of the user's own that is not examined wholly is missing. */
  fails?: (severity: Severity) => boolean;
  /** Read long catalogues whole. */
  all?: boolean;
  /** Whether a problem is acknowledged, and so left out; none by default. */
  isAcknowledged?: (problem: Problem) => boolean;
  /** The user's own rules; none by default. */
  rules?: readonly RuleConfig[];
  /** The view of the list by which it is printed. */
  view?: UserView;
  /** The options by which it is shown, of which the view has most. */
  list?: ListFlags;
  /** The format of an export, and how it is made. */
  code?: ExportOptions;
  /** The account, for the board of accounts; without a name where several are printed as one. */
  account?: { name?: string; readOnly: boolean };
  /** Of the journal, the account on this machine. */
  journal?: JournalOf;
}

/**
 * Reads an area or a board once, as far as a format needs it. Rejects only on a fault of the program.
 * @param now the time for which rules and ages are worked out
 */
export async function takeSnapshot(
  api: Api,
  target: AreaTarget,
  format: Format,
  now: Timestamp,
  { examine = false, fails, all = false, isAcknowledged = () => false, rules = [], ...options }: SnapshotOptions = {},
): Promise<SnapshotDocument> {
  if (!api.readOnly) throw new Error('a snapshot needs a read-only client');
  setUserRules(userRules(rules));
  const reader = createSnapshotReader(api, now, isAcknowledged, fails);
  const board = await boardOf({ api, reader, target, format, all, examine, ...options });
  return { area: target.area, report: reader.report(), ...board, missing: await reader.missing() };
}

async function boardOf(parts: AreaParts): Promise<BoardDocument> {
  const { api, reader, target, format, examine, code } = parts;
  if (code) {
    const rowsOf = async (area: string) => (await areaSnapshot({ ...parts, target: { area }, format: 'json' })).rows;
    const area = target.area === 'home' ? undefined : target.area;
    return exported(api, reader, code, area, rowsOf as (area: string) => Promise<readonly Row[] | undefined>);
  }
  const pick = <T extends object>(items: readonly T[], rowOf: (item: T) => Row): readonly T[] =>
    parts.view ? narrowed(items, rowOf, parts.view, parts.list ?? {}, reader.cache.now) : items;
  if (parts.view && !listOfBoard(target.area)) return areaSnapshot(parts);
  const section = parts.list?.section && parts.view?.section?.title;
  switch (target.area) {
    case 'home':
      return homeSnapshot(reader, areas, section);
    case 'journal': {
      const { journalSnapshot } = await import('./accounts/journalSnapshot.ts');
      return parts.journal ? journalSnapshot(reader, parts.journal, parts.view, section) : { sections: [] };
    }
    case 'problems':
      return problemsSnapshot(reader, parts.view?.filter, (problems) => pick(problems, (one) => rowOfProblem(one)));
    case 'accounts':
      return accountsSnapshot(reader, examine, parts.account ?? { readOnly: true });
    case 'managed':
      if (examine) await reader.examine(allRules().filter(({ of }) => resourceNamed(of).area === 'Managed'));
      return managedSnapshot(reader, format, section);
    case 'costs':
      return costsSnapshot(reader);
    case 'fleet':
      if (examine) await reader.examine(allRules().filter(({ of }) => of === 'servers'));
      return fleetSnapshot(reader, parts.view, parts.list);
    default:
      return areaSnapshot(parts);
  }
}

interface AreaParts extends Pick<SnapshotOptions, 'view' | 'list' | 'account' | 'journal' | 'code'> {
  api: Api;
  reader: SnapshotReader;
  target: AreaTarget;
  format: Format;
  all: boolean;
  examine: boolean;
}

async function areaSnapshot(parts: AreaParts): Promise<BoardDocument> {
  const { reader, target: named, format, view } = parts;
  const { area } = named;
  const params = await paramsUnder(reader, named.under ?? []);
  const resource = view?.resource ?? listedAt(resourceNamed(area === 'activity' ? 'events' : area), params ?? {});
  const id = params && (await idCalled(reader, resource, named.id, params));
  if (!params || (named.id !== undefined && id === undefined)) return { rows: [], sections: [] };
  const target = { ...named, id };
  const all = await rowsAt({ ...parts, target }, resource, params);
  if (view && all && parts.list?.columns) checkColumns(view, resourceNamed(resource.name), all);
  const found = view && all ? await rowsOfView(view, all, reader) : all;
  const printed = (found ?? []).slice(0, parts.list?.limit).map((row) => {
    const safe = redacted(row) as Row;
    // Answers about a row are found by its id; where that is a secret, its column hides it.
    return { safe, row: idOf(resource, safe) === idOf(resource, row) ? safe : row };
  });
  const rows = found && printed.map(({ row }) => row);
  if (rows && parts.examine) await examineAt(reader, resourceNamed(resource.name), target, params, view && rows);
  const isAbsent = id !== undefined && rows?.length === 0;
  if (isAbsent) reader.noteMissing(`There is no ${resource.one} ${quoted(id)}.`);
  const where =
    isAcross(resource, params) && id === undefined ? columnOf(resource.columns, resource.across) : undefined;
  const shown = printed.map(
    ({ safe, row }): Row => (where ? { ...safe, [titled(where)]: valueIn(row, where, reader.cache) } : safe),
  );
  if (format === 'json' || format === 'jsonl' || !rows || isAbsent) return { rows: shown, sections: [] };
  // Only the columns need the lists of other resources.
  await readBeside(reader, resource);
  // Answers about rows under others are kept by the parameters of both.
  const asked = target.under ? new Set<string>() : await readAsked(reader, resource, rows);
  const { columns, ordered } = view
    ? { columns: columnsOfView(view, rows, reader.cache, asked), ordered: rows }
    : printedList(resource, rows, reader.cache, asked);
  const table = tableOf(columns, ordered, { none: noRowsIn(resource, view) });
  if (id === undefined && (resource.list || resource.made))
    return { rows: shown, table, sections: [table, 'problems'] };
  const further = printedColumns(resource.card ?? [], resource, rows, reader.cache);
  return { rows: shown, table, sections: [tableOf([...columns, ...further], ordered, { isCard: true }), 'problems'] };
}

/** The parameters of the rows that a list lies under, each by its id or label; undefined where one is missing, which is noted. */
async function paramsUnder(
  reader: SnapshotReader,
  under: NonNullable<AreaTarget['under']>,
  above: Params = {},
): Promise<Params | undefined> {
  let params = above;
  for (const { area, id } of under) {
    const resource = resourceNamed(area);
    if (/^\d+$/.test(id)) {
      params = { ...params, ...paramsFrom(resource, id) };
      continue;
    }
    const rows = (await reader.list(resource, paramsIn(resource.list?.path, params))) ?? [];
    const byId = rows.filter((row) => idOf(resource, row) === id);
    const [row, other] = byId.length > 0 ? byId : rows.filter((one) => resource.label(one) === id);
    if (other) reader.noteMissing(`Several ${plural(resource)} are called ${quoted(id)}; name one by its id.`);
    else if (!row && (await reader.missing()).length === 0)
      reader.noteMissing(`There is no ${resource.one} ${quoted(id)}${orSuggestions(id, rows.map(resource.label))}`);
    if (!row || other) return undefined;
    params = paramsOf(resource, row, params);
  }
  return params;
}

/** The id of a row that is named by it or, where ids are numbers, by its label; undefined where there is none, which is noted. */
async function idCalled(
  reader: SnapshotReader,
  resource: Resource,
  id: string | undefined,
  params: Params,
): Promise<string | undefined> {
  if (id === undefined || !isLabel(resource, id) || !resource.list || isGradual(resource.list)) return id;
  const own = await paramsUnder(reader, [{ area: resource.name, id }], params);
  return own && idIn(resource, own);
}

/**
 * Examines the rows of an area and all under them, or one row and all under it.
 * @param seen leaves out what is about other rows of the area
 */
async function examineAt(
  reader: SnapshotReader,
  resource: Resource,
  { id }: AreaTarget,
  params: Params,
  seen?: readonly Row[],
): Promise<void> {
  const isAbout = ({ of }: Rule) => [resourceNamed(of), ...ancestorsOf(resourceNamed(of))].includes(resource);
  const own = { ...params, ...(id !== undefined && paramsFrom(resource, id)) };
  const ids = seen && new Set(seen.map((row) => idOf(resource, row)));
  await reader.examine(
    allRules().filter(isAbout),
    ({ params }) => liesUnder(params, own) && (!ids || ids.has(idIn(resource, params) ?? '')),
  );
}

async function rowsAt(parts: AreaParts, resource: Resource, params: Params): Promise<readonly Row[] | undefined> {
  const { reader, target } = parts;
  const { area, id } = target;
  if (area === 'activity') return reader.newestEvents();
  if (resource.made) return madeRows(resource, reader);
  if (id === undefined && isAcross(resource, params)) return rowsAcross(resource, reader);
  if (resource.view && (id !== undefined || isSingle(resource))) {
    const row = await reader.view(resource, { ...params, ...(id !== undefined && paramsFrom(resource, id)) });
    return row && [row];
  }
  const isLong = resource.list !== undefined && isGradual(resource.list);
  const own = paramsIn(resource.list?.path, params);
  const rows = await (isLong ? longList(parts, resource, own) : reader.list(resource, own));
  return id === undefined ? rows : rows?.filter((row) => idOf(resource, row) === id);
}

/** The rows of a resource below all rows that it lies under; undefined where those could not be read. */
async function rowsAcross({ name, under }: Resource, reader: SnapshotReader): Promise<readonly Row[] | undefined> {
  if (under === undefined || !(await reader.list(resourceNamed(under)))) return undefined;
  await reader.readBelow(name);
  return reader.cache.rows(name);
}

/** The first section of a long catalogue, which is the account's own; with `all` the others as well. */
async function longList(
  { api, reader, all, view }: AreaParts,
  resource: Resource,
  params: Params,
): Promise<readonly Row[] | undefined> {
  const sections = view?.section ? [view.section] : (resource.sections ?? []);
  const names = [...new Set([...sections.map(({ operation = 'list' }) => operation), 'list'])];
  const rows = new Map<string, Row>();
  for (const name of all ? names : names.slice(0, 1)) {
    const operation = operationNamed(resource, name) as ListOperation;
    const read = (sofar: readonly Row[]) => {
      for (const row of sofar) rows.set(idOf(resource, row), row);
    };
    const whole = await readEveryRow(
      () => pagesOf(api, operation, { params }),
      (row) => idOf(resource, row),
      (sofar) => read(sofar()),
    ).catch(asApiError);
    if (whole instanceof ApiError) {
      reader.noteMissing(unreadSentence(resource.many, whole));
      if (rows.size === 0) return undefined;
    } else read(whole.rows);
  }
  return [...rows.values()];
}

/** Reads what columns ask about each row, none of it where the list is too long for that; returns the operations. */
async function readAsked(
  reader: SnapshotReader,
  resource: Resource,
  rows: readonly Row[],
): Promise<ReadonlySet<string>> {
  if (rows.length > maxAsked) return new Set();
  const columns = shownColumns(resource.columns).filter((column) => column.exact !== undefined || isPrinted(column));
  const names = fetchedFor(columns);
  await Promise.all(names.map((name) => reader.readAbout(resource, name, rows)));
  return new Set(names);
}
