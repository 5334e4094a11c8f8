import { aNoun } from '../text/words.ts';
import { idIn, liesUnder, paramNames, paramsFrom, paramsOf } from './identity.ts';
import { isSingle, resourceNamed, resources } from './index.ts';
import { type Link, linksFrom, linksTo, referring } from './links.ts';
import { foundOrMade, memoize, memoizeAll } from './memoize.ts';
import type { ResourceName } from './names.ts';
import { type Action, type CacheView, knownField, type Params, type Resource, type Row } from './resource.ts';

/** A row that is related to another, with the parameters that open it; without `row` only its id is known. */
export interface Relative {
  params: Params;
  row?: Row;
}

/** The related rows of one resource: what the row belongs to, or what uses it. */
export interface Relatives {
  resource: Resource;
  side: 'belongs to' | 'used by';
  rows: readonly Relative[];
}

/** A resource that may have further related rows, because not all of it is read. */
export interface UnreadResource {
  resource: Resource;
  /** It is a child of the row, at any depth. */
  below: boolean;
  /** The number of loaded parents whose rows are not loaded, and of all loaded parents; undefined where that cannot be told. */
  missing?: number;
  of?: number;
}

/** The rows that a row is related to. */
export interface Relations {
  groups: readonly Relatives[];
  unread: readonly UnreadResource[];
}

/** The parent of a resource, its parent and so on. */
export const ancestorsOf = memoize(({ under }: Resource): readonly Resource[] => {
  const parent = under === undefined ? undefined : resourceNamed(under);
  return parent ? [parent, ...ancestorsOf(parent)] : [];
});

/** The names of the loaded rows that a row lies under, the nearest first. */
export const namesAbove = (view: CacheView, resource: Resource, params: Params): readonly string[] =>
  ancestorsOf(resource).flatMap((one) => {
    const row = view.row(one.name, idIn(one, params), params);
    return row ? [one.label(row)] : [];
  });

/** Whether the list of a resource with these parameters is the one over all rows that it lies under. */
export const isAcross = ({ across, under }: Resource, params: Params): boolean =>
  across !== undefined && under !== undefined && params[resourceNamed(under).param] === undefined;

/** A resource as its list over all rows shows it: the column that tells where a row lies comes first, and orders it. */
export const overAll = memoize<Resource, Resource>((resource) => {
  const { across, columns } = resource;
  if (across === undefined) return resource;
  const where = columns.filter(({ title }) => title === across).map((column) => ({ ...column, keep: 1 as const }));
  return { ...resource, sort: across, columns: [...where, ...columns.filter(({ title }) => title !== across)] };
});

/** The same as a list below one row shows it, where that column would say the same in each line. */
export const belowOne = memoize<Resource, Resource>((resource) => {
  const { across, columns } = resource;
  return across === undefined ? resource : { ...resource, columns: columns.filter(({ title }) => title !== across) };
});

/** A resource as the list with these parameters shows it. */
export const listedAt = (resource: Resource, params: Params): Resource =>
  isAcross(resource, params) ? overAll(resource) : belowOne(resource);

/** The children of a resource, at any depth; for a single resource, those that its tabs list. */
const descendantsOf = memoize((resource: Resource): readonly Resource[] =>
  isSingle(resource)
    ? (resource.tabs ?? []).flatMap((tab) => ('list' in tab ? [resourceNamed(tab.list)] : []))
    : resources.filter((other) => ancestorsOf(other).includes(resource)),
);

/** Whether its rows are shown as relations: not those that only point to another row, nor those listed level by level. */
const isListable = ({ about, view, list }: Resource): boolean => !(about && !view) && !list?.query;

/** The names of the parameters of a row, those of its parents first. */
export const rowParamNames = memoize((resource: Resource): readonly string[] =>
  [...ancestorsOf(resource).toReversed(), resource].flatMap(paramNames),
);

/** The parameters that name a row of a resource and its parents; undefined where one is missing. */
export function rowParams(resource: Resource, given: Params): Params | undefined {
  if (isSingle(resource)) return {};
  const names = rowParamNames(resource);
  const entries = names.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]] as const]));
  return entries.length === names.length ? Object.fromEntries(entries) : undefined;
}

/** An action, and the resource that it belongs to. */
export interface ResourceAction {
  resource: Resource;
  action: Action;
}

/** The resources of which a change names a row at a place, such as `params.serverId` and `body.volumes.0`; undefined where its description names none. */
function targetsAt(
  { resource, action }: ResourceAction,
  [part, ...names]: readonly (string | number)[],
): readonly ResourceName[] | undefined {
  if (part === 'params') {
    const owners = [resource, ...ancestorsOf(resource)];
    return owners.filter((owner) => paramNames(owner).includes(String(names[0]))).map(({ name }) => name);
  }
  const path = names.slice(part === 'changes' ? 1 : 0).join('.');
  const [, holder = '', last = ''] = /^(.*)\.(.*)$/.exec(path) ?? [];
  const { kind = 'text', to = [] } = knownField(resource, action, path) ?? knownField(resource, action, holder) ?? {};
  if (!referring.includes(kind)) return undefined;
  // The parts of a device are called by what they name.
  return [to].flat().filter((name) => kind !== 'device' || name.startsWith(last.replace(/_id$/, '')));
}

/**
 * Why a row that another change makes cannot be named at a place of a change, as the end of a sentence; undefined where it
 * can, and where the descriptions do not tell.
 * @param field the path of its value that is meant; its id by default
 */
export function strayTarget(
  change: ResourceAction,
  place: readonly (string | number)[],
  made: ResourceAction,
  field?: string,
): string | undefined {
  const wanted = targetsAt(change, place);
  const { resource, action } = made;
  // Where several values name a row, each stands in a field of its own.
  const isOwn = field === undefined || field === resource.id || resource.params !== undefined;
  const isTold = isOwn || knownField(resource, action, field) !== undefined;
  const named = isOwn ? [resource.name] : (targetsAt(made, ['body', field]) ?? []);
  if (!wanted || !isTold || wanted.some((name) => named.includes(name))) return undefined;
  const one = wanted.map((name) => aNoun(resourceNamed(name).one)).join(' or ');
  const other = aNoun(resource.one);
  return isOwn
    ? `must name ${one}, and that step makes ${other}`
    : `must name ${one}, and "${field}" of ${other} does not`;
}

const keyOfRow = ({ name }: Resource, params: Params): string =>
  `${name} ${JSON.stringify(Object.entries(params).sort(([one], [other]) => (one < other ? -1 : 1)))}`;

/**
 * Finds the rows that a row belongs to and those that use it, both from what is loaded alone, each row once on each side,
 * and where there may be more.
 * @param params those that name the row and its parents
 */
export function relationsOf(resource: Resource, row: Row, params: Params, view: CacheView): Relations {
  const own = rowParams(resource, params) ?? params;
  const library = loadedRowsOf(view);
  const groups = [...belongsTo(resource, row, own, library), ...usedBy(resource, row, own, library)];
  const further = [
    ...descendantsOf(resource),
    ...linksTo(resource).flatMap(({ from, unlikely }) => (unlikely ? [] : [from])),
    ...linksFrom(resource).flatMap(({ to, byId }) => (byId ? [] : [to])),
  ];
  const unread = [...new Set(further)].filter(isListable).flatMap((other) => library.unreadOf(other, resource, own));
  return { groups, unread };
}

/** The loaded rows, indexed once for one search. */
type LoadedRows = ReturnType<typeof loadedRowsOf>;

function loadedRowsOf(view: CacheView) {
  const loaded = memoizeAll((name: string) => view.loaded(name).flatMap(({ rows }) => rows));

  const wholesOf = memoizeAll((resource: Resource) => {
    const wholes = view.loaded(resource.name).filter(({ whole }) => whole);
    return new Set(wholes.map(({ params }) => keyOfRow(resource, params)));
  });

  /** The rows of a resource with the parameters that open them. */
  const placesOf = memoizeAll((resource: Resource): readonly (Relative & { row: Row })[] => {
    const found = new Map<string, Relative & { row: Row }>();
    for (const { params: around, rows } of view.loaded(resource.name)) {
      for (const row of rows) {
        const params = rowParams(resource, paramsOf(resource, row, around));
        if (params) found.set(keyOfRow(resource, params), { params, row });
      }
    }
    return [...found.values()];
  });

  /** The loaded parents within these parameters, and whether they are all there are. */
  function parentsOf(parent: Resource, within: Params): { parents: readonly Params[]; complete: boolean } {
    const itself = rowParams(parent, within);
    if (itself) return { parents: [itself], complete: true };
    const parents = placesOf(parent)
      .map(({ params }) => params)
      .filter((params) => liesUnder(params, within));
    return { parents, complete: isWhole(parent, within) };
  }

  /** Whether all rows of a resource below these parents are loaded. */
  function isWhole(resource: Resource, within: Params): boolean {
    const [parent] = ancestorsOf(resource);
    if (!parent) return wholesOf(resource).has(keyOfRow(resource, {}));
    const { parents, complete } = parentsOf(parent, within);
    return complete && parents.every((params) => wholesOf(resource).has(keyOfRow(resource, params)));
  }

  function unreadOf(resource: Resource, subject: Resource, own: Params): readonly UnreadResource[] {
    const [parent] = ancestorsOf(resource);
    const below = ancestorsOf(resource).includes(subject);
    const within = below ? own : {};
    if (isWhole(resource, within)) return [];
    if (!parent || parent === subject) return [{ resource, below }];
    const { parents } = parentsOf(parent, within);
    const missing = parents.filter((params) => !wholesOf(resource).has(keyOfRow(resource, params))).length;
    // The rows above it are not all loaded either.
    if (missing === 0) return [{ resource, below }];
    return [{ resource, below, missing, of: parents.length }];
  }

  return { view, loaded, placesOf, isWhole, unreadOf };
}

/** Collects rows into groups by resource, each row once. */
function collection(side: Relatives['side']) {
  const groups = new Map<Resource, Map<string, Relative>>();
  return {
    add(resource: Resource, relative: Relative): void {
      foundOrMade(groups, resource, () => new Map()).set(keyOfRow(resource, relative.params), relative);
    },
    groups: (): readonly Relatives[] =>
      [...groups].map(([resource, rows]) => ({ resource, side, rows: [...rows.values()] })),
  };
}

/** Finds the parents of a row, the rows that its fields name, and the one that it is about. */
function belongsTo(resource: Resource, row: Row, own: Params, library: LoadedRows): readonly Relatives[] {
  const { view, loaded, placesOf, isWhole } = library;
  const found = collection('belongs to');
  for (const ancestor of ancestorsOf(resource)) {
    const params = rowParams(ancestor, own);
    if (!params) continue;
    const key = keyOfRow(ancestor, params);
    found.add(ancestor, { params, row: placesOf(ancestor).find((one) => keyOfRow(ancestor, one.params) === key)?.row });
  }
  for (const link of linksFrom(resource)) {
    const values = new Set(link.by(row, loaded, view));
    if (values.size === 0) continue;
    for (const relative of placesOf(link.to)) {
      const shared = link.theirs(relative.row).filter((value) => values.has(value));
      if (shared.length === 0) continue;
      found.add(link.to, relative);
      if (link.byId) for (const value of shared) values.delete(value);
    }
    // A row that is not in a whole list is gone.
    if (!link.byId || isWhole(link.to, own)) continue;
    for (const params of unseen(link, values, own)) found.add(link.to, { params });
  }
  return found.groups();
}

/** The parameters of rows of which only the ids are known; children are included only where they share the parents of the row. */
const unseen = ({ to }: Link, ids: ReadonlySet<string>, own: Params): readonly Params[] =>
  [...ids].map((id) => rowParams(to, { ...own, ...paramsFrom(to, id) })).filter((params) => params !== undefined);

/** Finds the children of a row, and the rows that name it. */
function usedBy(
  resource: Resource,
  row: Row,
  own: Params,
  { view, loaded, placesOf }: LoadedRows,
): readonly Relatives[] {
  const found = collection('used by');
  for (const below of descendantsOf(resource).filter(isListable)) {
    for (const relative of placesOf(below)) if (liesUnder(relative.params, own)) found.add(below, relative);
  }
  for (const link of linksTo(resource).filter(({ from }) => isListable(from))) {
    const values = new Set(link.theirs(row));
    for (const relative of placesOf(link.from)) {
      const isSame = link.from === resource && idIn(resource, relative.params) === idIn(resource, own);
      if (!isSame && link.by(relative.row, loaded, view).some((value) => values.has(value)))
        found.add(link.from, relative);
    }
  }
  return found.groups();
}
