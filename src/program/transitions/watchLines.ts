import { constants } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { redacted } from '../../api/redact.ts';
import { isInProgress } from '../../resources/account/events.ts';
import { onFailedRule } from '../../resources/safeDescription.ts';
import type { EventsState } from '../../store/events.ts';
import { allOf } from '../../store/listeners.ts';
import type { Unexamined } from '../../store/problems/ruleQueries.ts';
import { isTold } from '../../store/problems/transitions.ts';
import { isSame } from '../../store/rows.ts';
import { createStores, type Stores } from '../../store/stores.ts';
import { openFiles } from '../../terminal/files.ts';
import { visibleJson } from '../../text/escapes.ts';
import { timerDelay } from '../../text/times.ts';
import { accountOpener } from '../accounts/accountOpener.ts';
import { problemRow } from '../document.ts';
import { print } from '../output.ts';
import { type CommandRun, readNamedConfig, secretsOf, settingsOfProfile } from '../settings.ts';
import { openCallLog } from '../takeSnapshots.ts';
import { createHooks, transitionDocument } from './hooks.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A reader that is slow gets the last line whole; one that reads nothing for so long does not. */
const maxLastLineMs = 5_000;

/**
 * Writes the transitions of accounts to standard output until a signal comes. Returns the exit code; rejects with a
 * UsageError at the start, with an OutputError later.
 */
export async function watchLines(run: CommandRun): Promise<number> {
  const { invocation, host, profiles, secrets, child, complain } = run;
  const { env, stdout } = host;
  const first = await run.settings();
  const read = profiles && (await readNamedConfig(invocation.options, env));
  const several = read && profiles.map((profile) => settingsOfProfile(read, profile, invocation.options, env));
  const all = several ? await Promise.all(several) : [first];
  secrets.push(...all.flatMap(secretsOf));
  for (const text of first.leftOut) complain(`${text} It is left out.`);
  const log = openCallLog(run);
  const unsubscribe = onFailedRule(complain);
  const opener = accountOpener({
    invocation,
    host,
    files: openFiles(env.HOME),
    child,
    onCall: log.onCall,
    onFailure: complain,
  });
  opener.state.onNotice(complain);
  const hooks = createHooks({ env: opener.env, now: Date.now, tell: complain });
  // A reader that has gone ends the program at once.
  host.once('exit', hooks.stop);
  const accounts = all.map((settings) => {
    const { parts } = opener.open({ ...settings, readOnly: true });
    if (!parts.api.readOnly) throw new Error('an account that nobody looks at needs a read-only client');
    return createStores({ parts, start: { screen: 'home' }, now: Date.now });
  });
  let writing: Promise<void> = Promise.resolve();
  try {
    return await new Promise<number>((resolve, reject) => {
      const write = (line: string) => {
        writing = print(stdout, line).catch(reject);
      };
      for (const signal of signals) host.once(signal, () => resolve(128 + constants.signals[signal]));
      // Nothing else keeps the program from ending between two readings.
      const stay = () => void setTimeout(stay, timerDelay(Number.POSITIVE_INFINITY));
      stay();
      for (const stores of accounts) {
        hooks.follow(stores);
        writeTransitions(stores, write);
      }
    });
  } finally {
    unsubscribe();
    hooks.stop();
    for (const stores of accounts) stores.close();
    await opener.close();
    await Promise.race([writing, delay(maxLastLineMs)]);
    log.close();
  }
}

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

  const leave = allOf([
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
  ]);
  events.start();
  return leave;
}
