import { createStore, type StoreApi } from 'zustand/vanilla';
import { clockDifference, wrongClockText } from '../api/apiClock.ts';
import type { Api } from '../api/client.ts';
import type { ApiError } from '../api/error.ts';
import { actionsOfCommands } from '../config/commandActions.ts';
import type { Configuration, Reread } from '../config/configuration.ts';
import type { CommandsFile } from '../config/missingCommands.ts';
import { resourceNamed, setUserActions } from '../resources/index.ts';
import type { Problem } from '../resources/problems/rule.ts';
import { setUserRules } from '../resources/rules/index.ts';
import type { Timestamp } from '../text/times.ts';
import { createAudit } from './audit/audit.ts';
import { createCache } from './cache.ts';
import { createCacheChanges } from './cacheChanges.ts';
import { createPendingChanges } from './changes/pendingChanges.ts';
import { createTransfers } from './changes/transfers.ts';
import { createEventInvalidation, createVisibleRows } from './eventInvalidation.ts';
import { createPoller } from './events.ts';
import { createFleet } from './fleet.ts';
import { createGate } from './guards/gate.ts';
import { createGuards } from './guards/guards.ts';
import type { AuditSource } from './history/auditLog.ts';
import { createSeenChanges } from './history/seenChanges.ts';
import type { AccountState } from './kept/accountState.ts';
import { createKeeping, restoreKept } from './kept/keeping.ts';
import { createKeptChanges } from './kept/keptChanges.ts';
import type { KeptSource } from './kept/keptRows.ts';
import { allOf } from './listeners.ts';
import type { Files, Programs } from './machine.ts';
import type { Place } from './navigation.ts';
import { createNotices, type Notice } from './notices.ts';
import { pacesFor } from './paces.ts';
import { accountOf, whenKnown } from './plans/planAccount.ts';
import { createPlans } from './plans/plans.ts';
import { createUnsent } from './plans/unsent.ts';
import { createAcknowledgements } from './problems/acknowledgements.ts';
import { createNotifications } from './problems/notifications.ts';
import { allProblems, createProblems, keepProblemList } from './problems/problems.ts';
import { createReminders } from './problems/reminders.ts';
import { createRuleQueries } from './problems/ruleQueries.ts';
import { createTransitions } from './problems/transitions.ts';
import { userRules } from './problems/userRules.ts';
import { isSame } from './rows.ts';
import { createScheduler } from './scheduler.ts';
import type { Session, Settings } from './session.ts';
import { createConfirmedView, createView } from './view.ts';
import { openNavigation } from './views/storedViews.ts';
import { createSavedViews, type ViewsFile } from './views/userViews.ts';

/** An account as the program has opened it. */
export interface AccountParts {
  api: Api;
  /** Created before the API, which reports every call to it. */
  session: Session;
  settings: Settings;
  /** Its guards must count, so it cannot be left out. */
  configuration: Configuration;
  /** Reads the configuration again; absent where there is none. */
  reread?: () => Promise<Reread>;
  files: Files;
  /** Programs of this machine; absent where none can be run. */
  programs?: Programs;
  /** The audit log; without it nothing is known of what was sent. */
  audit?: AuditSource;
  /** Nobody works here, as on the wall: of what is persisted only acknowledged problems are of use. */
  isWatched?: boolean;
  persist?: Persist;
}

/** Outlives the session; what is absent is forgotten at its end. */
interface Persist {
  /** Acknowledged problems, the last place, the views of lists and the plan. */
  state?: AccountState;
  /** The views that are saved by a name. */
  views?: ViewsFile;
  /** The commands that are added while the program runs. */
  commands?: CommandsFile;
  /** The lists of sessions before, which this one keeps for the next. */
  lists?: KeptSource;
  /** Keeps each message. */
  onNotice?: (notice: Notice) => void;
}

/** The state of a running dashboard, behind the screens: of one account. */
export type Stores = ReturnType<typeof createStores>;

interface StoresOptions {
  parts: AccountParts;
  /** Where to begin; the last place by default, else home. */
  start?: Place;
  /** Resolves when the first frame is drawn: what it does not show is read then. */
  drawn?: Promise<void>;
  now: () => Timestamp;
}

/** Creates and connects the stores. */
export function createStores({ parts, start, drawn, now }: StoresOptions) {
  const { api: unguarded, configuration: own, audit: source, isWatched = false, persist = {}, ...shared } = parts;
  const { session, settings } = shared;
  const { state, lists } = persist;
  const gate = createGate(unguarded);
  const worked = isWatched ? undefined : state;
  const { api } = gate;
  /** The user's own keys, views, commands, rules, hooks and guards; it may be read again meanwhile. */
  const configuration = createStore(() => own);
  const cache = createCache(api, now);
  const fleet = createFleet(cache, now);
  const paces = pacesFor(settings.refreshSeconds * 1000);
  const scheduler = createScheduler({ cache, now, paces, attemptOf: fleet.attemptOf });
  const visibleRows = createVisibleRows();
  const invalidation = createEventInvalidation(cache, scheduler, visibleRows, now);
  const transfers = createTransfers(now);
  const changes = createPendingChanges(now);
  const events = createPoller(api, now, invalidation.handle, scheduler.whenIdle);
  let isClockTold = false;
  const unsubscribe = events.subscribe((after, before) => {
    // Whatever happens here, another session may have had a part in it.
    if (state && after.polledAt !== before.polledAt) {
      state.look();
      acknowledgements.keep();
      unsent.takeUp();
    }
    if (after.events !== before.events) {
      const known = new Set(before.events);
      const fresh = after.events.filter((event) => !known.has(event));
      cache.putRows(resourceNamed('events'), fresh);
    }
    if (isTrouble(before.error) && !isTrouble(after.error)) scheduler.retryFailed();
    // By the clock of the machine, whatever time the session is given.
    const wrong = isClockTold ? undefined : wrongClockText(clockDifference(api.time(), Date.now()));
    isClockTold ||= wrong !== undefined;
    if (wrong !== undefined) notices.add({ tone: 'warn', text: `The clock of this machine ${wrong}` });
  });
  /** The cache as descriptions, rules and screens read it. */
  const view = createView({ cache, events, fleet, now });
  const confirmed = createConfirmedView({ cache, events, fleet, now }, view);
  const cacheChanges = createCacheChanges(cache, events);
  /** The rows that changed between two readings. */
  const seenChanges = createSeenChanges(cacheChanges, now);
  const rules = setUserRules(userRules(own.rules));
  const found = () => allProblems(problems.getState());
  const reading = { cache, cacheChanges, scheduler, events, lastOf: fleet.lastOf, found };
  const ruleQueries = createRuleQueries({ rules, view: confirmed, ...reading });
  const notices = createNotices(now, persist.onNotice);
  const complain = (text: string) => void notices.add({ tone: 'bad', text });
  const notKept = onceEach((says) => complain(`${says} ${lostText}`));
  const { navigation, leave: leaveNavigation } = openNavigation({
    parts: { cache, notices, view },
    start,
    views: worked?.of('view'),
    configuration,
    onTrouble: notKept,
  });
  /** Tells the rows that came, went or changed since an earlier session. */
  const keptChanges = createKeptChanges({ cache, notices, now });
  const leaveKept = lists && restoreKept({ source: lists, cache, keptChanges, notices, navigation, drawn });
  const acknowledgements = createAcknowledgements(now, state?.of('acknowledged'), notKept);
  const isAcknowledged = (problem: Problem) => acknowledgements.of(problem) !== undefined;
  const problems = createProblems({ rules, view: confirmed, cacheChanges, ruleQueries, isAcknowledged });
  acknowledgements.subscribe(problems.regroup);
  configuration.subscribe((after, before) => {
    if (isSame(after.rules, before.rules)) return;
    const others = setUserRules(userRules(after.rules));
    ruleQueries.replaceRules(others);
    problems.replaceRules(others);
  });
  const transitions = createTransitions({ api, problems, events, now });
  const notifications = createNotifications({ problems, transitions, events, notices, now });
  /** The ends that are to be told once. */
  const reminders = createReminders({ problems, events, notices });
  const keeping = lists && createKeeping({ source: lists, cache, events, navigation, view });
  /** The changes that were sent from here, as a list of the cache. */
  const audit = createAudit({ source, api, cache, navigation, notices, now });
  const account = () => accountOf(api, view, settings);
  /** Changes that are collected, to be carried out together. */
  const plans = createPlans({ account, state: worked, onTrouble: notKept, onLeftOut: complain });
  const unsent = createUnsent({ state: worked, plans, notices, now, onTrouble: notKept });
  void drawn?.then(unsent.takeUp);
  const leave = allOf([
    leaveNavigation,
    leaveKept,
    keepProblemList(cache, problems, acknowledgements),
    state?.onNews(acknowledgements.refresh),
    offerCommands(configuration),
    session.subscribe((after, before) => {
      if (after.trouble && !before.trouble) events.probe();
    }),
    // The account may be read only now.
    state && whenKnown(cache, state.confirm),
  ]);

  return {
    ...shared,
    /** Lets no change leave that the guards have not let pass. */
    api,
    guards: createGuards({ gate, configuration, cache, view: confirmed, now }),
    configuration,
    cache,
    scheduler,
    fleet,
    visibleRows,
    events,
    navigation,
    savedViews: createSavedViews(configuration, persist.views),
    /** Keeps what is added to the user's own commands; without it that lasts for the session. */
    commandsFile: persist.commands,
    notices,
    transfers,
    changes,
    audit,
    plans,
    unsent,
    view,
    seenChanges,
    keptChanges,
    problems,
    acknowledgements,
    transitions,
    notifications,
    reminders,
    ruleQueries,
    now,
    /** Pauses all reading while nobody sees the screen; reads what is due when the pause ends. */
    pause(isPaused: boolean) {
      events.pause(isPaused);
      scheduler.pause(isPaused);
      if (isPaused) keeping?.save();
    },
    close() {
      keeping?.stop();
      leave();
      for (const one of [keptChanges, notifications, transitions, reminders, audit, problems, events]) one.stop();
      unsubscribe();
      scheduler.stop();
      fleet.stop();
      plans.close();
      unsent.close();
      changes.stopAll();
      transfers.stop();
      invalidation.stop();
    },
  };
}

const lostText = 'Until that ends, nothing of this session is kept for the next.';

function onceEach(say: (says: string) => void): (says: string) => void {
  const said = new Set<string>();
  return (says) => {
    if (!said.has(says)) say(says);
    said.add(says);
  };
}

/** Offers the user's commands as actions, as the configuration has them; returns a function that ends this. */
function offerCommands(configuration: StoreApi<Configuration>): () => void {
  const owner = {};
  const offer = ({ commands }: Configuration) =>
    setUserActions(owner, commands.length > 0 ? actionsOfCommands(commands) : undefined);
  offer(configuration.getState());
  const leave = configuration.subscribe(offer);
  return () => {
    leave();
    setUserActions(owner, undefined);
  };
}

/** Whether a poll failed because of the API, and not for want of a scope. */
const isTrouble = (error: ApiError | undefined): boolean => error !== undefined && error.status !== 403;
