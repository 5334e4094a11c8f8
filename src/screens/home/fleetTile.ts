import { sparkline } from '../../components/chart.ts';
import { quantity } from '../../components/scale.ts';
import type { Span } from '../../components/spans.ts';
import {
  bucketMs,
  type Day,
  dayBuckets,
  type Load,
  loadNames,
  loadOf,
  spreadOf,
} from '../../resources/compute/load.ts';
import { resourceNamed } from '../../resources/index.ts';
import type { Row } from '../../resources/resource.ts';
import { rowIn } from '../../store/rows.ts';
import { grouped } from '../../text/numbers.ts';
import { divisorOf, normalized } from '../fleet/fleetColumns.ts';
import {
  type HomeData,
  nameSpan,
  placeholderText,
  placeholderTile,
  pointerSpan,
  type Tile,
  type TileLine,
  type TileLink,
} from './tile.ts';

const servers = resourceNamed('servers');
const link: TileLink = { place: { screen: 'fleet' } };

/** A server whose statistics were read. */
interface MeasuredServer {
  row: Row;
  day: Day;
}

export const measuredServers = ({ view, fleet }: HomeData): readonly MeasuredServer[] =>
  [...fleet.requested()].flatMap((id): readonly MeasuredServer[] => {
    const row = rowIn(servers, view.rows(servers.name), id);
    const day = fleet.dayOf(id);
    return row && day ? [{ row, day }] : [];
  });

/** The last CPU load of each, per processor, in percent. */
export const cpuOf = (measured: readonly MeasuredServer[]): readonly (number | undefined)[] =>
  measured.map(({ row, day }) => normalized(row, 'cpu', loadOf(row, 'cpu', day)?.last));

/** The load of measured servers: CPU per processor, and the total traffic. */
export function fleetTile(data: HomeData): Tile {
  const { view, queryState } = data;
  const tile = { name: 'fleet', title: 'Fleet', link } as const;
  const rows = view.rows('servers');
  if (rows.length === 0) return placeholderTile(tile, placeholderText(queryState('servers')) ?? 'none');
  const measured = measuredServers(data);
  const spread = spreadOf(cpuOf(measured));
  const part: Span = { text: `${grouped(measured.length)} of ${grouped(rows.length)} measured`, role: 'dim' };
  if (!spread) return { ...tile, figures: [part], lines: [] };
  const [median, p95] = [spread.median, spread.p95].map((value) => quantity(value, loadNames.cpu.unit));
  return {
    ...tile,
    figures: [part],
    summary: [{ text: `CPU ${median}` }, { text: `p95 ${p95}` }],
    lines: [
      loadLine('CPU', 'cpu', measured, { long: `median ${median}  p95 ${p95}`, short: `${median}  p95 ${p95}` }),
      loadLine('In', 'networkIn', measured, total(measured, 'networkIn')),
      loadLine('Out', 'networkOut', measured, total(measured, 'networkOut')),
    ],
  };
}

/** A load in words for a wide and a narrow line. */
interface LoadText {
  long: string;
  short: string;
}

function total(measured: readonly MeasuredServer[], load: Load): LoadText {
  const sum = measured.reduce((all, { row, day }) => all + (loadOf(row, load, day)?.last ?? 0), 0);
  const text = quantity(sum, loadNames[load].unit);
  return { long: text, short: text };
}

const labelWidth = 5;
const longWidth = 27;
const shortWidth = 18;

/** The chart of a load over the past day, and its present value. */
function loadLine(label: string, load: Load, measured: readonly MeasuredServer[], text: LoadText): TileLine {
  const means = meansOf(measured, load);
  return {
    id: `fleet:${load}`,
    link,
    draw: (context, isCurrent) => {
      const isWide = context.width >= 48;
      const room = Math.max(0, context.width - 2 - labelWidth - 2 - (isWide ? longWidth : shortWidth));
      return [
        pointerSpan(context, isCurrent),
        nameSpan(label, isCurrent),
        { text: ' '.repeat(labelWidth - label.length) },
        { text: sparkline(means, Math.min(dayBuckets, room), context.theme.glyphs), role: 'series1' },
        { text: `  ${isWide ? text.long : text.short}` },
      ];
    },
  };
}

/** The mean of each half hour up to the newest value of any server, CPU per processor; undefined without values. */
function meansOf(measured: readonly MeasuredServer[], load: Load): readonly (number | undefined)[] {
  const until = Math.max(...measured.map(({ day }) => day.until));
  const sums = new Float64Array(dayBuckets);
  const counts = new Uint32Array(dayBuckets);
  for (const { row, day } of measured) {
    const lag = Math.round((until - day.until) / bucketMs);
    const size = divisorOf(row, load);
    const { buckets } = day[load];
    for (let place = 0; place + lag < buckets.length; place++) {
      const value = buckets[place + lag] ?? Number.NaN;
      if (!Number.isFinite(value)) continue;
      sums[place] = (sums[place] ?? 0) + value / size;
      counts[place] = (counts[place] ?? 0) + 1;
    }
  }
  return Array.from(sums, (sum, index) => (counts[index] ? sum / (counts[index] ?? 1) : undefined));
}
