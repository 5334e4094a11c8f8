import { createStore, type StoreApi } from 'zustand/vanilla';
import { byUrgency } from '../../resources/problems/problem.ts';
import type { Problem, Rule } from '../../resources/problems/rule.ts';
import type { CacheView } from '../../resources/resource.ts';
import { minute, timerDelay } from '../../text/times.ts';
import type { CacheChanges } from '../cacheChanges.ts';
import type { RuleQueries } from './ruleQueries.ts';
import { createRuleRunner, type RunResult } from './ruleRunner.ts';

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

/** The problems among what is loaded. */
export interface Problems extends StoreApi<ProblemsState> {
  /** Somebody wants to know from now on, until the way back is taken: what rules look at is read, and examined as it changes. */
  watch(): () => void;
  /** Tells those that are acknowledged from the others anew. */
  regroup(): void;
  stop(): void;
}

interface ProblemsParts {
  rules: readonly Rule[];
  view: CacheView;
  cacheChanges: CacheChanges;
  isAcknowledged: (problem: Problem) => boolean;
  /** Has what the rules look at read. */
  ruleQueries: Pick<RuleQueries, 'start' | 'isReady'>;
}

/** Steps of an examination in one turn of the event loop; between turns screens are drawn. */
const stepsAtOnce = 8;

/** Time passes: what looked at the clock is examined anew after so many milliseconds. */

/** That nothing else was found is told so often, in milliseconds. */
const toldEvery = 10_000;

/** Examines what has changed, some rows a turn of the event loop, so that keys are never kept waiting. */
export function createProblems({ rules, view, cacheChanges, isAcknowledged, ruleQueries }: ProblemsParts): Problems {
  const store = createStore<ProblemsState>(() => ({ problems: [], acknowledged: [], news: [] }));
  const hasExamined = () => store.getState().examinedAt !== undefined;
  const examination = createRuleRunner(
    rules,
    view,
    cacheChanges,
    (names) => hasExamined() || ruleQueries.isReady(names),
  );
  let wanting = 0;
  let release = () => {};
  let turn: NodeJS.Immediate | undefined;
  let timer: NodeJS.Timeout | undefined;
  /** When time was last taken to have passed, in ms since the epoch. */
  let timedAt = Number.NEGATIVE_INFINITY;

  /** Tells all that was found apart anew by whether somebody has acknowledged it. */
  function regroup(): void {
    const { problems, acknowledged } = store.getState();
    const known = problems.filter(isAcknowledged);
    const open = acknowledged.filter((problem) => !isAcknowledged(problem));
    store.setState({
      problems: withThose(problems, new Set(known), open),
      acknowledged: withThose(acknowledged, new Set(open), known),
    });
  }

  function publish({ differences, news }: RunResult): void {
    const { problems, acknowledged, examinedAt } = store.getState();
    const gone = new Set(differences.map(({ before }) => before));
    const come = Map.groupBy(
      differences.flatMap(({ after }) => (after && !gone.has(after) ? [after] : [])),
      isAcknowledged,
    );
    const isFirst = examinedAt === undefined && ruleQueries.isReady();
    const isLate = examinedAt !== undefined && view.now - examinedAt >= toldEvery;
    if (differences.length === 0 && !isFirst && !isLate) return;
    const fresh = news.filter((problem) => !isAcknowledged(problem)).sort(byUrgency);
    store.setState({
      problems: withThose(problems, gone, come.get(false)),
      acknowledged: withThose(acknowledged, gone, come.get(true)),
      ...(fresh.length > 0 && examinedAt !== undefined && { news: fresh }),
      examinedAt: examinedAt !== undefined || isFirst ? view.now : undefined,
    });
  }

  /** Goes on with a run by some steps a turn, and begins the next where things have changed meanwhile. */
  function goOn(steps: Generator<unknown, RunResult>): void {
    turn = undefined;
    for (let step = 0; step < stepsAtOnce; step++) {
      const { done, value } = steps.next();
      if (!done) continue;
      publish(value);
      begin();
      return;
    }
    turn = setImmediate(goOn, steps);
  }

  /** Begins a run unless one is under way or nothing is due; then it waits for the next minute. */
  function begin(): void {
    if (wanting === 0 || turn) return;
    clearTimeout(timer);
    if (view.now - timedAt >= minute) {
      timedAt = view.now;
      examination.noteTime();
      if (hasExamined()) regroup();
    }
    const isFirst = !hasExamined() && ruleQueries.isReady();
    if (examination.isDue() || isFirst) turn = setImmediate(goOn, examination.run());
    else {
      timer = setTimeout(begin, timerDelay(timedAt + minute - view.now));
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

  const unsubscribe = cacheChanges.subscribe((changes) => {
    if (wanting === 0) return;
    for (const change of changes) examination.note(change);
    begin();
  });

  return {
    ...store,
    watch: () => {
      wanting++;
      if (wanting === 1) {
        release = ruleQueries.start();
        examination.noteAll();
        begin();
      }
      return () => {
        wanting--;
        if (wanting === 0) pause();
      };
    },
    regroup,
    stop: () => {
      unsubscribe();
      wanting = 0;
      pause();
    },
  };
}

/** Problems in their order without those that went and with those that came; the very list where there are none. */
function withThose(
  problems: readonly Problem[],
  gone: ReadonlySet<Problem | undefined>,
  come: readonly Problem[] = [],
): readonly Problem[] {
  const left = gone.size > 0 ? problems.filter((problem) => !gone.has(problem)) : problems;
  if (come.length === 0) return left.length === problems.length ? problems : left;
  const all = [...left];
  if (come.length * 10 > left.length) return [...left, ...come].sort(byUrgency);
  for (const problem of come) {
    let [from, to] = [0, all.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (byUrgency(all[middle] as Problem, problem) <= 0) from = middle + 1;
      else to = middle;
    }
    all.splice(from, 0, problem);
  }
  return all;
}
