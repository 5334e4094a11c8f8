import { actionWords, isInProgress } from '../../resources/account/events.ts';
import { liesUnder } from '../../resources/identity.ts';
import { rowOfEntity } from '../../resources/index.ts';
import { byUrgency } from '../../resources/problems/problem.ts';
import { problems as problemList } from '../../resources/problems/problems.ts';
import type { Problem } from '../../resources/problems/rule.ts';
import { at, type Params } from '../../resources/resource.ts';
import { durationText, minute, type Timestamp, timeOf } from '../../text/times.ts';
import { capitalized, listed } from '../../text/words.ts';
import type { Event, Poller } from '../events.ts';
import { allOf } from '../listeners.ts';
import type { Notice, NoticeContent, Notices } from '../notices.ts';
import type { Problems } from './problems.ts';
import type { Transition, Transitions } from './transitions.ts';

interface NotificationsParts {
  problems: Problems;
  transitions: Pick<Transitions, 'subscribe'>;
  events: Pick<Poller, 'getState' | 'subscribe'>;
  notices: Notices;
  now: () => Timestamp;
}

/** A notice that takes in what else happens of its kind within the merge window. */
interface MergedNotice<T> {
  notice: number;
  of: readonly T[];
  at: Timestamp;
}

/** Problems or events of one kind within this time share a notice. */
const mergeWindowMs = minute;
/** The end of an action that takes this long is told, whoever began it. */
const longActionMs = 30_000;
/** An event may be seen this long before the change that caused it is answered. */
const maxLeadMs = 5_000;
/** An event may be seen this long after the change that caused it. */
const maxLagMs = 10 * minute;
/** Problems of more kinds at once share one notice. */
const maxKinds = 3;

const tones: Readonly<Record<Problem['severity'], Notice['tone']>> = {
  critical: 'bad',
  warning: 'warn',
  notice: 'plain',
};

/** Tells the user of new problems and of finished actions, on every screen. */
export function createNotifications({ problems, transitions, events, notices, now }: NotificationsParts) {
  const byRule = new Map<string, MergedNotice<Problem>>();
  const byAction = new Map<string, MergedNotice<Event>>();
  /** When each event in progress was seen first, in ms since the epoch. */
  const seenAt = new Map<Event['id'], number>();
  /** The rows that this session has changed. */
  let ownChanges: readonly { params: Params; at: Timestamp }[] = [];
  let leave: (() => void) | undefined;
  let release: (() => void) | undefined;

  /** Adds a notice, or replaces the last of the same kind within the merge window. */
  function say<T extends { id: unknown }>(
    merged: Map<string, MergedNotice<T>>,
    kind: string,
    more: readonly T[],
    speak: (all: readonly T[]) => NoticeContent,
  ): void {
    const last = merged.get(kind);
    const before = last && now() - last.at < mergeWindowMs ? last : undefined;
    const ids = new Set(more.map(({ id }) => id));
    const of = [...(before?.of ?? []).filter(({ id }) => !ids.has(id)), ...more];
    const { tone, text, about } = speak(of);
    merged.set(kind, { notice: notices.add({ tone, text, about }, before?.notice), of, at: now() });
  }

  /** Tells what is new, or worse than it was. */
  function sayNew(transitions: readonly Transition[]): void {
    const better = new Set(transitions.map((one) => one.on === 'recovered' && one.problem.id));
    const added = transitions.flatMap((one) =>
      one.on === 'job-ended' || one.on !== one.problem.severity || better.has(one.problem.id) ? [] : one.problem,
    );
    const kinds = Map.groupBy(added, ({ rule }) => rule);
    if (kinds.size > maxKinds) {
      const [worst] = added.toSorted(byUrgency);
      if (worst)
        notices.add({
          tone: tones[worst.severity],
          text: `${added.length} new problems; the worst: ${worst.says}.`,
          about: { resource: problemList.name },
        });
      return;
    }
    for (const [rule, those] of kinds) say(byRule, rule, those, problemsNotice);
  }

  function noteEvents(all: readonly Event[]): void {
    const running = all.filter(isInProgress);
    const ids = new Set(running.map(({ id }) => id));
    for (const id of seenAt.keys()) if (!ids.has(id)) seenAt.delete(id);
    for (const { id } of running) if (!seenAt.has(id)) seenAt.set(id, now());
  }

  function sayEnd(job: Event): void {
    const since = seenAt.get(job.id);
    if (since === undefined || job.status !== 'finished') return;
    if (now() - since >= longActionMs || isOwn(job, since))
      say(byAction, job.action, [job], (those) => endNotice(those, now()));
  }

  function isOwn({ entity }: Event, since: number): boolean {
    const { params: about = {} } = rowOfEntity(entity) ?? {};
    const isCause = ({ params, at: time }: (typeof ownChanges)[number]) =>
      since > time - maxLeadMs && since < time + maxLagMs && liesUnder(params, about);
    return Object.keys(about).length > 0 && ownChanges.some(isCause);
  }

  function wantExamined(): void {
    if (release || problems.getState().examinedAt === undefined) return;
    release = problems.watch();
  }

  function stop(): void {
    leave?.();
    leave = undefined;
    release?.();
    release = undefined;
  }

  return {
    /** Reads nothing by itself: once another subscriber has had the problems examined, they stay examined on every screen. */
    start: () => {
      stop();
      noteEvents(events.getState().events);
      wantExamined();
      leave = allOf([
        problems.subscribe(wantExamined),
        transitions.subscribe((all) => {
          sayNew(all);
          for (const one of all) if (one.on === 'job-ended') sayEnd(one.job);
        }),
        events.subscribe((after, before) => {
          if (after.events !== before.events) noteEvents(after.events);
        }),
      ]);
    },
    /** Notes that this session has changed the row of these parameters: its actions are told when they end. */
    noteChange: (params: Params) => {
      ownChanges = [...ownChanges.filter((one) => now() - one.at < maxLagMs), { params, at: now() }];
    },
    stop,
  };
}

/** Problems of one rule, the worst first, in one sentence. */
function problemsNotice(all: readonly Problem[]): NoticeContent {
  const [first, ...others] = all;
  if (!first) throw new Error('no problem to tell');
  const { severity, says, resource, params } = first;
  const more = listed(others.map(({ label }) => label));
  return {
    tone: tones[severity],
    text: more === '' ? `${says}.` : `${says}; the same for ${more}.`,
    about: more === '' ? { resource, params } : { resource: problemList.name },
  };
}

/** The end of actions of one kind, in one sentence. */
function endNotice(all: readonly Event[], now: number): NoticeContent {
  const [first, ...others] = all;
  if (!first) throw new Error('no event to tell');
  const names = all.flatMap(({ entity }) => String(at(entity, 'label') ?? at(entity, 'id') ?? ''));
  const about = names.some(Boolean) ? ` of ${listed(names.filter(Boolean))}` : '';
  const took = others.length > 0 ? '' : ` after ${tookText(first, now)}`;
  return {
    tone: 'good',
    text: `${capitalized(actionWords(first.action))}${about} finished${took}.`,
    about: others.length > 0 ? { resource: 'events' } : rowOfEntity(first.entity),
  };
}

const tookText = ({ duration, created }: Event, now: number): string =>
  durationText(typeof duration === 'number' ? duration : Math.max(0, Math.round((now - timeOf(created)) / 1000)));
