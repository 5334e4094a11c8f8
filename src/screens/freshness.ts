import { resourceNamed } from '../resources/index.ts';
import { entriesOf } from '../store/entries.ts';
import type { Stores } from '../store/stores.ts';
import { keyLabel } from '../text/keyLabel.ts';
import { minute } from '../text/times.ts';
import { withoutStop } from '../text/words.ts';

/** The age of the data, and why there is nothing newer. */
export interface Freshness {
  /** `reading` until something was read for the first time; `blind` when the API no longer answers. */
  level: 'reading' | 'fresh' | 'late' | 'blind';
  /** When the oldest data was read, in ms since the epoch; undefined where some was never read. */
  dataAt?: number;
  /** The age of that in whole minutes. */
  minutes: number;
  /** A sentence without its full stop. */
  why?: string;
  /** In ms since the epoch. */
  since?: number;
  /** The next try, in ms since the epoch; undefined during a request and while all is well. */
  nextAt?: number;
}

/** An error of the API, as far as a sentence needs it. */
type Failure = { readonly message: string; readonly status?: number };

/** The key that reads again what could not be read, as a sentence; blank where that is not allowed. */
export const againText = ({ status }: Failure): string =>
  status === 403 ? '' : `${keyLabel('everywhere.refresh', 'ctrl-r')} tries again.`;

/** Why something could not be read, and the key that tries again. */
export const failureText = (error: Failure): string => `${error.message} ${againText(error)}`.trimEnd();

/** Events are polled more often than this. */
const lateMinutes = 2;
/** Older data should not be relied on. */
const blindMinutes = 3;

/** The freshness of the data at a time in ms since the epoch. */
export function freshnessOf(stores: FreshnessStores, now: number): Freshness {
  const { events, session } = stores;
  const { error, nextAt } = events.getState();
  const { trouble } = session.getState();
  // The age of what is later than now, by a clock that was set back since, is not known.
  const known = (at: number | undefined) => (at !== undefined && at <= now + minute ? at : undefined);
  const answeredAt = known(lastAnswerAt(stores));
  const failed = failedLists(stores).map((one) => ({ ...one, loadedAt: known(one.loadedAt) }));
  const failure = error && error.status !== 403 ? error : undefined;
  const times = [answeredAt, ...failed.map(({ loadedAt }) => loadedAt)];
  const dataAt = times.some((time) => time === undefined) ? undefined : Math.min(...times.map(Number));
  const minutes = dataAt === undefined ? 0 : Math.max(0, Math.floor((now - dataAt) / minute));
  if (failure) {
    const isBlind = answeredAt === undefined || failure.status === 401 || now - answeredAt >= blindMinutes * minute;
    const why = withoutStop(trouble?.text ?? failure.message);
    const since = known(trouble?.since) ?? answeredAt;
    return { level: isBlind ? 'blind' : 'late', dataAt, minutes, why, since, nextAt };
  }
  if (answeredAt === undefined) return { level: 'reading', minutes: 0 };
  const [first] = failed;
  if (first) {
    const why = withoutStop(`${first.name} could not be read: ${first.message}`);
    return { level: 'late', dataAt, minutes, why, since: first.loadedAt };
  }
  if (minutes < lateMinutes) return { level: 'fresh', dataAt, minutes };
  return { level: minutes < blindMinutes ? 'late' : 'blind', dataAt, minutes, since: dataAt };
}

type FreshnessStores = Pick<Stores, 'events' | 'session' | 'cache'>;

/** When the API last answered: a poll of the events, or anything where the token may not read events. */
function lastAnswerAt({ events, cache }: FreshnessStores): number | undefined {
  const { polledAt, error } = events.getState();
  if (error?.status !== 403) return polledAt;
  const times = Object.values(entriesOf(cache.getState())).flatMap(({ loadedAt }) => loadedAt ?? []);
  return times.length > 0 ? times.reduce((one, other) => Math.max(one, other)) : undefined;
}

/** Lists of the account that failed, though the token may read them; those of catalogues do not count, because these hardly change. */
const failedLists = ({ cache }: FreshnessStores) =>
  Object.values(cache.getState().collections).flatMap(({ resource, error, loadedAt, query }) => {
    if (!error || error.status === 403 || error.status === 404 || Object.keys(query.params).length > 0) return [];
    const { many, catalogue } = resourceNamed(resource);
    return catalogue ? [] : [{ name: many, message: error.message, loadedAt }];
  });

/** When the age counts on if nothing is read, in ms since the epoch. */
export const nextAgeAt = ({ dataAt, minutes }: Freshness, now: number): number =>
  dataAt === undefined ? now + minute : dataAt + (minutes + 1) * minute;
