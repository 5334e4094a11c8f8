import { useState } from 'react';
import type { GraphWindow } from '../../components/graphData.ts';
import type { TimeMark } from '../../components/graphLayout.ts';
import type { Role } from '../../components/theme.ts';
import { actionWords } from '../../resources/account/events.ts';
import type { Series, SeriesGroup } from '../../resources/compute/statistics.ts';
import { at, type Resource } from '../../resources/resource.ts';
import type { Event } from '../../store/events.ts';
import { dateText, timeOf } from '../../text/times.ts';

/** An event on the time axis of graphs. */
interface EventMark extends TimeMark {
  /** The index of the row that it is about. */
  member: number;
  /** The event with its time, for the crosshair. */
  says: string;
}

/**
 * The events of rows that stand on the time axis: those with a letter, and all that failed; the oldest first.
 * @param members the rows whose events are marked
 * @param failed the letter of those that failed
 * @param roles the colour of each row; by default one for all, and another for what failed
 */
export function eventMarks(
  resource: Pick<Resource, 'entity' | 'statistics'>,
  members: readonly { id: string; label: string }[],
  events: readonly Event[],
  failed: string,
  roles?: readonly Role[],
): readonly EventMark[] {
  const letters = Object.entries(resource.statistics?.letters ?? {});
  const places = new Map(members.map(({ id }, index) => [id, index]));
  return events
    .flatMap((event): readonly EventMark[] => {
      const member = places.get(String(at(event, 'entity.id')));
      if (member === undefined || at(event, 'entity.type') !== resource.entity) return [];
      const isFailed = event.status === 'failed';
      const [own] = letters.find(([, actions]) => actions.includes(event.action)) ?? [];
      const letter = isFailed ? failed : own;
      const time = timeOf(event.created);
      if (letter === undefined || Number.isNaN(time)) return [];
      const name = members.length > 1 ? `${members[member]?.label}: ` : '';
      const how = isFailed ? ' failed' : '';
      const says = `${letter} ${dateText(time).slice(5)} ${name}${actionWords(event.action)}${how}`;
      return [{ at: time, letter, role: roles?.[member] ?? (isFailed ? 'bad' : 'title'), member, says }];
    })
    .sort((one, other) => one.at - other.at);
}

/** The events within a distance of a time, in words. */
export const eventsAt = (marks: readonly EventMark[], time: number | undefined, distance: number): string =>
  marks.flatMap(({ at, says }) => (time !== undefined && Math.abs(at - time) <= distance ? [says] : [])).join(', ');

/** Graphs on one time axis, as they are drawn. */
export type GraphBoardState = ReturnType<typeof useGraphBoard>['board'];

/** Cells of the labels at the left of a graph, roughly. */
const axisWidth = 7;

/**
 * The state of graphs below a title line: focus, zoom and crosshair, and the handlers of their keys.
 * @param width cells of the whole screen
 * @param height lines of the whole screen
 * @param options events for the time axis, whether one graph is shown alone at first, and where the crosshair begins
 */
export function useGraphBoard(
  groups: readonly SeriesGroup[],
  window: GraphWindow,
  width: number,
  height: number,
  { marks, alone: startsAlone = false, moment }: { marks: readonly EventMark[]; alone?: boolean; moment?: number },
) {
  /** The index of the group that has the focus. */
  const [focus, setFocus] = useState(0);
  const [alone, setAlone] = useState(startsAlone);
  /** Milliseconds since the epoch. */
  const [crosshair, setCrosshair] = useState(moment);
  const room = { width: width - 2, height: height - 1 };
  const possible = layoutOf(room.width, room.height, groups.length);
  /** Undefined while one graph is shown alone. */
  const layout = alone ? undefined : possible;
  const times = readingTimes(groups[focus]?.series ?? [], window.from, window.to);
  const columns = Math.floor(room.width / (layout?.across ?? 1)) - axisWidth;
  const stride = crosshairStride(times.length, columns);
  const step = (by: number) =>
    times.length > 0 ? () => moveTo(stepCrosshair(times, crosshair, by * stride)) : 'There is no reading to point at.';
  /** Moves the crosshair, or tells that it is at an end. */
  function moveTo(time: number | undefined): string | undefined {
    setCrosshair(time);
    return time === crosshair ? 'The graph ends here.' : undefined;
  }
  const turn = (by: number) =>
    groups.length > 1 ? () => setFocus((focus + by + groups.length) % groups.length) : 'There is no other graph.';
  /** Sets the crosshair to the reading next to a time, and the focus to a group. */
  const point = (group: SeriesGroup, time: number) => {
    const own = readingTimes(group.series, window.from, window.to);
    setFocus(Math.max(0, groups.indexOf(group)));
    if (own.length === 0) return;
    setCrosshair(own.reduce((one, other) => (Math.abs(other - time) < Math.abs(one - time) ? other : one)));
  };
  const cellMs = (window.to - window.from) / Math.max(1, columns);
  const readingMs = times.length > 1 ? (Number(times.at(-1)) - Number(times[0])) / (times.length - 1) : 0;
  return {
    board: { groups, window, marks, crosshair, focus, layout, point, ...room },
    event: eventsAt(marks, crosshair, Math.max(cellMs, readingMs) / 2),
    dropCrosshair: () => setCrosshair(undefined),
    keys: {
      left: step(-1),
      right: step(1),
      off: crosshair === undefined ? undefined : () => setCrosshair(undefined),
      next: turn(1),
      previous: turn(-1),
      zoom: possible ? () => setAlone(!alone) : 'All graphs together need a larger window.',
    },
  };
}

/** The time of the newest reading, at least `min`: the clocks of the two sides may differ. */
export const newestTime = (groups: readonly SeriesGroup[], min: number): number =>
  groups
    .flatMap(({ series }) => series.map(({ points }) => points.at(-1)?.[0] ?? min))
    .reduce((latest, time) => Math.max(latest, time), min);

/** Whether any series has a reading. */
export const hasPoints = (groups: readonly SeriesGroup[]): boolean =>
  groups.some(({ series }) => series.some(({ points }) => points.length > 0));

const minGraphWidth = 56;
const minGraphHeight = 10;

/** The number of graphs in a row, and of rows; undefined where only one fits. */
function layoutOf(width: number, height: number, count: number) {
  for (const across of [2, 1]) {
    const down = Math.ceil(count / across);
    if (Math.floor(width / across) >= minGraphWidth && Math.floor(height / down) >= minGraphHeight)
      return { across, down };
  }
  return undefined;
}

/** The times at which any of these series has a reading, ascending, each once; in milliseconds since the epoch. */
export const readingTimes = (series: readonly Series[], from: number, to: number): readonly number[] =>
  [...new Set(series.flatMap(({ points }) => points.map(([time]) => time)))]
    .filter((time) => time >= from && time <= to)
    .sort((one, other) => one - other);

/**
 * The time of a crosshair moved by `by` readings; a hidden one appears at the end it is moved from.
 * @param times at least one, ascending
 */
export function stepCrosshair(times: readonly number[], at: number | undefined, by: number): number | undefined {
  if (at === undefined) return by < 0 ? times.at(-1) : times[0];
  const next = times.findIndex((time) => time >= at);
  const index = next < 0 ? times.length - 1 : next;
  return times[Math.max(0, Math.min(times.length - 1, index + by))];
}

/** The number of readings that one key press moves the crosshair, so that it moves about one cell. */
export const crosshairStride = (readings: number, columns: number): number =>
  Math.max(1, Math.round(readings / Math.max(1, columns)));
