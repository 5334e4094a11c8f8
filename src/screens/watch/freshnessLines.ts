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
  const text = clean([wordsOf(freshness), ...detailsOf(freshness)].join(' · '));
  const lines = wrapCells(text, width - 4).slice(0, maxHeight);
  const above = rows >= tallScreen ? Math.floor((maxHeight - lines.length) / 2) : 0;
  const height = rows >= tallScreen ? maxHeight : lines.length;
  return Array.from({ length: height }, (_, row) =>
    theme.paint('cursor', theme.paint(roles[freshness.level], cell(`  ${lines[row - above] ?? ''}`, width))),
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
