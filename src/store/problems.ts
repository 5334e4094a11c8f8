import { createStore, type StoreApi } from 'zustand/vanilla';
import { byUrgency, type Problem, problemsBy } from '../resources/problems/problem.ts';
import type { Facts, Rule } from '../resources/problems/rule.ts';
import { timerDelay } from '../resources/time.ts';
import { noting } from './facts.ts';
import { mayBeIn, questionOf } from './questions.ts';
import { isSame, unlessSame } from './rows.ts';
import type { Survey } from './survey.ts';
import type { VersionCounter } from './versions.ts';

export interface ProblemsState {
  /** Those that nobody has acknowledged, the most urgent first. Problems that say the same as before stay the very objects they were. */
  problems: readonly Problem[];
  /** Those that somebody has acknowledged, the most urgent first. */
  acknowledged: readonly Problem[];
  /** Those that came up last: everything that their rule looked at had been examined before without them. Nobody has acknowledged them; the most urgent first. */
  news: readonly Problem[];
  /** When what is loaded was last examined, in ms since the epoch; undefined until the lists were read for the first time. */
  examinedAt?: number;
}

/** What is wrong among what is loaded. */
export interface Problems extends StoreApi<ProblemsState> {
  /** Somebody wants to know from now on, until the way back is taken: what rules look at is read, and examined as it changes. */
  want(): () => void;
  /** Tells those that are acknowledged from the others anew. */
  sortAnew(): void;
  stop(): void;
}

interface ProblemsParts {
  rules: readonly Rule[];
  facts: Facts;
  versions: VersionCounter;
  isAcknowledged: (problem: Problem) => boolean;
  /** Has what the rules look at read. */
  survey: Pick<Survey, 'want' | 'isReady'>;
}

/** What a rule found, and how often what it looked at had changed by then. */
interface Examination {
  found: readonly Problem[];
  seen: ReadonlyMap<string, number>;
  /** What was loaded when it began, by the keys of the questions. */
  loaded: ReadonlyMap<string, string>;
  /** The servers of which it was known how busy they are. */
  measured: ReadonlySet<string>;
}

/** Steps in one turn of the event loop: some rows of one rule, or the few that others have; between turns screens are drawn. */
const stepsAtOnce = 8;

/** Time passes: everything is examined anew after so many milliseconds. */
const minute = 60_000;

/**
 * Examines what is loaded, some rows a turn of the event loop, so that keys are never kept waiting: by those rules that
 * looked at something that has changed since, and by all of them once a minute.
 */
export function createProblems({ rules, facts, versions, isAcknowledged, survey }: ProblemsParts): Problems {
  const store = createStore<ProblemsState>(() => ({ problems: [], acknowledged: [], news: [] }));
  const examinations = new Map<Rule, Examination>();
  let news: Problem[] = [];
  let wanting = 0;
  let release = () => {};
  let turn: NodeJS.Immediate | undefined;
  let timer: NodeJS.Timeout | undefined;
  /** When all rules have last begun to examine, in ms since the epoch. */
  let allAt = Number.NEGATIVE_INFINITY;

  const versionOf = (name: string) => versions.getState()[name] ?? 0;

  const isOutdated = (rule: Rule): boolean => {
    const last = examinations.get(rule);
    return !last || [...last.seen].some(([name, version]) => versionOf(name) !== version);
  };

  /** Examines rules, some rows in each step. */
  function* round(due: readonly Rule[]): Generator<unknown> {
    for (const rule of due) {
      const seen = new Map<string, number>();
      const measured = new Set<string>();
      const look = (name: string) => seen.set(name, seen.get(name) ?? versionOf(name));
      const noted = noting(facts, look, (id) => measured.add(id));
      const loaded = versions.loaded();
      const found: Problem[] = [];
      for (const some of problemsBy(rule, noted)) {
        found.push(...some);
        yield;
      }
      const last = examinations.get(rule);
      const now = { found: kept(last?.found ?? [], found.sort(byUrgency)), seen, loaded, measured };
      examinations.set(rule, now);
      if (last && store.getState().examinedAt !== undefined) news.push(...newIn(now, last, versions.loaded()));
    }
  }

  /** What was found, told apart by whether somebody has acknowledged it. */
  function sortedOut(): Pick<ProblemsState, 'problems' | 'acknowledged'> {
    const all = [...examinations.values()].flatMap(({ found }) => found).sort(byUrgency);
    const acknowledged = new Set(all.filter(isAcknowledged));
    const before = store.getState();
    return {
      problems: unlessSame(
        before.problems,
        all.filter((problem) => !acknowledged.has(problem)),
      ),
      acknowledged: unlessSame(before.acknowledged, [...acknowledged]),
    };
  }

  function publish(): void {
    const isComplete = store.getState().examinedAt !== undefined || survey.isReady();
    const fresh = news.filter((problem) => !isAcknowledged(problem)).sort(byUrgency);
    news = [];
    store.setState({
      ...sortedOut(),
      ...(fresh.length > 0 && { news: fresh }),
      examinedAt: isComplete ? facts.now : undefined,
    });
  }

  /** Goes on with a round by some steps a turn, and begins the next where things have changed meanwhile. */
  function goOn(steps: Generator<unknown>): void {
    turn = undefined;
    for (let step = 0; step < stepsAtOnce; step++) {
      if (!steps.next().done) continue;
      publish();
      begin();
      return;
    }
    turn = setImmediate(goOn, steps);
  }

  /** Begins a round unless one is under way or nothing is to be examined; then it waits for the next minute. */
  function begin(): void {
    if (wanting === 0 || turn) return;
    clearTimeout(timer);
    const isMinuteOver = facts.now - allAt >= minute;
    const due = isMinuteOver ? rules : rules.filter(isOutdated);
    if (isMinuteOver) allAt = facts.now;
    const isFirst = store.getState().examinedAt === undefined && survey.isReady();
    if (due.length > 0 || isFirst) turn = setImmediate(goOn, round(due));
    else {
      timer = setTimeout(begin, timerDelay(allAt + minute - facts.now));
      timer.unref();
    }
  }

  function pause(): void {
    clearTimeout(timer);
    clearImmediate(turn);
    turn = undefined;
    release();
    release = () => {};
  }

  const unsubscribe = versions.subscribe(begin);

  return {
    ...store,
    want: () => {
      wanting++;
      if (wanting === 1) {
        release = survey.want();
        begin();
      }
      return () => {
        wanting--;
        if (wanting === 0) pause();
      };
    },
    sortAnew: () => store.setState(sortedOut()),
    stop: () => {
      unsubscribe();
      wanting = 0;
      pause();
    },
  };
}

/** What was found; problems that say the same as before stay the very objects they were. */
function kept(before: readonly Problem[], found: readonly Problem[]): readonly Problem[] {
  const known = new Map(before.map((problem) => [problem.id, problem]));
  return unlessSame(
    before,
    found.map((problem) => {
      const old = known.get(problem.id);
      return old && isSame(old, problem) ? old : problem;
    }),
  );
}

/**
 * The problems that an examination is the first to find, but for those that may have been there before: when something
 * that it looked at was loaded for the first time.
 * @param loaded what is loaded when it has ended
 */
function newIn(now: Examination, last: Examination, loaded: Examination['loaded']): readonly Problem[] {
  const known = new Set(last.found.map(({ id }) => id));
  const found = now.found.filter(({ id }) => !known.has(id));
  if (found.length === 0) return [];
  const unseen = [...loaded].filter(([key, name]) => now.seen.has(name) && !last.loaded.has(key));
  const firstRead = unseen.map(([key]) => questionOf(key).params);
  const firstMeasured = [...now.measured].filter((id) => !last.measured.has(id));
  return found.filter(
    ({ params }) =>
      !firstRead.some((read) => mayBeIn(params, read)) &&
      !Object.values(params).some((id) => firstMeasured.includes(id)),
  );
}
