import { heatCells, heatColumns, heatLegend, heatRole } from '../../components/heat.ts';
import { quantity } from '../../components/scale.ts';
import { cutSpans, painted, type Span } from '../../components/spans.ts';
import { marksOf, pointerOf, type Theme } from '../../components/theme.ts';
import { timeTicks } from '../../components/ticks.ts';
import { dayBuckets, dayMs, type LoadDay, type Spread } from '../../resources/compute/load.ts';
import { cell, cut, ellipses, widthOf } from '../../text/cells.ts';
import { grouped } from '../../text/numbers.ts';
import { durationText } from '../../text/times.ts';

/** The widths of a heat map line, in cells. */
export interface FleetLayout {
  label: number;
  /** 0 if the region is left out. */
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

/** Possible layouts, best first: the figures, and a cell for each half hour or hour. */
const choices: readonly { figures: readonly FigureName[]; heat: number }[] = [
  { figures: ['last', 'mean', 'max'], heat: dayBuckets },
  { figures: ['last', 'max'], heat: dayBuckets },
  { figures: ['last', 'mean', 'max'], heat: dayBuckets / 2 },
  { figures: ['last', 'max'], heat: dayBuckets / 2 },
];

/**
 * Divides a width between labels, heat cells and figures.
 * @param label width of the widest label
 * @param region width of the widest region
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

/** The data of one line. */
export interface FleetLine {
  label: string;
  region: string;
  isCurrent: boolean;
  isMarked: boolean;
  /** Undefined if there is none; `says` is the reason. */
  day: LoadDay | undefined;
  says: string;
  /** The number of buckets by which its day ended before that of the map. */
  shift: number;
  /** Readings are divided by this: the number of CPUs, or 1. */
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
export function fleetLine(style: FleetStyle, line: FleetLine): string {
  const { theme, layout, fullScale } = style;
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
  const figures = layout.figures.map((name) => figureCell(style, day[name], divisor));
  return start + painted(theme, heatCells(shares, layout.heat, theme.glyphs)) + figures.join('');
}

/** A figure, coloured if its shade is a warning. */
function figureCell({ theme, fullScale, unit }: FleetStyle, reading: number | undefined, size: number): string {
  if (reading === undefined) return theme.paint('dim', (theme.glyphs === 'ascii' ? '-' : '–').padStart(figureCells));
  const value = reading / size;
  const written = unit === '%' ? value.toFixed(value < 99.95 ? 1 : 0) : quantity(value, '');
  const text = cell(written, figureCells - 1, 'right');
  const role = heatRole(value / fullScale);
  return ` ${role ? theme.paint(role, text) : text}`;
}

/**
 * The header: the times above the heat cells, and the titles of the figures.
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

/** The legend: the shades and the time span of a cell. */
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

/** The progress of reading the fleet. */
export interface FleetProgress {
  /** Servers whose statistics are loaded. */
  loaded: number;
  total: number;
  /** Servers whose statistics were not requested yet, and how long that takes. */
  queued: number;
  waitMs: number;
  /** Servers whose last read failed, and the message of the first. */
  failed: number;
  failure: string;
  /** The spread of the newest readings; undefined if there are none. */
  spread: Spread | undefined;
}

/** The progress as text, with the spread of the newest readings. */
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
