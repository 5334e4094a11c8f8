import type { ApiError } from '../api/error.ts';
import { timerDelay } from '../text/times.ts';
import { createKeys, operationOf, type Question } from './questions.ts';
import type { Records } from './records.ts';

/** Reads what belongs to single rows, the topmost visible row first, within a budget. */
export interface Glances {
  /**
   * These are visible now, or as urgent as is said, and are kept fresh until the way back is taken; what is not read by
   * then is not read.
   */
  want(questions: readonly Question[], urgency?: Urgency): () => void;
  /** Milliseconds until so many further requests of an urgency can have been made, as it looks now. */
  waitMs(count: number, urgency: Urgency): number;
  /** The questions of these keys may have other answers by now: those that are wanted are asked again, except means over some minutes. */
  renew(keys: ReadonlySet<string>): void;
  /** Asks again now, within the budget, what is wanted and failed. */
  retryFailed(): void;
  /** Whether nothing is asked for now. */
  rest(isResting: boolean): void;
  stop(): void;
}

/**
 * In this order: what is `visible`, what will be looked at `next`, what is shown summed up in the `background`, and
 * what is `unseen`, which is read far less often as well. The later ones take what the earlier ones leave of the budget.
 */
export type Urgency = 'visible' | 'next' | 'background' | 'unseen';

/** The limits for questions of one urgency. */
interface Pace {
  /** So many are asked in a minute. */
  perMinute: number;
  /** None is asked while so many are under way. */
  atOnce: number;
  /** An answer stays fresh, or a failure is not tried again, so many milliseconds. */
  freshMs: (question: Question, error: ApiError | undefined) => number;
}

const minute = 60_000;

/** Statistics are means of five minutes; sooner there is nothing new. */
const usualMs = 5 * minute;

/** Milliseconds for which an answer stays fresh, as its description says. */
const describedMs = (question: Question) => {
  const { freshFor } = operationOf(question);
  return freshFor === undefined ? usualMs : freshFor * 1000;
};

/** The API allows 100 statistics a minute in all. */
const mostPerMinute = 90;

const asDescribed: Pace['freshMs'] = (question, error) => (error ? minute : describedMs(question));
const seldom: Pace['freshMs'] = (_, error) => (isPassing(error) ? minute : 30 * minute);

/** In the order in which they come; all but the first are slow enough that what becomes visible need not wait for them. */
const paces: Readonly<Record<Urgency, Pace>> = {
  visible: { perMinute: mostPerMinute, atOnce: 4, freshMs: asDescribed },
  next: { perMinute: 60, atOnce: 3, freshMs: asDescribed },
  background: { perMinute: 30, atOnce: 2, freshMs: asDescribed },
  unseen: { perMinute: 20, atOnce: 2, freshMs: seldom },
};

/** Whether what failed may well succeed soon. */
const isPassing = (error: ApiError | undefined): boolean =>
  error !== undefined && (error.status === undefined || error.status === 429 || error.status >= 500);

const isList = (question: Question): boolean => 'pages' in operationOf(question);

export function createGlances(records: Records, now: () => number): Glances {
  const keyOf = createKeys();
  const wanted = new Map<readonly Question[], Pace>();
  /** When questions became outdated, in ms since the epoch, by key. */
  const outdated = new Map<string, number>();
  let underWay = 0;
  let asked: { at: number; pace: Pace }[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isResting = false;
  let stopped = false;
  /** The API has asked to wait until then. */
  let pausedUntil = 0;

  const entryOf = (key: string) => records.getState().collections[key] ?? records.getState().answers[key];

  const wantedAt = (pace: Pace) => [...wanted].flatMap(([questions, own]) => (own === pace ? questions : []));

  /** When a question is to be asked, in ms since the epoch; what is being asked, by whomever, is looked at again later. */
  function dueAt(question: Question, pace: Pace): number {
    const key = keyOf(question);
    const entry = entryOf(key);
    if (entry?.loading) return now() + minute;
    if (entry?.triedAt === undefined || (outdated.get(key) ?? 0) >= entry.triedAt) return 0;
    return entry.triedAt + pace.freshMs(question, entry.error);
  }

  /** When the budgets of a pace and of all allow so many more requests, in ms since the epoch; at once where nothing stands against it. */
  function allowedAt(pace: Pace, count = 1): number {
    asked = asked.filter(({ at }) => now() - at < minute);
    const own = asked.filter((one) => one.pace === pace);
    return Math.max(pausedUntil, freeAt(asked, mostPerMinute, count), freeAt(own, pace.perMinute, count));
  }

  /** When so many more requests fit into a budget; those beyond it wait until a minute after others were asked. */
  function freeAt(spent: readonly { at: number }[], perMinute: number, count: number): number {
    const beyond = spent.length + count - perMinute - 1;
    if (beyond < 0) return 0;
    const minutes = Math.floor(beyond / perMinute) + 1;
    return (spent[beyond % perMinute]?.at ?? now()) + minutes * minute;
  }

  async function ask(question: Question, pace: Pace): Promise<void> {
    const key = keyOf(question);
    asked.push({ at: now(), pace });
    outdated.delete(key);
    underWay++;
    await (isList(question) ? records.readCollection(question) : records.readAnswer(question));
    underWay--;
    const wait = entryOf(key)?.error?.retryAfterMs ?? 0;
    if (wait > 0) pausedUntil = Math.max(pausedUntil, now() + wait);
    next();
  }

  function next(): void {
    clearTimeout(timer);
    if (stopped || isResting) return;
    const due = Math.min(...Object.values(paces).map(askThose));
    if (!Number.isFinite(due)) return;
    timer = setTimeout(next, timerDelay(due - now()));
    timer.unref();
  }

  /** Asks the questions of a pace that are due; when the next is, in ms since the epoch, where no answer has to come first. */
  function askThose(pace: Pace): number {
    const all = wantedAt(pace);
    for (const question of all) {
      if (underWay >= pace.atOnce) break;
      if (dueAt(question, pace) > now()) continue;
      if (allowedAt(pace) > now()) break;
      void ask(question, pace);
    }
    if (underWay >= pace.atOnce) return Number.POSITIVE_INFINITY;
    return Math.max(allowedAt(pace), Math.min(...all.map((question) => dueAt(question, pace))));
  }

  return {
    want: (questions, urgency = 'visible') => {
      const release = records.hold(questions);
      wanted.set(questions, paces[urgency]);
      next();
      return () => {
        wanted.delete(questions);
        release();
      };
    },
    renew: (keys) => {
      for (const question of [...wanted.keys()].flat()) {
        const changes = isList(question) || describedMs(question) < usualMs;
        if (changes && keys.has(keyOf(question))) outdated.set(keyOf(question), now());
      }
      next();
    },
    retryFailed: () => {
      for (const key of [...wanted.keys()].flat().map(keyOf)) {
        const { error } = entryOf(key) ?? {};
        if (error && error.status !== 403 && error.status !== 404) outdated.set(key, now());
      }
      next();
    },
    rest: (value) => {
      isResting = value;
      next();
    },
    waitMs: (count, urgency) => Math.max(0, allowedAt(paces[urgency], count) - now()),
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
