import { heatColumns, heatLegend, heatLine, heatRole } from '../../components/heat.ts';
import { rowTinted } from '../../components/rowTint.ts';
import { quantity } from '../../components/scale.ts';
import { marksOf, pointerOf, type Theme } from '../../components/theme.ts';
import { timeTicks } from '../../components/ticks.ts';
import { dayBuckets, dayMs, fineBuckets, type LoadDay, type Spread } from '../../resources/compute/load.ts';
import { cell, cut, ellipses, widthOf } from '../../text/cells.ts';
import { grouped } from '../../text/numbers.ts';
import { durationText } from '../../text/times.ts';

/** The widths of a heat map line, in cells. */
export interface FleetLayout {
  /** Of the whole line. */
  width: number;
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
  const heat = heatColumns(fineBuckets, room);
  // Finer cells are worth more than the region.
  const hasRoom = fitting.heat === dayBuckets && heatColumns(fineBuckets, room - region - 2) === heat;
  return { width, label: wanted, region: hasRoom ? region : 0, heat, figures: fitting.figures };
}

/** The cell of the day at a column of a line; undefined beside the day. */
export function cellUnder({ label, region, heat }: FleetLayout, column: number): number | undefined {
  const from = gutter + label + (region > 0 ? region + 2 : 0) + 1;
  if (column < from || column >= from + heat) return undefined;
  return Math.floor(((column - from) * Math.min(heat, fineBuckets)) / heat);
}

/** The time of a cell, in milliseconds. */
export const cellMsOf = ({ heat }: FleetLayout): number => dayMs / Math.max(1, Math.min(heat, fineBuckets));

/**
 * The reading of a cell: the mean of what was read in it; of more than half an hour the largest of such means. NaN where
 * nothing is known.
 * @param cell of so many `cells`, the oldest first
 * @param shift half hours by which the day ended before that of the map
 */
export function cellReading({ buckets, fine }: LoadDay, cell: number, cells: number, shift: number): number {
  const values = fine && cells > dayBuckets ? fine : buckets;
  const by = (shift * values.length) / dayBuckets;
  const from = Math.floor((cell * values.length) / cells);
  const to = Math.max(from + 1, Math.floor(((cell + 1) * values.length) / cells));
  const known = values.subarray(from + by, to + by).filter((value) => !Number.isNaN(value));
  if (known.length === 0) return Number.NaN;
  return values === fine ? known.reduce((sum, value) => sum + value, 0) / known.length : Math.max(...known);
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
  /** The cell whose time is looked at. */
  cell?: number;
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
  const tinted = (text: string) => rowTinted(theme, { isCurrent, isMarked }, text, layout.width);
  if (!day) return tinted(start + theme.paint('dim', cell(says, room, 'left', ellipsis)));
  const cells = Math.min(layout.heat, fineBuckets);
  const wide = cells === 0 ? 0 : layout.heat / cells;
  const shares = Float32Array.from(
    { length: layout.heat },
    (_, column) => cellReading(day, Math.floor(column / wide), cells, shift) / divisor / fullScale,
  );
  const at = isCurrent && style.cell !== undefined ? style.cell * wide : undefined;
  const figures = layout.figures.map((name) => figureCell(style, day[name], divisor));
  return tinted(start + heatLine(shares, theme, at) + figures.join(''));
}

/** Draws lines of servers; that of a server is drawn again only where something of it differs. */
export function createFleetLines(): (id: string, style: FleetStyle, line: FleetLine) => string {
  let drawn = new Map<string, { of: readonly unknown[]; text: string }>();
  return (id, style, line) => {
    const { theme, layout, fullScale, unit } = style;
    const cell = line.isCurrent ? style.cell : undefined;
    // The means of five minutes are dropped from readings that are kept.
    const of = [theme, layout, fullScale, unit, cell, line.day?.fine, ...Object.values(line)];
    const last = drawn.get(id);
    if (last?.of.every((one, index) => one === of[index])) return last.text;
    if (drawn.size >= maxDrawn) drawn = new Map();
    const text = fleetLine(style, line);
    drawn.set(id, { of, text });
    return text;
  };
}

/** So many lines are kept: those of a screen, and of those around it. */
const maxDrawn = 500;

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
 * @param at the cell whose time is looked at
 */
export function fleetHead(theme: Theme, layout: FleetLayout, until: number, at?: number): string {
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
  const text = `${start}${cell(times.trimEnd(), heat)}${names}`;
  if (at === undefined || heat === 0) return theme.paint('dim', text);
  const column = start.length + at * (heat / Math.min(heat, fineBuckets));
  const sign = theme.paint('accent', theme.glyphs === 'ascii' ? 'v' : '▾');
  return `${theme.paint('dim', text.slice(0, column))}${sign}${theme.paint('dim', text.slice(column + 1))}`;
}

/** The legend: the colours or shades, as many as there is room for, and the time span of a cell. */
export function fleetLegend({ theme, layout, fullScale, unit }: FleetStyle, width: number): string {
  const isShare = unit === '%';
  const written = (share: number) => (isShare ? String(share * 100) : quantity(share * fullScale, ''));
  const minutes = cellMsOf(layout) / 60_000;
  const length = layout.heat > 0 ? `  ${minutes > 30 ? `${minutes / 60} h` : `${minutes} min`} a cell, UTC` : '';
  const says = `${isShare ? '% of its CPUs' : unit}${length}`;
  let parts = heatLegend(theme, written);
  const taken = () => parts.reduce((sum, { cells }) => sum + cells, 1);
  while (parts.length > 2 && taken() + says.length > width) parts = parts.filter((_, index) => index % 2 === 0);
  return ` ${parts.map(({ text }) => text).join('')}${theme.paint('dim', cut(says, Math.max(0, width - taken())))}`;
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

/** The time that is looked at, and the reading of a server then. */
export interface Moment {
  /** The begin and end of the cell, in ms since the epoch. */
  from: number;
  to: number;
  label: string;
  /** Divided by the size; NaN where it is unknown. */
  reading: number;
}

/** A moment in words, with its zone and without, which the legend names, too: `14:20–14:30 UTC  web-1 23 %`. */
function momentTexts({ from, to, label, reading }: Moment, unit: string): readonly [whole: string, short: string] {
  const clock = (time: number) => new Date(time).toISOString().slice(11, 16);
  const span = `${clock(from)}–${clock(to)}`;
  const says = `${cut(label, maxMomentLabel)} ${Number.isNaN(reading) ? 'not known' : quantity(reading, unit)}`;
  return [`${span} UTC  ${says}`, `${span}  ${says}`];
}

/** Longer labels are cut beside the reading, in cells. */
const maxMomentLabel = 20;

/** The progress as text, with the spread of the newest readings; `…` while there are more to come. */
export function fleetStatus(
  theme: Theme,
  { loaded, total, queued, waitMs, failed, failure, spread }: FleetProgress,
  unit: string,
  width: number,
  moment?: Moment,
): string {
  const rest =
    queued === 0 ? '' : waitMs < 1000 ? ', the rest is being read' : `, the rest in ${durationText(waitMs / 1000)}`;
  const sofar = queued === 0 ? '' : ' …';
  const figures = spread
    ? [`median ${quantity(spread.median, unit)}${sofar}`, `p95 ${quantity(spread.p95, unit)}${sofar}`]
    : [];
  const facts = [`${grouped(loaded)} of ${grouped(total)} known${rest}`, ...figures];
  const [whole, short] = moment ? momentTexts(moment, unit) : ['', ''];
  // That all is known is the first to give way to the time that is looked at.
  const isWhole = queued === 0 && loaded === total && figures.length > 0;
  const choices = [
    { shown: facts, at: whole },
    { shown: facts, at: short },
    { shown: isWhole ? figures : facts, at: short },
    { shown: isWhole ? figures.slice(0, 1) : facts.slice(0, 1), at: short },
  ];
  const needed = (texts: readonly string[]) => texts.reduce((sum, text) => sum + widthOf(text) + 3, 0);
  const { shown, at } = choices.find((one) => one.at === '' || needed(one.shown) + widthOf(one.at) < width) ?? {
    shown: [],
    at: short,
  };
  const room = width - (at === '' ? 0 : widthOf(at) + 2);
  const says = cut(` ${shown.join('   ')}`, room - 1);
  const trouble = failed === 0 ? '' : `   ${grouped(failed)} could not be read: ${failure}`;
  const warning = cut(trouble, Math.max(0, room - widthOf(says) - 1));
  const gap = at === '' ? '' : ' '.repeat(Math.max(0, width - 1 - widthOf(says + warning + at)));
  return `${theme.paint('dim', says)}${theme.paint('warn', warning)}${gap}${theme.paint('accent', at)}`;
}
