import { pageSize } from '../../api/pages.ts';
import { askOf } from '../../resources/asking.ts';
import { idIn, idOf } from '../../resources/identity.ts';
import { isMadeAnew } from '../../resources/inverse.ts';
import type { Params, Resource } from '../../resources/resource.ts';
import { earliest, momentWords, msSince, type Timestamp } from '../../text/times.ts';
import { withoutStop } from '../../text/words.ts';
import { type Answer, type Cache, queryKey, viewQuery } from '../cache.ts';
import { holdersOf } from '../entries.ts';
import { valueChanges } from '../history/valueChanges.ts';
import { isKept, isUnconfirmed } from '../kept/keptRows.ts';
import { listQuery } from '../queries.ts';
import { isGradual } from '../reading.ts';
import { isSame } from '../rows.ts';
import type { Stores } from '../stores.ts';
import { type Change, cachedRow, type Deed, kindOf } from './change.ts';
import { ownRefusal, workedOut } from './ownEntries.ts';
import { readAgain, readListAgain, readRules, unsentFor } from './readAgain.ts';
import { knownBefore } from './undoable.ts';

/** When an earlier session has read a row that this one has not; undefined where it was read, or is not known. */
export function keptAtOf(cache: Pick<Cache, 'getState'>, resource: Resource, params: Params): Timestamp | undefined {
  const id = idIn(resource, params) ?? '';
  const holders = holdersOf(cache.getState(), resource, params);
  if (holders.length === 0 || !holders.every((one) => isUnconfirmed(one, id))) return undefined;
  return Math.min(...holders.map(({ keptAt = 0 }) => keptAt));
}

/** Those of these rows that only an earlier session has read. */
export function keptAmong(cache: Pick<Cache, 'getState'>, resource: Resource, all: readonly Params[]) {
  const { collections } = cache.getState();
  const isAny = Object.values(collections).some((one) => one.resource === resource.name && isKept(one));
  return isAny ? all.filter((params) => keptAtOf(cache, resource, params) !== undefined) : [];
}

/** When the oldest of these rows was read that only an earlier session has read; undefined where there is none. */
export const oldestKept = (cache: Pick<Cache, 'getState'>, resource: Resource, all: readonly Params[]) =>
  earliest(keptAmong(cache, resource, all).map((params) => keptAtOf(cache, resource, params)));

/** Reads rows that only an earlier session has read. Resolves with a sentence where one could not be read; never rejects. */
export async function readKept(
  stores: Stores,
  resource: Resource,
  all: readonly Params[],
): Promise<string | undefined> {
  const { cache } = stores;
  const failure = await readAgain(stores, resource, all);
  const [left] = keptAmong(cache, resource, all);
  if (!left) return undefined;
  const error = failure ?? cache.getState().answers[queryKey(viewQuery(resource, left))]?.error;
  return whyNotChanged(stores, resource, left, error?.message);
}

/** Why a row is not the one that was confirmed, as a sentence; one that cannot be read may be. */
async function whyOther(stores: Stores, change: Change): Promise<string | undefined> {
  const { resource, action, params, label, before } = change;
  const row = cachedRow(stores.view, resource, params);
  const now = row && resource.label(row);
  if (now !== undefined && now !== label)
    return `${label} is called ${now} now, so nothing was sent: look at it, then do it again.`;
  if (isMadeAnew(resource, change.before, row))
    return `${label} was made anew meanwhile, so nothing was sent: look at it, then do it again.`;
  if (!action.also) return undefined;
  const failure = await readRules(stores, change);
  // A token that may not read it cancels without.
  if (failure && failure.status !== 403)
    return `What goes along with it cannot be read now, so nothing was sent: ${failure.message}`;
  const isSo = Object.entries(action.also(stores.view, params)).every(([name, value]) => isSame(value, before?.[name]));
  if (isSo) return undefined;
  return 'What goes along with it has changed meanwhile, so nothing was sent: look at it, then do it again.';
}

const goneText = ({ one }: Resource): string => `There is no such ${one} any more, so nothing was sent.`;

/** Reads the rows again in whose place others are to be made. Tells as a sentence why none is for one of them. */
export async function stillThere({ cache }: Stores, { resource, params }: Omit<Deed, 'action'>) {
  const { rows = [], error } = (await readListAgain(cache, listQuery(resource, params))) ?? {};
  const ids = new Set(rows.map((row) => idOf(resource, row)));
  return (of: Params) =>
    (error && unsentFor(error).message) ?? (ids.has(idIn(resource, of) ?? '') ? undefined : goneText(resource));
}

function whyNotChanged(stores: Stores, resource: Resource, params: Params, why = 'the API does not answer'): string {
  const row = cachedRow(stores.view, resource, params);
  const label = row ? resource.label(row) : `This ${resource.one}`;
  const since = momentWords(keptAtOf(stores.cache, resource, params) ?? 0, stores.now());
  return `${label} was last read ${since} and cannot be read now, so it is not changed: ${withoutStop(why)}. Try again once it is read.`;
}

/** Longer ago, what was read of a row does not tell what it has when its turn comes, in ms. */
const recentMs = 10_000;

/**
 * Works out changes by what they touch of their rows, each on its row as it is when its turn comes; one that waited is read
 * again before, by its list where that takes fewer requests than the rows whose turns are near. Tells as a sentence why one is
 * not to be sent; rejects where its row cannot be read.
 */
function onTurns(stores: Stores, changes: ReadonlySet<Change>) {
  const { cache, view, now } = stores;
  const since = now();
  const listKey = ({ resource, params }: Change) => queryKey(listQuery(resource, params));
  /** The changes that wait, by the lists of their rows. */
  const waiting = new Map(
    [...Map.groupBy(changes, listKey)].map(([key, those]): [string, Set<Change>] => [key, new Set(those)]),
  );
  let begun = 0;
  const readings = new Map<string, { at: Timestamp; done: Promise<Answer['error']> }>();

  /** Reads a row, unless that was done a moment ago. Resolves with the failure. */
  function read({ resource, params }: Change, key: string): Promise<Answer['error']> | undefined {
    const { at, done } = readings.get(key) ?? { at: since };
    if (msSince(at, now()) < recentMs) return done;
    const { loadedAt, results = 0 } = cache.getState().collections[key] ?? {};
    const near = 1 + Math.min(waiting.get(key)?.size ?? 0, (begun * recentMs) / msSince(since, now()));
    const isByList = loadedAt && resource.list && !isGradual(resource.list) && results / pageSize < near;
    if (resource.view && !isByList) return readAgain(stores, resource, [params]);
    const reading = readListAgain(cache, listQuery(resource, params)).then((list) => {
      if (list?.error) readings.delete(key);
      return list?.error;
    });
    readings.set(key, { at: now(), done: reading });
    return reading;
  }

  async function after(change: Change, reading: ReturnType<typeof read>): Promise<string | undefined> {
    const failure = await reading;
    if (failure) throw unsentFor(failure);
    const row = cachedRow(stores.view, change.resource, change.params);
    if (!row) return goneText(change.resource);
    const { resource, action, params, own } = change;
    const others = own && ownRefusal(resource, action, { row, params, own }, view);
    if (others) return others;
    const found = workedOut(view, change, knownBefore({ ...change, before: row }, view) ?? row);
    if (found.change) Object.assign(change, found.change);
    return found.why ?? found.already;
  }

  return (change: Change): Promise<string | undefined> | undefined => {
    const key = listKey(change);
    if (!waiting.get(key)?.delete(change)) return undefined;
    begun++;
    const reading = read(change, key);
    const isAsBefore = cachedRow(stores.view, change.resource, change.params) === change.before;
    return reading || !isAsBefore ? after(change, reading) : undefined;
  };
}

/**
 * Reads the rows of changes that only an earlier session has read, and those in which something is lost, before the first of
 * them is sent. Tells as a sentence why a change is not to be sent: its row could not be read, or is not as it was confirmed.
 * @param isRead whether whoever sends them has just read the rows
 */
export function freshRows(
  stores: Stores,
  changes: readonly Change[],
  isRead: boolean,
): (change: Change) => Promise<string | undefined> | undefined {
  const kept = new Map<Change, Timestamp>();
  for (const change of changes) {
    const at = change.before && keptAtOf(stores.cache, change.resource, change.params);
    if (at !== undefined) kept.set(change, at);
  }
  const isLosing = (one: Change) =>
    kindOf(one) === 'deletion' || askOf(one.action).typeLabel || one.action.also !== undefined;
  const losing = new Set(changes.filter((one) => !isRead && one.before && !kept.has(one) && isLosing(one)));
  const merging = new Set(changes.filter((one) => !isRead && (one.changes || one.own) && one.before));
  const atTurn = onTurns(stores, merging);
  const paramsOf = ({ params }: Change) => params;
  let reading: Promise<string | undefined> | undefined;
  let named: Promise<unknown> | undefined;
  return (change) => {
    if (losing.has(change)) {
      named ??= readAgain(stores, change.resource, Array.from(losing, paramsOf));
      return named.then(async () => {
        const why = await whyOther(stores, change);
        // A deletion takes away the row as it is now, not as a list had it.
        if (why === undefined && kindOf(change) === 'deletion')
          change.before = cachedRow(stores.view, change.resource, change.params) ?? change.before;
        return why;
      });
    }
    const at = kept.get(change);
    if (at === undefined) return atTurn(change);
    const { resource, params, before } = change;
    reading ??= readKept(stores, resource, Array.from(kept.keys(), paramsOf));
    return reading.then((why) => {
      if (keptAtOf(stores.cache, resource, params) !== undefined) return why;
      const row = cachedRow(stores.view, resource, params);
      if (!row) return goneText(resource);
      const isOther = before !== undefined && valueChanges(resource, before, row).length > 0;
      const since = momentWords(at, stores.now());
      if (!isOther) return atTurn(change);
      return `It is not as it was ${since} any more, so nothing was sent: look at it, then do it again.`;
    });
  };
}
