import type { Span } from '../../components/spans.ts';
import { idOf } from '../../resources/identity.ts';
import { resourceNamed } from '../../resources/index.ts';
import { healthOf, healthWords } from '../../resources/networking/balancerConfigs.ts';
import type { CacheView, Row } from '../../resources/resource.ts';
import { compareTexts } from '../../store/sorting.ts';
import { grouped } from '../../text/numbers.ts';
import { counted } from '../../text/words.ts';
import { placeOfOwn } from '../places.ts';
import {
  type HomeData,
  itemLine,
  linkToList,
  placeholderText,
  placeholderTile,
  statusCount,
  type Tile,
  type TileLine,
} from './tile.ts';

/** Nodes that take traffic, nodes that do not, and the ports in front of them. */
interface NodeCounts {
  up: number;
  down: number;
  ports: number;
}

/** A NodeBalancer, and its configs and node counts once they were read. */
export interface BalancerState {
  row: Row;
  configs?: readonly Row[];
  nodes?: NodeCounts;
}

const balancers = resourceNamed('nodebalancers');

/** NodeBalancers with the number of nodes that take no traffic, the worst first. */
export function balancersTile({ view, queryState, glyphs }: HomeData): Tile {
  const tile = { name: 'nodebalancers', title: balancers.many, link: linkToList('nodebalancers') } as const;
  const rows = view.rows('nodebalancers');
  if (rows.length === 0) return placeholderTile(tile, placeholderText(queryState('nodebalancers')) ?? 'none');
  const all = balancerStates(rows, view);
  return { ...tile, ...balancerFigures(all, glyphs), lines: all.map((one) => balancerLine(one, glyphs)) };
}

/** The number of NodeBalancers, and the health of their nodes. */
export function balancerFigures(
  all: readonly BalancerState[],
  glyphs: HomeData['glyphs'],
): Required<Pick<Tile, 'figures' | 'summary'>> {
  const read = all.flatMap(({ nodes }) => nodes ?? []);
  const { up, down } = summed(read);
  const part: readonly Span[] =
    read.length < all.length ? [{ text: `${read.length} of ${grouped(all.length)} read`, role: 'dim' }] : [];
  const health = (words: (count: number) => string): readonly Span[] => {
    if (up + down === 0) return [];
    return [down > 0 ? statusCount('down', words(down), glyphs) : statusCount('up', `${grouped(up)} up`, glyphs)];
  };
  const nodes: readonly Span[] = read.length > 0 ? [{ text: counted(up + down, 'node') }] : [];
  return {
    figures: [
      { text: grouped(all.length) },
      ...health((count) => `${count} of ${counted(up + down, 'node')} down`),
      ...part,
    ],
    summary: [...health((count) => `${count} down`), ...nodes, ...part],
  };
}

/** NodeBalancers with their ports; those with the most nodes down come first. */
export function balancerStates(rows: readonly Row[], view: CacheView): readonly BalancerState[] {
  const configs = new Map(view.lists('nodebalancer-configs').map((list) => [list.params[balancers.param], list]));
  return rows
    .map((row): BalancerState => {
      const list = configs.get(idOf(balancers, row));
      if (!list?.whole) return { row };
      return { row, configs: list.rows, nodes: summed(list.rows.map((config) => ({ ...healthOf(config), ports: 1 }))) };
    })
    .sort(
      (one, other) =>
        (other.nodes?.down ?? 0) - (one.nodes?.down ?? 0) ||
        compareTexts(balancers.label(one.row), balancers.label(other.row)),
    );
}

function summed(all: readonly NodeCounts[]): NodeCounts {
  const sum = (of: keyof NodeCounts) => all.reduce((total, one) => total + one[of], 0);
  return { up: sum('up'), down: sum('down'), ports: sum('ports') };
}

/** A NodeBalancer and the health of its nodes. */
export function balancerLine({ row, nodes }: BalancerState, glyphs: HomeData['glyphs']): TileLine {
  const { mark, end } = healthMark(nodes, glyphs);
  const link = { place: placeOfOwn(balancers, row) };
  return itemLine(`nodebalancers:${idOf(balancers, row)}`, link, mark, balancers.label(row), end);
}

/** The mark of a NodeBalancer, and its health in words. */
export function healthMark(nodes: NodeCounts | undefined, glyphs: HomeData['glyphs']): { mark: Span; end: string } {
  if (!nodes) return { mark: { text: '  ' }, end: '…' };
  if (nodes.ports === 0) return { mark: statusCount('disabled', '', glyphs), end: 'no ports' };
  if (nodes.up + nodes.down === 0) return { mark: statusCount('warning', '', glyphs), end: 'no nodes' };
  if (nodes.down > 0) return { mark: statusCount('down', '', glyphs), end: healthWords(nodes) };
  return { mark: statusCount('up', '', glyphs), end: `${nodes.up} up` };
}
