import { idIn, idOf, paramsOf } from '../../resources/identity.ts';
import { isSingle } from '../../resources/index.ts';
import type { Problem, Rule, Severity } from '../../resources/problems/rule.ts';
import type { CacheView, LoadedList, Resource, Row } from '../../resources/resource.ts';
import type { Timestamp } from '../../text/times.ts';
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

/** Chooses the rows about which is asked at each turn; the others follow at the next ones. */
interface RuleTurns {
  /**
   * The queries of this turn; the same rows as long as it lasts.
   * @param isReady whether all lists are known, so that it is known what to leave out
   */
  take(operations: readonly RowOperation[], view: CacheView, isReady: boolean): Turn;
  next(): void;
  /** Whether something was left out. */
  isLeft(): boolean;
  /** Forgets which rows had their turn. */
  forget(): void;
}

interface RuleTurnsParts {
  isKnown: (query: Query, about: Resource, id: string) => boolean;
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
  list: LoadedList;
}

const severities: readonly Severity[] = ['notice', 'warning', 'critical'];

export function createRuleTurns({ isKnown, found }: RuleTurnsParts): RuleTurns {
  let turn = 1;
  /** The last turn of each row, by operation and row; of operations whose rows do not all fit. */
  const turnOf = new Map<string, number>();
  let left = false;

  /** The rows of this turn: those that it has already, those with a problem, and then those whose turn is the longest ago. */
  function chosen({ operation, rows }: Job, room: number): ReadonlySet<Asking> {
    const { about } = operation;
    if (room === 0) return new Set();
    const withProblem = new Set(found().map(({ params }) => idIn(about, params)));
    const rank = ({ row, list }: Asking): number => {
      const last = turnOf.get(keyOf(operation, row, list));
      if (last === turn) return -2;
      return withProblem.has(idOf(about, row)) ? -1 : (last ?? 0);
    };
    const ranked = rows.map((asking) => ({ asking, rank: rank(asking) }));
    const taken = ranked.sort((one, other) => one.rank - other.rank).slice(0, room);
    for (const { asking } of taken) turnOf.set(keyOf(operation, asking.row, asking.list), turn);
    return new Set(taken.map(({ asking }) => asking));
  }

  /** Whether a row had its turn lately, or is known otherwise. */
  function isExamined(operation: RowOperation, asking: Asking): boolean {
    const { row, list } = asking;
    const { about } = operation;
    const last = turnOf.get(keyOf(operation, row, list));
    return (
      (last !== undefined && turn - last < maxTurns) || isKnown(queryAbout(operation, asking), about, idOf(about, row))
    );
  }

  function take(operations: readonly RowOperation[], view: CacheView, isReady: boolean): Turn {
    const queries: Query[] = [];
    const unexamined = new Map<RowOperation, Unexamined>();
    left = false;
    for (const job of jobsOf(operations, view)) {
      const { operation, rows } = job;
      const { resource, operation: name } = operation;
      const room = Math.max(0, maxRowQueries - queries.length);
      const isAll = rows.length <= room;
      // Until all lists are known, others may have to go first.
      if (!isAll && !isReady) continue;
      const here = isAll ? undefined : chosen(job, room);
      left ||= !isAll;
      let unknown = 0;
      for (const asking of rows) {
        if (!here || here.has(asking)) queries.push(queryAbout(operation, asking));
        else if (!isExamined(operation, asking)) unknown++;
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

  return { take, next: () => void turn++, isLeft: () => left, forget: () => turnOf.clear() };
}

/** Jobs in the order of their turn: those of the user's own rules, then the others, those with the fewest rows first. */
function jobsOf(operations: readonly RowOperation[], view: CacheView): readonly Job[] {
  const byCount = (one: Job, other: Job) => one.rows.length - other.rows.length;
  const [owns, others]: [Job[], Job[]] = [[], []];
  for (const operation of operations) {
    const { about, by } = operation;
    const lists = view.lists(about.name).filter(({ whole }) => whole);
    const all = lists.flatMap((list) => list.rows.map((row): Asking => ({ row, list })));
    const own = by.filter((rule) => rule.own);
    const isWanted = (row: Row) => own.some((rule) => isNarrowing(rule, operation)?.(row, view) ?? true);
    const wanted = own.length > 0 ? all.filter(({ row }) => isWanted(row)) : [];
    const most = severities.findLast((one) => own.some(({ severity }) => severity === one));
    if (wanted.length > 0) owns.push({ operation, rows: wanted, own: most });
    if (own.length === by.length) continue;
    const taken = new Set(wanted.map(({ row }) => row));
    others.push({ operation, rows: taken.size > 0 ? all.filter(({ row }) => !taken.has(row)) : all });
  }
  return [...owns.sort(byCount), ...others.sort(byCount)];
}

/** The condition under which a rule asks about a row by this operation; none where it needs it of all. */
const isNarrowing = ({ of, asks, asksOf }: Rule, { resource, operation }: RowOperation): Rule['asksOf'] =>
  of === resource && [asks ?? []].flat().includes(operation) ? asksOf : undefined;

const keyOf = ({ resource, operation, about }: RowOperation, row: Row, { params }: LoadedList): string =>
  `${resource}.${operation} ${Object.values(params).join('/')} ${idOf(about, row)}`;

const queryAbout = ({ resource, operation, about }: RowOperation, { row, list }: Asking): Query => ({
  resource,
  operation,
  params: isSingle(about) ? {} : paramsOf(about, row, list.params),
});
