import { redacted } from '../../api/redact.ts';
import { isInProgress } from '../../resources/account/events.ts';
import type { EventsState } from '../../store/events.ts';
import type { Unexamined } from '../../store/problems/ruleQueries.ts';
import { isTold } from '../../store/problems/transitions.ts';
import { isSame } from '../../store/rows.ts';
import type { Stores } from '../../store/stores.ts';
import { visibleJson } from '../../text/escapes.ts';
import { problemRow } from '../boards/problemTable.ts';
import { transitionDocument } from './transitionDocument.ts';

/** The parts of an account that are followed. */
type Followed = Pick<Stores, 'problems' | 'transitions' | 'ruleQueries' | 'events' | 'settings' | 'now'>;

/**
 * Writes a line of JSON for what is wrong and under way when the account was first examined, then one for each
 * transition, for what rules do not examine, and for the API going away and coming back.
 * @param write called with a line and its end
 * Returns a function that ends this.
 */
export function writeTransitions(account: Followed, write: (line: string) => void): () => void {
  const { problems, transitions, ruleQueries, events, settings, now } = account;
  const { profile } = settings;
  let isBegun = false;
  let isLost = false;
  let toldUnexamined: readonly Unexamined[] = [];

  const line = (document: object) => write(`${visibleJson(document)}\n`);
  const note = (on: string, more: object = {}) => line({ on, at: new Date(now()).toISOString(), profile, ...more });

  function begin(): void {
    const { polledAt, events: all, error, isReadingOn, isDayKnown, knownSince } = events.getState();
    const { examinedAt, problems: open } = problems.getState();
    // A token that may not see the events has no jobs to tell of.
    const mayNot = error?.status === 403;
    if (isBegun || isLost || isReadingOn || examinedAt === undefined) return;
    if (polledAt === undefined && !mayNot) return;
    isBegun = true;
    const told = open.filter(({ severity }) => severity !== 'notice');
    note('start', {
      problems: told.map(problemRow),
      ...(polledAt !== undefined && { jobs: all.filter(isInProgress).map((job) => redacted(job)) }),
      ...(isDayKnown === false && { events_since: new Date(knownSince ?? now()).toISOString() }),
    });
    tellUnexamined();
  }

  /** Tells the rows about which rules know nothing, now and whenever they are others; events have a line of their own. */
  function tellUnexamined(): void {
    const unexamined = ruleQueries.getState().unexamined.filter(({ since }) => since === undefined);
    if (!isBegun || isSame(unexamined, toldUnexamined)) return;
    toldUnexamined = unexamined;
    note('unexamined', { unexamined });
  }

  function noteTrouble({ error }: EventsState): void {
    // A token that may not see the events is answered all the same.
    const isAway = error !== undefined && error.status !== 403;
    if (isAway === isLost) return;
    isLost = isAway;
    if (isAway) note('lost', { says: error.message });
    else note('back');
  }

  const ends = [
    transitions.subscribe((all) => {
      if (isBegun) for (const one of all.filter(isTold)) line(transitionDocument(one, profile, now()));
    }),
    events.subscribe((state) => {
      noteTrouble(state);
      begin();
    }),
    problems.subscribe(begin),
    ruleQueries.subscribe(tellUnexamined),
    problems.watch(),
  ];
  events.start();
  return () => {
    for (const end of ends) end();
  };
}
