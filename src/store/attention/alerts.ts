import { actionWords } from '../../resources/account/events.ts';
import { rowOfEntity } from '../../resources/index.ts';
import { problems as problemList } from '../../resources/problems/problems.ts';
import type { Problem } from '../../resources/problems/rule.ts';
import { at, type Params } from '../../resources/resource.ts';
import { minute, spanWords, timeOf } from '../../text/times.ts';
import { capitalized, counted, listed } from '../../text/words.ts';
import { type Event, isInProgress, type Poller } from '../events.ts';
import type { Notice, Notices, Said } from '../notices.ts';
import type { Problems, ProblemsState } from '../problems.ts';

/** Says, wherever the user is, what goes wrong and what long actions come to their end. */
export interface Alerts {
  /**
   * From now on, until it is stopped. Once somebody else has had the problems examined they stay wanted, wherever the
   * user goes; for the alerts alone nothing is read.
   */
  start(): void;
  /** This session has changed the row that these parameters name: what begins there now is waited for. */
  noteChange(params: Params): void;
  stop(): void;
}

interface AlertsParts {
  problems: Problems;
  events: Pick<Poller, 'getState' | 'subscribe'>;
  notices: Notices;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** News said together: a notice about one thing becomes one about several while more of the kind come. */
interface Saying<T> {
  notice: number;
  of: readonly T[];
  /** In ms since the epoch. */
  at: number;
}

/** The parameters of a row that was changed, and when, in ms since the epoch. */
interface Own {
  params: Params;
  at: number;
}

/** For so long more of one kind joins what was said, in ms. */
const together = minute;
/** A problem known so short a time ago is no news when it comes back, e.g. after a reboot, in ms. */
const knownFor = 60 * minute;
/** An action that takes so long is worth a word at its end, whoever began it, in ms. */
const long = 30_000;
/** An event may be seen before the change that began it is answered, by so many ms. */
const early = 5_000;
/** The effect of a change may show so late, in ms. */
const late = 10 * minute;
/** So many kinds of problems at once have a notice each. */
const mostKinds = 3;

const tones: Readonly<Record<Problem['severity'], Notice['tone']>> = {
  critical: 'bad',
  warning: 'warn',
  notice: 'plain',
};

export function createAlerts({ problems, events, notices, now }: AlertsParts): Alerts {
  /** The problems that were there lately, by id: since when they are wrong, and when they were there last, in ms since the epoch; without end where they are there still. */
  const lately = new Map<string, { since?: number; at: number }>();
  const byRule = new Map<string, Saying<Problem>>();
  const byAction = new Map<string, Saying<Event>>();
  /** When each event in progress was seen first, in ms since the epoch. */
  const seenAt = new Map<Event['id'], number>();
  let own: readonly Own[] = [];
  let leave: readonly (() => void)[] = [];
  let release: (() => void) | undefined;

  /** Says something, together with what was said of the same kind just before. */
  function say<T>(
    sayings: Map<string, Saying<T>>,
    kind: string,
    more: readonly T[],
    speak: (all: readonly T[]) => Said,
  ): void {
    const last = sayings.get(kind);
    const before = last && now() - last.at < together ? last : undefined;
    const of = [...(before?.of ?? []), ...more];
    const { tone, text, about } = speak(of);
    sayings.set(kind, { notice: notices.add({ tone, text, about }, before?.notice), of, at: now() });
  }

  function sayNew(found: readonly Problem[]): void {
    for (const [id, { at: last }] of lately) if (now() - last >= knownFor) lately.delete(id);
    const fresh = found.filter(({ id, since }) => !lately.has(id) || lately.get(id)?.since !== since);
    const kinds = Map.groupBy(fresh, ({ rule }) => rule);
    if (kinds.size > mostKinds) {
      const [worst] = fresh;
      if (worst)
        notices.add({
          tone: tones[worst.severity],
          text: `${fresh.length} new problems; the worst: ${worst.says}.`,
          about: { resource: problemList.name },
        });
      return;
    }
    for (const [rule, those] of kinds) say(byRule, rule, those, problemsNotice);
  }

  function noteEvents(all: readonly Event[]): void {
    const byId = new Map(all.map((event) => [event.id, event]));
    for (const [id, since] of seenAt) {
      const event = byId.get(id);
      if (event && isInProgress(event)) continue;
      seenAt.delete(id);
      if (event?.status !== 'finished') continue;
      if (now() - since >= long || isOwn(event, since))
        say(byAction, event.action, [event], (those) => endNotice(those, now()));
    }
    for (const event of all) if (isInProgress(event) && !seenAt.has(event.id)) seenAt.set(event.id, now());
  }

  function isOwn({ entity }: Event, since: number): boolean {
    const about = Object.entries(rowOfEntity(entity)?.params ?? {});
    return (
      about.length > 0 &&
      own.some(
        ({ params, at: time }) =>
          since > time - early && since < time + late && about.every(([name, id]) => params[name] === id),
      )
    );
  }

  function remember(after: ProblemsState, before: ProblemsState): void {
    if (after.problems === before.problems && after.acknowledged === before.acknowledged) return;
    const note = ({ problems, acknowledged }: ProblemsState, at: number) => {
      for (const list of [problems, acknowledged]) for (const { id, since } of list) lately.set(id, { since, at });
    };
    note(before, now());
    note(after, Number.POSITIVE_INFINITY);
  }

  function wantExamined(): void {
    if (release || problems.getState().examinedAt === undefined) return;
    release = problems.want();
  }

  function stop(): void {
    for (const away of leave) away();
    leave = [];
    release?.();
    release = undefined;
  }

  return {
    start: () => {
      stop();
      noteEvents(events.getState().events);
      wantExamined();
      leave = [
        problems.subscribe((after, before) => {
          wantExamined();
          if (after.news !== before.news) sayNew(after.news);
          remember(after, before);
        }),
        events.subscribe((after, before) => {
          if (after.events !== before.events) noteEvents(after.events);
        }),
      ];
    },
    noteChange: (params) => {
      own = [...own.filter((one) => now() - one.at < late), { params, at: now() }];
    },
    stop,
  };
}

/** Problems of one rule, the worst first, in one sentence. */
function problemsNotice(all: readonly Problem[]): Said {
  const [first, ...others] = all;
  if (!first) throw new Error('nothing is wrong');
  const { severity, says, resource, params } = first;
  const more = listed(others.map(({ label }) => label));
  return {
    tone: tones[severity],
    text: more === '' ? `${says}.` : `${says}; so it is with ${more}.`,
    about: more === '' ? { resource, params } : { resource: problemList.name },
  };
}

/** The end of actions of one kind, in one sentence. */
function endNotice(all: readonly Event[], now: number): Said {
  const [first, ...others] = all;
  if (!first) throw new Error('nothing has ended');
  const names = all.flatMap(({ entity }) => String(at(entity, 'label') ?? at(entity, 'id') ?? ''));
  const about = names.some(Boolean) ? ` of ${listed(names.filter(Boolean))}` : '';
  const took = others.length > 0 ? '' : ` after ${tookWords(first, now)}`;
  return {
    tone: 'good',
    text: `${capitalized(actionWords(first.action))}${about} finished${took}.`,
    about: others.length > 0 ? { resource: 'events' } : rowOfEntity(first.entity),
  };
}

function tookWords({ duration, created }: Event, now: number): string {
  const took = typeof duration === 'number' ? duration * 1000 : Math.max(0, now - timeOf(created));
  return took < 2 * minute ? counted(Math.round(took / 1000), 'second') : spanWords(took);
}
