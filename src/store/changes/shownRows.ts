import { idIn, idOf, paramsIn } from '../../resources/identity.ts';
import type { ListOperation, Row } from '../../resources/resource.ts';
import { isRow } from '../../resources/row.ts';
import { operationNamed, queryKey, viewQuery } from '../queries.ts';
import { isGradual, pagesOf, readEveryRow } from '../reading.ts';
import type { Stores } from '../stores.ts';
import type { Change } from './change.ts';
import { readListAgain } from './readAgain.ts';

type Subject = Pick<Change, 'resource' | 'params'>;

/** The row as the API has it now; undefined when it has none. Rejects with an ApiError. */
export async function rowNow(stores: Stores, change: Subject): Promise<Row | undefined> {
  const { resource, params } = change;
  if (!resource.view)
    return (await rowsNow(stores, change)).find((row) => idOf(resource, row) === idIn(resource, params));
  await stores.cache.readRow(resource, params);
  const { body, error } = stores.cache.getState().answers[queryKey(viewQuery(resource, params))] ?? {};
  if (error && error.status !== 404) throw error;
  return error ? undefined : (body as Row | undefined);
}

/** The answer of another operation about a row now; undefined where it has none. Rejects with an ApiError. */
export async function answerNow({ cache }: Stores, change: Subject, operation: string): Promise<Row | undefined> {
  const { resource, params: given } = change;
  const params = paramsIn(operationNamed(resource, operation).path, given);
  const query = { resource: resource.name, operation, params };
  await cache.readAnswer(query);
  const { body, error } = cache.getState().answers[queryKey(query)] ?? {};
  if (error && error.status !== 404) throw error;
  return !error && isRow(body) ? body : undefined;
}

/** All rows of a list in which the row is or should be, as the API has them now. Rejects with an ApiError. */
export async function rowsNow(
  { api, cache }: Stores,
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
