import { heatLegend } from '../../components/heat.ts';
import type { Theme } from '../../components/theme.ts';
import { loadNames, type Spread } from '../../resources/compute/load.ts';
import { cut, widthOf } from '../../text/cells.ts';
import { grouped, quantity } from '../../text/numbers.ts';
import { durationText } from '../../text/times.ts';
import { cellMsIn, type HeatMap } from './fleetColumns.ts';

/**
 * The legend: the colours or shades, as many as there is room for, and the time span of a cell.
 * @param day cells of the column of the day
 */
export function fleetLegend({ theme, load, fullScale }: HeatMap, day: number, width: number): string {
  const { unit } = loadNames[load];
  const isShare = unit === '%';
  const written = (share: number) => (isShare ? String(share * 100) : quantity(share * fullScale, ''));
  const minutes = cellMsIn(day) / 60_000;
  const length = day > 0 ? `  ${minutes > 30 ? `${minutes / 60} h` : `${minutes} min`} a cell, UTC` : '';
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
export interface FleetMoment {
  /** The begin and end of the cell, in ms since the epoch. */
  from: number;
  to: number;
  label: string;
  /** Divided by the size; NaN where it is unknown. */
  reading: number;
}

/** A moment in words, with its zone and without, which the legend names, too: `14:20–14:30 UTC  web-1 23%`. */
function momentTexts({ from, to, label, reading }: FleetMoment, unit: string): readonly [whole: string, short: string] {
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
  moment?: FleetMoment,
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
