import type { Role, Theme } from '../../components/theme.ts';
import { cell, clean, wrapCells } from '../../text/cells.ts';
import type { Freshness } from './freshness.ts';

const roles: Readonly<Record<Freshness['level'], Role>> = {
  reading: 'busy',
  fresh: 'good',
  late: 'warn',
  blind: 'bad',
};

/** From so many rows on the band is three lines high, so that it is seen from afar; more it never is. */
const roomy = 30;
const highest = 3;

/**
 * The band that tells how old what is shown is: its colour and its word change. It names the time at which the API last
 * answered, so that a screen that has stopped is told from one on which nothing happens.
 * @param rows how high the whole screen is
 */
export function freshnessLines(freshness: Freshness, theme: Theme, width: number, rows: number): readonly string[] {
  const text = clean([wordsOf(freshness), ...detailsOf(freshness)].join(' · '));
  const said = wrapCells(text, width - 4).slice(0, highest);
  const above = rows >= roomy ? Math.floor((highest - said.length) / 2) : 0;
  const height = rows >= roomy ? highest : said.length;
  return Array.from({ length: height }, (_, row) =>
    theme.paint('cursor', theme.paint(roles[freshness.level], cell(`  ${said[row - above] ?? ''}`, width))),
  );
}

/** `FRESH`, `2 MIN OLD`, `BLIND`. */
function wordsOf({ level, minutes, dataAt }: Freshness): string {
  if (level === 'reading') return 'READING';
  if (level === 'fresh') return 'FRESH';
  const age = minutes === 0 ? 'LESS THAN 1 MIN OLD' : `${ageWords(minutes)} OLD`;
  if (level === 'late') return dataAt === undefined ? 'NOT ALL READ' : age;
  return dataAt === undefined ? 'BLIND' : `BLIND, ${age}`;
}

const ageWords = (minutes: number): string => {
  if (minutes < 60) return `${minutes} MIN`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} H ${minutes % 60} MIN` : `${Math.floor(hours / 24)} D ${hours % 24} H`;
};

function detailsOf({ level, dataAt, why, since, nextAt }: Freshness): readonly string[] {
  if (level === 'fresh') return [`data of ${clockTime(dataAt)}`];
  return [
    ...(why === undefined ? [] : [since === undefined ? why : `${why}, since ${clockTime(since)}`]),
    ...(nextAt === undefined ? [] : [`next try ${clockTime(nextAt, 8)}`]),
    ...(why === undefined && dataAt !== undefined ? [`data of ${clockTime(dataAt)}`] : []),
  ];
}

/** A time of the day, to the minute or to the second. */
export const clockTime = (time: number | undefined, length = 5): string =>
  time === undefined ? '' : new Date(time).toTimeString().slice(0, length);
