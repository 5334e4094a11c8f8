import type { Api } from '../../api/client.ts';
import { ignoreNotFound, malformedError, refusesFilter } from '../../api/error.ts';
import type { ApiRequest } from '../../api/request.ts';
import { isInProgress, jobActions } from '../../resources/account/events.ts';
import { isId } from '../../resources/identity.ts';
import { resourceNamed } from '../../resources/index.ts';
import { at, type Row, rowsOf } from '../../resources/row.ts';
import { earliest, type Timestamp, timeOf } from '../../text/times.ts';
import { textOf } from '../../text/words.ts';
import { operationNamed } from '../queries.ts';

/** An event of the account (document 1, 2.5); nulls and unknown values are allowed. */
export type Event = Row & { id: number | string; action: string; status: string | null; created: string };

/** One page of the events, the newest first. */
export interface EventPage {
  events: readonly Event[];
  /** There are none older. */
  isLast: boolean;
  /** The clock of the API, in ms since the epoch, where it tells. */
  date?: Timestamp;
}

/** The newest events, as far as they were read. */
export interface Newest extends Omit<EventPage, 'isLast'> {
  /** From when on none is missing, 0 where there are none older; undefined where they join those that were known. */
  since: Timestamp | undefined;
}

/** Reads the events of an account; rejects with an ApiError. */
export function createEventPages(api: Pick<Api, 'send'>) {
  const list = operationNamed(resourceNamed('events'), 'list');
  const view = operationNamed(resourceNamed('events'), 'view');
  let isTorn = false;

  async function read(
    page: number,
    size: number,
    how: Pick<ApiRequest, 'filter' | 'isProbe'> = {},
  ): Promise<EventPage> {
    const { body, date, status } = await api.send(list, { query: { page, page_size: size }, ...how });
    const [data, pages] = [at(body, 'data'), at(body, 'pages')];
    if (!Array.isArray(data)) throw malformedError(list, 'no list', status);
    const isLast = data.length === 0 || (typeof pages === 'number' ? page >= pages : data.length < size);
    const events = rowsOf(data).flatMap((row) => eventIn(row) ?? []);
    isTorn ||= events.length < data.length;
    return { events, isLast, date };
  }

  return {
    /** Whether some were left out that cannot be sorted. */
    isTorn: () => isTorn,
    /**
     * Reads pages until one ends with an event that is known, or there are `most`.
     * @param known ids of events after which none is missing
     */
    async newest(size: number, known: ReadonlySet<Event['id']>, most: number) {
      const all: Event[] = [];
      for (let page = 1; ; page++) {
        const { events, isLast, date } = await read(page, size, { isProbe: true });
        all.push(...events);
        const last = events.at(-1);
        const isJoined = last !== undefined && known.has(last.id);
        if (!isLast && !isJoined && page * size < most) continue;
        return { events: all, date, since: isLast ? 0 : isJoined ? undefined : oldestOf(all) };
      }
    },
    /** @param page counts from 1 */
    page: read,
    /** Those in progress among the newest of the actions that take a while; undefined where the API knows no such filter. */
    async underWay(size: number) {
      try {
        const filter = { '+or': jobActions.map((action) => ({ action })) };
        return (await read(1, size, { filter })).events.filter(isInProgress);
      } catch (error) {
        if (refusesFilter(error)) return undefined;
        throw error;
      }
    },
    /** An event as it is now; of one that the API no longer has nobody can tell how it ended. */
    async again(event: Event) {
      const answer = await api.send(view, { params: { eventId: String(event.id) } }).catch(ignoreNotFound);
      return answer ? (eventIn(answer.body) ?? event) : { ...event, status: null };
    },
  };
}

/** The time of the oldest of these events that have one; undefined where none has. */
export const oldestOf = (events: readonly Event[]): Timestamp | undefined =>
  earliest(events.map(({ created }) => timeOf(created)).filter((time) => !Number.isNaN(time)));

/** A row as an event with a text as its action; undefined where it has no id, by which events are sorted. */
function eventIn(row: unknown): Event | undefined {
  if (!isId(at(row, 'id'))) return undefined;
  const event = row as Event;
  return typeof event.action === 'string' ? event : { ...event, action: textOf(event.action) };
}

/** An event that ended this long before the first poll is still reported. */
const newsMs = 10_000;

/**
 * Whether an event is over, but only just: what was read before it ended may not know of it.
 * @param time the clock of the API, in ms since the epoch
 */
export function hasJustEnded(event: Event, time: number): boolean {
  const seconds = typeof event.duration === 'number' ? event.duration : 0;
  return !isInProgress(event) && time - (timeOf(event.created) + seconds * 1000) < newsMs;
}
