import { managedTile, moneyTile, ticketsTile } from './accountTiles.ts';
import { balancersTile } from './balancersTile.ts';
import { regionsTile, serversTile } from './computeTiles.ts';
import { activityTile, happeningTile } from './eventTiles.ts';
import { fleetTile } from './fleetTile.ts';
import { problemTile } from './problemTile.ts';
import { storageTile } from './storageTile.ts';
import type { HomeData, Tile } from './tile.ts';

/** The resources whose rows home shows or sums up. They are read because rules of problems look at them. */
export const tiledResources: readonly string[] = [
  'servers',
  'regions',
  'nodebalancers',
  'nodebalancerConfigs',
  'managed-services',
  'managed-issues',
  'volumes',
  'images',
  'buckets',
  'objectStorage',
  'account',
  'invoices',
  'tickets',
  'replies',
];

/** Everything that home shows, the most important first; a pure function of what is known. */
export const homeTiles = (data: HomeData): readonly Tile[] =>
  [
    problemTile(data),
    happeningTile(data),
    serversTile(data),
    regionsTile(data),
    fleetTile(data),
    balancersTile(data),
    managedTile(data),
    storageTile(data),
    moneyTile(data),
    ticketsTile(data),
    activityTile(data),
  ].filter((tile) => tile !== undefined);
