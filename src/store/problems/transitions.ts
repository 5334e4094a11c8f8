import { isInProgress } from '../../resources/account/events.ts';
import { compareIds } from '../../resources/identity.ts';
import { ruleNamed } from '../../resources/problems/index.ts';
import type { Problem } from '../../resources/problems/rule.ts';
import { statusOf } from '../../resources/wording.ts';
import type { Event, EventsState, Poller } from '../events.ts';
import type { Problems, ProblemsState } from './problems.ts';

/** Something that began or ended; of problems that nobody has acknowledged, and that are more than a notice. */
export type Transition =
  /**
   * `critical` and `warning`: a problem is new, or has become so; `recovered`: it is gone, or is less severe now; `found`:
   * it may be old, and is known only now, as its data were read for the first time or its acknowledgement has ended.
   */
  | { on: 'critical' | 'warning' | 'recovered' | 'found'; problem: Problem }
  /** A job of the API is over, whether it was seen in progress or not. */
  | { on: 'job-ended'; job: Event };

/** Tells each transition once, from the state of now on. Returns a function that ends this. */
export function onTransitions(
  { problems, events }: { problems: Pick<Problems, 'subscribe'>; events: Pick<Poller, 'subscribe'> },
  tell: (transition: Transition) => void,
): () => void {
  const ends = [
    problems.subscribe((after, before) => problemTransitions(before, after).forEach(tell)),
    events.subscribe((after, before) => jobTransitions(before, after).forEach(tell)),
  ];
  return () => {
    for (const end of ends) end();
  };
}

/** The transitions between two states of the problems; none before the account was examined once. */
export function problemTransitions(before: ProblemsState, after: ProblemsState): readonly Transition[] {
  if (before.examinedAt === undefined) return [];
  if (after.problems === before.problems && after.acknowledged === before.acknowledged) return [];
  const open = byId(before.problems);
  const known = byId(before.acknowledged);
  const there = byId([...after.problems, ...after.acknowledged]);
  const news = byId(after.news === before.news ? [] : after.news);
  // A problem of a rule that was taken away was not mended.
  const gone = before.problems.filter(({ id, rule }) => !there.has(id) && ruleNamed(rule) !== undefined);
  return [
    ...gone.filter(isTold).map((problem): Transition => ({ on: 'recovered', problem })),
    ...after.problems.flatMap((problem): readonly Transition[] => {
      const last = open.get(problem.id);
      if (last) return last === problem ? none : stepsOf(last, problem);
      if (!isTold(problem)) return none;
      const acknowledged = known.get(problem.id);
      const isNew = acknowledged ? acknowledged.severity !== problem.severity : news.has(problem.id);
      return [{ on: isNew ? problem.severity : 'found', problem }];
    }),
  ];
}

type ToldProblem = Problem & { severity: 'critical' | 'warning' };

const isTold = (problem: Problem): problem is ToldProblem => problem.severity !== 'notice';

const none: readonly never[] = [];

const byId = (problems: readonly Problem[]): ReadonlyMap<string, Problem> =>
  new Map(problems.map((problem) => [problem.id, problem]));

/** The transitions of a problem that stays, but may be of another severity. */
function stepsOf(last: Problem, problem: Problem): readonly Transition[] {
  if (last.severity === problem.severity) return none;
  const isLess = last.severity === 'critical' || !isTold(problem);
  return [
    ...(isLess && isTold(last) ? [{ on: 'recovered', problem: last } as const] : none),
    ...(isTold(problem) ? [{ on: problem.severity, problem }] : none),
  ];
}

const ends: ReadonlySet<string> = new Set(['finished', 'failed']);

/** The jobs that ended between two states of the events, the oldest first; none before the first poll. */
export function jobTransitions(before: EventsState, after: EventsState): readonly Transition[] {
  if (before.polledAt === undefined || after.events === before.events) return [];
  const known = new Map(before.events.map((event) => [event.id, event]));
  const [newest] = before.events;
  const hasEnded = (event: Event): boolean => {
    const last = known.get(event.id);
    if (last) return isInProgress(last) && !isInProgress(event);
    // One that began and ended between two polls; the older ones of another page are no news.
    return ends.has(statusOf(event)) && (newest === undefined || compareIds(event.id, newest.id) > 0);
  };
  return after.events
    .filter((event) => known.get(event.id) !== event && hasEnded(event))
    .map((job): Transition => ({ on: 'job-ended', job }))
    .toReversed();
}
