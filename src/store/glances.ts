import { keyOf, operationOf, type Question } from './questions.ts';
import type { Records } from './records.ts';

/** Reads what belongs to visible rows only, the topmost row first, within a budget. */
export interface Glances {
  /** These are visible now and are kept fresh until the way back is taken; what is not read by then is not read. */
  want(questions: readonly Question[]): () => void;
  /** The questions of these keys may have other answers by now: those that are wanted are asked again, except means over some minutes. */
  renew(keys: ReadonlySet<string>): void;
  stop(): void;
}

/** The API allows 100 statistics a minute in all. */
const perMinute = 90;
const minute = 60_000;
const atOnce = 4;

/** Statistics are means of five minutes; sooner there is nothing new. */
const usualMs = 5 * minute;

/** How long an answer stays fresh, in milliseconds, as its description says. */
const freshMs = (question: Question) => {
  const { freshFor } = operationOf(question);
  return freshFor === undefined ? usualMs : freshFor * 1000;
};

export function createGlances(records: Records, now: () => number): Glances {
  const wanted = new Set<readonly Question[]>();
  const outdated = new Set<string>();
  let underWay = 0;
  let asked: number[] = [];
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  /** The API has asked to wait until then. */
  let pausedUntil = 0;

  /** When a question is to be asked, in ms since the epoch; never while it is being asked. */
  function dueAt(question: Question): number {
    const key = keyOf(question);
    const answer = records.getState().answers[key];
    if (answer?.loading) return Number.POSITIVE_INFINITY;
    if (answer?.triedAt === undefined || outdated.has(key)) return 0;
    return answer.triedAt + (answer.error ? minute : freshMs(question));
  }

  /** When the budget allows one more request, in ms since the epoch. */
  function allowedAt(): number {
    asked = asked.filter((at) => now() - at < minute);
    const [oldest] = asked;
    return Math.max(pausedUntil, asked.length < perMinute || oldest === undefined ? 0 : oldest + minute);
  }

  async function ask(question: Question): Promise<void> {
    asked.push(now());
    outdated.delete(keyOf(question));
    underWay++;
    await records.readAnswer(question);
    underWay--;
    const wait = records.getState().answers[keyOf(question)]?.error?.retryAfterMs ?? 0;
    if (wait > 0) pausedUntil = Math.max(pausedUntil, now() + wait);
    next();
  }

  function next(): void {
    clearTimeout(timer);
    if (stopped) return;
    const all = [...wanted].flat();
    for (const question of all) {
      if (underWay >= atOnce || allowedAt() > now()) break;
      if (dueAt(question) <= now()) void ask(question);
    }
    const due = Math.max(allowedAt(), Math.min(...all.map(dueAt)));
    if (underWay >= atOnce || !Number.isFinite(due)) return;
    timer = setTimeout(next, Math.max(0, due - now()));
    timer.unref();
  }

  return {
    want: (questions) => {
      const release = records.hold(questions);
      wanted.add(questions);
      next();
      return () => {
        wanted.delete(questions);
        release();
      };
    },
    renew: (keys) => {
      for (const question of [...wanted].flat()) {
        if (keys.has(keyOf(question)) && freshMs(question) < usualMs) outdated.add(keyOf(question));
      }
      next();
    },
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
