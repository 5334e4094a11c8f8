import { refusesAll } from '../../api/retryPolicy.ts';
import type { Configuration } from '../../config/configuration.ts';
import { idIn, paramsOf } from '../../resources/identity.ts';
import { actionsOf, creationsOf, resources } from '../../resources/index.ts';
import { foundOrMade } from '../../resources/memoize.ts';
import type { CacheView, Params, Resource, Row } from '../../resources/resource.ts';
import { attempt } from '../../text/errno.ts';
import { msSince, second, type Timestamp } from '../../text/times.ts';
import { listed, uncapitalized } from '../../text/words.ts';
import type { Answer, Cache } from '../cache.ts';
import { cachedRow, type Target } from '../changes/change.ts';
import { readAgain, unsentFor } from '../changes/readAgain.ts';
import { holdersOf } from '../entries.ts';
import { listQuery, queryKey, viewQuery } from '../queries.ts';
import { everything, type Guard, type Level, levelsOf, type Subject } from './concern.ts';
import type { Gate } from './gate.ts';
import { type Found, type GuardFilter, guardFilter } from './guardFilter.ts';
import { sameRequests } from './requests.ts';
import * as says from './sentences.ts';

/** The guards of this account: they tell early, by the rows as they are known, and have the last word before a change is sent. */
interface Guards {
  /**
   * Why a guard refuses an action on a row, or one that makes a row; undefined where none is known to.
   * @param body what is sent, where that is known already
   */
  refusal(resource: Resource, action: Subject['action'], params: Params, row?: Row, body?: unknown): string | undefined;
  /** Whether a guard denies that a row, as it is known, is deleted, or all that can be done to it. */
  isLocked(resource: Resource, params: Params, row: Row): boolean;
  /** The guards that deny something of a row as it is known, each with its actions, as sentences. */
  denials(resource: Resource, params: Params, row: Row): readonly string[];
  /** Why a guard refuses an action on so many rows at once. */
  limit(resource: Resource, action: Subject['action'], targets: readonly Target[]): string | undefined;
  /** The reasons why the label must be typed before these changes are sent; none where it need not be. */
  asks(changes: () => readonly Subject[]): readonly string[];
  /**
   * Examines changes that are about to be sent together; rows that are not known well enough are read. The function
   * that is returned opens the gate for one of them, or tells as a sentence why not: at once where no guard can concern it.
   * @param isTyped their label, or their number, was typed
   */
  examine(
    changes: readonly Subject[],
    isTyped: boolean,
  ): (change: Subject) => Promise<string | undefined> | string | undefined;
}

interface GuardParts {
  gate: Gate;
  configuration: { getState(): Pick<Configuration, 'guards'> };
  cache: Cache;
  view: CacheView;
  now: () => Timestamp;
}

/** Whether a guard holds for a change: it does, it does not, or a sentence why that is not known. */
type Holding = { holds: boolean; label?: string; unknown?: string };

export function createGuards({ gate, configuration, cache, view, now }: GuardParts): Guards {
  const filters = new Map<string, GuardFilter>();
  const rows = createGuardedRows(cache, now);

  const all = () => configuration.getState().guards;
  /** Whether rows are locked, remembered for a second: each key asks about all rows in sight. */
  const locks = new WeakMap<Row, { by: readonly Guard[]; until: Timestamp; is: boolean }>();

  /** The rows on which it depends whether a guard holds for a change, or for the same request by another name. */
  const concernsOf = (guard: Guard, change: Subject): readonly { level: Level; subject: Subject }[] =>
    sameRequests(change, (path) => gate.api.documented.path(path)).flatMap((subject) =>
      levelsOf(guard, subject).map((level) => ({ level, subject })),
    );

  const filterOf = (where: string, resource: Resource): GuardFilter =>
    foundOrMade(filters, `${resource.name} ${where}`, () => guardFilter(where, resource, view));

  /** The row of a level: at last as it is now, where a program has it as it was when that was confirmed. */
  const rowOf = ({ resource, isNew }: Level, { row, body, params, resource: own }: Subject, isLast = true) =>
    isNew ? ((body ?? {}) as Row) : (!isLast && resource === own && row) || cachedRow(view, resource, params);

  const isFresh = ({ resource, isNew }: Level, params: Params) => isNew || rows.isFresh({ resource, params });

  /**
   * Whether a guard holds for a change.
   * @param isLast a row that was not read lately counts as unknown
   */
  function holding(guard: Guard, change: Subject, isLast: boolean): Holding {
    const { where } = guard;
    let unknown: Holding | undefined;
    for (const { level, subject } of concernsOf(guard, change)) {
      const { resource } = level;
      const row = rowOf(level, subject, isLast);
      const label = says.labelOf(level, change, row);
      if (where === undefined) return { holds: true, label };
      const filter = filterOf(where, resource);
      const told = (why: string): Holding => ({ holds: true, label, unknown: says.unknown(guard, label, why) });
      if ('error' in filter) unknown ??= told(filter.error);
      else if (!row || (isLast && !isFresh(level, subject.params)))
        unknown ??= told(says.unread(resource, rows.failureOf(resource, subject.params)));
      else {
        const found = findIn(filter.find, row, level, subject);
        if (found === 'yes') return { holds: true, label };
        if (found !== 'no') unknown ??= told(says.missing(found, level));
      }
    }
    return unknown ?? { holds: false };
  }

  /** The strictest demand of all guards on a change; the rows that count for `at_most` are those of all changes. */
  function demandOn(change: Subject, together: readonly Subject[], isTyped: boolean): string | undefined {
    const held = all().flatMap((guard) => {
      const of = holding(guard, change, true);
      return of.holds ? [{ guard, ...of }] : [];
    });
    for (const { guard, label, unknown } of held) if (guard.deny) return unknown ?? says.denied(guard, label);
    for (const { guard } of held) {
      const count = guard.at_most === undefined ? 0 : together.filter((one) => holding(guard, one, true).holds).length;
      if (guard.at_most !== undefined && count > guard.at_most) return says.tooMany(guard, change.resource, count);
    }
    for (const { guard, label } of held) if (guard.ask && !isTyped) return says.untyped(guard, label);
    return undefined;
  }

  /** Reads the rows on which guards of these changes depend, and which are not known well enough. */
  async function readNeeded(changes: readonly Subject[]): Promise<Timestamp> {
    const needed = new Map<string, GuardedRow>();
    for (const guard of all())
      for (const change of guard.where === undefined ? [] : changes)
        for (const { level, subject } of concernsOf(guard, change)) {
          const { resource } = level;
          const { params } = subject;
          if (!isFresh(level, params)) needed.set(`${resource.name} ${idIn(resource, params)}`, { resource, params });
        }
    const refusal = await rows.read([...needed.values()]);
    if (refusal) throw unsentFor(refusal);
    return now();
  }

  /** Reads the lists that the filters of these guards look at besides the rows. */
  async function readBeside(change: Subject): Promise<void> {
    const wanted = new Set<string>();
    for (const guard of all())
      for (const { level, subject } of guard.where === undefined ? [] : concernsOf(guard, change)) {
        const filter = filterOf(guard.where ?? '', level.resource);
        const row = rowOf(level, subject);
        const found = 'error' in filter || !row ? 'no' : findIn(filter.find, row, level, subject);
        if (typeof found === 'object') for (const name of found.resources) wanted.add(name);
      }
    const lists = resources.filter(({ name, list, under }) => wanted.has(name) && list && !under);
    await Promise.all(lists.map((one) => cache.readCollection(listQuery(one))));
  }

  const refusal: Guards['refusal'] = (resource, action, params, row, body) => {
    if (all().length === 0) return undefined;
    const own = row ? paramsOf(resource, row, params) : params;
    for (const guard of all().filter(({ deny }) => deny)) {
      const { holds, label, unknown } = holding(guard, { resource, action, params: own, row, body }, false);
      if (holds && unknown === undefined) return says.denied(guard, label);
    }
    return undefined;
  };

  return {
    refusal,
    isLocked(resource, params, row) {
      const known = locks.get(row);
      if (known?.by === all() && now() < known.until) return known.is;
      const is = refusal(resource, resource.remove ?? { name: everything }, params, row) !== undefined;
      locks.set(row, { by: all(), until: now() + second, is });
      return is;
    },
    denials: (resource, params, row) =>
      all().flatMap((guard) => denialsOf(guard, { resource, params: paramsOf(resource, row, params), row }, holding)),
    limit(resource, action, targets) {
      for (const guard of all()) {
        if (guard.at_most === undefined || targets.length <= guard.at_most) continue;
        const isHeld = ({ row, params }: Target) =>
          holding(guard, { resource, action, params: paramsOf(resource, row, params), row }, false).holds;
        const count = targets.filter(isHeld).length;
        if (count > guard.at_most) return says.tooMany(guard, resource, count);
      }
      return undefined;
    },
    asks(changes) {
      const asking = all().filter(({ ask }) => ask);
      const of = asking.length > 0 ? changes() : [];
      return asking.filter((guard) => of.some((change) => holding(guard, change, false).holds)).map(says.asked);
    },
    examine(changes, isTyped) {
      let reading: Promise<Timestamp> | undefined;
      return (change) => {
        if (!all().some((guard) => concernsOf(guard, change).length > 0)) {
          gate.open(change);
          return undefined;
        }
        return (async () => {
          reading ??= readNeeded(changes);
          // Where there are many, it may be a while ago.
          if (msSince(await reading, now()) > trustedMs) await readNeeded([change]);
          await readBeside(change);
          const refusal = demandOn(change, changes, isTyped);
          if (refusal === undefined) gate.open(change);
          return refusal;
        })();
      };
    },
  };
}

/** A row on which it depends whether a guard holds. */
type GuardedRow = Pick<Subject, 'resource' | 'params'>;

/** A row that was read longer ago is read again before a guard lets it pass, in milliseconds. */
const trustedMs = 15_000;

/** Whether rows of the list may lack the field that a filter is about. */
const isPartial = ({ view, list }: Resource) => view && list?.partial;

/** The rows on which guards depend: whether they are known well enough, and reading them. */
function createGuardedRows(cache: Cache, now: () => Timestamp) {
  const isRecent = (loadedAt = Number.NEGATIVE_INFINITY) => msSince(loadedAt, now()) <= trustedMs;

  return {
    /** Whether the row was read so lately, with all its fields, that it can be trusted. */
    isFresh({ resource, params }: GuardedRow) {
      const { answers } = cache.getState();
      const viewed = resource.view && answers[queryKey(viewQuery(resource, params))];
      if (viewed?.body && isRecent(viewed.loadedAt)) return true;
      if (isPartial(resource)) return false;
      return holdersOf(cache.getState(), resource, params).some(({ loadedAt }) => isRecent(loadedAt));
    },
    /** Why the row could not be read. */
    failureOf(resource: Resource, params: Params) {
      const { answers, collections } = cache.getState();
      if (resource.view) return answers[queryKey(viewQuery(resource, params))]?.error;
      return collections[queryKey(listQuery(resource, params))]?.error;
    },
    /** Reads the rows again, many of one list by that list, until all is refused. Resolves with that; never rejects. */
    async read(rows: readonly GuardedRow[]): Promise<Answer['error']> {
      const groupOf = ({ resource, params }: GuardedRow) =>
        isPartial(resource) ? params : queryKey(listQuery(resource, params));
      const left = Map.groupBy(rows, groupOf).values();
      let refusal: Answer['error'];
      const worker = async () => {
        for (const those of left) {
          const [{ resource }] = those as [GuardedRow];
          const all = those.map(({ params }) => params);
          const error = refusal ?? (await readAgain({ cache }, resource, all));
          if (error && refusesAll(error)) refusal ??= error;
        }
      };
      await Promise.all(Array.from({ length: 4 }, worker));
      return refusal;
    },
  };
}

/** A sentence about the actions that a guard denies on a row; none where it denies nothing. */
function denialsOf(
  guard: Guard,
  own: Omit<Subject, 'action'>,
  holding: (guard: Guard, change: Subject, isLast: boolean) => Holding,
): readonly string[] {
  if (!guard.deny) return [];
  const made = creationsOf(own.resource);
  const actions = actionsOf(own.resource).filter((action) => !action.harmless && !made.includes(action));
  const denied = actions.filter((action) => {
    const { holds, unknown } = holding(guard, { ...own, action }, false);
    return holds && unknown === undefined;
  });
  const names = denied.map(({ help }) => uncapitalized(help));
  return names.length === 0 ? [] : [says.denies(guard, denied.length < actions.length ? listed(names, 5) : 'all')];
}

/** Asks a filter about a row; fields that the form of a new row leaves out have no value. */
function findIn(
  find: (row: Row, given?: ReadonlySet<string>) => Found,
  row: Row,
  { isNew }: Level,
  { action, body }: Subject,
): Found {
  const isTold = isNew && body !== undefined;
  const given = new Set(isTold ? action.body?.map((name) => name.replace(/[!.].*$/, '')) : []);
  // The function of a column may not know what to do with half a row.
  return attempt(() => find(row, given)) ?? { fields: [], resources: [] };
}
