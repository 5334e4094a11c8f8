import type { CacheView, Params, Resource } from '../../resources/resource.ts';
import { type Answer, type Cache, type Collection, type Query, queryKey, viewQuery } from '../cache.ts';
import { listQuery, listsUnder } from '../queries.ts';
import { isGradual } from '../reading.ts';
import type { Change } from './change.ts';

/** More rows are read by their list, in fewer requests. */
const maxViews = 4;

/** The queries that read these rows: one by one, or by their lists. */
export function rowQueries(resource: Resource, targets: readonly Pick<Change, 'params'>[]): readonly Query[] {
  const { list, view } = resource;
  const byList = targets.length > maxViews && list && !isGradual(list);
  if (!byList && !view) return [];
  const queries = targets.map(({ params }) => (byList ? listQuery : viewQuery)(resource, params));
  return [...new Map(queries.map((query) => [queryKey(query), query])).values()];
}

/**
 * Reads the rows that a change is based on again, by requests that begin now or later. Resolves with the first failure and
 * never rejects; a missing row is no failure. Rows that cannot be read alone stay as they are.
 * @param beside the answer to read in place of the rows, where the change is based on that
 */
export async function readAgain(
  { cache }: { cache: Cache },
  resource: Resource,
  targets: readonly Params[],
  beside?: Query,
): Promise<Answer['error']> {
  const failureOf = (query: Query) => cache.getState().answers[queryKey(query)]?.error;
  if (beside) {
    await cache.readAnswer(beside);
    return failureOf(beside);
  }
  const rows = targets.map((params) => ({ params }));
  const failures = await Promise.all(
    rowQueries(resource, rows).map(async (query) => {
      if (query.operation === 'list') return (await readListAgain(cache, query))?.error;
      await cache.readRow(resource, query.params);
      const failure = failureOf(query);
      return failure?.status === 404 ? undefined : failure;
    }),
  );
  return failures.find(Boolean);
}

/** Reads rows alone, or by their list. Resolves with the first failure; never rejects. */
export async function readRows(cache: Cache, resource: Resource, all: readonly Params[]) {
  const { view, list } = resource;
  if (view || !list) return readAgain({ cache }, resource, all);
  return (await readListAgain(cache, listQuery(resource, all[0])))?.error;
}

/** Reads a list by requests that begin now or later: one in flight may have begun before a change. Never rejects. */
export async function readListAgain(cache: Cache, query: Query): Promise<Collection | undefined> {
  const entry = () => cache.getState().collections[queryKey(query)];
  if (entry()?.loading) await cache.readCollection(query);
  await cache.readCollection(query);
  return entry();
}

type Loaded = { cache: Cache; view: CacheView };

/** Reads the lists that the rules of an action look at, one after the other. */
export async function readRules({ cache, view }: Loaded, { action, params }: Change): Promise<void> {
  for (const name of action.reads ?? [])
    for (const under of listsUnder(name, params, view) ?? [])
      await cache.readCollection({ resource: name, operation: 'list', params: under });
}
