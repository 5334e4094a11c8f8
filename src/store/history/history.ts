import { isInProgress } from '../../resources/account/events.ts';
import { compareIds, idIn, paramNames } from '../../resources/identity.ts';
import { isSingle, knownResource, resourceNamed } from '../../resources/index.ts';
import { at, isRow, type Params, type Resource, type Row } from '../../resources/resource.ts';
import { minute, second, type Timestamp, timeOf } from '../../text/times.ts';
import { textOf } from '../../text/words.ts';
import type { Collection, Query } from '../cache.ts';
import type { EventsState } from '../events.ts';
import { eventsName } from '../queries.ts';
import { isSame } from '../rows.ts';
import { type CausesOptions, causesOf, nearMs } from './causes.ts';
import { type Event, oldestOf } from './eventPages.ts';
import type { SeenChange } from './seenChanges.ts';
import {
  differingValues,
  joinedChanges,
  own,
  pathText,
  undone,
  type ValueChange,
  valueChanges,
} from './valueChanges.ts';

/** One thing that happened to a row, of which several tell: the API, the audit log, and what was read. */
export interface HistoryEntry {
  /** Stays the same while the entry is there. */
  id: string;
  at: Timestamp;
  event?: Row;
  /** The change that was sent from here, a row of the audit log. */
  sent?: Row;
  /** The change was of a part of the row, such as a record of a domain. */
  isOfPart?: true;
  /** It was found between two readings. */
  seen?: SeenChange;
  /** The values that it changed, or was to change. */
  changes: readonly ValueChange[];
}

interface HistorySources extends CausesOptions {
  resource: Resource;
  params: Params;
  /** Of any rows. */
  events: readonly Row[];
  /** Of any rows. */
  audit: readonly Row[];
  /** Of this row, the latest first. */
  seen: readonly SeenChange[];
  now: Timestamp;
}

/** Readings have the time of this machine, events that of the API. */
const clockMs = 5 * second;
/** A change whose answer was late, or lost, is found in the row so much later at most. */
const lateMs = 2 * minute;

const isEventAbout = (event: Row, resource: Resource, params: Params): boolean =>
  resource.entity !== undefined &&
  at(event, 'entity.type') === resource.entity &&
  (isSingle(resource) || String(at(event, 'entity.id')) === params[resource.param]);

/** The outcomes of changes that were done, or may have been. */
const mayBeDone: ReadonlySet<unknown> = new Set(['done', 'answer lost', 'answer unknown']);

/** Whether what an entry says was done, as far as is known. */
export const isDone = ({ sent, event }: HistoryEntry): boolean =>
  event?.status !== 'failed' && (sent === undefined || mayBeDone.has(sent.outcome));

/** All that happened to a row, the latest first; an event and the change that caused it are one entry. */
export function historyOf(sources: HistorySources): readonly HistoryEntry[] {
  const { resource, params, events, audit, seen, now, ahead, users } = sources;
  const sent = audit.flatMap((row) => {
    if (isSentTo(row, resource, params)) return sentEntry(row);
    // The values of a part are not those of the row; the change itself has them.
    return isSentBelow(row, resource, params) ? { ...sentEntry(row), changes: [], isOfPart: true as const } : [];
  });
  const own = events.filter((event) => isEventAbout(event, resource, params));
  const changes = sent.flatMap(({ sent: change }) => (change ? [change] : []));
  const causes = causesOf(changes, own, { ahead, users });
  const taken = new Set(causes.values());
  const happened = [
    ...sent.map((entry) => ({ ...entry, event: entry.sent && causes.get(entry.sent) })),
    ...own.filter((event) => !taken.has(event)).map(eventEntry),
  ];
  return withSeen(resource, happened, seen, { now, ahead }).sort((one, other) => other.at - one.at);
}

const isSentTo = (row: Row, resource: Resource, params: Params): boolean => {
  const id = idIn(resource, params);
  const own = row.params;
  if (row.resource !== resource.name || !isRow(own) || id === undefined) return false;
  return (
    Object.entries(own).every(([name, value]) => params[name] === undefined || params[name] === textOf(value)) &&
    paramNames(resource).every((name) => own[name] !== undefined)
  );
};

/** Whether a change is of a part of the row, or of a part of that. */
function isSentBelow({ resource: name, params: own }: Row, { name: above, param }: Resource, params: Params): boolean {
  let { under } = knownResource(name) ?? {};
  while (under !== undefined && under !== above) under = resourceNamed(under).under;
  return under !== undefined && params[param] !== undefined && textOf(at(own, param)) === params[param];
}

function sentEntry(sent: Row): HistoryEntry {
  const { body, before } = sent;
  const isEdit = sent.method === 'PUT' && isRow(body) && isRow(before);
  return {
    id: `sent ${textOf(sent.id)}`,
    at: timeOrNone(sent.at),
    sent,
    // Of the row before, a body leaves most out.
    changes: isEdit ? differingValues(before, body).filter(({ after }) => after !== undefined) : [],
  };
}

const eventEntry = (event: Row): HistoryEntry => ({
  id: `event ${textOf(event.id)}`,
  at: timeOrNone(event.created),
  event,
  changes: [],
});

/** A time; 0 where it is none. */
const timeOrNone = (value: unknown): Timestamp => timeOf(value) || 0;

/** Adds what was seen: to the one thing that happened meanwhile, else as an entry of its own. */
function withSeen(
  resource: Resource,
  happened: readonly HistoryEntry[],
  seen: readonly SeenChange[],
  clock: Pick<HistorySources, 'now' | 'ahead'>,
): HistoryEntry[] {
  const known = new Map<string, unknown>();
  const caused = new Map<HistoryEntry, readonly ValueChange[]>();
  const alone: HistoryEntry[] = [];
  for (const change of seen.toReversed()) {
    const fresh = valueChanges(resource, change.before, change.after).filter((one) => {
      const key = JSON.stringify(one.path);
      // A row is held by several lists, and the last one to be read tells nothing new.
      const isKnown = known.has(key) && isSame(known.get(key), one.after);
      known.set(key, one.after);
      return !isKnown && !happened.some((entry) => isToldBy(entry, one, change));
    });
    if (fresh.length === 0) continue;
    const meanwhile = happened.filter((entry) => mayHaveCaused(entry, change, clock));
    const [cause] = meanwhile;
    if (cause && meanwhile.length === 1) caused.set(cause, [...(caused.get(cause) ?? []), ...fresh]);
    else alone.push({ id: `seen ${change.number}`, at: change.at, seen: change, changes: fresh });
  }
  return [...happened.map((entry) => withCaused(entry, caused.get(entry))), ...alone];
}

const withCaused = (entry: HistoryEntry, caused: readonly ValueChange[] | undefined): HistoryEntry =>
  caused ? { ...entry, changes: joinedChanges([...entry.changes, ...caused]) } : entry;

/** Whether a value that was seen is what a change from here has set. */
const isToldBy = (entry: HistoryEntry, { path, after }: ValueChange, { since, at: seenAt }: SeenChange): boolean =>
  entry.sent !== undefined &&
  entry.at <= seenAt + nearMs &&
  entry.at >= (since ?? seenAt) - lateMs &&
  entry.changes.some((one) => isSame(one.path, path) && isSame(one.after, after));

/** Whether something happened between the two readings of a difference; an edit changes no more than it says. */
function mayHaveCaused(entry: HistoryEntry, seen: SeenChange, clock: Pick<HistorySources, 'now' | 'ahead'>): boolean {
  const { at: time, event, sent, isOfPart } = entry;
  const { since, at: seenAt } = seen;
  const { now, ahead = 0 } = clock;
  if (isOfPart || (!event && sent?.method === 'PUT')) return false;
  const began = sent ? time : time - ahead;
  const took = typeof event?.duration === 'number' ? event.duration * second : 0;
  const ended = event && isInProgress(event) ? now : began + took;
  return ended >= (since ?? seenAt) - clockMs && began <= seenAt + clockMs;
}

/** A moment of a row: right before an entry of its history or right after it. */
export interface Moment {
  /** The id of the entry. */
  entry: string;
  side: 'before' | 'after';
}

/** A row at a moment, as far as it is known. */
export interface RowThen {
  row: Row;
  /** The paths of values that were changed meanwhile, and nothing tells by what. */
  unexplained: readonly string[];
}

/**
 * The row as it was at a moment, from the row as it is and all that is known to have changed since; undefined where the
 * history has no such entry.
 * @param entries the latest first
 */
export function rowAt(row: Row, entries: readonly HistoryEntry[], { entry, side }: Moment): RowThen | undefined {
  const place = entries.findIndex(({ id }) => id === entry);
  if (place < 0) return undefined;
  const since = entries.slice(0, side === 'before' ? place + 1 : place).filter(isDone);
  const changes = since.flatMap((one) => one.changes);
  const unexplained = new Set<string>();
  let then = row;
  for (const change of changes) {
    if (!isSame(valueAt(then, change), change.after)) unexplained.add(pathText(change));
    then = undone(then, [change]);
  }
  return { row: then, unexplained: [...unexplained] };
}

const valueAt = (row: Row, { path }: ValueChange): unknown =>
  path.reduce<unknown>((value, name) => (isRow(value) ? own(value, name) : undefined), row);

/** The query for the events of a row, the newest first; undefined where there are none about its kind. */
export function ownEventsQuery(resource: Resource, params: Params): Query | undefined {
  const { entity, param } = resource;
  const id = params[param];
  if (entity === undefined || (id === undefined && !isSingle(resource))) return undefined;
  const about = { entityType: entity, ...(id !== undefined && !isSingle(resource) && { entityId: id }) };
  return { resource: eventsName, operation: 'about', params: about };
}

/**
 * The events of a row among the newest of the account, which are the fresher ones, and those that were asked for.
 * @param read the answer to its own query
 */
export function ownEvents(
  resource: Resource,
  params: Params,
  { events: newest, knownSince }: Pick<EventsState, 'events' | 'knownSince'>,
  read: Pick<Collection, 'rows' | 'more' | 'loadedAt'> | undefined,
) {
  const isAbout = (event: Event) => isEventAbout(event, resource, params);
  const own = newest.filter(isAbout);
  if (read?.loadedAt === undefined) return { events: own, since: knownSince };
  const rows = read.rows as readonly Event[];
  const known = new Map([...rows.filter(isAbout), ...own].map((event) => [event.id, event]));
  /** From when on none is missing, in ms since the epoch; 0 where none is at all, undefined where none is read yet. */
  const since =
    read.more === undefined
      ? 0
      : Math.min(oldestOf(rows) ?? Number.POSITIVE_INFINITY, knownSince ?? Number.POSITIVE_INFINITY);
  return {
    /** The newest first. */
    events: [...known.values()].sort((one, other) => compareIds(other.id, one.id)),
    since,
  };
}
