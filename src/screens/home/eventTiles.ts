import { progressBar } from '../../components/chart.ts';
import { formatValue, glyphOf } from '../../components/format.ts';
import type { Span } from '../../components/spans.ts';
import { actionWords, entityWords, isInProgress, secondsLeft } from '../../resources/account/events.ts';
import { resourceNamed } from '../../resources/index.ts';
import { memoize } from '../../resources/memoize.ts';
import type { Row } from '../../resources/resource.ts';
import { type EventsReach, percentOf } from '../../store/history/eventLog.ts';
import { cell, cut, widthOf } from '../../text/cells.ts';
import { rateText } from '../../text/numbers.ts';
import { ageText, durationText, momentWords, type Timestamp, timeOf } from '../../text/times.ts';
import { textOf } from '../../text/words.ts';
import { placeOfEntity, placeOfOwn } from '../places.ts';
import {
  type DrawContext,
  type HomeData,
  linkToList,
  nameSpan,
  noteLine,
  type Tile,
  type TileLine,
  type TileLink,
} from './tile.ts';

/** No screen has room for more lines of finished events. */
export const maxActivity = 100;

/** The events in progress. */
export function happeningTile({ view, noEventsReason, eventsReach }: HomeData): Tile {
  const lines = view.events.filter(isInProgress).map(progressLine);
  const figures = lines.length > 0 ? [{ text: String(lines.length) }] : [];
  const nothing = noEventsReason ?? idleText(eventsReach, view.now);
  return { name: 'happening', title: 'Happening now', figures, ...eventsOr('happening:none', nothing, lines) };
}

/** The lines of events with the way to all, or a sentence where there are none. */
const eventsOr = (id: string, nothing: string, lines: readonly TileLine[]): Pick<Tile, 'link' | 'lines'> => ({
  link: linkToList('events'),
  lines: lines.length > 0 ? lines : [noteLine(id, nothing)],
});

/** Says that no event is in progress, as far as that is known. */
function idleText(reach: EventsReach | undefined, now: Timestamp): string {
  if (!reach || reach.isProgressKnown) return 'Nothing is in progress.';
  const since = reach.since === undefined ? 'within a day' : `since ${momentWords(reach.since, now)}`;
  const nothing = `Nothing begun ${since} is in progress`;
  return reach.isReading ? `${nothing}; reading on …` : `${nothing}.`;
}

/** From when on the events are known, where that is less than a day. */
const reachFigures = (reach: EventsReach | undefined, now: Timestamp): readonly Span[] =>
  reach?.since === undefined
    ? []
    : [{ text: `known since ${momentWords(reach.since, now)}${reach.isReading ? ' …' : ''}`, role: 'dim' }];

/** The number of events that one stands for. */
const counts = new WeakMap<Row, number>();

/**
 * The finished events of a tile, the newest first. Three or more in a row that their times alone tell apart, as of many
 * records of a domain, are the newest of them.
 */
export const pastEvents = memoize((events) => {
  const past = events.filter((event) => !isInProgress(event));
  const kinds = past.map(({ action, status, username, entity }) => JSON.stringify([action, status, username, entity]));
  const starts = past.flatMap((_, at) => (kinds[at] === kinds[at - 1] ? [] : [at]));
  const lines = starts.flatMap((from, nth) => {
    const run = past.slice(from, starts[nth + 1]);
    if (run.length < 3) return run;
    const fold: Row = { ...run[0], message: undefined, duration: undefined };
    counts.set(fold, run.length);
    return [fold];
  });
  return lines.slice(0, maxActivity);
});

/** Finished events, the newest first. */
export function activityTile({ view, noEventsReason, eventsReach }: HomeData): Tile {
  const figures = reachFigures(eventsReach, view.now);
  const nothing = noEventsReason ?? 'Nothing has happened on this account in the last 90 days.';
  const past = eventsOr('activity:none', nothing, pastEvents(view.events).map(activityLine));
  return { name: 'activity', title: 'Activity', figures, ...past };
}

/** Links to an event's object, or to the event where the object is deleted or has no screen. */
export function linkToEvent(event: Row): TileLink {
  const isDeleted = /_delete$/.test(String(event.action)) && !isInProgress(event);
  return { place: (isDeleted ? undefined : placeOfEntity(event.entity)) ?? placeOfOwn(resourceNamed('events'), event) };
}

const timeLeft = (event: Row, isWide: boolean): string => {
  const seconds = secondsLeft(event.time_remaining);
  if (seconds !== undefined) return `${durationText(seconds)}${isWide ? ' left' : ''}`;
  return typeof event.time_remaining === 'string' ? event.time_remaining : '';
};

/** Makes lines of events, each once. */
export const lineOfEvents = (
  draw: (event: Row, ...on: Parameters<TileLine['draw']>) => readonly Span[],
  linkOf: (event: Row) => TileLink = linkToEvent,
) =>
  memoize(
    (event: Row): TileLine => ({ id: `event:${event.id}`, link: linkOf(event), draw: (...on) => draw(event, ...on) }),
  );

/** An event in progress: action, object, percentage, rate and time left. */
export const progressLine = lineOfEvents((event, context, isCurrent) => {
  const { theme, width } = context;
  const glyph = cell(glyphOf(formatValue(event.status, 'status', theme).text), 2);
  const percent = percentOf(event);
  const isWide = width >= 96;
  const words = cell(actionWords(String(event.action)), isWide ? 24 : 16);
  const label = cell(entityWords(event.entity) ?? '', Math.min(36, Math.max(10, Math.floor(width * 0.2))));
  const done = cell(percent === undefined ? '' : `${Math.round(percent)}%`, 5, 'right');
  const rate = isWide ? cell(rateText(textOf(event.rate)), 15, 'right') : '';
  const left = cell(timeLeft(event, width >= 64), width >= 64 ? 17 : 12, 'right');
  const used = 2 + 2 + [words, label, done, rate, left].reduce((sum, text) => sum + widthOf(text), 0) + 2;
  return [
    { text: glyph, role: 'busy' },
    { text: `${words} ` },
    nameSpan(label, isCurrent, 'accent'),
    { text: ' ' },
    { text: progressBar(percent, Math.max(0, width - used), theme.glyphs), role: 'busy' },
    { text: done + rate },
    { text: left, role: 'dim' },
  ];
});

/** The words of a finished event: its outcome, age, action, duration and user. */
export function finishedWords(event: Row, { theme, now }: Pick<DrawContext, 'theme' | 'now'>) {
  const time = timeOf(event.created);
  return {
    status: formatValue(event.status ?? 'notification', 'status', theme),
    age: cell(Number.isNaN(time) ? '' : ageText(now - time), 7, 'right'),
    action: actionWords(String(event.action)),
    duration: durationOf(event),
    user: String(event.username ?? ''),
  };
}

/** The time that an event took, where it is known. */
export const durationOf = (event: Row | undefined): string =>
  typeof event?.duration === 'number' ? durationText(event.duration) : '';

/** A finished event: outcome, age, action, object, duration and user. */
export const activityLine = lineOfEvents((event, context, isCurrent) => {
  const { width } = context;
  const { status, age, ...told } = finishedWords(event, context);
  const isWide = width >= 96;
  const word = width >= 120 ? cell(status.text, 15) : cell(glyphOf(status.text), 2);
  const [space, count] = [isWide ? 28 : 24, counts.get(event)];
  const times = count ? ` ${count}×` : '';
  const words = cell(cut(told.action, space - times.length) + times, space);
  const duration = cell(told.duration, isWide ? 14 : 0, 'right');
  const used = [word, age, words, duration].reduce((sum, text) => sum + widthOf(text), 0);
  const rest = width - 2 - used - 2 - 1 - 2;
  // The name of the object goes before that of the user.
  const user = cell(told.user, width >= 64 ? Math.max(12, Math.min(24, rest - 32, widthOf(told.user))) : 0);
  const room = rest - widthOf(user);
  const label = cell(entityWords(event.entity) ?? '', Math.max(1, Math.min(40, room)));
  const message = typeof event.message === 'string' && room > 50 ? cut(`  ${event.message}`, room - 40) : '';
  return [
    { text: word, role: status.role },
    { text: age, role: 'dim' },
    { text: `  ${words} ` },
    nameSpan(label, isCurrent, 'accent'),
    { text: duration, role: 'dim' },
    { text: `  ${user}` },
    { text: message, role: 'dim' },
  ];
});
