import { useState } from 'react';
import type { GraphWindow } from '../../components/graphData.ts';
import type { SeriesGroup } from '../../resources/compute/statistics.ts';
import { crosshairStride, readingTimes, stepCrosshair } from './crosshair.ts';

/** The number of graphs in a row, and of rows. */
interface GraphLayout {
  across: number;
  down: number;
}

/** Graphs on one time axis, as they are drawn. */
export interface GraphBoardState {
  groups: readonly SeriesGroup[];
  window: GraphWindow;
  /** Milliseconds since the epoch. */
  crosshair: number | undefined;
  /** The index of the group that has the focus. */
  focus: number;
  /** Undefined while one graph is shown alone. */
  layout: GraphLayout | undefined;
  /** The size of all graphs together, in cells. */
  width: number;
  height: number;
}

/** Cells of the labels at the left of a graph, roughly. */
const axisWidth = 7;

/**
 * The state of graphs below a title line: focus, zoom and crosshair, and the handlers of their keys.
 * @param width cells of the whole screen
 * @param height lines of the whole screen
 * @param start the graph that has the focus at first, and whether it is shown alone
 */
export function useGraphBoard(
  groups: readonly SeriesGroup[],
  window: GraphWindow,
  width: number,
  height: number,
  start: { focus: number; alone: boolean } = { focus: 0, alone: false },
) {
  const [focus, setFocus] = useState(start.focus);
  const [alone, setAlone] = useState(start.alone);
  const [crosshair, setCrosshair] = useState<number>();
  const room = { width: width - 2, height: height - 1 };
  const possible = layoutOf(room.width, room.height, groups.length);
  const layout = alone ? undefined : possible;
  const times = readingTimes(groups[focus]?.series ?? [], window.from, window.to);
  const columns = Math.floor(room.width / (layout?.across ?? 1)) - axisWidth;
  const stride = crosshairStride(times.length, columns);
  const step = (by: number) =>
    times.length > 0 ? () => setCrosshair(stepCrosshair(times, crosshair, by * stride)) : undefined;
  const board: GraphBoardState = { groups, window, crosshair, focus, layout, ...room };
  return {
    board,
    dropCrosshair: () => setCrosshair(undefined),
    keys: {
      left: step(-1),
      right: step(1),
      off: crosshair === undefined ? undefined : () => setCrosshair(undefined),
      next: () => setFocus((focus + 1) % groups.length),
      previous: () => setFocus((focus + groups.length - 1) % groups.length),
      zoom: possible && (() => setAlone(!alone)),
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

/** The layout of all graphs; undefined where only one fits. */
function layoutOf(width: number, height: number, count: number): GraphLayout | undefined {
  for (const across of [2, 1]) {
    const down = Math.ceil(count / across);
    if (Math.floor(width / across) >= minGraphWidth && Math.floor(height / down) >= minGraphHeight)
      return { across, down };
  }
  return undefined;
}
