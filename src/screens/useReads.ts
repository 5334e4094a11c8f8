import { useStore } from 'zustand';
import { paramsIn } from '../resources/identity.ts';
import { resourceNamed } from '../resources/index.ts';
import type { Action, Params } from '../resources/resource.ts';
import { type Query, queryKey } from '../store/cache.ts';
import { useQueries, useStores } from './useStores.ts';

/** Rows whose rules are applied before a request; the API checks the others. */
const maxRows = 20;

/**
 * Reads what the rules of an action or the columns of a resource look at, and keeps it fresh while the component is
 * mounted; what lies under several rows is read once, as keeping it fresh would cost hundreds of calls a minute.
 * @param targets the parameters of the rows it is done to, or of the list in which one is made
 * @returns whether all of it has been read, well or not
 */
export function useReads({ reads = [] }: Pick<Action, 'reads'>, targets: readonly Params[]): boolean {
  const { cache } = useStores();
  const queries = targets
    .slice(0, maxRows)
    .flatMap((params) =>
      reads.map((name): Query => ({ resource: name, operation: 'list', params: within(name, params) })),
    );
  const isRead = useStore(cache, ({ collections }) =>
    queries.every((query) => collections[queryKey(query)]?.triedAt !== undefined),
  );
  const isDone = isRead && targets.length > 1;
  useQueries(isDone ? queries.filter(({ params }) => Object.keys(params).length === 0) : queries);
  return isRead;
}

/** Of these parameters those that the list of a resource takes. */
const within = (name: string, params: Params): Params => paramsIn(resourceNamed(name).list?.path, params);
