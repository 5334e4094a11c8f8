import type { Span } from '../../components/spans.ts';
import { resourceNamed } from '../../resources/index.ts';
import type { Row } from '../../resources/resource.ts';
import { idOf } from '../../store/cache.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { grouped } from '../../text/numbers.ts';
import { counted } from '../../text/words.ts';
import { countLines, countsBy, isBad, statusCounts, statusSpan } from './countLines.ts';
import {
  type HomeData,
  linkToList,
  noteLine,
  placeholderText,
  placeholderTile,
  type QueryState,
  statusCount,
  type Tile,
  type TileLine,
} from './tile.ts';

const servers = resourceNamed('servers');
const regions = resourceNamed('regions');

const serversByStatus = countsBy((row) => servers.status?.(row));
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
  const total: Span = { text: totalText(rows.length, queryState('servers')) };
  return {
    ...tile,
    figures: [total],
    summary: [total, ...statusCounts(counts, glyphs)],
    lines: countLines(servers, 'Status', counts, statusSpan(glyphs)),
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

/** The number of servers; while they load, of how many. */
function totalText(count: number, state: QueryState | undefined): string {
  const isPart = state?.loading && state.results !== undefined && count < state.results;
  return isPart ? `${grouped(count)} of ${grouped(state.results ?? 0)} …` : grouped(count);
}

/** Servers by region, and regions with an outage. */
export function regionsTile({ view, queryState, glyphs }: HomeData): Tile {
  const tile = { name: 'regions', title: 'Regions', link: linkToList('regions') } as const;
  const counts = serversByRegion(view.rows('servers'));
  const out = new Set(
    view.rows('regions').flatMap((row) => (isBad(regions.status?.(row)) ? [idOf(regions, row)] : [])),
  );
  const outages: readonly Span[] = out.size > 0 ? [statusCount('outage', counted(out.size, 'outage'), glyphs)] : [];
  if (counts.length === 0) {
    const words = placeholderText(queryState('servers')) ?? 'none used';
    return { ...placeholderTile(tile, words), ...(outages.length > 0 && { figures: outages }) };
  }
  return {
    ...tile,
    figures: [{ text: `servers in ${counts.length}` }, ...outages],
    summary: [...outages, ...counts.map(({ value, count }): Span => ({ text: `${value} ${grouped(count)}` }))],
    lines: countLines(servers, 'Region', counts, (value) => ({
      text: value,
      role: out.has(value) ? 'bad' : undefined,
    })),
  };
}
