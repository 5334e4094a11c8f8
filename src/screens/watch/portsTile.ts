import type { Span } from '../../components/spans.ts';
import { resourceNamed } from '../../resources/index.ts';
import { healthOf, healthWords } from '../../resources/networking/balancerConfigs.ts';
import type { Row } from '../../resources/resource.ts';
import { idOf, paramsOf } from '../../store/cache.ts';
import { balancerLine, balancerStates, balancersTile } from '../home/balancersTile.ts';
import { type HomeData, itemLine, statusCount, type Tile, type TileLine } from '../home/tile.ts';
import { placeOfRow } from '../places.ts';

const balancers = resourceNamed('nodebalancers');
const configs = resourceNamed('nodebalancer-configs');

/** NodeBalancers, the worst first, each with its ports and the health of their nodes. */
export function portsTile(data: HomeData): Tile {
  const { view, glyphs } = data;
  const lines = balancerStates(view.rows(balancers.name), view).flatMap((one) => [
    balancerLine(one, glyphs),
    ...(one.configs ?? [])
      .toSorted((port, other) => healthOf(other).down - healthOf(port).down || Number(port.port) - Number(other.port))
      .map((port) => portLine(one.row, port, glyphs)),
  ]);
  return { ...balancersTile(data), lines };
}

function portLine(balancer: Row, port: Row, glyphs: HomeData['glyphs']): TileLine {
  const health = healthOf(port);
  const params = { ...paramsOf(balancers, balancer), [configs.param]: idOf(configs, port) };
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
