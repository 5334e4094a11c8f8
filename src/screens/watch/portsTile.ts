import type { Span } from '../../components/spans.ts';
import { resourceNamed } from '../../resources/index.ts';
import { healthOf, healthWords } from '../../resources/networking/balancerConfigs.ts';
import { isDown } from '../../resources/networking/nodeText.ts';
import type { CacheView, Params, Row } from '../../resources/resource.ts';
import { idOf, paramsOf, type Query } from '../../store/cache.ts';
import { textIn } from '../../text/words.ts';
import { type BalancerState, balancerLine, balancerStates, balancersTile } from '../home/balancersTile.ts';
import { type HomeData, itemLine, statusCount, type Tile, type TileLine } from '../home/tile.ts';
import { placeOfRow } from '../places.ts';

const balancers = resourceNamed('nodebalancers');
const configs = resourceNamed('nodebalancer-configs');
const members = resourceNamed('nodebalancer-nodes');

/** A tile, and the queries for what it shows besides the lists. */
interface PortsTile {
  tile: Tile;
  queries: readonly Query[];
}

/**
 * NodeBalancers, the worst first, each with its ports and the health of their nodes; and with the nodes themselves where
 * all of them fit.
 * @param room lines below the heading
 */
export function portsTile(data: HomeData, room: number): PortsTile {
  const { view, glyphs } = data;
  const states = balancerStates(view.rows(balancers.name), view);
  const hasNodes = linesOf(states) <= room;
  const queries: Query[] = [];
  const lines = states.flatMap((one) => {
    const group = portLines(one, view, glyphs, hasNodes);
    queries.push(...group.queries);
    return group.lines;
  });
  return { tile: { ...balancersTile(data), lines }, queries };
}

/** The number of lines of NodeBalancers with all their ports and nodes. */
export function linesOf(states: readonly BalancerState[]): number {
  const ports = states.flatMap(({ configs = [] }) => configs);
  const nodes = ports.map(healthOf).reduce((sum, { up, down }) => sum + up + down, 0);
  return states.length + ports.length + nodes;
}

/** A NodeBalancer with its ports, and with their nodes or without. */
export function portLines(
  one: BalancerState,
  view: CacheView,
  glyphs: HomeData['glyphs'],
  hasNodes: boolean,
): { lines: readonly TileLine[]; queries: readonly Query[] } {
  const queries: Query[] = [];
  const lines = [
    balancerLine(one, glyphs),
    ...(one.configs ?? [])
      .toSorted((port, other) => healthOf(other).down - healthOf(port).down || Number(port.port) - Number(other.port))
      .flatMap((port) => {
        const params = { ...paramsOf(balancers, one.row), [configs.param]: idOf(configs, port) };
        const line = portLine(params, port, glyphs);
        if (!hasNodes) return [line];
        queries.push({ resource: members.name, operation: 'list', params });
        return [line, ...nodesOf(view, params).map((node) => nodeLine(params, node, glyphs))];
      }),
  ];
  return { lines, queries };
}

/** The nodes of a port as far as they are loaded, those that are down first. */
const nodesOf = (view: CacheView, params: Params): readonly Row[] =>
  view.rows(members.name, params).toSorted((one, other) => Number(isDown(other)) - Number(isDown(one)));

function nodeLine(params: Params, node: Row, glyphs: HomeData['glyphs']): TileLine {
  const { text, role } = statusCount(members.status?.(node) ?? '', '', glyphs);
  return itemLine({
    id: `${members.name}:${idOf(members, node)}`,
    mark: { text: `      ${text}`, role },
    name: [members.label(node), node.address].filter(Boolean).join('  '),
    end: node.mode === 'accept' ? '' : textIn(node.mode),
    link: { place: placeOfRow(members, { ...params, [members.param]: idOf(members, node) }) },
  });
}

function portLine(params: Params, port: Row, glyphs: HomeData['glyphs']): TileLine {
  const health = healthOf(port);
  return itemLine({
    id: `${configs.name}:${idOf(configs, port)}`,
    mark: { ...markOf(health, glyphs), text: `    ${markOf(health, glyphs).text}` },
    name: [configs.label(port), port.protocol, port.algorithm].filter(Boolean).join('  '),
    end: healthWords(health),
    link: { place: placeOfRow(configs, params) },
  });
}

function markOf({ up, down }: { up: number; down: number }, glyphs: HomeData['glyphs']): Span {
  if (down > 0) return statusCount('down', '', glyphs);
  return statusCount(up > 0 ? 'up' : 'warning', '', glyphs);
}
