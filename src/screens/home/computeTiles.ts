import { sparkline } from '../../components/chart.ts';
import { formatValue } from '../../components/format.ts';
import type { Span } from '../../components/spans.ts';
import { bucketMs, dayBuckets, loadNames, loadOf, spreadOf } from '../../resources/compute/load.ts';
import { idOf } from '../../resources/identity.ts';
import { resourceNamed } from '../../resources/index.ts';
import type { Day, Load, Row } from '../../resources/resource.ts';
import { rowIn } from '../../store/rows.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { grouped, quantity } from '../../text/numbers.ts';
import { counted, textIn } from '../../text/words.ts';
import { divisorOf, normalized } from '../fleet/fleetColumns.ts';
import { countLines, countsBy, isBad, statusCounts } from './countLines.ts';
import {
  type HomeData,
  linkToList,
  nameSpan,
  noteLine,
  placeholderText,
  placeholderTile,
  statusCount,
  type Tile,
  type TileLine,
  type TileLink,
} from './tile.ts';

const servers = resourceNamed('servers');
const regions = resourceNamed('regions');

const serversByStatus = countsBy(({ status }) => textIn(status));
const serversByRegion = countsBy(({ region }) => region);

/** Servers by status; without any, how to create the first. */
export function serversTile(data: HomeData): Tile {
  const { view, queryState, readOnly, glyphs } = data;
  const tile = { name: 'servers', title: 'Servers', link: linkToList('servers') } as const;
  const placeholder = placeholderText(queryState('servers'));
  const rows = view.rows('servers');
  if (placeholder && rows.length === 0) return placeholderTile(tile, placeholder);
  if (rows.length === 0) {
    const hint: readonly Span[] = readOnly
      ? []
      : [{ text: `${keyLabel('home.open', 'enter')}, then ${keyLabel('list.create', 'n')}`, role: 'dim' }];
    return { ...tile, figures: [{ text: '0' }], summary: [{ text: 'none' }, ...hint], lines: firstSteps(readOnly) };
  }
  const counts = serversByStatus(rows);
  const { loading, results = 0 } = queryState('servers') ?? {};
  // While they load, of how many is told, too.
  const ofAll = loading && rows.length < results ? ` of ${grouped(results)} …` : '';
  const total: Span = { text: grouped(rows.length) + ofAll };
  return {
    ...tile,
    figures: [total],
    summary: [total, ...statusCounts(counts, glyphs)],
    lines: countLines(servers, 'Status', counts, (status) => formatValue(status, 'status', { glyphs })),
  };
}

/** The number of servers in several lists, and their numbers by status. */
export function serverFigures(lists: readonly (readonly Row[])[], glyphs: HomeData['glyphs']): readonly Span[] {
  const counts = new Map<string, number>();
  for (const { value, count } of lists.flatMap(serversByStatus)) counts.set(value, (counts.get(value) ?? 0) + count);
  const all = [...counts].map(([value, count]) => ({ value, count })).sort((one, other) => other.count - one.count);
  return [{ text: grouped(all.reduce((sum, { count }) => sum + count, 0)) }, ...statusCounts(all, glyphs)];
}

const firstSteps = (readOnly: boolean): readonly TileLine[] => [
  noteLine(
    'servers:none',
    `No servers yet${readOnly ? '' : `: ${keyLabel('home.open', 'enter')}, then ${keyLabel('list.create', 'n')} makes the first`}.`,
  ),
  noteLine(
    'servers:keys',
    `${keyLabel('everywhere.palette', ':')} goes anywhere, ${keyLabel('everywhere.help', '?')} lists the keys.`,
  ),
];

/** Servers by region, those with an outage first; the short line has only them then. */
export function regionsTile({ view, queryState, glyphs }: HomeData): Tile {
  const tile = { name: 'regions', title: 'Regions', link: linkToList('regions') } as const;
  const used = serversByRegion(view.rows('servers'));
  const out = new Set(view.rows('regions').flatMap((row) => (isBad(textIn(row.status)) ? [idOf(regions, row)] : [])));
  const outages: readonly Span[] = out.size > 0 ? [statusCount('outage', counted(out.size, 'outage'), glyphs)] : [];
  if (used.length === 0) {
    const words = placeholderText(queryState('servers')) ?? 'none used';
    return { ...placeholderTile(tile, words), ...(outages.length > 0 && { figures: outages }) };
  }
  const [hit, well] = [used.filter(({ value }) => out.has(value)), used.filter(({ value }) => !out.has(value))];
  const named = (out.size > 0 ? hit : well).map(({ value, count }): Span => ({ text: `${value} ${grouped(count)}` }));
  return {
    ...tile,
    figures: [{ text: `servers in ${used.length}` }, ...outages],
    summary: [...outages, ...(named.length > 0 ? named : [{ text: '0 servers' }])],
    lines: countLines(servers, 'Region', [...hit, ...well], (value) =>
      out.has(value) ? statusCount('outage', value, glyphs) : { text: value },
    ),
  };
}

const fleetLink: TileLink = { place: { screen: 'fleet' } };

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
  const tile = { name: 'fleet', title: 'Fleet', link: fleetLink } as const;
  const rows = view.rows('servers');
  if (rows.length === 0) return placeholderTile(tile, placeholderText(queryState('servers')) ?? 'none');
  const measured = measuredServers(data);
  const spread = spreadOf(cpuOf(measured));
  const [some, all] = [grouped(measured.length), grouped(rows.length)];
  const part: Span = { text: `${some} of ${all} measured`, role: 'dim' };
  if (!spread) return { ...tile, figures: [part], lines: [] };
  const [median, p95] = [spread.median, spread.p95].map((value) => quantity(value, loadNames.cpu.unit));
  return {
    ...tile,
    figures: [part],
    short: some === all ? undefined : `Fleet ${some}/${all}`,
    summary: [{ text: `CPU ${median}` }, { text: `p95 ${p95}` }],
    lines: [
      loadLine('CPU', 'cpu', measured, { long: `median ${median}  p95 ${p95}`, short: `${median}  p95 ${p95}` }),
      loadLine('In', 'networkIn', measured, total(measured, 'networkIn')),
      loadLine('Out', 'networkOut', measured, total(measured, 'networkOut')),
    ],
  };
}

/** A load in words for a wide and a narrow line. */
function total(measured: readonly MeasuredServer[], load: Load) {
  const sum = measured.reduce((all, { row, day }) => all + (loadOf(row, load, day)?.last ?? 0), 0);
  const text = quantity(sum, loadNames[load].unit);
  return { long: text, short: text };
}

const labelWidth = 5;
const longWidth = 27;
const shortWidth = 18;

/** The chart of a load over the past day, and its present value. */
function loadLine(
  label: string,
  load: Load,
  measured: readonly MeasuredServer[],
  text: ReturnType<typeof total>,
): TileLine {
  const means = meansOf(measured, load);
  return {
    id: `fleet:${load}`,
    link: fleetLink,
    draw: (context, isCurrent) => {
      const isWide = context.width >= 48;
      const room = Math.max(0, context.width - 2 - labelWidth - 2 - (isWide ? longWidth : shortWidth));
      return [
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
