import { idIn, idOf, paramsOf } from '../../resources/identity.ts';
import { isSingle } from '../../resources/index.ts';
import { foundOrMade } from '../../resources/memoize.ts';
import type { Problem, Rule, Severity } from '../../resources/problems/rule.ts';
import type { CacheView, LoadedList, Params, Resource, Row } from '../../resources/resource.ts';
import { second, type Timestamp, timerDelay } from '../../text/times.ts';
import type { Query } from '../queries.ts';

/** Rows about which nothing is known that rules ask for: their queries are too many to be sent at once. */
export interface Unexamined {
  /** The resource of the operation: `records` for those of domains. */
  resource: string;
  /** `list`, or the operation on each row. */
  operation: string;
  /** The rows about which nothing is known: those of the resource, for a list those of its parent; 0 for the events. */
  count: number;
  /** All rows about which it is asked. */
  of: number;
  /** Of the events: from when on they were examined, in ms since the epoch. */
  since?: Timestamp;
  /** The severity of the user's own rules that ask for it, the highest of several. */
  own?: Severity;
}

/** An operation on each row of a resource. */
export interface RowOperation {
  resource: string;
  operation: string;
  about: Resource;
  /** The rules that need it. */
  by: readonly Rule[];
}

/** The queries about single rows of one turn, and what they leave out. */
export interface Turn {
  queries: readonly Query[];
  unexamined: readonly Unexamined[];
}

interface RuleTurnsParts {
  /**
   * Tells by its id, and by the query about it, whether anything is known of a row, as the cache is now; undefined where
   * nothing is known of any row.
   */
  knownBy: (operation: RowOperation) => ((id: string, query: () => Query) => boolean) | undefined;
  found: () => readonly Problem[];
}

/** Queries about single rows that are kept fresh at once. */
export const maxRowQueries = 150;

/** A row counts as examined for so many turns, which is an hour. */
const maxTurns = 6;

/** Rows about which an operation is to be sent, for the user's own rules or for the others. */
interface Job {
  operation: RowOperation;
  rows: readonly Asking[];
  own?: Severity;
}

interface Asking {
  row: Row;
  id: string;
  /** Those of its list. */
  params: Params;
  /** It has no other among the rows of all its lists. */
  key: string;
}

const askings = new WeakMap<readonly Row[], readonly Asking[]>();

/** The rows of a list with their ids, made once: all of them are looked through whenever an answer comes. */
function askingsOf(about: Resource, { rows, params }: LoadedList): readonly Asking[] {
  const parents = Object.values(params).map((part) => `${part}/`);
  const asking = (row: Row): Asking => {
    const id = idOf(about, row);
    return { row, id, params, key: parents.join('') + id };
  };
  return foundOrMade(askings, rows, () => rows.map(asking));
}

const severities: readonly Severity[] = ['notice', 'warning', 'critical'];

/** Chooses the rows about which is asked at each turn; the others follow at the next ones. */
export function createRuleTurns({ knownBy, found }: RuleTurnsParts) {
  let turn = 1;
  /** The last turn of each row, by operation and row; of operations whose rows do not all fit. */
  const turnOf = new Map<string, Map<string, number>>();
  /** The rows of the longest list of which something was left out; 0 where nothing was. */
  let rowsLeft = 0;

  /** The rows of this turn: those that it has already, those with a problem, and then those whose turn is the longest ago. */
  function chosen({ operation, rows }: Job, room: number): ReadonlySet<Asking> {
    if (room === 0) return new Set();
    const had = turnsOf(operation);
    const staying = rows.filter(({ key }) => had.get(key) === turn);
    if (staying.length >= room) return new Set(staying.slice(0, room));
    const withProblem = new Set(found().map(({ params }) => idIn(operation.about, params)));
    const rank = ({ id, key }: Asking): number => {
      const last = had.get(key);
      if (last === turn) return -2;
      return withProblem.has(id) ? -1 : (last ?? 0);
    };
    const ranked = rows.map((asking) => ({ asking, rank: rank(asking) }));
    const taken = ranked.sort((one, other) => one.rank - other.rank).slice(0, room);
    for (const { asking } of taken) had.set(asking.key, turn);
    return new Set(taken.map(({ asking }) => asking));
  }

  const turnsOf = ({ resource, operation }: RowOperation): Map<string, number> =>
    foundOrMade(turnOf, `${resource}.${operation}`, () => new Map());

  /** Tells whether a row had its turn lately, or is known otherwise. */
  function examinedBy(operation: RowOperation): ((asking: Asking) => boolean) | undefined {
    const had = turnsOf(operation);
    const isKnown = knownBy(operation);
    if (had.size === 0 && !isKnown) return undefined;
    return (asking) => {
      const last = had.get(asking.key);
      const isLate = last === undefined || turn - last >= maxTurns;
      return !isLate || isKnown?.(asking.id, () => queryAbout(operation, asking)) === true;
    };
  }

  /**
   * The queries of this turn; the same rows as long as it lasts.
   * @param isReady whether all lists are known, so that it is known what to leave out
   */
  function take(operations: readonly RowOperation[], view: CacheView, isReady: boolean): Turn {
    const queries: Query[] = [];
    const unexamined = new Map<RowOperation, Unexamined>();
    rowsLeft = 0;
    for (const job of jobsOf(operations, view)) {
      const { operation, rows } = job;
      const { resource, operation: name } = operation;
      const room = Math.max(0, maxRowQueries - queries.length);
      const isAll = rows.length <= room;
      // Until all lists are known, others may have to go first.
      if (!isAll && !isReady) continue;
      const here = isAll ? undefined : chosen(job, room);
      if (!isAll) rowsLeft = Math.max(rowsLeft, rows.length);
      const isExamined = isAll ? undefined : examinedBy(operation);
      // Most operations on many rows had no turn yet, and nothing is known by them: their rows are only counted.
      const isUntouched = here?.size === 0 && !isExamined;
      let unknown = isUntouched ? rows.length : 0;
      for (const asking of isUntouched ? [] : rows) {
        if (!here || here.has(asking)) queries.push(queryAbout(operation, asking));
        else if (!isExamined?.(asking)) unknown++;
      }
      if (unknown === 0) continue;
      const before = unexamined.get(operation);
      const own = before?.own ?? job.own;
      const count = unknown + (before?.count ?? 0);
      const of = rows.length + (before?.of ?? 0);
      unexamined.set(operation, { resource, operation: name, count, of, ...(own && { own }) });
    }
    return { queries, unexamined: [...unexamined.values()] };
  }

  return {
    take,
    next: () => void turn++,
    rowsLeft: () => rowsLeft,
    /** Forgets which rows had their turn. */
    forget: () => turnOf.clear(),
  };
}

/** Jobs in the order of their turn: those of the user's own rules, then the others, those with the fewest rows first. */
function jobsOf(operations: readonly RowOperation[], view: CacheView): readonly Job[] {
  const byCount = (one: Job, other: Job) => one.rows.length - other.rows.length;
  const [owns, rest]: [Job[], Job[]] = [[], []];
  for (const operation of operations) {
    const { about, by } = operation;
    const lists = view.lists(about.name).filter(({ whole }) => whole);
    const [only = [], ...others] = lists.map((list) => askingsOf(about, list));
    const all = others.length === 0 ? only : [only, ...others].flat();
    const own = by.filter((rule) => rule.isUserRule);
    const isWanted = (row: Row) => own.some((rule) => isNarrowing(rule, operation)?.(row, view) ?? true);
    const wanted = own.length > 0 ? all.filter(({ row }) => isWanted(row)) : [];
    const most = severities.findLast((one) => own.some(({ severity }) => severity === one));
    if (wanted.length > 0) owns.push({ operation, rows: wanted, own: most });
    if (own.length === by.length) continue;
    const taken = new Set(wanted.map(({ row }) => row));
    rest.push({ operation, rows: taken.size > 0 ? all.filter(({ row }) => !taken.has(row)) : all });
  }
  return [...owns.sort(byCount), ...rest.sort(byCount)];
}

/** The condition under which a rule asks about a row by this operation; none where it needs it of all. */
const isNarrowing = ({ of, fetches, fetchesOf }: Rule, { resource, operation }: RowOperation): Rule['fetchesOf'] =>
  of === resource && [fetches ?? []].flat().includes(operation) ? fetchesOf : undefined;

const queryAbout = ({ resource, operation, about }: RowOperation, { row, params }: Asking): Query => ({
  resource,
  operation,
  params: isSingle(about) ? {} : paramsOf(about, row, params),
});

/** More rows take milliseconds to be looked through, so that is done every few seconds instead of at each answer. */
const manyRows = 2000;
const maxPauseMs = 5 * second;

/** Updates once for all who ask for it meanwhile. */
export function createUpdates(update: () => void) {
  let end: (() => void) | undefined;
  const cancel = () => {
    end?.();
    end = undefined;
  };
  return {
    cancel,
    /**
     * Updates soon: after the notification that is being delivered, or after a pause where there are many rows.
     * @param rows the rows that the update looks through; where they are not given, it does not wait for a pause
     */
    soon(rows?: number) {
      if (rows === undefined) cancel();
      else if (end) return;
      if (rows !== undefined && rows > manyRows) {
        const pause = setTimeout(update, timerDelay(Math.min(maxPauseMs, rows / 3))).unref();
        end = () => clearTimeout(pause);
      } else {
        const soon = setImmediate(update);
        end = () => clearImmediate(soon);
      }
    },
  };
}
