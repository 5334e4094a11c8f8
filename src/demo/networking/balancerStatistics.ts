import type { Row } from '../../resources/resource.ts';
import { timesBetween } from '../compute/statistics.ts';
import type { Cloud } from '../engine/cloud.ts';
import { badRequest } from '../engine/errors.ts';
import { noise } from '../engine/random.ts';
import { day, hour, minute, parseTimestamp } from '../engine/time.ts';
import type { BalancerTree } from './balancerRows.ts';

const step = 5 * minute;

/**
 * The statistics of a NodeBalancer: connections and traffic of the past 24 hours as five-minute averages.
 * @throws 400 where there are none yet
 */
export function balancerStatistics(cloud: Cloud, { balancer, ports }: BalancerTree): Row {
  const first = Math.max(cloud.time - day, parseTimestamp(balancer.created) + step);
  const times = timesBetween(first, cloud.time, step);
  if (times.length === 0) throw badRequest('Stats are unavailable at this time.');
  const nodes = ports.reduce((sum, port) => sum + port.nodes.length, 0);
  const key = cloud.options.seed * 31 + balancer.id;
  const connections = (time: number) => nodes * 9 * busyness(key, time);
  const points = (reading: (time: number) => number) =>
    times.map((time) => [time, Math.round(reading(time) * 100) / 100] as const);
  return {
    title: `${balancer.label} - day (5 min avg)`,
    data: {
      connections: points(connections),
      traffic: {
        in: points((time) => connections(time) * 9_500 * (0.9 + 0.2 * noise(key, 3, time / step))),
        out: points((time) => connections(time) * 84_000 * (0.9 + 0.2 * noise(key, 4, time / step))),
      },
    },
  };
}

/** From 0.1 to about 1.3: the hour of the day, and crowds that come at once. */
function busyness(key: number, time: number): number {
  const hours = (time % day) / hour;
  const curve = 0.5 - 0.5 * Math.cos(((hours - 4) / 24) * 2 * Math.PI);
  const crowd = noise(key, 1, Math.floor(time / (20 * minute))) > 0.96 ? 0.4 : 0;
  return 0.1 + 0.75 * curve * (0.85 + 0.3 * noise(key, 2, time / step)) + crowd;
}
