import { useState } from 'react';
import type { GraphWindow } from '../../components/graphData.ts';
import type { SeriesGroup } from '../../resources/compute/statistics.ts';
import { crosshairStride, readingTimes, stepCrosshair } from './crosshair.ts';

/** Graphs beside and below each other. */
interface GraphLayout {
  across: number;
  down: number;
}

/** Graphs that share their times, as they are drawn. */
export interface GraphBoardState {
  groups: readonly SeriesGroup[];
  window: GraphWindow;
  /** Milliseconds since the epoch. */
  crosshair: number | undefined;
  /** The index of the group that the keys are about. */
  focus: number;
  /** Undefined where one graph is shown alone. */
  layout: GraphLayout | undefined;
  /** The room of all graphs together, in cells. */
  width: number;
  height: number;
}

/** Cells that the labels left of a field of lines take, about. */
const axisWidth = 7;

/**
 * Graphs below a line of title: which of them has the focus, where the crosshair is, and the keys that move both.
 * @param width cells of the whole screen
 * @param height lines of the whole screen
 * @param start which graph has the focus at first, and whether it is shown alone
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

/** The time of the newest reading where that is later than `least`: the clocks of both sides may differ. */
export const newestTime = (groups: readonly SeriesGroup[], least: number): number =>
  groups
    .flatMap(({ series }) => series.map(({ points }) => points.at(-1)?.[0] ?? least))
    .reduce((latest, time) => Math.max(latest, time), least);

/** Whether there is anything to draw. */
export const hasPoints = (groups: readonly SeriesGroup[]): boolean =>
  groups.some(({ series }) => series.some(({ points }) => points.length > 0));

const narrowest = 56;
const lowest = 10;

/** The layout of all graphs; undefined where there is room for one only. */
function layoutOf(width: number, height: number, count: number): GraphLayout | undefined {
  for (const across of [2, 1]) {
    const down = Math.ceil(count / across);
    if (Math.floor(width / across) >= narrowest && Math.floor(height / down) >= lowest) return { across, down };
  }
  return undefined;
}
