import { sparkline } from '../../components/chart.ts';
import { quantity } from '../../components/scale.ts';
import type { Span } from '../../components/spans.ts';
import { bucketMs, type Day, dayBuckets, type Load, loadNames, spreadOf } from '../../resources/compute/load.ts';
import { resourceNamed } from '../../resources/index.ts';
import type { Row } from '../../resources/resource.ts';
import { rowIn } from '../../store/rows.ts';
import { grouped } from '../../text/numbers.ts';
import { forSize, sizeOf } from '../fleet/fleetRows.ts';
import {
  type HomeData,
  type Link,
  nameSpan,
  placeholderText,
  placeholderTile,
  pointerSpan,
  type Tile,
  type TileLine,
} from './tile.ts';

const servers = resourceNamed('servers');
const link: Link = { place: { screen: 'fleet' } };

/** A server whose statistics are known. */
interface MeasuredServer {
  row: Row;
  day: Day;
}

/** Shows the load of servers of which it is known: CPU for their processors, and the traffic of all together. */
export function fleetTile({ view, fleet, queryState }: HomeData): Tile {
  const tile = { name: 'fleet', title: 'Fleet', link } as const;
  const rows = view.rows('servers');
  if (rows.length === 0) return placeholderTile(tile, placeholderText(queryState('servers')) ?? 'none');
  const known = [...fleet.asked()].flatMap((id): readonly MeasuredServer[] => {
    const row = rowIn(servers, rows, id);
    const day = fleet.dayOf(id);
    return row && day ? [{ row, day }] : [];
  });
  const spread = spreadOf(known.map(({ row, day }) => forSize(row, 'cpu', day.cpu.last)));
  const part: Span = { text: `${grouped(known.length)} of ${grouped(rows.length)} known`, role: 'dim' };
  if (!spread) return { ...tile, figures: [part], lines: [] };
  const [median, p95] = [spread.median, spread.p95].map((value) => quantity(value, loadNames.cpu.unit));
  return {
    ...tile,
    figures: [part],
    summary: [{ text: `CPU ${median}` }, { text: `p95 ${p95}` }],
    lines: [
      loadLine('CPU', 'cpu', known, { long: `median ${median}  p95 ${p95}`, short: `${median}  p95 ${p95}` }),
      loadLine('In', 'networkIn', known, total(known, 'networkIn')),
      loadLine('Out', 'networkOut', known, total(known, 'networkOut')),
    ],
  };
}

/** A figure as it is written where there is room, and where there is less. */
interface LoadText {
  long: string;
  short: string;
}

function total(known: readonly MeasuredServer[], load: Load): LoadText {
  const sum = known.reduce((all, { day }) => all + (day[load].last ?? 0), 0);
  const text = quantity(sum, loadNames[load].unit);
  return { long: text, short: text };
}

const labelWidth = 5;
const longWidth = 27;
const shortWidth = 18;

/** One load as it is now, behind the past day as a chart. */
function loadLine(label: string, load: Load, known: readonly MeasuredServer[], figure: LoadText): TileLine {
  const means = meansOf(known, load);
  return {
    id: `fleet:${load}`,
    link,
    draw: (pen, isCurrent) => {
      const isWide = pen.width >= 48;
      const room = Math.max(0, pen.width - 2 - labelWidth - 2 - (isWide ? longWidth : shortWidth));
      return [
        pointerSpan(pen, isCurrent),
        nameSpan(label, isCurrent),
        { text: ' '.repeat(labelWidth - label.length) },
        { text: sparkline(means, Math.min(dayBuckets, room), pen.theme.glyphs), role: 'series1' },
        { text: `  ${isWide ? figure.long : figure.short}` },
      ];
    },
  };
}

/** The mean of each half hour up to the newest reading of all, of CPU for their processors; undefined where there was none. */
function meansOf(known: readonly MeasuredServer[], load: Load): readonly (number | undefined)[] {
  const until = Math.max(...known.map(({ day }) => day.until));
  const sums = new Float64Array(dayBuckets);
  const counts = new Uint32Array(dayBuckets);
  for (const { row, day } of known) {
    const late = Math.round((until - day.until) / bucketMs);
    const size = sizeOf(row, load);
    const { buckets } = day[load];
    for (let place = 0; place + late < buckets.length; place++) {
      const value = buckets[place + late] ?? Number.NaN;
      if (!Number.isFinite(value)) continue;
      sums[place] = (sums[place] ?? 0) + value / size;
      counts[place] = (counts[place] ?? 0) + 1;
    }
  }
  return Array.from(sums, (sum, index) => (counts[index] ? sum / (counts[index] ?? 1) : undefined));
}
