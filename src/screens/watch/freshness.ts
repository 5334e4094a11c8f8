import { resourceNamed } from '../../resources/index.ts';
import type { Stores } from '../../store/stores.ts';
import { minute } from '../../text/times.ts';

/** Tells whether the wall can be trusted. */
export interface Freshness {
  /** `reading` until something was read for the first time; `blind` where the API tells nothing any more. */
  level: 'reading' | 'fresh' | 'late' | 'blind';
  /** When the oldest of what is shown was read, in ms since the epoch; undefined before it was. */
  dataAt?: number;
  /** Its age in whole minutes. */
  minutes: number;
  /** Why nothing newer is there, as a sentence without its full stop, and since when in ms since the epoch. */
  why?: string;
  since?: number;
  /** When the API is asked next, in ms since the epoch; undefined while it is being asked, and while all is well. */
  nextAt?: number;
}

/** From this age on it is said, in minutes: the pauses between two looks at the events are shorter. */
const lateAfter = 2;
/** From this age on nobody should rely on it, in minutes. */
const blindAfter = 3;

/** Finds the age of what is known at this moment, and the obstacle to anything newer. */
export function freshnessOf(stores: FreshnessStores, now: number): Freshness {
  const { events, session } = stores;
  const { error, nextAt } = events.getState();
  const { trouble } = session.getState();
  const heartbeatAt = lastAnswerAt(stores);
  const failing = failedLists(stores);
  const away = error && error.status !== 403 ? error : undefined;
  const times = [heartbeatAt, ...failing.map(({ loadedAt }) => loadedAt)];
  const dataAt = times.some((time) => time === undefined) ? undefined : Math.min(...times.map(Number));
  const minutes = dataAt === undefined ? 0 : Math.max(0, Math.floor((now - dataAt) / minute));
  if (away) {
    const isBlind = heartbeatAt === undefined || away.status === 401 || now - heartbeatAt >= blindAfter * minute;
    const why = withoutStop(trouble?.text ?? away.message);
    return { level: isBlind ? 'blind' : 'late', dataAt, minutes, why, since: trouble?.since ?? heartbeatAt, nextAt };
  }
  if (heartbeatAt === undefined) return { level: 'reading', minutes: 0 };
  const [first] = failing;
  if (first) {
    const why = withoutStop(`${first.what} could not be read: ${first.says}`);
    return { level: 'late', dataAt, minutes, why, since: first.loadedAt };
  }
  if (minutes < lateAfter) return { level: 'fresh', dataAt, minutes };
  return { level: minutes < blindAfter ? 'late' : 'blind', dataAt, minutes, since: dataAt };
}

type FreshnessStores = Pick<Stores, 'events' | 'session' | 'cache'>;

/** When the API last told something: its events, or, where the token may not see them, anything. */
function lastAnswerAt({ events, cache }: FreshnessStores): number | undefined {
  const { polledAt, error } = events.getState();
  if (error?.status !== 403) return polledAt;
  const { collections, answers } = cache.getState();
  const times = [...Object.values(collections), ...Object.values(answers)].flatMap(({ loadedAt }) => loadedAt ?? []);
  return times.length > 0 ? times.reduce((one, other) => Math.max(one, other)) : undefined;
}

/** A list of the account that could not be read again, though it may be. */
interface FailedList {
  what: string;
  says: string;
  loadedAt: number | undefined;
}

/** Lists of the account that failed last; catalogues hardly change. */
function failedLists({ cache }: FreshnessStores): readonly FailedList[] {
  return Object.values(cache.getState().collections).flatMap(({ resource, error, loadedAt, query }) => {
    if (!error || error.status === 403 || error.status === 404 || Object.keys(query.params).length > 0) return [];
    const { many, catalogue } = resourceNamed(resource);
    return catalogue ? [] : [{ what: many, says: error.message, loadedAt }];
  });
}

const withoutStop = (sentence: string) => sentence.replace(/\.$/, '');

/** When the freshness says something else though nothing is read, in ms since the epoch. */
export const nextAgeAt = ({ dataAt, minutes }: Freshness, now: number): number =>
  dataAt === undefined ? now + minute : dataAt + (minutes + 1) * minute;
