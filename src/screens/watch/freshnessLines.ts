import type { Role, Theme } from '../../components/theme.ts';
import { cell, clean, wrapCells } from '../../text/cells.ts';
import type { Freshness } from '../freshness.ts';

const roles: Readonly<Record<Freshness['level'], Role>> = {
  reading: 'busy',
  fresh: 'good',
  late: 'warn',
  blind: 'bad',
};

/** Screens of this height have a bar of `maxHeight` lines, legible from afar. */
const tallScreen = 30;
const maxHeight = 3;

/**
 * The bar with the age of the data, in words and in colour. The time of the last answer tells a frozen screen from a
 * quiet account.
 * @param rows lines of the whole screen
 */
export function freshnessLines(freshness: Freshness, theme: Theme, width: number, rows: number): readonly string[] {
  return bar([wordsOf(freshness), ...detailsOf(freshness)], freshness.level, theme, width, rows);
}

/** The freshness of an account of a wall. */
export interface AccountFreshness {
  profile: string;
  freshness: Freshness;
}

const badness: readonly Freshness['level'][] = ['fresh', 'reading', 'late', 'blind'];

/** The bar of a wall of several accounts: its colour is that of the worst, and each that is not fresh is named. */
export function sharedFreshnessLines(
  all: readonly AccountFreshness[],
  theme: Theme,
  width: number,
  rows: number,
): readonly string[] {
  const fresh = all.filter(({ freshness }) => freshness.level === 'fresh');
  const others = all.filter(({ freshness }) => freshness.level !== 'fresh');
  const worst = all.reduce((sofar, { freshness }) => Math.max(sofar, badness.indexOf(freshness.level)), 0);
  const oldest = fresh.length > 0 ? Math.min(...fresh.map(({ freshness }) => freshness.dataAt ?? Infinity)) : undefined;
  const parts = [
    ...(fresh.length > 0 ? ['FRESH'] : []),
    ...others.map(({ profile, freshness }) => `${profile} ${wordsOf(freshness)}${reasonIn(freshness)}`),
    ...(oldest === undefined ? [] : [`data from ${clockTime(oldest)}`]),
  ];
  return bar(parts, badness[worst] ?? 'blind', theme, width, rows);
}

const reasonIn = ({ since, why }: Freshness): string =>
  `${since === undefined ? '' : ` since ${clockTime(since)}`}${why === undefined ? '' : `: ${why}`}`;

function bar(
  parts: readonly string[],
  level: Freshness['level'],
  theme: Theme,
  width: number,
  rows: number,
): readonly string[] {
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

/** A local time of day; with 8 characters, to the second. */
export const clockTime = (time: number | undefined, length = 5): string =>
  time === undefined ? '' : new Date(time).toTimeString().slice(0, length);
