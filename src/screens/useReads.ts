import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import { idOf, isLabel, paramsOf } from '../resources/identity.ts';
import { resourceNamed } from '../resources/index.ts';
import { memoize, memoizeAll, memoizeOne } from '../resources/memoize.ts';
import { type Action, type CacheView, type Params, type Resource, type Row, viewWith } from '../resources/resource.ts';
import { plural } from '../resources/wording.ts';
import { type Collection, type Query, queryKey } from '../store/cache.ts';
import { isTelling } from '../store/entries.ts';
import { listQuery, listsUnder } from '../store/queries.ts';
import { isGradual, pagesOf } from '../store/reading.ts';
import { keyLabel } from '../text/keyLabel.ts';
import { minute } from '../text/times.ts';
import { placeOfRow } from './places.ts';
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
          (listsUnder(name, params, view) ?? []).map((under) => listQuery(resourceNamed(name), under)),
        ),
      );
  // Rows that were read may have lists below them: unless that is a change of state, React drops the effects of this rendering.
  const keys = useStore(cache, () => needed().map(queryKey).join(' '));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the keys say which queries there are
  const queries = useMemo(needed, [keys]);
  const isRead = useStore(cache, ({ collections }) =>
    queries.every((query) => collections[queryKey(query)]?.triedAt !== undefined),
  );
  const isDone = isRead && targets.length > 1;
  useQueries(isDone ? queries.filter(({ params }) => Object.keys(params).length === 0) : queries);
  return isRead;
}

/** The last view of each resource: what a screen has worked out by it, the next one finds while the lists are the same. */
const viewsOf = memoize((view: CacheView) =>
  memoizeAll((_name: string) => memoizeOne((..._of: readonly unknown[]) => viewWith(view, {}))),
);

/**
 * The cache view for the columns of a resource; reads the lists that they use, and is a new object when one of them changes.
 * @param across its own lists below several rows, which it is made anew for as well
 */
export function useCacheView(resource: Resource, params: Params = {}, across?: object): CacheView {
  const { cache, view } = useStores();
  // A row that is listed over all may lead through others of its kind.
  const reads = resource.across === undefined || across ? resource.reads : [...(resource.reads ?? []), resource.name];
  useReads(resource, [params]);
  const usedRows = useStore(
    cache,
    useShallow(({ collections }) =>
      Object.values(collections).flatMap((one) =>
        reads?.some((name) => name === one.resource) && isTelling(one) ? [one.rows] : [],
      ),
    ),
  );
  const made = viewsOf(view)(resource.name);
  // Widths that were measured are those of a minute: ages grow.
  return useMemo(
    () => made(Math.floor(view.now / minute), across, usedRows.length, ...usedRows),
    [made, view, usedRows, across],
  );
}

/** Reads the next page of a collection that has more while `wanted`: the cursor is near the end of the loaded rows. */
export function useNextPage(query: Query | undefined, collection: Collection | undefined, wanted: boolean): void {
  const { cache } = useStores();
  const more = collection?.more;
  const isReady = wanted && more !== undefined && !collection?.loading && !collection?.error;
  const key = query && queryKey(query);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a query of the same key with another end asks for the next page
  useEffect(() => {
    if (!isReady || !query) return undefined;
    // The page before may be shown before its reading has ended, which would be taken for this one.
    const turn = setImmediate(() => void cache.readMore(query));
    return () => clearImmediate(turn);
  }, [isReady, more, key, cache]);
}

/** Reads the next page while it is drawn, which is where the end of a page of lines is in sight; draws nothing. */
export function NextPage({ query, collection }: { query?: Query; collection?: Collection }): null {
  useNextPage(query, collection, true);
  return null;
}

/** Leads to the row of a label in the place of an id, by one request where the API filters; tells why not until then. */
export function useLabelled(resource: Resource, params: Params): string | undefined {
  const { api, navigation } = useStores();
  const [said, say] = useState('');
  const { one, param, list, columns } = resource;
  const label = params[param] ?? '';
  const { value: field } = columns.find(({ value }) => value === 'label' || value === 'domain') ?? {};
  const isSought = list && typeof field === 'string' && isLabel(resource, label);
  useEffect(() => {
    if (!isSought) return;
    const ended = new AbortController();
    const { signal } = ended;
    const found = new Map<string, Row>();
    const lead = (none: string) => {
      const [row, other] = found.values();
      if (signal.aborted) return;
      if (row && !other) navigation.replace(placeOfRow(resource, paramsOf(resource, row, params)));
      else say(`${row ? `Several ${plural(resource)} are called ${label};` : none} ${backWords()}`);
    };
    const look = async () => {
      for await (const { rows, next } of pagesOf(api, { ...list, filter: { [field]: label } }, { params, signal })) {
        for (const row of rows) if (resource.label(row) === label) found.set(idOf(resource, row), row);
        if (found.size > 1) break;
        if (next === undefined || !isGradual(list)) continue;
        found.clear();
        return `The API finds no ${one} by its label;`;
      }
      return `No ${one} is called ${label};`;
    };
    look().then(lead, ({ message }) => lead(message));
    return () => ended.abort();
  }, [api, navigation, resource, params, list, one, field, label, isSought]);
  return isSought ? said || `Reading ${one} ${label} …` : undefined;
}

/** The end of a sentence about a row that is not there. */
export const backWords = () => `${keyLabel('everywhere.escape', 'esc')} goes back.`;
