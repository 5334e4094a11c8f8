import type { ApiError } from '../api/error.ts';
import { isWithoutReadings } from './fleet.ts';
import { operationOf, type Query, resourceOfRows } from './queries.ts';

/**
 * In this order: `screen` for what a screen shows as a whole, `account` for whole lists that nobody looks at, and then
 * what is asked about single rows, within the budget: of a `row` that is visible, of rows that will be looked at `next`,
 * of those that are summed up in the `background`, and of `unseen` ones.
 */
export type Urgency = 'screen' | 'account' | 'row' | 'next' | 'background' | 'unseen';

/** The limits for queries of one urgency. */
export interface Pace {
  /** Requests a minute, counted in the budget of all; what has no such limit is in no budget, and is broken off when nobody wants it any more. */
  perMinute?: number;
  /** None begins while so many are in flight, of all paces that have such a limit. */
  maxInflight?: number;
  /** Milliseconds from an attempt to the next. */
  freshMs: (query: Query, attempt: Attempt) => number;
}

export type Paces = Readonly<Record<Urgency, Pace>>;

/** The last reading of a query. */
export interface Attempt {
  /** When it ended, in ms since the epoch; undefined while none has. */
  triedAt?: number;
  /** Why it failed. */
  error?: ApiError;
  /** The rows of a list. */
  rows?: readonly unknown[];
}

const minute = 60_000;

/** Statistics are means of five minutes; sooner there is nothing new. */
const meansMs = 5 * minute;

/** The least pause between two readings of a list that nobody looks at, where events tell of its changes and where none does. */
const unseenMs = { told: meansMs, untold: minute };

const pageSize = 100;

const describedMs = (query: Query, fallback: number): number => {
  const { freshFor } = operationOf(query);
  return freshFor === undefined ? fallback : freshFor * 1000;
};

export const isList = (query: Query): boolean => 'pages' in operationOf(query);

/** Whether an answer is a mean over some minutes, or as good as fixed: no event gives it another value. */
export const isSteady = (query: Query): boolean => !isList(query) && describedMs(query, 0) >= meansMs;

/** A list of many pages waits for each of them. */
const pagesOf = ({ rows = [] }: Attempt): number => Math.max(1, Math.ceil(rows.length / pageSize));

const isTold = (query: Query): boolean => {
  const { entity, events } = resourceOfRows(query);
  return entity !== undefined || events !== undefined;
};

/** Whether what failed may well succeed soon. */
const isPassing = ({ status }: ApiError): boolean => status === undefined || status === 429 || status >= 500;

const freshOfRow: Pace['freshMs'] = (query, { error }) =>
  error && !isWithoutReadings(error) ? minute : describedMs(query, meansMs);

/**
 * The paces of a dashboard. All of the budget but the first are slow enough that what becomes visible need not wait.
 * @param every milliseconds between two readings of one page on the screen
 */
export const pacesFor = (every: number): Paces => ({
  screen: {
    freshMs: (query, attempt) => {
      const described = describedMs(query, every);
      return attempt.error ? Math.min(described, every) : described * pagesOf(attempt);
    },
  },
  account: {
    freshMs: (query, attempt) => {
      const least = unseenMs[isTold(query) ? 'told' : 'untold'];
      return attempt.error ? unseenMs.untold : Math.max(describedMs(query, every), least) * pagesOf(attempt);
    },
  },
  row: { perMinute: 90, maxInflight: 4, freshMs: freshOfRow },
  next: { perMinute: 60, maxInflight: 3, freshMs: freshOfRow },
  background: { perMinute: 30, maxInflight: 2, freshMs: freshOfRow },
  unseen: {
    perMinute: 20,
    maxInflight: 2,
    freshMs: (_, { error }) => (error && isPassing(error) ? minute : 30 * minute),
  },
});
