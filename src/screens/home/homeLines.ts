import { cell, cut, widthOf } from '../../components/cells.ts';
import { progressBar } from '../../components/chart.ts';
import { ageText, durationText, grouped, look, statusRole, timeOf } from '../../components/looks.ts';
import { marksOf, pointerOf, type Role, type Theme } from '../../components/theme.ts';
import { actionWords } from '../../resources/account/events.ts';
import { at, type Resource } from '../../resources/resource.ts';
import { type Event, percentOf } from '../../store/events.ts';
import type { Collection } from '../../store/records.ts';
import { type Board, type Count, type Problem, secondsLeft } from './home.ts';

/** How a line of the home screen is drawn. */
export interface HomePen {
  theme: Theme;
  /** Milliseconds since the epoch. */
  now: number;
  /** Cells. */
  width: number;
}

const pointer = (theme: Theme, isCurrent: boolean) => `${pointerOf(theme, isCurrent)} `;

const named = (theme: Theme, text: string, isCurrent: boolean, role: Role = 'plain') =>
  theme.paint(isCurrent ? 'cursor' : role, text);

/** The name of a section, then a rule as wide as the screen. */
export function sectionLine({ theme, width }: HomePen, title: string): string {
  const dash = marksOf(theme).dash;
  const rule = dash.repeat(Math.max(0, width - widthOf(title) - 3));
  return ` ${theme.paint('title', title)} ${theme.paint('dim', rule)}`;
}

/** The heading of a board: what is counted, by what, and how many there are as far as they are loaded. */
export function boardHead(
  { theme, width }: HomePen,
  board: Board,
  collection: Collection | undefined,
  isCurrent: boolean,
) {
  const { resource, column } = board;
  const name = `${resource.many} by ${column.title.toLowerCase()}`;
  const count = cut(`  ${countText(collection)}`, Math.max(0, width - widthOf(name) - 2));
  const blank = ' '.repeat(Math.max(0, width - 2 - widthOf(name) - widthOf(count)));
  return `${pointer(theme, isCurrent)}${named(theme, name, isCurrent, 'title')}${theme.paint('dim', count)}${blank}`;
}

function countText(collection: Collection | undefined): string {
  if (!collection || (collection.loading && collection.rows.length === 0)) return '';
  const { rows, results, loading } = collection;
  if (loading && results !== undefined && rows.length < results)
    return `${grouped(rows.length)} of ${grouped(results)} …`;
  return grouped(rows.length);
}

const labelWidth = 17;
const countWidth = 6;

/** How many rows have one value of a column, exactly as wide as the pen: the value, the number, its share as a bar. */
export function countLine(
  { theme, width, now }: HomePen,
  board: Board,
  count: Count,
  total: number,
  isCurrent: boolean,
) {
  const isStatus = board.column.look === 'status';
  const { text, role } = isStatus
    ? look(count.value, 'status', { now, glyphs: theme.glyphs })
    : { text: count.value, role: 'series1' as const };
  const label = cell(text, Math.min(labelWidth, width - countWidth - 2));
  const room = Math.max(0, width - 2 - widthOf(label) - countWidth - 2);
  // What is there at all shows, however few it is among many.
  const share = Math.max((count.count / Math.max(1, total)) * 100, room > 0 ? 50 / room : 0);
  const bar = progressBar(share, Math.max(0, room - 2), theme.glyphs).replace(/[░.]+$/, (rest) =>
    ' '.repeat(rest.length),
  );
  const number = cell(grouped(count.count), countWidth, 'right');
  const tail = ' '.repeat(Math.min(2, room));
  return `${pointer(theme, isCurrent)}${named(theme, label, isCurrent, isStatus ? role : 'plain')}${number}  ${theme.paint(role ?? 'plain', bar)}${tail}`;
}

/** What is wrong, of what, and with which. */
export function problemLine({ theme, width, now }: HomePen, problem: Problem, isCurrent: boolean): string {
  const { resource, rows } = problem;
  const status = cell(look(problem.status, 'status', { now, glyphs: theme.glyphs }).text, labelWidth);
  const count = rows.length === 1 ? resource.one : `${grouped(rows.length)} ${resource.many.toLowerCase()}`;
  const names = rows
    .slice(0, 20)
    .map((row) => resource.label(row))
    .join(', ');
  const says = cut(`${count}: ${names}`, Math.max(0, width - labelWidth - 3));
  return `${pointer(theme, isCurrent)}${named(theme, status, isCurrent, statusRole(problem.status))} ${says}`;
}

/** The mark before the word of a status. */
const glyphOf = (status: string) => status.split(' ', 1)[0] ?? '';

/** What an event is about. */
const entityText = (event: Event) => {
  const { label, type, id } = (at(event, 'entity') ?? {}) as { label?: unknown; type?: unknown; id?: unknown };
  return String(label ?? '') || [type, id].filter((word) => word !== undefined && word !== null).join(' ');
};

const timeLeft = (event: Event): string => {
  const seconds = secondsLeft(event.time_remaining);
  if (seconds !== undefined) return `${durationText(seconds)} left`;
  return typeof event.time_remaining === 'string' ? event.time_remaining : '';
};

/** An event that is going on: what it does to what, how far it is, how fast, and how long it still takes. */
export function progressLine({ theme, width, now }: HomePen, event: Event, isCurrent: boolean): string {
  const glyph = cell(glyphOf(look(event.status, 'status', { now, glyphs: theme.glyphs }).text), 2);
  const percent = percentOf(event);
  const isWide = width >= 100;
  const words = cell(actionWords(event.action), isWide ? 24 : 18);
  const label = cell(entityText(event), Math.min(36, Math.max(10, Math.floor(width * 0.2))));
  const done = cell(percent === undefined ? '' : `${Math.round(percent)} %`, 6, 'right');
  const rate = isWide ? cell(typeof event.rate === 'string' ? event.rate : '', 15, 'right') : '';
  const left = cell(timeLeft(event), 17, 'right');
  const used = 2 + 2 + [words, label, done, rate, left].reduce((sum, text) => sum + widthOf(text), 0) + 3;
  const bar = theme.paint('busy', progressBar(percent, Math.max(0, width - used), theme.glyphs));
  return `${pointer(theme, isCurrent)}${theme.paint('busy', glyph)}${words} ${named(theme, label, isCurrent, 'accent')} ${bar}${done}${rate}${theme.paint('dim', left)}`;
}

/** An event that is over: how it ended, how long ago it came, what it was and to what, and who did it. */
export function activityLine({ theme, width, now }: HomePen, event: Event, isCurrent: boolean): string {
  const status = look(event.status ?? 'notification', 'status', { now, glyphs: theme.glyphs });
  const isWide = width >= 100;
  const word = theme.paint(status.role ?? 'plain', isWide ? cell(status.text, 15) : cell(glyphOf(status.text), 2));
  const time = timeOf(event.created);
  const age = theme.paint('dim', cell(time === undefined ? '' : ageText(now - time), 7, 'right'));
  const words = cell(actionWords(event.action), isWide ? 28 : 24);
  const duration = isWide
    ? cell(typeof event.duration === 'number' ? durationText(event.duration) : '', 14, 'right')
    : '';
  const user = cell(String(event.username ?? ''), width >= 76 ? 16 : 0);
  const room = width - 2 - (isWide ? 15 : 2) - 7 - 2 - widthOf(words) - 1 - widthOf(duration) - widthOf(user) - 2;
  const label = cell(entityText(event), Math.max(1, Math.min(40, room)));
  const base = `${pointer(theme, isCurrent)}${word}${age}  ${words} ${named(theme, label, isCurrent, 'accent')}${theme.paint('dim', duration)}  ${user}`;
  const message = typeof event.message === 'string' ? cut(`  ${event.message}`, Math.max(0, room - 40)) : '';
  return room > 50 ? `${base}${theme.paint('dim', message)}` : base;
}

/** What a board says that has nothing to count. */
export function boardSentence(
  { many, one, create }: Resource,
  collection: Collection | undefined,
  readOnly: boolean,
): string {
  const name = many.toLowerCase();
  if (collection?.error && collection.loadedAt === undefined) return collection.error.message;
  if (!collection || collection.loadedAt === undefined) return `Reading ${name} …`;
  return `No ${name} yet${create && !readOnly ? `: n on ${many} makes the first ${one}` : ''}.`;
}
