import type { Glyphs } from '../../components/format.ts';
import type { Role, Theme } from '../../components/theme.ts';
import type { Problem } from '../../resources/problems/rule.ts';
import type { CacheView } from '../../resources/resource.ts';
import type { Accounts } from '../../store/accounts/accounts.ts';
import { glanceAtAll } from '../../store/accounts/accounts.ts';
import { newlyCritical } from '../../store/problems/transitions.ts';
import { cell, clean, wrapCells } from '../../text/cells.ts';
import { clockTime, minute, type Timestamp } from '../../text/times.ts';
import { silenceOf } from '../accounts/accountRows.ts';
import { type Freshness, freshnessOf } from '../freshness.ts';
import type { HomeData } from '../home/tile.ts';
import { homeDataOf } from '../home/useHomeData.ts';
import type { AccountPart, Board } from './board.ts';

/** New critical problems, which keep the rotation at the board of problems. */
export interface Interruption {
  /** The most urgent first. */
  problems: readonly Problem[];
  /** In ms since the epoch, as is `until`. */
  since: number;
  until: number;
}

export const interruptionMs = 5 * minute;

/** The sentence of the most urgent problem, and the number of the others. */
export const newProblemsText = ([first, ...others]: readonly Problem[]): string =>
  `${first?.says ?? ''}${others.length > 0 ? ` (and ${others.length} more)` : ''}`;

/** A wall of one account or several: all are looked at, and each shows its boards in its turn. */
export type Wall = ReturnType<typeof createWall>;

/** Whether the accounts of a wall take turns: some boards show one of them only. */
export const haveTurns = ({ isShared }: Wall, boards: readonly Board[]): boolean =>
  isShared && boards.some(({ showsAll }) => !showsAll);

/** @param onCritical told of new critical problems of an account that is not on the screen */
export function createWall(accounts: Accounts, onCritical: (says: string) => void, now: () => number) {
  /** Whether there is more than one account. */
  const isShared = accounts.profiles().length > 1;
  const interruptions = new Map<string, Interruption>();

  /** Where all reads of an account have failed, its rules have been examined as well, and it could not be shown. */
  const isReady = (profile: string): boolean =>
    accounts.isLetIn(profile) && accounts.getState().opened[profile]?.problems.getState().examinedAt !== undefined;

  function look(profile: string, added: readonly Problem[]): void {
    if (added.length === 0 || accounts.getState().current === profile) return;
    interruptions.set(profile, { problems: added, since: now(), until: now() + interruptionMs });
    onCritical(`${profile}: ${newProblemsText(added)}`);
    void accounts.show(profile);
  }

  return {
    isShared,
    /** The new critical problems for which an account has come on the screen. */
    interruption: (profile: string) => {
      const found = interruptions.get(profile);
      interruptions.delete(profile);
      return found && found.until > now() ? found : undefined;
    },
    /** Gives the turn to the next account that was read. */
    next: () => {
      const { current } = accounts.getState();
      const all = accounts.profiles();
      const at = all.indexOf(current);
      // Boards of an account that was never read would be blank.
      const ready = [...all.slice(at + 1), ...all.slice(0, at)].find(isReady);
      if (ready !== undefined) void accounts.show(ready);
    },
    /** Whether a board has nothing to show: of any account where it shows all, else of this one. */
    isEmpty: (board: Board, view: CacheView) =>
      board.isEmpty(view) &&
      !(
        isShared &&
        board.showsAll &&
        Object.values(accounts.getState().opened).some((stores) => !board.isEmpty(stores.view))
      ),
    /** Whether the boards that show all accounts at once come in the turn of this one. */
    leads: (profile: string) => {
      const { current } = accounts.getState();
      return profile === (accounts.profiles().find(isReady) ?? current);
    },
    /** Looks at all accounts; returns a function that ends this. */
    start: () => {
      if (!isShared) return () => {};
      const ends = new Map<string, () => void>();
      const follow = () => {
        for (const [profile, stores] of Object.entries(accounts.getState().opened))
          if (!ends.has(profile))
            ends.set(
              profile,
              stores.transitions.subscribe((all) => look(profile, newlyCritical(all))),
            );
      };
      follow();
      const release = glanceAtAll(accounts);
      const unsubscribe = accounts.subscribe(follow);
      return () => {
        release();
        unsubscribe();
        for (const end of ends.values()) end();
      };
    },
  };
}

/** The accounts of a wall that are open, in the order of their profiles. */
export function accountParts(accounts: Accounts, glyphs: Glyphs): readonly AccountPart[] {
  const { opened } = accounts.getState();
  return accounts.profiles().flatMap((profile) => {
    const stores = opened[profile];
    if (!stores) return [];
    return [{ profile, hue: stores.configuration.getState().color, data: homeDataOf(stores, glyphs) }];
  });
}

/**
 * The freshness of each account of a wall, whether it is open or not.
 * @param since when they were asked first, in ms since the epoch, as is `now`
 */
export function allFreshness(accounts: Accounts, since: Timestamp, now: Timestamp) {
  const { opened, failures } = accounts.getState();
  return accounts.profiles().map((profile): { profile: string; freshness: Freshness } => {
    const stores = opened[profile];
    const why = failures[profile]?.replace(/\.$/, '');
    if (!stores) return { profile, freshness: { level: why === undefined ? 'reading' : 'blind', minutes: 0, why } };
    const freshness = freshnessOf(stores, now);
    const silence =
      freshness.level === 'fresh' || freshness.level === 'reading' ? silenceOf(stores, since, now) : undefined;
    if (silence === undefined) return { profile, freshness };
    return { profile, freshness: { ...freshness, level: 'blind', since: now - silence, why: 'no answer' } };
  });
}

/**
 * The problems of all accounts.
 * @param count of the accounts, of which some may not be open
 */
export function allProblems(accounts: readonly AccountPart[], count = accounts.length): HomeData['problems'] {
  const all = accounts.map(({ data }) => data.problems);
  return {
    problems: all.flatMap(({ problems }) => problems),
    acknowledged: all.flatMap(({ acknowledged }) => acknowledged),
    isPartial: accounts.length < count || all.some(({ examinedAt }) => examinedAt === undefined),
    examinedAt: all.find(({ examinedAt }) => examinedAt !== undefined)?.examinedAt,
  };
}

const roles: Readonly<Record<Freshness['level'], Role>> = {
  reading: 'busy',
  fresh: 'good',
  late: 'warn',
  blind: 'bad',
};

/** Screens of this height have a bar of `maxHeight` lines, legible from afar. */
const tallScreen = 30;
const maxHeight = 3;

type ToldFreshness = Pick<Freshness, 'level'> & { parts: readonly string[] };

/** The age of the data of one account. The time of the last answer tells a frozen screen from a quiet account. */
export const ownFreshness = (freshness: Freshness): ToldFreshness => ({
  level: freshness.level,
  parts: [wordsOf(freshness), ...detailsOf(freshness)],
});

const badness: readonly Freshness['level'][] = ['fresh', 'reading', 'late', 'blind'];

/** The same of several accounts: the level is that of the worst, and each that is not fresh is named. */
export function sharedFreshness(all: ReturnType<typeof allFreshness>): ToldFreshness {
  const fresh = all.filter(({ freshness }) => freshness.level === 'fresh');
  const others = all.filter(({ freshness }) => freshness.level !== 'fresh');
  const worst = all.reduce((sofar, { freshness }) => Math.max(sofar, badness.indexOf(freshness.level)), 0);
  const oldest = fresh.length > 0 ? Math.min(...fresh.map(({ freshness }) => freshness.dataAt ?? Infinity)) : undefined;
  const parts = [
    ...(fresh.length > 0 ? ['FRESH'] : []),
    ...others.map(({ profile, freshness }) => `${profile} ${wordsOf(freshness)}${reasonIn(freshness)}`),
    ...(oldest === undefined ? [] : [`data from ${clockTime(oldest)}`]),
  ];
  return { parts, level: badness[worst] ?? 'blind' };
}

const reasonIn = ({ since, why }: Freshness): string =>
  `${since === undefined ? '' : ` since ${clockTime(since)}`}${why === undefined ? '' : `: ${why}`}`;

/**
 * The bar with the age of the data, in words and in colour.
 * @param rows lines of the whole screen
 */
export function freshnessLines({ parts, level }: ToldFreshness, theme: Theme, width: number, rows: number) {
  const lines = wrapCells(clean(parts.join(' · ')), width - 4).slice(0, maxHeight);
  const above = rows >= tallScreen ? Math.floor((maxHeight - lines.length) / 2) : 0;
  const height = rows >= tallScreen ? maxHeight : lines.length;
  return Array.from({ length: height }, (_, row) =>
    theme.paint('cursor', theme.paint(roles[level], cell(`  ${lines[row - above] ?? ''}`, width))),
  );
}

/** `FRESH`, `2 MIN OLD`, `BLIND`. */
function wordsOf({ level, minutes, dataAt }: Freshness): string {
  if (level === 'reading') return 'READING';
  if (level === 'fresh') return 'FRESH';
  const age = minutes === 0 ? 'LESS THAN 1 MIN OLD' : `${ageWords(minutes)} OLD`;
  if (level === 'late') return dataAt === undefined ? 'INCOMPLETE' : age;
  return dataAt === undefined ? 'BLIND' : `BLIND, ${age}`;
}

const ageWords = (minutes: number): string => {
  if (minutes < 60) return `${minutes} MIN`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} H ${minutes % 60} MIN` : `${Math.floor(hours / 24)} D ${hours % 24} H`;
};

function detailsOf({ level, dataAt, why, since, nextAt }: Freshness): readonly string[] {
  if (level === 'fresh') return [`data from ${clockTime(dataAt)}`];
  return [
    ...(why === undefined ? [] : [since === undefined ? why : `since ${clockTime(since)}: ${why}`]),
    ...(nextAt === undefined ? [] : [`next try ${clockTime(nextAt, 8)}`]),
    ...(why === undefined && dataAt !== undefined ? [`data from ${clockTime(dataAt)}`] : []),
  ];
}
