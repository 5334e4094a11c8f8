import { at, type Row } from '../../resources/resource.ts';
import type { Server } from '../compute/servers.seed.ts';
import { statisticsOf } from '../compute/statistics.ts';
import { type Cloud, perCloud } from '../engine/cloud.ts';
import { HttpError } from '../engine/errors.ts';
import { handlersFor } from '../engine/handler.ts';
import { minute } from '../engine/time.ts';
import { serversOf } from '../inventory.ts';

type Series = readonly (readonly [time: number, reading: number])[];

/** Where each combined series comes from in the statistics of one server. */
const sources = {
  cpu: ['cpu'],
  disk: ['io.io'],
  swap: ['io.swap'],
  net_in: ['netv4.in', 'netv6.in'],
  net_out: ['netv4.out', 'netv6.out'],
} as const;

/** Of so many servers the statistics are added up; a larger fleet is taken as more of the same. */
const maxServers = 40;

/** The last sums, and the time and number of servers that they are for. */
const sums = perCloud((): { slot: number; servers: number; data: Row } => ({ slot: -1, servers: -1, data: {} }));

/** The combined statistics of the last 24 hours (document 3, 4.4), worked out once for each reading. */
function combined(cloud: Cloud): Row {
  const servers = [...serversOf(cloud).values()];
  const sum = sums(cloud);
  const slot = Math.floor(cloud.time / (5 * minute));
  if (sum.slot !== slot || sum.servers !== servers.length)
    Object.assign(sum, { slot, servers: servers.length, data: added(cloud, servers) });
  return sum.data;
}

function added(cloud: Cloud, servers: readonly Server[]): Row {
  const shown = servers.slice(0, maxServers);
  const bodies = shown.flatMap((server) => statisticsIfAny(cloud, server) ?? []);
  const scale = servers.length / Math.max(1, shown.length);
  return Object.fromEntries(
    Object.entries(sources).map(([name, paths]) => {
      const all = bodies.flatMap((body) => paths.map((path) => at(body, path) as Series));
      return [name, totalled(all, scale)];
    }),
  );
}

function totalled(all: readonly Series[], scale: number): readonly { x: number; y: number }[] {
  const totals = new Map<number, number>();
  for (const series of all) for (const [time, reading] of series) totals.set(time, (totals.get(time) ?? 0) + reading);
  return [...totals].sort(([one], [other]) => one - other).map(([x, sum]) => ({ x, y: Math.round(sum * scale) }));
}

/** A server that has just been made has none yet. */
function statisticsIfAny(cloud: Cloud, server: Server): Row | undefined {
  try {
    return statisticsOf(cloud, server);
  } catch (error) {
    if (error instanceof HttpError) return undefined;
    throw error;
  }
}

/** Managed statistics (document 3, 4.4); without servers there is a message in their place. */
export const managedStatistics = handlersFor('managed-statistics', {
  view: {
    handler: (_call, cloud) =>
      serversOf(cloud).size > 0
        ? { data: combined(cloud) }
        : { data: ['No statistics are available: there is no managed server.'] },
    rateLimit: 100,
  },
});
