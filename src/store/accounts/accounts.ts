import { createStore } from 'zustand/vanilla';
import { resourceNamed } from '../../resources/index.ts';
import { allOf } from '../listeners.ts';
import { viewQuery } from '../queries.ts';
import { isAccepted } from '../session.ts';
import type { Stores } from '../stores.ts';
import { onResults } from './results.ts';

/** An account that was opened. */
export interface OpenedAccount {
  stores: Stores;
  /** Asks the API once whether it accepts the token; resolves with why not, as a sentence. */
  whyRefused(): Promise<string | undefined>;
  /** Closes the connection. */
  close(): Promise<void>;
}

export interface AccountsState {
  /** The profile of the account on the screen. */
  current: string;
  /** The accounts opened so far, by profile. */
  opened: Readonly<Record<string, Stores>>;
  /** Sentences that say why accounts could not be opened, by profile. */
  failures: Readonly<Record<string, string>>;
}

/** The accounts of this session: one is on the screen, and those in the background read nothing unless it is wanted. */
export type Accounts = ReturnType<typeof createAccounts>;

interface AccountsParts {
  /** The profile of the first account. */
  first: string;
  stores: Stores;
  /** All profiles; called anew, as the configuration may be read again. */
  profiles: () => readonly string[];
  /** Opens the account of another profile; resolves with a sentence where it cannot be. */
  openOther: (profile: string) => Promise<OpenedAccount | string>;
}

/** Of the interval between two polls of the events. */
const backgroundFactor = 4;

/** An opening that takes longer is told. */
const noticedMs = 400;

function currentOf({ opened, current }: AccountsState): Stores {
  const stores = opened[current];
  if (!stores) throw new Error(`the account ${current} is not open`);
  return stores;
}

/** The accounts of this session; the first of them is opened at once. */
export function createAccounts({ first, stores, profiles, openOther }: AccountsParts) {
  const store = createStore<AccountsState>(() => ({ current: first, opened: {}, failures: {} }));
  const { getState, setState } = store;
  const others = new Map<string, Promise<OpenedAccount | string>>();
  /** The profiles whose accounts were on the screen; to those it returns at once, also while their API is away. */
  const seen = new Set([first]);
  const ends: (() => void)[] = [];
  /** The profile that the user has asked for last. */
  let asked: string | undefined;
  let isClosed = false;
  const reading = createReading(getState);
  const nameOf = (profile: string) => getState().opened[profile]?.settings.host ?? profile;
  const current = () => currentOf(getState());
  const isLetIn = (profile: string) => seen.has(profile) || isAccepted(getState().opened[profile]?.session);
  add(first, stores);

  return {
    ...store,
    /** The profiles that can be opened, that on the screen among them. */
    profiles: () => [...new Set([first, ...profiles()])],
    /** Whether the API has let an account in, so that it is shown at once. */
    isLetIn,
    /** The name of an account: its profile, or its host where none is used. */
    nameOf,
    /** The stores of the account on the screen. */
    current,
    /** Shows another account, which is opened where that is needed; where it fails, says why, and the present one stays. */
    show,
    /**
     * Has an account read although it is in the background, opened where that is needed; returns a function that ends it.
     * @param use subscribes to what is wanted of it, and returns a function that ends this
     */
    wake,
    /** Pauses all reading while nobody sees the screen. */
    pause: reading.pause,
    close: () => {
      isClosed = true;
      allOf(ends)();
      for (const stores of Object.values(getState().opened)) stores.close();
    },
  };

  function add(profile: string, stores: Stores): void {
    setState(({ opened, failures: { [profile]: _, ...failures } }) => ({
      opened: { ...opened, [profile]: stores },
      failures,
    }));
    ends.push(
      onResults(stores, (tone, text) => {
        if (getState().current === profile) return;
        const name = nameOf(profile);
        current().notices.add({ tone, text: `${name}: ${text}; :profile ${name} shows it.` });
      }),
    );
  }

  /** Opens an account once; one that failed is tried again. */
  function opening(profile: string): Promise<OpenedAccount | string> {
    const known = others.get(profile);
    if (known) return known;
    const begun = openOther(profile).then((account) => {
      if (typeof account === 'string') {
        others.delete(profile);
        setState(({ failures }) => ({ failures: { ...failures, [profile]: account } }));
      } else if (isClosed) {
        account.stores.close();
      } else {
        add(profile, account.stores);
        account.stores.events.setIntervalFactor(backgroundFactor);
        // Nothing is read before somebody wants it.
        reading.pace(profile);
      }
      return account;
    });
    others.set(profile, begun);
    return begun;
  }

  async function show(profile: string): Promise<void> {
    asked = profile;
    if (profile === getState().current)
      return void current().notices.say('plain', `${nameOf(profile)} is on the screen.`);
    const from = getState().current;
    const isKnown = isLetIn(profile);
    const timer = setTimeout(() => {
      if (asked === profile) current().notices.say('plain', `Opening ${profile} …`);
    }, noticedMs);
    const why = isKnown ? undefined : await whyNot(profile);
    clearTimeout(timer);
    // Another one was asked for meanwhile, or the program ends.
    if (asked !== profile || isClosed) return;
    if (why !== undefined) current().notices.say('bad', `${profile} was not opened: ${why}`);
    // Keys meant for a form of this account must not reach the other one.
    else if (!isKnown && current().navigation.getState().overlays.length > 0)
      current().notices.say('plain', `${profile} is open now; :profile ${profile} shows it.`);
    else exchange(from, profile);
  }

  /** Why an account cannot be shown; one that is refused is forgotten, so that its token is read again the next time. */
  async function whyNot(profile: string): Promise<string | undefined> {
    const account = await opening(profile);
    if (typeof account === 'string') return account;
    const why = await withinTime(account.whyRefused());
    if (why === undefined || isAccepted(account.stores.session)) return undefined;
    if (!reading.isWanted(profile)) forget(profile, account);
    return why;
  }

  function forget(profile: string, { stores, close }: OpenedAccount): void {
    others.delete(profile);
    reading.forget(profile);
    setState(({ opened: { [profile]: _, ...opened } }) => ({ opened }));
    stores.close();
    void close();
  }

  function exchange(from: string, to: string): void {
    // A theme is chosen for the terminal, whatever it shows.
    const { theme } = current().session.getState();
    if (theme !== undefined) getState().opened[to]?.session.setState({ theme });
    seen.add(to);
    setState({ current: to });
    getState().opened[from]?.events.setIntervalFactor(backgroundFactor);
    current().events.setIntervalFactor(1);
    reading.pace(from);
    reading.pace(to);
  }

  function wake(profile: string, use: (stores: Stores) => () => void): () => void {
    let end = () => {};
    let isOver = false;
    const begin = (stores: Stores) => {
      if (isOver) return;
      const release = reading.want(profile);
      stores.events.start();
      end = allOf([use(stores), release]);
    };
    const known = getState().opened[profile];
    if (known) begin(known);
    else
      void opening(profile).then((account) => {
        if (typeof account !== 'string' && !isClosed) begin(account.stores);
      });
    return () => {
      isOver = true;
      end();
      end = () => {};
    };
  }
}

/** Lets accounts read: the one on the screen and those that are wanted, while somebody sees the screen. */
function createReading(getState: () => AccountsState) {
  /** The numbers of those who want an account to read in the background, by profile. */
  const wanted = new Map<string, number>();
  const paused = new Set<string>();
  let isHidden = false;
  const isWanted = (profile: string) => (wanted.get(profile) ?? 0) > 0;

  function pace(profile: string): void {
    const { current, opened } = getState();
    const isPaused = isHidden || !(profile === current || isWanted(profile));
    if (isPaused === paused.has(profile)) return;
    if (isPaused) paused.add(profile);
    else paused.delete(profile);
    opened[profile]?.pause(isPaused);
  }

  function count(profile: string, by: 1 | -1): void {
    wanted.set(profile, (wanted.get(profile) ?? 0) + by);
    pace(profile);
  }

  return {
    /** Has an account read or not, as it is to do now. */
    pace,
    isWanted,
    /** Has an account read in the background until the returned function is called. */
    want: (profile: string) => {
      count(profile, 1);
      return () => count(profile, -1);
    },
    /** The account is closed, and reads when it is opened again. */
    forget: (profile: string) => void paused.delete(profile),
    pause: (isPaused: boolean) => {
      isHidden = isPaused;
      for (const profile of Object.keys(getState().opened)) pace(profile);
    },
  };
}

/** An account that has not answered until then is not waited for. */
const answerMs = 10_000;

/** The reason of a refusal, or that there was no answer in time; undefined where the account is not refused. */
export const withinTime = (refusal: Promise<string | undefined>): Promise<string | undefined> =>
  new Promise((resolve, reject) => {
    const late = () => resolve(`There was no answer within ${answerMs / 1000} seconds.`);
    const timer = setTimeout(late, answerMs);
    refusal.then(resolve, reject).finally(() => clearTimeout(timer));
  });

/** Reads the balance of an account, and the sum that is not invoiced yet. */
export const moneyOf = viewQuery(resourceNamed('account'), {});

/**
 * Has all accounts examined at the pace of what is on no screen, each by itself, so that none waits for another one.
 * Returns a function that ends this.
 */
export const glanceAtAll = (accounts: Accounts): (() => void) =>
  allOf(
    accounts
      .profiles()
      .map((profile) =>
        accounts.wake(profile, ({ problems, scheduler }) =>
          allOf([problems.watch(), scheduler.subscribe([moneyOf], 'account')]),
        ),
      ),
  );
