import { useStore } from 'zustand';
import type { Action, Params } from '../resources/resource.ts';
import { type Query, queryKey } from '../store/cache.ts';
import { listsUnder } from '../store/queries.ts';
import { useQueries, useStores } from './useStores.ts';

/** The lists of more rows are not read: the API checks the rest itself. */
const maxRows = 20;

/**
 * Reads the lists that the rules of an action or the columns of a resource use, and keeps them fresh while the
 * component is mounted. For several targets the lists under each row are read once, as keeping them fresh would cost
 * hundreds of calls a minute.
 * @param targets the parameters of the rows, or of the list of a row to be created
 * @returns whether every list has been tried
 */
export function useReads({ reads = [] }: Pick<Action, 'reads'>, targets: readonly Params[]): boolean {
  const { cache, view } = useStores();
  const needed = () =>
    targets
      .slice(0, maxRows)
      .flatMap((params) =>
        reads.flatMap((name) =>
          (listsUnder(name, params, view) ?? []).map(
            (under): Query => ({ resource: name, operation: 'list', params: under }),
          ),
        ),
      );
  const queries = needed();
  // Rows that were read may have lists below them: unless that is a change of state, React drops the effects of this rendering.
  useStore(cache, () => needed().map(queryKey).join(' '));
  const isRead = useStore(cache, ({ collections }) =>
    queries.every((query) => collections[queryKey(query)]?.triedAt !== undefined),
  );
  const isDone = isRead && targets.length > 1;
  useQueries(isDone ? queries.filter(({ params }) => Object.keys(params).length === 0) : queries);
  return isRead;
}
