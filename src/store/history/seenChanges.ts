import { idIn, idOf } from '../../resources/identity.ts';
import { resourceNamed } from '../../resources/index.ts';
import type { Params, Resource, Row } from '../../resources/resource.ts';
import type { Timestamp } from '../../text/times.ts';
import type { CacheChanges } from '../cacheChanges.ts';
import { mayBeIn } from '../queries.ts';
import { valueChanges } from './valueChanges.ts';

/** A row that was not as it had been when it was read before. */
export interface SeenChange {
  /** Counts from 1. */
  number: number;
  resource: string;
  /** The parameters of what it was read by. */
  params: Params;
  before: Row;
  after: Row;
  /** When the reading before this one ended; undefined where that is not known. */
  since: Timestamp | undefined;
  at: Timestamp;
}

const maxChanges = 2000;
/** No single row fills the memory. */
const maxOfRow = 50;
/** They are looked through only when so many have come. */
const batch = 500;

/** Keeps the rows before and after as they are: their values are compared when somebody looks. */
export function createSeenChanges(cacheChanges: Pick<CacheChanges, 'subscribe'>, now: () => Timestamp) {
  /** When the first reading could be compared, at the earliest. */
  const beganAt = now();
  let seen: SeenChange[] = [];
  let examined = 0;
  let count = 0;

  cacheChanges.subscribe((changes) => {
    for (const { resource, query, differences, viewed, since } of changes) {
      if (!query) continue;
      for (const { before, after } of differences ?? (viewed ? [viewed] : [])) {
        if (!before || !after) continue;
        seen.push({ number: ++count, resource, params: query.params, before, after, since, at: now() });
        if (seen.length >= maxChanges + batch) forget();
      }
    }
  });

  /** Forgets what tells nothing, what a row has too many of, and the oldest. */
  function forget(): void {
    const counts = new Map<string, number>();
    const stays = (change: SeenChange, index: number): boolean => {
      const resource = resourceNamed(change.resource);
      if (index >= examined && valueChanges(resource, change.before, change.after).length === 0) return false;
      const key = `${change.resource} ${JSON.stringify(change.params)} ${idOf(resource, change.after)}`;
      const number = (counts.get(key) ?? 0) + 1;
      counts.set(key, number);
      return number <= maxOfRow;
    };
    // From the latest on, so that of each row the latest stay.
    const latest: SeenChange[] = [];
    for (let index = seen.length - 1; index >= 0 && latest.length < maxChanges; index--) {
      const change = seen[index];
      if (change && stays(change, index)) latest.push(change);
    }
    seen = latest.reverse();
    examined = seen.length;
  }

  return {
    beganAt,
    /** Those of one row, the latest first. */
    of: (resource: Resource, params: Params) => {
      const id = idIn(resource, params);
      return seen
        .filter(
          (change) =>
            change.resource === resource.name &&
            mayBeIn(change.params, params) &&
            (id === undefined || idOf(resource, change.after) === id),
        )
        .reverse();
    },
  };
}
