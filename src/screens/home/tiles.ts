import { managedTile, moneyTile, ticketsTile } from './accountTiles.ts';
import { balancersTile } from './balancersTile.ts';
import { regionsTile, serversTile } from './computeTiles.ts';
import { activityTile, happeningTile } from './eventTiles.ts';
import { fleetTile } from './fleetTile.ts';
import { problemTile } from './problemTile.ts';
import { storageTile } from './storageTile.ts';
import type { HomeData, Tile } from './tile.ts';

/** The resources whose rows home shows or sums up. They are read because rules of problems look at them. */
export const tileResources: readonly string[] = [
  'servers',
  'regions',
  'nodebalancers',
  'nodebalancer-configs',
  'managed-services',
  'managed-issues',
  'volumes',
  'images',
  'buckets',
  'object-storage',
  'account',
  'invoices',
  'tickets',
  'replies',
];

/** The parts of home, the most important first; pure functions of what is known. */
export const tileBuilders: readonly ((data: HomeData) => Tile | undefined)[] = [
  problemTile,
  happeningTile,
  serversTile,
  regionsTile,
  fleetTile,
  balancersTile,
  managedTile,
  storageTile,
  moneyTile,
  ticketsTile,
  activityTile,
];

/** Everything that home shows. */
export const homeTiles = (data: HomeData): readonly Tile[] =>
  tileBuilders.map((draft) => draft(data)).filter((tile) => tile !== undefined);
