import type { Params, Resource } from '../../resources/resource.ts';
import { msSince, type Timestamp } from '../../text/times.ts';
import type { Cache } from '../cache.ts';
import { readAgain } from '../changes/readAgain.ts';
import { holdersOf } from '../entries.ts';
import { listQuery, queryKey, viewQuery } from '../queries.ts';

/** A row on which it depends whether a guard holds. */
export interface GuardedRow {
  resource: Resource;
  params: Params;
}

/** A row that was read longer ago is read again before a guard lets it pass, in milliseconds. */
export const trustedMs = 15_000;

/** The rows on which guards depend: whether they are known well enough, and reading them. */
export function createGuardedRows(cache: Cache, now: () => Timestamp) {
  const isRecent = (loadedAt = Number.NEGATIVE_INFINITY) => msSince(loadedAt, now()) <= trustedMs;

  async function readOf(resource: Resource, rows: readonly Params[]): Promise<void> {
    const isPartial = resource.view && resource.list?.partial;
    if (isPartial) return void (await Promise.all(rows.map((params) => cache.readRow(resource, params))));
    const byList = Map.groupBy(rows, (params) => queryKey(listQuery(resource, params)));
    await Promise.all([...byList.values()].map((those) => readAgain({ cache }, resource, those)));
  }

  return {
    /** Whether the row was read so lately, with all its fields, that it can be trusted. */
    isFresh({ resource, params }: GuardedRow) {
      const { answers } = cache.getState();
      const viewed = resource.view && answers[queryKey(viewQuery(resource, params))];
      if (viewed?.body && isRecent(viewed.loadedAt)) return true;
      // Rows of such a list may lack the field that the filter is about.
      if (resource.list?.partial && resource.view) return false;
      return holdersOf(cache.getState(), resource, params).some(({ loadedAt }) => isRecent(loadedAt));
    },
    /** Why the row could not be read. */
    failureOf(resource: Resource, params: Params) {
      const { answers, collections } = cache.getState();
      if (resource.view) return answers[queryKey(viewQuery(resource, params))]?.error;
      return collections[queryKey(listQuery(resource, params))]?.error;
    },
    /** Reads the rows again, many of one list by that list. Never rejects. */
    async read(rows: readonly GuardedRow[]) {
      const byResource = Map.groupBy(rows, ({ resource }) => resource);
      const paramsOf = (those: readonly GuardedRow[]) => those.map(({ params }) => params);
      await Promise.all([...byResource].map(([resource, those]) => readOf(resource, paramsOf(those))));
    },
  };
}
