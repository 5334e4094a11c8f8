/**
 * Lists never change; a newer list takes the place of an older one. A list that says how it came from the one before
 * lets what was worked out from that one be brought in line, instead of being worked out again from every member.
 */

import { foundOrMade } from './memoize.ts';

/** One member that changed: `before` is missing where it came, `after` where it went. */
export interface Difference<T = unknown> {
  before: T | undefined;
  after: T | undefined;
}

/** The changes of a list since its first version, of which only the last are kept. */
interface History {
  changes: readonly Difference[];
  /** The number of earlier changes that were forgotten. */
  forgotten: number;
  /** Results that were worked out from one of the versions, by who worked them out. */
  results: Map<object, { place: number; result: unknown }>;
}

/** Which version of a history a list is: after how many changes. */
interface Version {
  history: History;
  place: number;
}

/** More changes than this are no cheaper to go through than all members; older ones hold on to old members. */
const maxChanges = 500;

const versions = new WeakMap<readonly unknown[], Version>();

const versionOf = (list: readonly unknown[]): Version =>
  foundOrMade(versions, list, () => ({ history: { changes: [], forgotten: 0, results: new Map() }, place: 0 }));

/** Notes that `after` is `before` with these members replaced where they stand, taken out, or put at the end in this order. */
export function noteDifferences<T>(
  before: readonly T[],
  after: readonly T[],
  differences: readonly Difference<T>[],
): void {
  if (differences.length > maxChanges || versions.has(after)) return;
  const { history, place } = versionOf(before);
  const end = history.forgotten + history.changes.length;
  // Another list came from the same one already: this one begins a history of its own.
  if (place !== end) return;
  const changes = [...history.changes, ...differences];
  history.forgotten += Math.max(0, changes.length - maxChanges);
  history.changes = changes.slice(-maxChanges);
  versions.set(after, { history, place: end + differences.length });
}

/** The changes that lead from one list to another, the earliest first; undefined where they are not known. */
export function differencesBetween<T>(before: readonly T[], after: readonly T[]): readonly Difference<T>[] | undefined {
  if (before === after) return [];
  const [from, to] = [versions.get(before), versions.get(after)];
  return from && to && from.history === to.history ? changesIn(to.history, from.place, to.place) : undefined;
}

function changesIn<T>({ changes, forgotten }: History, from: number, to: number): readonly Difference<T>[] | undefined {
  // Nothing changed, whatever of the changes before was forgotten.
  if (from === to) return [];
  return forgotten <= from && from < to
    ? (changes.slice(from - forgotten, to - forgotten) as readonly Difference<T>[])
    : undefined;
}

/** The result last worked out from a list or from one that it came from, with the changes since; undefined changes are not known. */
export interface LastResult<Result, T> {
  result: Result;
  differences: readonly Difference<T>[] | undefined;
}

/**
 * Keeps one result for each history of a list, brought in line with its newest version, and one for each older version
 * that is asked for still, so that asking for both in turns works out neither again.
 */
export function createResults<Result, T>() {
  const own = {};
  const older = new WeakMap<readonly T[], { result: Result }>();
  return {
    last: (list: readonly T[]): LastResult<Result, T> | undefined => {
      const { history, place } = versionOf(list);
      const found = history.results.get(own);
      if (!found || place >= found.place)
        return found && { result: found.result as Result, differences: changesIn(history, found.place, place) };
      const old = older.get(list);
      return old && { ...old, differences: [] };
    },
    keep: (list: readonly T[], result: Result): Result => {
      const { history, place } = versionOf(list);
      const found = history.results.get(own);
      if (found && place < found.place) older.set(list, { result });
      else history.results.set(own, { place, result });
      return result;
    },
  };
}

/**
 * Something worked out from a list, once for as long as that is the same, and brought in line with its changes.
 * @param bringInLine may alter the result before and answers it or another one; undefined has it worked out again
 */
export function memoizeIncremental<Result, T = Readonly<Record<string, unknown>>>(
  workOut: (list: readonly T[]) => Result,
  bringInLine: (result: Result, differences: readonly Difference<T>[], list: readonly T[]) => Result | undefined,
): (list: readonly T[]) => Result {
  const results = createResults<Result, T>();
  return (list) => {
    const last = results.last(list);
    if (last?.differences?.length === 0) return last.result;
    const next = last?.differences && bringInLine(last.result, last.differences, list);
    return results.keep(list, next ?? workOut(list));
  };
}
