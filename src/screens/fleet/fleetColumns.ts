import { heatColumns, heatLine, heatRole, heatWidths } from '../../components/heat.ts';
import { niceScale, timeTicks } from '../../components/scale.ts';
import type { Theme } from '../../components/theme.ts';
import { bucketEnd, bucketMs, cpusOf, dayBuckets, dayMs, fineBuckets, loadOf } from '../../resources/compute/load.ts';
import { idOf } from '../../resources/identity.ts';
import { resourceNamed } from '../../resources/index.ts';
import type { Column, Day, Load, LoadDay, Resource, Row } from '../../resources/resource.ts';
import { type Fleet, stats } from '../../store/fleet.ts';
import type { CellFormat } from '../../text/cellFormat.ts';
import { cell } from '../../text/cells.ts';
import { quantity } from '../../text/numbers.ts';
import type { Drawing, DrawnCells } from '../list/rowLines.ts';

/** The cells of a day on the screen. */
interface MomentScale {
  /** The end of the day shown, in ms since the epoch. */
  until: number;
  /** The time of one cell, in milliseconds. */
  cellMs: number;
  /** The time now, within the last cells: the day ends with the half hour that has begun. */
  now: number;
}

/** The cell of a time, which is the end of one; a time before the day is its first cell. */
export function cellAt(moment: number | undefined, scale: MomentScale): number | undefined {
  if (moment === undefined) return undefined;
  return Math.max(0, Math.min(lastCell(scale), cellOf(moment, scale)));
}

const cellOf = (time: number, { until, cellMs }: MomentScale): number =>
  Math.ceil((time - (until - dayMs)) / cellMs) - 1;

/** The newest cell of which a reading can be known; all can where the clock of the API is ahead of ours. */
const lastCell = (scale: MomentScale): number =>
  cellOf(scale.until - scale.now < bucketMs ? Math.min(scale.until, scale.now - readingMs) : scale.until, scale);

/** A reading is the mean of the five minutes before it, and read so often. */
const readingMs = dayMs / fineBuckets;

/** The end of a cell. */
export const endOfCell = (cell: number, { until, cellMs }: MomentScale): number => until - dayMs + (cell + 1) * cellMs;

/** The time that is looked at after a step of one cell; from none, the end that it is moved from. */
export function stepMoment(moment: number | undefined, by: 1 | -1, scale: MomentScale): number {
  const last = lastCell(scale);
  const cell = cellAt(moment, scale);
  if (cell === undefined) return endOfCell(by < 0 ? last : 0, scale);
  return endOfCell(Math.max(0, Math.min(last, cell + by)), scale);
}

const servers = resourceNamed('servers');
export const idOfServer = (row: Row): string => idOf(servers, row);

const formats: Readonly<Record<Load, CellFormat>> = {
  cpu: 'percent',
  networkIn: 'bitrate',
  networkOut: 'bitrate',
  io: 'blockrate',
};

/** Divides the readings of a server to make servers comparable: the number of CPUs for CPU, else 1. */
export const divisorOf = (row: Row, load: Load): number => (load === 'cpu' ? cpusOf(row) : 1);

/** A reading that is comparable between servers: CPU as the percentage of all CPUs. */
export const normalized = (row: Row, load: Load, reading: number | undefined): number | undefined =>
  reading === undefined ? undefined : reading / divisorOf(row, load);

/** The name of the column with a cell for each part of the day. */
const dayName = 'day';
const figures = { last: 'Last', mean: 'Mean', max: 'Max' } as const;

/** A figure of the day of a server, comparable between servers; undefined where nothing is known. */
export const figureOf = (
  fleet: Pick<Fleet, 'dayOf'>,
  row: Row,
  load: Load,
  of: keyof typeof figures,
): number | undefined => {
  const day = fleet.dayOf(idOfServer(row));
  return day && normalized(row, load, loadOf(row, load, day)?.[of]);
};

/** Servers with the day of one load, its figures, and where there is room their other columns. */
export function fleetResource(load: Load, fleet: Pick<Fleet, 'dayOf'>): Resource {
  const figure = (of: keyof typeof figures, column: Partial<Column>): Column => ({
    title: figures[of],
    name: of,
    value: (row) => figureOf(fleet, row, load, of),
    format: formats[load],
    fetches: stats,
    keep: 1,
    ...column,
  });
  const own = (title: string) => servers.columns.filter((column) => column.title === title);
  const first = [
    ...own('Label').map((column): Column => ({ ...column, keep: 1, width: 32 })),
    ...own('Region').map((column): Column => ({ ...column, keep: 3, width: 16 })),
  ];
  const others = servers.columns.filter(({ title }) => !first.some((column) => column.title === title));
  return {
    ...servers,
    many: 'Fleet',
    sort: `-${figures.last}`,
    columns: [
      ...first,
      figure('mean', { title: 'Day', name: dayName }),
      figure('last', {}),
      figure('mean', { keep: 2 }),
      figure('max', {}),
      ...others.map((column): Column => ({ ...column, keep: 3 })),
    ],
  };
}

/** The time of a cell where a day takes so many, in milliseconds. */
export const cellMsIn = (width: number): number => dayMs / Math.max(1, cellsIn(width));

const cellsIn = (width: number): number => Math.min(fineBuckets, heatColumns(fineBuckets, width));

/** The cell of the day that is drawn at a place of its column. */
export const cellUnder = (place: number, width: number): number =>
  Math.min(cellsIn(width) - 1, Math.floor((place * cellsIn(width)) / heatColumns(fineBuckets, width)));

/** The end of the day that is shown: of the newest readings, as the half hour that has begun may have none. */
export const endOfDay = (now: number, days: readonly Day[]): number =>
  days.reduce((until, day) => Math.max(until, day.until), bucketEnd(now) - bucketMs);

/** The reading that fills a cell of the heat map: 100% for CPU, else a round number above all servers. */
export function fullScaleOf(days: readonly Pick<Day, Load>[], load: Load): number {
  if (load === 'cpu') return 100;
  const most = days.reduce((largest, day) => Math.max(largest, day[load].max ?? 0), 0);
  return niceScale(0, most, 1).high;
}

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
  let [count, sum, most] = [0, 0, Number.NEGATIVE_INFINITY];
  // Drawn for each cell of each line, so that no list is made of them.
  for (let at = Math.max(0, from + by); at < Math.min(values.length, to + by); at++) {
    const value = values[at] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    count++;
    sum += value;
    most = Math.max(most, value);
  }
  if (count === 0) return Number.NaN;
  return values === fine ? sum / count : most;
}

/** The heat map of a load. */
export interface HeatMap {
  theme: Theme;
  load: Load;
  /** The reading, divided by the size, that fills a cell. */
  fullScale: number;
  /** The end of the day shown, in ms since the epoch. */
  until: number;
  now: () => number;
  /** The time that is looked at, in ms since the epoch. */
  moment?: number;
}

/** Tells the reading of a server at each of so many cells of the day, divided by its size; NaN where it is unknown. */
export function readingsOf({ load, until }: Pick<HeatMap, 'load' | 'until'>, row: Row, day: Day | undefined) {
  const shift = day ? Math.round((until - day.until) / bucketMs) : 0;
  const divisor = divisorOf(row, load);
  return (cell: number, cells: number): number =>
    day ? cellReading(day[load], cell, cells, shift) / divisor : Number.NaN;
}

/**
 * The drawn columns of the fleet: the day as a heat map, and its figures, whose unit is in the legend.
 * @param whyNot says of a server by its id why it has no readings
 * @param point told where the mouse points at the day
 */
export function fleetDrawing(
  map: HeatMap,
  fleet: Pick<Fleet, 'dayOf'>,
  whyNot: (id: string) => string,
  point?: DrawnCells['point'],
): Drawing {
  const { theme, fullScale, until, now, moment, load } = map;
  const dayOf = (row: Row) => fleet.dayOf(idOfServer(row));
  const timeIn = (width: number) => cellAt(moment, { until, now: now(), cellMs: cellMsIn(width) });
  const figure = (of: keyof typeof figures): DrawnCells => ({
    widths: [figureCells],
    draw: (row, width) => {
      const value = figureOf(fleet, row, load, of);
      const text = value === undefined ? '–' : quantity(value, load === 'cpu' ? '%' : '').replace(/[ %]/g, '');
      const role = value === undefined ? 'dim' : heatRole(value / fullScale);
      return { text: cell(text, width, 'right'), role };
    },
  });
  const day: DrawnCells = {
    widths: heatWidths(fineBuckets),
    draw: (row, width, isCurrent) => {
      const whole = dayOf(row);
      if (!whole) return { text: cell(whyNot(idOfServer(row)), width), role: 'dim' };
      const [columns, cells] = [heatColumns(fineBuckets, width), cellsIn(width)];
      const wide = columns / Math.max(1, cells);
      const reading = readingsOf(map, row, whole);
      const shares = Float32Array.from(
        { length: columns },
        (_, column) => reading(Math.floor(column / wide), cells) / fullScale,
      );
      const time = isCurrent ? timeIn(width) : undefined;
      const at = time === undefined ? undefined : time * wide;
      return { text: heatLine(shares, theme, at) + ' '.repeat(width - columns) };
    },
    head: (width) => dayHead(theme, width, until, timeIn(width)),
    point,
  };
  return {
    columns: { [dayName]: day, last: figure('last'), mean: figure('mean'), max: figure('max') },
    of: (row) => dayOf(row) ?? whyNot(idOfServer(row)),
  };
}

const figureCells = 5;

/**
 * The times above the cells of the day.
 * @param at the cell whose time is looked at
 */
function dayHead(theme: Theme, width: number, until: number, at: number | undefined): string {
  const from = until - dayMs;
  const columns = heatColumns(fineBuckets, width);
  let times = '';
  for (const { at, label } of timeTicks(from, until, Math.floor(columns / 8))) {
    const column = Math.floor(((at - from) / dayMs) * columns);
    if (column >= times.length && column + label.length <= columns) times = `${times.padEnd(column)}${label} `;
  }
  const text = cell(times.trimEnd(), width);
  if (at === undefined || columns === 0) return text;
  const column = at * (columns / cellsIn(width));
  const sign = theme.paint('accent', '▾');
  return `${text.slice(0, column)}${sign}${text.slice(column + 1)}`;
}

/** The width of the day in the columns of a list, in cells; 0 where it is not among them. */
export const dayWidth = (placed: readonly { column: Column; width: number }[]): number =>
  placed.find(({ column }) => column.name === dayName)?.width ?? 0;
