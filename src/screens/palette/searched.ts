import { idOf, paramsOf } from '../../resources/identity.ts';
import { resourceNamed, resources } from '../../resources/index.ts';
import type { Params, Resource, Row } from '../../resources/resource.ts';
import { countedRows, plural } from '../../resources/wording.ts';
import { entryAt } from '../../store/entries.ts';
import { listQuery, listsBelow, type Query, queryKey } from '../../store/queries.ts';
import type { Stores } from '../../store/stores.ts';
import { placeOfRow, tabWith } from '../places.ts';

/** Resources whose rows can be gone to: their page, or where their parent lists them. */
export const searched: readonly Resource[] = resources.filter(
  (resource) =>
    !resource.local &&
    resource.list &&
    (resource.about === undefined || resource.entity !== undefined) &&
    (resource.view !== undefined || tabWith(resource) !== undefined),
);

/**
 * Goes to the page of a row, or to it in the list where it stands.
 * @param params of the list
 */
export function goToRow({ navigation }: Stores, resource: Resource, row: Row, params: Params): void {
  const tab = resource.view ? undefined : tabWith(resource);
  if (tab === undefined || resource.under === undefined) {
    navigation.go(placeOfRow(resource, paramsOf(resource, row, params)));
    return;
  }
  // A list by levels has a delimiter; its place says so when there is none.
  const { delimiter, ...place } = params;
  const isFlat = delimiter === undefined && resource.list?.query?.includes('delimiter');
  const flat: Params = isFlat ? { flat: 'yes' } : {};
  navigation.go({ screen: 'detail', resource: resource.under, params: { ...place, ...flat }, tab });
  navigation.pointAt(resource.name, idOf(resource, row));
}

/** More would take minutes of the calls that the API allows. */
const maxQueries = 150;

/** Whether the API itself finds the rows of a list by the beginning of their names; such lists may be endless. */
const hasPrefix = ({ list }: Resource): boolean => list?.query?.includes('prefix') ?? false;

/**
 * Finds what a search could read: whole lists first, then the lists below loaded rows, the fewest first.
 * @param typed the beginning of the names of which the API is asked, where it can be
 */
export function unreadLists({ cache, view, session }: Stores, typed: string) {
  const { absent } = cache.getState();
  const { refused } = session.getState();
  const isUntried = (query: Query) => entryAt(cache.getState(), queryKey(query))?.triedAt === undefined;
  const groups = searched
    .filter(({ name }) => !absent.includes(`${name}.list`) && !(`${name}.list` in refused))
    .map((resource) => ({ resource, queries: listsOf(resource).filter(isUntried) }))
    .filter(({ queries }) => queries.length > 0)
    .sort((one, other) => one.queries.length - other.queries.length);

  function listsOf(resource: Resource): readonly Query[] {
    const { under } = resource;
    if (!under) return [listQuery(resource)];
    const queries = view
      .lists(under)
      .flatMap(({ params, rows }) => listsBelow(resource, resourceNamed(under), rows, params));
    if (!hasPrefix(resource)) return queries;
    return queries.map((query) => ({ ...query, params: { ...query.params, prefix: typed } }));
  }

  const queries: Query[] = [];
  const names: string[] = [];
  const leftOut: string[] = [];
  for (const group of groups) {
    const isTooMany = queries.length + group.queries.length > maxQueries;
    (isTooMany ? leftOut : names).push(nameOf(group.resource, group.queries.length));
    if (!isTooMany) queries.push(...group.queries);
  }
  return {
    queries,
    names,
    /** Those of too many rows to be read for this. */
    leftOut,
  };
}

function nameOf(resource: Resource, count: number): string {
  if (!resource.under) return plural(resource);
  const parent = resourceNamed(resource.under);
  const how = hasPrefix(resource) ? ' by how they begin' : '';
  return `${plural(resource)} of ${countedRows(parent, count)}${how}`;
}
