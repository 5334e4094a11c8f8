import type { Api } from '../../api/client.ts';
import { isOver } from '../../resources/account/events.ts';
import { compareIds } from '../../resources/identity.ts';
import { weights } from '../../resources/problems/problem.ts';
import type { Problem, Severity } from '../../resources/problems/rule.ts';
import { none } from '../../resources/row.ts';
import { ruleNamed } from '../../resources/rules/index.ts';
import { statusOf } from '../../resources/wording.ts';
import { minute, type Timestamp } from '../../text/times.ts';
import type { Event, EventsState, Poller } from '../events.ts';
import { allOf, createListeners } from '../listeners.ts';
import { allProblems, type Problems, type ProblemsState } from './problems.ts';

/** Something that began or ended; of problems that nobody has acknowledged. */
export type Transition =
  /**
   * A problem is new, or has become as severe; `recovered`: it is gone, or is less severe now; `found`: it may be old, and
   * is known only now, as its data were read for the first time or its acknowledgement has ended, or it only came back.
   */
  | {
      on: Severity | 'recovered' | 'found';
      problem: Problem;
      /** It comes and goes, so that nobody needs to be told anew. */
      isRepeat?: true;
    }
  /** A job of the API is over, whether it was seen in progress or not. */
  | { on: 'job-ended'; job: Event };

/** Tells all who ask the same of what begins and ends in an account. */
export type Transitions = ReturnType<typeof createTransitions>;

/** A problem that is back, or is as severe again, within this time is not new; one that then stays for as long is. */
export const quietMs = 10 * minute;

/** Tells each transition once. */
export function createTransitions({ api, problems, events, now }: TransitionsParts) {
  const openedAt = now();
  /** The start by the clock of the API, by which problems begin. */
  const startedAt = () => openedAt - now() + (api?.time()?.to ?? now());
  const listeners = createListeners<[transitions: readonly Transition[]]>();
  /** When problems went, by severity and id. */
  const gone = new Map<string, Timestamp>();
  /** When those came back that were not new then. */
  const back = new Map<string, Timestamp>();

  /** Calls those new that only come and go by what they are. */
  function settled(transition: Transition): Transition {
    if (transition.on === 'job-ended' || transition.on === 'found') return transition;
    const { on, problem } = transition;
    const key = keyOf(problem);
    if (on === 'recovered') {
      gone.set(key, now());
      return back.delete(key) ? { ...transition, isRepeat: true } : transition;
    }
    if (now() - (gone.get(key) ?? Number.NEGATIVE_INFINITY) >= quietMs) return transition;
    back.set(key, now());
    return { on: 'found', problem, isRepeat: true };
  }

  /** Those that came back and have stayed. */
  function stayed(): readonly Transition[] {
    for (const [key, at] of gone) if (now() - at >= quietMs) gone.delete(key);
    if (back.size === 0) return none;
    const open = new Map(problems.getState().problems.map((problem) => [keyOf(problem), problem]));
    return [...back].flatMap(([key, since]): readonly Transition[] => {
      const problem = open.get(key);
      if (problem && now() - since < quietMs) return none;
      back.delete(key);
      return problem ? [{ on: problem.severity, problem }] : none;
    });
  }

  function tell(found: readonly Transition[]): void {
    const all = [...found.map(settled), ...stayed()];
    if (all.length > 0) listeners.tell(all);
  }

  const stop = allOf([
    problems.subscribe((after, before) => tell(problemTransitions(before, after, startedAt()))),
    events.subscribe((after, before) => tell(jobTransitions(before, after))),
  ]);
  /** Calls the listener with what happened at once, from now on; returns an unsubscribe function. */
  const { subscribe } = listeners;
  return { subscribe, stop };
}

interface TransitionsParts {
  /** Tells the time; without it, it is that of this machine. */
  api?: Pick<Api, 'time'>;
  problems: Pick<Problems, 'getState' | 'subscribe'>;
  events: Pick<Poller, 'subscribe'>;
  now: () => Timestamp;
}

/** The critical problems among what is new. */
export const newlyCritical = (all: readonly Transition[]): readonly Problem[] =>
  all.flatMap((one) => (one.on === 'critical' ? one.problem : []));

const keyOf = ({ id, severity }: Problem): string => `${severity} ${id}`;

/** Whether it is told to programs: a job, or a problem that is more than a notice. */
export const isTold = (one: Transition): boolean => one.on === 'job-ended' || one.problem.severity !== 'notice';

/**
 * The transitions between two states of the problems; before the account was examined once, only those that began since.
 * @param startedAt what began later is new, also where its data are read only now; by the clock of the API
 */
export function problemTransitions(
  before: ProblemsState,
  after: ProblemsState,
  startedAt: Timestamp,
): readonly Transition[] {
  if (after.problems === before.problems && after.acknowledged === before.acknowledged) return [];
  const open = byId(before.problems);
  const known = byId(before.acknowledged);
  const news = byId(after.news === before.news ? [] : after.news);
  const there = byId(allProblems(after));
  const isFirst = before.examinedAt === undefined;
  // A problem of a rule that was taken away was not mended.
  const gone = isFirst ? [] : before.problems.filter(({ id, rule }) => !there.has(id) && ruleNamed(rule) !== undefined);
  return [
    ...gone.map((problem): Transition => ({ on: 'recovered', problem })),
    ...after.problems.flatMap((problem): readonly Transition[] => {
      const { id, severity, since = Number.NEGATIVE_INFINITY } = problem;
      const last = open.get(id);
      const acknowledged = known.get(id);
      const isNew = since >= startedAt || (!isFirst && news.has(id));
      if (last) return isFirst || last === problem ? none : stepsOf(last, problem);
      if (acknowledged ? acknowledged.severity !== severity : isNew) return [{ on: severity, problem }];
      return isFirst ? none : [{ on: 'found', problem }];
    }),
  ];
}

const byId = (problems: readonly Problem[]): ReadonlyMap<string, Problem> =>
  new Map(problems.map((problem) => [problem.id, problem]));

/** The transitions of a problem that stays, but may be of another severity. */
function stepsOf(last: Problem, problem: Problem): readonly Transition[] {
  if (last.severity === problem.severity) return none;
  const isLess = weights[problem.severity] > weights[last.severity];
  return [...(isLess ? [{ on: 'recovered', problem: last } as const] : none), { on: problem.severity, problem }];
}

/** The jobs that ended between two states of the events, the oldest first; none before the first poll. */
export function jobTransitions(before: EventsState, after: EventsState): readonly Transition[] {
  if (before.polledAt === undefined || after.events === before.events) return [];
  const known = new Map(before.events.map((event) => [event.id, event]));
  const [newest] = before.events;
  const endsNow = (event: Event): boolean => {
    const last = known.get(event.id);
    if (last) return !isOver(last) && isOver(event);
    // One that began and ended between two polls; the older ones of another page are no news.
    return /^(?:finished|failed)$/.test(statusOf(event)) && (!newest || compareIds(event.id, newest.id) > 0);
  };
  return after.events
    .filter((event) => known.get(event.id) !== event && endsNow(event))
    .map((job): Transition => ({ on: 'job-ended', job }))
    .toReversed();
}
