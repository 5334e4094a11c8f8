import { actionWords, isInProgress, isOver } from '../../resources/account/events.ts';
import { liesUnder } from '../../resources/identity.ts';
import { type Problem, unfolded } from '../../resources/problems/rule.ts';
import type { Params, Resource, Row } from '../../resources/resource.ts';
import { statusOf } from '../../resources/wording.ts';
import { capitalized, counted } from '../../text/words.ts';
import { type Event, type Poller, progressOf } from '../events.ts';
import { allOf, createListeners } from '../listeners.ts';
import type { Notices } from '../notices.ts';
import { eventsName } from '../queries.ts';
import { allProblems, type Problems } from './problems.ts';

/** A row, a job or a problem whose end is to be told. */
export interface Reminded {
  resource: Resource;
  row?: Row;
  params: Params;
  problem?: Problem;
}

interface RemindersParts {
  problems: Problems;
  events: Pick<Poller, 'getState' | 'subscribe'>;
  notices: Notices;
}

/** The end that is waited for: that of a job, or of all of some problems. */
type Awaited = { job: Event } | { problems: readonly Problem[] };

interface Reminder {
  awaited: Awaited;
  label: string;
  about: { resource: string; params?: Params };
  release: () => void;
}

/** Tells once that a job has ended or a problem is gone, where the user has asked for that. */
export function createReminders({ problems, events, notices }: RemindersParts) {
  const reminders = new Map<string, Reminder>();
  const listeners = createListeners<[says: string]>();

  function awaitedOf({ resource, row, params, problem }: Reminded): Awaited | undefined {
    if (problem) return { problems: unfolded(problem) };
    const all = events.getState().events;
    const own = resource.name === eventsName ? all.find(({ id }) => id === row?.id) : undefined;
    const job =
      own ?? (resource.entity && row ? progressOf(all, resource.entity, row[resource.id], resource.events) : undefined);
    if (job && isInProgress(job)) return { job };
    const isAbout = (one: Problem) => one.resource === resource.name && liesUnder(one.params, params);
    const found = problems.getState().problems.filter(isAbout);
    return found.length > 0 ? { problems: found } : undefined;
  }

  /** The sentence to be told; undefined as long as it goes on. */
  function dueText({ awaited, label }: Reminder): string | undefined {
    if ('job' in awaited) {
      const now = events.getState().events.find(({ id }) => id === awaited.job.id);
      if (now === undefined || !isOver(now)) return undefined;
      const how = statusOf(now) === 'failed' ? 'failed' : 'ended';
      return `${capitalized(actionWords(now.action))} of ${label} has ${how}.`;
    }
    const there = new Set(allProblems(problems.getState()).map(({ id }) => id));
    if (awaited.problems.some(({ id }) => there.has(id))) return undefined;
    const [first, ...others] = awaited.problems;
    return others.length > 0
      ? `${counted(awaited.problems.length, 'problem')} of ${label} are gone.`
      : `This is a problem no more: ${first?.says ?? label}.`;
  }

  function look(): void {
    for (const [key, reminder] of reminders) {
      const says = dueText(reminder);
      if (says === undefined) continue;
      drop(key);
      notices.add({ tone: 'good', text: says, about: reminder.about });
      listeners.tell(says);
    }
  }

  function drop(key: string): void {
    reminders.get(key)?.release();
    reminders.delete(key);
  }

  const leave = allOf([problems.subscribe(look), events.subscribe(look)]);

  return {
    /** Names the end that would be told; undefined where nothing is under way and nothing is wrong. */
    endOf: (about: Reminded) => {
      const awaited = awaitedOf(about);
      if (!awaited) return undefined;
      return 'job' in awaited ? 'when its job ends' : 'when it is solved';
    },
    isSet: (about: Reminded) => reminders.has(keyOf(about)),
    /** Sets it, or takes it back; a notice says so. */
    toggle: (about: Reminded) => {
      const key = keyOf(about);
      const label = labelOf(about);
      if (reminders.has(key)) {
        drop(key);
        notices.say('plain', `You are not notified of ${label} any more.`);
        return;
      }
      const awaited = awaitedOf(about);
      if (!awaited) {
        notices.say('plain', `${label} has no job in progress and no known problem.`);
        return;
      }
      // Problems stay examined until then, wherever the user goes.
      const release = 'job' in awaited ? () => {} : problems.watch();
      reminders.set(key, { awaited, label, about: { resource: about.resource.name, params: about.params }, release });
      const end =
        'job' in awaited
          ? `when ${actionWords(awaited.job.action)} of ${label} has ended`
          : `when all is well with ${label}`;
      notices.say('good', `You are notified once ${end}; notify again takes it back.`);
    },
    /** Called with a sentence when one is due. Returns an unsubscribe function. */
    onDue: listeners.subscribe,
    stop: () => {
      leave();
      for (const key of [...reminders.keys()]) drop(key);
    },
  };
}

const keyOf = ({ resource, params, problem }: Reminded): string =>
  problem ? problem.id : `${resource.name} ${JSON.stringify(params)}`;

/** Names the row; of a job what it is about. */
function labelOf({ resource, row, problem }: Reminded): string {
  if (problem) return problem.label;
  const entity = resource.name === eventsName ? (row?.entity as { label?: unknown } | null | undefined) : undefined;
  return typeof entity?.label === 'string' ? entity.label : row ? resource.label(row) : resource.one;
}
