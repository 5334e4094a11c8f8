import { idOf, paramsOf } from '../../resources/identity.ts';
import { resourceNamed } from '../../resources/index.ts';
import { healthOf, healthWords } from '../../resources/networking/balancerConfigs.ts';
import { isDown } from '../../resources/networking/nodeText.ts';
import type { CacheView, Params, Row } from '../../resources/resource.ts';
import { listQuery, type Query } from '../../store/cache.ts';
import { textIn } from '../../text/words.ts';
import {
  type BalancerState,
  balancerFigures,
  balancerLine,
  balancerStates,
  balancersTile,
  healthMark,
} from '../home/balancersTile.ts';
import { type HomeData, itemLine, statusCount, type TileLine } from '../home/tile.ts';
import { maxBalancers, portsOf } from '../home/useHomeData.ts';
import { placeOfRow } from '../places.ts';
import { accountColumn, type Board, firstWith, pagedTile, pagedUnder, withActivity } from './board.ts';

const balancers = resourceNamed('nodebalancers');
const configs = resourceNamed('nodebalancer-configs');
const members = resourceNamed('nodebalancer-nodes');

/**
 * NodeBalancers, the worst first, each with its ports and the health of their nodes; and with the nodes themselves where
 * all of them fit.
 */
export const balancersBoard: Board = {
  name: 'nodebalancers',
  title: balancers.many,
  showsAll: true,
  isEmpty: (view) => view.rows(balancers.name).length === 0,
  draw: (accounts, context) => {
    const column = accountColumn(accounts, context);
    const { data } = firstWith(accounts, (one) => one.data.queryState(balancers.name)?.loadedAt !== undefined);
    const tile = balancersTile(data);
    const all = accounts
      .flatMap((account) => {
        const { view } = account.data;
        return balancerStates(view.rows(balancers.name), view).map((state) => ({ account, state }));
      })
      .sort((one, other) => (other.state.nodes?.down ?? 0) - (one.state.nodes?.down ?? 0));
    if (all.length === 0) return withActivity(pagedTile(tile, context), accounts, context);
    const states = all.map(({ state }) => state);
    // The heading takes a line, and so do the titles of several accounts.
    const hasNodes = linesOf(states) <= context.height - (column.head ? 2 : 1);
    const queriesOf: Record<string, Query[]> = {};
    for (const { profile, data: own } of accounts) {
      const rows = own.view.rows(balancers.name).slice(0, maxBalancers);
      queriesOf[profile] = rows.map((row) => portsOf(idOf(balancers, row)));
    }
    const lines = all.flatMap(({ account, state }) => {
      const group = portLines(state, account.data.view, data.glyphs, hasNodes);
      queriesOf[account.profile]?.push(...group.queries);
      return group.lines.map((line) => column.tileLine(account, line));
    });
    const shown = { ...tile, ...balancerFigures(states, data.glyphs), lines };
    return { ...withActivity(pagedUnder(column, shown, context), accounts, context), queriesOf };
  },
};

/** The number of lines of NodeBalancers with all their ports and nodes. */
function linesOf(states: readonly BalancerState[]): number {
  const ports = states.flatMap(({ configs = [] }) => configs);
  const nodes = ports.map(healthOf).reduce((sum, { up, down }) => sum + up + down, 0);
  return states.length + ports.length + nodes;
}

/** A NodeBalancer with its ports, and with their nodes or without. */
function portLines(
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
        queries.push(listQuery(members, params));
        return [line, ...nodesOf(view, params).map((node) => nodeLine(params, node, glyphs))];
      }),
  ];
  return { lines, queries };
}

/** The nodes of a port as far as they are loaded, those that are down first. */
const nodesOf = (view: CacheView, params: Params): readonly Row[] =>
  view.rows(members.name, params).toSorted((one, other) => Number(isDown(other)) - Number(isDown(one)));

function nodeLine(params: Params, node: Row, glyphs: HomeData['glyphs']): TileLine {
  const { text, role } = statusCount(textIn(node.status) ?? '', '', glyphs);
  const id = idOf(members, node);
  const link = { place: placeOfRow(members, { ...params, [members.param]: id }) };
  const name = [members.label(node), node.address].filter(Boolean).join('  ');
  const end = node.mode === 'accept' ? '' : textIn(node.mode);
  return itemLine(`${members.name}:${id}`, link, { text: `      ${text}`, role }, name, end);
}

function portLine(params: Params, port: Row, glyphs: HomeData['glyphs']): TileLine {
  const health = healthOf(port);
  const { mark } = healthMark({ ...health, ports: 1 }, glyphs);
  const name = [configs.label(port), port.protocol, port.algorithm].filter(Boolean).join('  ');
  const link = { place: placeOfRow(configs, params) };
  const shown = { ...mark, text: `    ${mark.text}` };
  return itemLine(`${configs.name}:${idOf(configs, port)}`, link, shown, name, healthWords(health));
}
