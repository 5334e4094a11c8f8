import { idOf, isPlaceholderId, paramsIn, paramsOf } from '../resources/identity.ts';
import { knownResource, operationsOf, resourceNamed } from '../resources/index.ts';
import { rowParams } from '../resources/relations.ts';
import type { CacheView, Operation, Params, Resource, Row } from '../resources/resource.ts';

/** An operation of a resource, by its name there, with its parameters. */
export interface Query {
  resource: string;
  operation: string;
  params: Params;
}

/** The key of a query; equal queries have equal keys. */
export function queryKey({ resource, operation, params }: Query): string {
  const names = Object.keys(params).sort();
  return `${resource}.${operation}?${names.map((name) => `${name}=${encodeURIComponent((params[name] ?? '').toWellFormed())}`).join('&')}`;
}

export const eventsName = resourceNamed('events').name;

/** Whether the program makes the answer itself, without a request. */
export const isLocal = ({ resource }: Query): boolean => resourceNamed(resource).local === true;

/** A query that takes only the parameters of its path. */
const queryOf = (resource: Resource, operation: 'list' | 'view', params: Params): Query => ({
  resource: resource.name,
  operation,
  params: paramsIn(resource[operation]?.path, params),
});

/** The query for the rows of a resource. */
export const listQuery = (resource: Resource, params: Params = {}): Query => queryOf(resource, 'list', params);

/** The query for one row. */
export const viewQuery = (resource: Resource, params: Params): Query => queryOf(resource, 'view', params);

/** The operation of this name. Throws when the resource has none. */
export function operationNamed(resource: Resource, name: string): Operation {
  const found = name === 'list' ? resource.list : name === 'view' ? resource.view : resource.operations?.[name];
  if (!found) throw new Error(`${resource.name} has no operation ${name}`);
  return found;
}

/** The operation of a query. */
export const operationOf = ({ resource, operation }: Query): Operation =>
  operationNamed(resourceNamed(resource), operation);

/** The resource whose rows a query answers: its own, or the one that the operation or its tab names. */
export function resourceOfRows({ resource, operation }: Query): Resource {
  const owner = resourceNamed(resource);
  const { rowsOf } = owner.operations?.[operation] ?? {};
  if (rowsOf) return resourceNamed(rowsOf);
  const tab = owner.tabs?.find((tab) => 'list' in tab && tab.operation === operation);
  return tab && 'list' in tab ? resourceNamed(tab.list) : owner;
}

/** Whether a row with these parameters may be in a collection with those: none of them differs. */
export const mayBeIn = (params: Params, parents: Params): boolean =>
  Object.entries(parents).every(([name, value]) => (params[name] ?? value) === value);

/** Whether a query is one of a list of the API, with the parameters of its path: another version may have had others. */
export function isKeepableQuery({ resource, operation, params }: Query): boolean {
  const description = knownResource(resource);
  if (!description || description.local) return false;
  const found = operationsOf(description).find(({ name }) => name === operation)?.operation;
  if (!found || !('pages' in found)) return false;
  const taken = [...found.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return taken.length === Object.keys(params).length && taken.every((name) => Object.hasOwn(params, name));
}

/**
 * The parameters of the lists of a resource below given parents: more than one where rows lie between. Undefined where those
 * are not all read.
 */
export function listsUnder(name: string, params: Params, view: CacheView): readonly Params[] | undefined {
  const { list, under } = resourceNamed(name);
  const parent = under === undefined ? undefined : resourceNamed(under);
  if (!parent || rowParams(parent, params)) return [paramsIn(list?.path, params)];
  const between = listsUnder(parent.name, params, view);
  if (!between?.every((one) => view.isRead(parent.name, one))) return undefined;
  // Below a row without an id there is nothing to be asked for.
  return between.flatMap((one) =>
    view
      .rows(parent.name, one)
      .filter((row) => !isPlaceholderId(idOf(parent, row)))
      .map((row) => paramsIn(list?.path, paramsOf(parent, row, { ...params, ...one }))),
  );
}

/** The queries for the lists of a resource below each of these rows. */
export const listsBelow = (resource: Resource, parent: Resource, rows: readonly Row[], params: Params = {}) =>
  rows.map((row) => listQuery(resource, paramsOf(parent, row, params)));
