import { compareIds } from '../../resources/identity.ts';
import { isSingle } from '../../resources/index.ts';
import type { Params, Resource } from '../../resources/resource.ts';
import type { Collection, Query } from '../cache.ts';
import type { EventsState } from '../events.ts';
import { eventsName } from '../queries.ts';
import { type Event, oldestOf } from './eventPages.ts';
import { isEventAbout } from './history.ts';

/** The query for the events of a row, the newest first; undefined where there are none about its kind. */
export function ownEventsQuery(resource: Resource, params: Params): Query | undefined {
  const { entity, param } = resource;
  const id = params[param];
  if (entity === undefined || (id === undefined && !isSingle(resource))) return undefined;
  return {
    resource: eventsName,
    operation: 'about',
    params: { entityType: entity, ...(id !== undefined && !isSingle(resource) && { entityId: id }) },
  };
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
