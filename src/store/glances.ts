import { keyOf, type Question, type Records } from './records.ts';

/** Reads what belongs to visible rows only, once each, the rows last seen first, within a budget. */
export interface Glances {
  /** These are visible now; what was asked for before and is not among them is no longer wanted. */
  want(questions: readonly Question[]): void;
  stop(): void;
}

/** The API allows 100 statistics a minute in all. */
const perMinute = 90;
const minute = 60_000;
const atOnce = 4;
/** Statistics are means of five minutes; sooner there is nothing new. */
const freshFor = 5 * minute;

export function createGlances(records: Records, now: () => number): Glances {
  let wanted: readonly Question[] = [];
  let underWay = 0;
  let asked: number[] = [];
  let timer: NodeJS.Timeout | undefined;

  const isDue = (question: Question) => {
    const answer = records.getState().answers[keyOf(question)];
    const readAt = answer?.loadedAt ?? (answer?.error ? now() : undefined);
    return !answer?.loading && (readAt === undefined || now() - readAt > freshFor) && !answer?.error;
  };

  function next(): void {
    clearTimeout(timer);
    asked = asked.filter((at) => now() - at < minute);
    const question = wanted.find(isDue);
    if (!question || underWay >= atOnce) return;
    const [oldest] = asked;
    if (asked.length >= perMinute && oldest !== undefined) {
      timer = setTimeout(next, oldest + minute - now());
      timer.unref();
      return;
    }
    asked.push(now());
    underWay++;
    void records.readAnswer(question).finally(() => {
      underWay--;
      next();
    });
    next();
  }

  return {
    want: (questions) => {
      wanted = questions;
      next();
    },
    stop: () => clearTimeout(timer),
  };
}
