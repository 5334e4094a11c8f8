import { heatCells, heatColumns, heatLegend, heatRole } from '../../components/heat.ts';
import { quantity } from '../../components/scale.ts';
import { cutSpans, painted, type Span } from '../../components/spans.ts';
import { marksOf, pointerOf, type Theme } from '../../components/theme.ts';
import { timeTicks } from '../../components/ticks.ts';
import { dayBuckets, dayMs, type LoadDay, type Spread } from '../../resources/compute/load.ts';
import { cell, cut, ellipses, widthOf } from '../../text/cells.ts';
import { grouped } from '../../text/numbers.ts';
import { durationText } from '../../text/times.ts';

/** The width of each part of a line of the heat map, in cells. */
export interface FleetLayout {
  label: number;
  /** 0 where the region is left out. */
  region: number;
  heat: number;
  figures: readonly FigureName[];
}

type FigureName = 'last' | 'mean' | 'max';

/** Cells before the label: the cursor and the mark. */
const gutter = 3;
const figureCells = 7;
const minLabelCells = 10;
const maxLabelCells = 32;

/** The figures that are shown, the more the better, and whether half hours keep cells of their own. */
const choices: readonly { figures: readonly FigureName[]; heat: number }[] = [
  { figures: ['last', 'mean', 'max'], heat: dayBuckets },
  { figures: ['last', 'max'], heat: dayBuckets },
  { figures: ['last', 'mean', 'max'], heat: dayBuckets / 2 },
  { figures: ['last', 'max'], heat: dayBuckets / 2 },
];

/**
 * Divides a width: labels whole where that can be, a cell or more for each half hour, and the figures.
 * @param label the cells of the widest label
 * @param region the cells of the widest region
 */
export function fleetLayout(width: number, label: number, region: number): FleetLayout {
  const wanted = Math.max(minLabelCells, Math.min(label, maxLabelCells));
  const roomFor = (figures: readonly FigureName[]) => width - gutter - 1 - figures.length * figureCells;
  const fitting = choices.find(({ figures, heat }) => roomFor(figures) >= wanted + heat) ?? {
    figures: ['last', 'max'] as const,
    heat: 0,
  };
  const room = roomFor(fitting.figures) - wanted;
  const shown = room - region - 2 >= fitting.heat && fitting.heat === dayBuckets ? region : 0;
  const heat = heatColumns(dayBuckets, room - (shown > 0 ? shown + 2 : 0));
  return { label: wanted, region: shown, heat, figures: fitting.figures };
}

/** A line of one server. */
export interface FleetLine {
  label: string;
  region: string;
  isCurrent: boolean;
  isMarked: boolean;
  /** Undefined where there is none; `says` is why. */
  day: LoadDay | undefined;
  says: string;
  /** By how much its cells are to move to the left, because its day ended earlier than that of the map. */
  shift: number;
  /** Its readings are divided by this: its processors. */
  divisor: number;
}

/** Lines are drawn with these: `fullScale` is the reading, divided by the size, that fills a cell. */
export interface FleetStyle {
  theme: Theme;
  layout: FleetLayout;
  fullScale: number;
  unit: string;
}

/** One server as one line: label, region, its day, and its figures. */
export function fleetLine(pen: FleetStyle, line: FleetLine): string {
  const { theme, layout, fullScale } = pen;
  const { label, region, isCurrent, isMarked, day, says, shift, divisor } = line;
  const ellipsis = ellipses[theme.glyphs];
  const name = cell(label, layout.label, 'left', ellipsis);
  const lead = `${pointerOf(theme, isCurrent)}${isMarked ? theme.paint('mark', marksOf(theme).mark) : ' '} `;
  const where = layout.region > 0 ? `  ${cell(region, layout.region, 'left', ellipsis)}` : '';
  const start = `${lead}${isCurrent ? theme.paint('cursor', name) : name}${where} `;
  const room = layout.heat + layout.figures.length * figureCells;
  if (!day) return start + theme.paint('dim', cell(says, room, 'left', ellipsis));
  const shares = Float32Array.from(
    day.buckets,
    (_, index) => (day.buckets[index + shift] ?? Number.NaN) / divisor / fullScale,
  );
  const figures = layout.figures.map((name) => figureCell(pen, day[name], divisor));
  return start + painted(theme, heatCells(shares, layout.heat, theme.glyphs)) + figures.join('');
}

/** A figure, in the colour of its shade where that says to look. */
function figureCell({ theme, fullScale, unit }: FleetStyle, reading: number | undefined, size: number): string {
  if (reading === undefined) return theme.paint('dim', (theme.glyphs === 'ascii' ? '-' : '–').padStart(figureCells));
  const value = reading / size;
  const written = unit === '%' ? value.toFixed(value < 99.95 ? 1 : 0) : quantity(value, '');
  const text = cell(written, figureCells - 1, 'right');
  const role = heatRole(value / fullScale);
  return ` ${role ? theme.paint(role, text) : text}`;
}

/**
 * The line above the servers: the times below which their cells stand, and the titles of the figures.
 * @param until the end of the day shown, in ms since the epoch
 */
export function fleetHead(theme: Theme, layout: FleetLayout, until: number): string {
  const from = until - dayMs;
  const { heat } = layout;
  let times = '';
  for (const { at, label } of timeTicks(from, until, Math.floor(heat / 8))) {
    const column = Math.floor(((at - from) / dayMs) * heat);
    if (column >= times.length && column + label.length <= heat) times = `${times.padEnd(column)}${label} `;
  }
  const region = layout.region > 0 ? `  ${cell('REGION', layout.region)}` : '';
  const names = layout.figures.map((name) => name.toUpperCase().padStart(figureCells)).join('');
  const start = `${' '.repeat(gutter)}${cell('LABEL', layout.label)}${region} `;
  return theme.paint('dim', `${start}${cell(times, heat)}${names}`);
}

/** Tells the meaning of the shades and the span of a cell. */
export function fleetLegend({ theme, layout, fullScale, unit }: FleetStyle, width: number): string {
  const isShare = unit === '%';
  const written = (share: number) => (isShare ? String(share * 100) : quantity(share * fullScale, ''));
  const minutes = Math.max(30, (dayBuckets / layout.heat) * 30);
  const length = layout.heat > 0 ? `  ${minutes > 30 ? `${minutes / 60} h` : '30 min'} a cell, UTC` : '';
  const spans: readonly Span[] = [
    { text: ' ' },
    ...heatLegend(theme.glyphs, written),
    { text: `${isShare ? '% of its CPUs' : unit}${length}`, role: 'dim' },
  ];
  return painted(theme, cutSpans(spans, 0, width));
}

/** Counts the servers of the fleet that are known. */
export interface FleetProgress {
  /** Servers whose statistics are known. */
  loaded: number;
  total: number;
  /** Servers that were not asked about yet, and how long that takes, in milliseconds. */
  queued: number;
  waitMs: number;
  /** Servers whose last reading failed, and why the first of them did. */
  failed: number;
  failure: string;
  /** The spread of the newest readings; undefined where there are none. */
  spread: Spread | undefined;
}

/** Puts the progress into words, with the spread of the newest readings. */
export function fleetStatus(
  theme: Theme,
  { loaded, total, queued, waitMs, failed, failure, spread }: FleetProgress,
  unit: string,
  width: number,
): string {
  const rest =
    queued === 0 ? '' : waitMs < 1000 ? ', the rest is being read' : `, the rest in ${durationText(waitMs / 1000)}`;
  const figures = spread ? `   median ${quantity(spread.median, unit)}   p95 ${quantity(spread.p95, unit)}` : '';
  const says = cut(` ${grouped(loaded)} of ${grouped(total)} known${rest}${figures}`, width - 1);
  const trouble = failed === 0 ? '' : `   ${grouped(failed)} could not be read: ${failure}`;
  return `${theme.paint('dim', says)}${theme.paint('warn', cut(trouble, Math.max(0, width - widthOf(says) - 1)))}`;
}
