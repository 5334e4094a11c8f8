import type { ApiError } from '../api/error.ts';
import { pageSize } from '../api/pages.ts';
import { minute } from '../text/times.ts';
import type { Collection } from './entries.ts';
import { isWithoutReadings } from './fleet.ts';
import { operationOf, type Query, resourceOfRows } from './queries.ts';

/**
 * In order of priority: `screen` for the lists and answers that a screen shows, `account` for lists that it does not; then,
 * within the budget, queries about single rows: a visible `row`, rows that come `next`, those summed up in the
 * `background`, and `unseen` ones.
 */
export type Urgency = 'screen' | 'account' | 'row' | 'next' | 'background' | 'unseen';

/** The limits for queries of one urgency. */
export interface Pace {
  /** Requests a minute, within the budget; queries without this limit are cancelled when nobody subscribes to them. */
  perMinute?: number;
  /** The maximum in flight, of all paces that have one. */
  maxInflight?: number;
  /** Milliseconds from one attempt to the next. */
  freshMs: (query: Query, attempt: Attempt) => number;
}

export type Paces = Readonly<Record<Urgency, Pace>>;

/** The last reading of a query. */
export interface Attempt extends Pick<Collection, 'triedAt' | 'error'> {
  rows?: readonly unknown[];
}

/** Statistics are means of five minutes; sooner there is nothing new. */
const statisticsMs = 5 * minute;

/** The least time between two readings of a list that no screen shows; events report changes of some. */
const unseenMs = { withEvents: statisticsMs, withoutEvents: minute };

/** So many rows that come next are asked about in a minute. */
export const askedPerMinute = 60;

const describedMs = (query: Query, fallback: number): number => {
  const { freshFor } = operationOf(query);
  return freshFor === undefined ? fallback : freshFor * 1000;
};

export const isList = (query: Query): boolean => 'pages' in operationOf(query);

/** Whether an answer is a mean over minutes or nearly constant, so that no event changes it. */
export const isSteady = (query: Query): boolean => !isList(query) && describedMs(query, 0) >= statisticsMs;

/** The pages of a list; each adds to the time between two readings. */
const pageCount = ({ rows = [] }: Attempt): number => Math.max(1, Math.ceil(rows.length / pageSize));

const maySucceedSoon = ({ status }: ApiError): boolean => status === undefined || status === 429 || status >= 500;

const freshOfRow: Pace['freshMs'] = (query, { error }) =>
  error && !isWithoutReadings(error) ? minute : describedMs(query, statisticsMs);

/**
 * The paces of a dashboard. The later ones leave room in the budget for rows that become visible.
 * @param refreshMs milliseconds between two readings of one page on the screen
 */
export const pacesFor = (refreshMs: number): Paces => ({
  screen: {
    freshMs: (query, attempt) => {
      const described = describedMs(query, refreshMs);
      return attempt.error ? Math.min(described, refreshMs) : described * pageCount(attempt);
    },
  },
  account: {
    freshMs: (query, attempt) => {
      const { entity, events } = resourceOfRows(query);
      const least = (entity ?? events) === undefined ? unseenMs.withoutEvents : unseenMs.withEvents;
      return attempt.error
        ? unseenMs.withoutEvents
        : Math.max(describedMs(query, refreshMs), least) * pageCount(attempt);
    },
  },
  row: { perMinute: 90, maxInflight: 4, freshMs: freshOfRow },
  next: { perMinute: askedPerMinute, maxInflight: 3, freshMs: freshOfRow },
  background: { perMinute: 30, maxInflight: 2, freshMs: freshOfRow },
  unseen: {
    perMinute: 20,
    maxInflight: 2,
    freshMs: (_, { error }) => (error && maySucceedSoon(error) ? minute : 30 * minute),
  },
});
