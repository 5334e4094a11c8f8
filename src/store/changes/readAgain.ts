import type { Api } from '../../api/client.ts';
import { ApiError } from '../../api/error.ts';
import { idIn, idOf, liesUnder, paramsIn } from '../../resources/identity.ts';
import type { CacheView, ListOperation, Params, Resource, Row } from '../../resources/resource.ts';
import { isRow } from '../../resources/row.ts';
import { withoutStop } from '../../text/words.ts';
import type { Answer, Cache, Collection } from '../cache.ts';
import { listQuery, listsUnder, operationNamed, type Query, queryKey, viewQuery } from '../queries.ts';
import { isGradual, pagesOf, readEveryRow } from '../reading.ts';
import type { Change } from './change.ts';

/** More rows are read by their list, in fewer requests. */
const maxViews = 4;

/** The queries that read these rows: one by one, or by their lists. */
export function rowQueries(resource: Resource, targets: readonly Pick<Change, 'params'>[]): readonly Query[] {
  const { list, view } = resource;
  const byList = list && (!view || (targets.length > maxViews && !isGradual(list)));
  if (!byList && !view) return [];
  const queries = targets.map(({ params }) => (byList ? listQuery : viewQuery)(resource, params));
  return [...new Map(queries.map((query) => [queryKey(query), query])).values()];
}

/**
 * Reads the rows that a change is based on again, by requests that begin now or later. Resolves with the first failure and
 * never rejects; a missing row is no failure.
 * @param beside the answer to read in place of the rows, where the change is based on that
 */
export async function readAgain(
  { cache }: { cache: Cache },
  resource: Resource,
  targets: readonly Params[],
  beside?: Query,
): Promise<Answer['error']> {
  const failureOf = (query: Query) => cache.getState().answers[queryKey(query)]?.error;
  if (beside) return cache.readAnswer(beside).then(() => failureOf(beside));
  const rows = targets.map((params) => ({ params }));
  const failures = await Promise.all(
    rowQueries(resource, rows).map(async (query) => {
      const isList = query.operation === 'list';
      if (!isList) await cache.readRow(resource, query.params);
      const failure = isList ? (await readListAgain(cache, query))?.error : failureOf(query);
      const isGone = failure?.isGone && (!isList || resource.under);
      // Rows are gone with what they lay in.
      for (const params of isGone ? targets : []) if (liesUnder(params, query.params)) cache.dropRow(resource, params);
      return isGone ? undefined : failure;
    }),
  );
  return failures.find(Boolean);
}

/** Reads a list by requests that begin now or later: one in flight may have begun before a change. Never rejects. */
export async function readListAgain(cache: Cache, query: Query): Promise<Collection | undefined> {
  const entry = () => cache.getState().collections[queryKey(query)];
  if (entry()?.loading) await cache.readCollection(query);
  await cache.readCollection(query);
  return entry();
}

/** The failure of a read before a change, which is not sent then. */
export const unsentFor = (failure: ApiError): ApiError =>
  new ApiError({ ...failure, message: `${withoutStop(failure.message)}, so nothing was sent.` });

type Loaded = { cache: Cache; view: CacheView };

/** Reads the lists that the rules of an action look at, one after the other. Resolves with the first failure; never rejects. */
export async function readRules({ cache, view }: Loaded, { action, params }: Change): Promise<Answer['error']> {
  let failure: Answer['error'];
  for (const name of action.reads ?? [])
    for (const under of listsUnder(name, params, view) ?? []) {
      const list = await readListAgain(cache, { resource: name, operation: 'list', params: under });
      failure ??= list?.error;
    }
  return failure;
}

type Subject = Pick<Change, 'resource' | 'params'>;
type Read = { api: Api; cache: Cache };

/** The row as the API has it now; undefined when it has none. Rejects with an ApiError. */
export async function rowNow(read: Read, change: Subject): Promise<Row | undefined> {
  const { resource, params } = change;
  if (!resource.view)
    return (await rowsNow(read, change)).find((row) => idOf(resource, row) === idIn(resource, params));
  await read.cache.readRow(resource, params);
  return answerIn(read, viewQuery(resource, params));
}

/** The answer of another operation about a row now; undefined where it has none. Rejects with an ApiError. */
export async function answerNow(read: Read, change: Subject, operation: string): Promise<Row | undefined> {
  const { resource, params: given } = change;
  const query = {
    resource: resource.name,
    operation,
    params: paramsIn(operationNamed(resource, operation).path, given),
  };
  await read.cache.readAnswer(query);
  return answerIn(read, query);
}

/** The answer that was read. Throws an ApiError; one that there is no such thing is none. */
function answerIn({ cache }: Read, query: Query): Row | undefined {
  const { body, error } = cache.getState().answers[queryKey(query)] ?? {};
  if (error && !error.isGone) throw error;
  return !error && isRow(body) ? body : undefined;
}

/** All rows of a list in which the row is or should be, as the API has them now. Rejects with an ApiError. */
export async function rowsNow(
  { api, cache }: Read,
  { resource, params: given }: Subject,
  operation = 'list',
): Promise<readonly Row[]> {
  if (!resource.list) return [];
  const list = operationNamed(resource, operation) as ListOperation;
  const params = paramsIn(list.path, given);
  if (isGradual(list)) {
    const { rows } = await readEveryRow(
      () => pagesOf(api, list, { params }),
      (row) => idOf(resource, row),
      () => {},
    );
    return rows;
  }
  const { rows = [], error } = (await readListAgain(cache, { resource: resource.name, operation, params })) ?? {};
  if (error) throw error;
  return rows;
}
