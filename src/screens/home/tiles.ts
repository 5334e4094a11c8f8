import { managedTile, moneyTile, ticketsTile } from './accountTiles.ts';
import { balancersTile } from './balancersTile.ts';
import { fleetTile, regionsTile, serversTile } from './computeTiles.ts';
import { activityTile, happeningTile } from './eventTiles.ts';
import { problemTile } from './problemTile.ts';
import { storageTile } from './storageTile.ts';
import type { HomeData, Tile } from './tile.ts';

/** The resources that the tiles show. Home itself does not read them: the rules of problems do. */
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

/** Pure functions that make the tiles, the most important first. */
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

/** All tiles of home. */
export const homeTiles = (data: HomeData): readonly Tile[] =>
  tileBuilders.map((build) => build(data)).filter((tile) => tile !== undefined);
