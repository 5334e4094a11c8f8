import { createStore } from 'zustand/vanilla';
import { memoizeOne } from '../../resources/memoize.ts';
import { byUrgency, rowOfProblem } from '../../resources/problems/problem.ts';
import { type Acknowledgement, problems as problemList } from '../../resources/problems/problems.ts';
import { isFold, type Problem, type Rule } from '../../resources/problems/rule.ts';
import type { CacheView, Row } from '../../resources/resource.ts';
import { foldedProblems } from '../../resources/rules/index.ts';
import { minute, type Timestamp, timerDelay } from '../../text/times.ts';
import type { Cache } from '../cache.ts';
import type { CacheChanges } from '../cacheChanges.ts';
import { placeBehind } from '../sorting.ts';
import type { Acknowledgements, AcknowledgementsState } from './acknowledgements.ts';
import type { RuleQueries } from './ruleQueries.ts';
import { createRuleRunner, type RunResult } from './ruleRunner.ts';

export interface ProblemsState {
  /** Those that nobody has acknowledged, the most urgent first. Equal problems stay the same objects. */
  problems: readonly Problem[];
  /** Those that somebody has acknowledged, the most urgent first. */
  acknowledged: readonly Problem[];
  /** The latest new ones that nobody has acknowledged, the most urgent first: not those found when data were read for the first time. */
  news: readonly Problem[];
  /** When the cache was last examined; undefined until all lists were read once. */
  examinedAt?: Timestamp;
}

/** Acknowledged or not. */
export const allProblems = ({ problems, acknowledged }: ProblemsState) => [...problems, ...acknowledged];

/** The problems that rules find in the cache. */
export type Problems = ReturnType<typeof createProblems>;

interface ProblemsParts {
  rules: readonly Rule[];
  view: CacheView;
  cacheChanges: CacheChanges;
  isAcknowledged: (problem: Problem) => boolean;
  ruleQueries: Pick<RuleQueries, 'start' | 'isReady'>;
}

/** Steps in one turn of the event loop; screens are drawn between turns. */
const stepsPerTurn = 8;

/** `examinedAt` is published this often while nothing else changes. */
const publishIntervalMs = 10_000;

/** Examines changed rows, a few in each turn of the event loop, so that keys do not wait. */
export function createProblems({ rules, view, cacheChanges, isAcknowledged, ruleQueries }: ProblemsParts) {
  const store = createStore<ProblemsState>(() => ({ problems: [], acknowledged: [], news: [] }));
  const hasExamined = () => store.getState().examinedAt !== undefined;
  const runner = createRuleRunner(rules, view, cacheChanges, (names) => hasExamined() || ruleQueries.isReady(names));
  let watchers = 0;
  let release = () => {};
  let turn: NodeJS.Immediate | undefined;
  let timer: NodeJS.Timeout | undefined;
  /** When rows that depend on the clock were last examined, in ms since the epoch. */
  let timedAt = Number.NEGATIVE_INFINITY;

  /** Divides the problems into acknowledged and other ones again. */
  function regroup(): void {
    const { problems, acknowledged } = store.getState();
    const known = problems.filter(isAcknowledged);
    const open = acknowledged.filter((problem) => !isAcknowledged(problem));
    store.setState({
      problems: updated(problems, new Set(known), open),
      acknowledged: updated(acknowledged, new Set(open), known),
    });
  }

  function publish({ differences, news }: RunResult): void {
    const { problems, acknowledged, examinedAt } = store.getState();
    const removed = new Set(differences.map(({ before }) => before));
    const came = differences.flatMap(({ after }) => (after && !removed.has(after) ? [after] : []));
    const added = Map.groupBy(came, isAcknowledged);
    const isFirst = examinedAt === undefined && ruleQueries.isReady();
    const isLate = examinedAt !== undefined && view.now - examinedAt >= publishIntervalMs;
    if (differences.length === 0 && !isFirst && !isLate) return;
    const fresh = news.filter((problem) => !isAcknowledged(problem)).sort(byUrgency);
    store.setState({
      problems: updated(problems, removed, added.get(false)),
      acknowledged: updated(acknowledged, removed, added.get(true)),
      ...(fresh.length > 0 && examinedAt !== undefined && { news: fresh }),
      examinedAt: examinedAt !== undefined || isFirst ? view.now : undefined,
    });
  }

  /** Continues a run, and begins the next where something has changed since. */
  function resume(steps: Generator<unknown, RunResult>): void {
    turn = undefined;
    for (let step = 0; step < stepsPerTurn; step++) {
      const { done, value } = steps.next();
      if (!done) continue;
      publish(value);
      begin();
      return;
    }
    turn = setImmediate(resume, steps);
  }

  /** Begins a run where rows are due and none is in progress; otherwise waits for the next minute. */
  function begin(): void {
    if (watchers === 0 || turn) return;
    clearTimeout(timer);
    if (view.now - timedAt >= minute) {
      timedAt = view.now;
      runner.noteTime();
      if (hasExamined()) regroup();
    }
    const isFirst = !hasExamined() && ruleQueries.isReady();
    if (runner.isDue() || isFirst) turn = setImmediate(resume, runner.run());
    else timer = setTimeout(begin, timerDelay(timedAt + minute - view.now)).unref();
  }

  function pause(): void {
    clearTimeout(timer);
    clearImmediate(turn);
    turn = undefined;
    release();
    release = () => {};
  }

  const unsubscribe = cacheChanges.subscribe((changes) => {
    if (watchers === 0) return;
    for (const change of changes) runner.note(change);
    begin();
  });

  return {
    ...store,
    /** Reads what the rules need and examines it as it changes; returns a function that ends this. */
    watch: () => {
      watchers++;
      if (watchers === 1) {
        release = ruleQueries.start();
        runner.noteAll();
        begin();
      }
      return () => {
        watchers--;
        if (watchers === 0) pause();
      };
    },
    regroup,
    /** Examines everything by these rules from now on. */
    replaceRules: (next: readonly Rule[]) => {
      runner.replaceRules(next);
      begin();
    },
    stop: () => {
      unsubscribe();
      watchers = 0;
      pause();
    },
  };
}

/** Sorted problems without the removed and with the added ones; the same list where nothing changes. */
function updated(
  problems: readonly Problem[],
  removed: ReadonlySet<Problem | undefined>,
  added: readonly Problem[] = [],
): readonly Problem[] {
  const left = removed.size > 0 ? problems.filter((problem) => !removed.has(problem)) : problems;
  if (added.length === 0) return left.length === problems.length ? problems : left;
  const all = [...left];
  if (added.length * 10 > left.length) return [...left, ...added].sort(byUrgency);
  for (const problem of added) {
    const place = placeBehind(all.length, (nth) => byUrgency(all[nth] as Problem, problem) <= 0);
    all.splice(place, 0, problem);
  }
  return all;
}

/** Keeps the list of problems in the cache; returns an unsubscribe function. */
export function keepProblemList(cache: Cache, problems: Problems, acknowledgements: Acknowledgements): () => void {
  const rowsOfProblems = new WeakMap<Problem, { acknowledgement: Acknowledgement | undefined; row: Row }>();

  function rowOf(problem: Problem, acknowledgement?: Acknowledgement): Row {
    const known = rowsOfProblems.get(problem);
    if (known && known.acknowledgement === acknowledgement) return known.row;
    const row = rowOfProblem(problem, acknowledgement);
    rowsOfProblems.set(problem, { acknowledgement, row });
    return row;
  }

  /** The same list as long as the problems are the same, and so are all acknowledgements. */
  const rowsOf = memoizeOne(
    (
      open: readonly Problem[],
      acknowledged: readonly Problem[],
      _all: AcknowledgementsState['all'],
    ): readonly Row[] => [
      ...withFolds(open).map((problem) => rowOf(problem)),
      ...acknowledged.map((problem) => rowOf(problem, acknowledgements.of(problem))),
    ],
  );

  return problems.subscribe(({ problems: open, acknowledged, examinedAt }) =>
    cache.putLocal(problemList, rowsOf(open, acknowledged, acknowledgements.getState().all), examinedAt),
  );
}

/** Problems with each fold before the first that it stands for. */
function withFolds(problems: readonly Problem[]): readonly Problem[] {
  const folds = new Map(foldedProblems(problems).flatMap((one) => (isFold(one) ? [[one.of[0], one] as const] : [])));
  return problems.flatMap((problem) => {
    const fold = folds.get(problem);
    return fold ? [fold, problem] : [problem];
  });
}
