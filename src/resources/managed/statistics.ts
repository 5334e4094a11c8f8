import { graphAt, pointsOf, type SeriesGroup } from '../compute/statistics.ts';
import { at, type Resource, type Row, resource } from '../resource.ts';

/** The five combined series of the managed servers, or a message in their place (document 3, 4.4). */
export type ManagedStatistics = Row & {
  data: Row | readonly string[];
  /** The statistics have no id, since there is only one of them. */
  title?: undefined;
};

/**
 * The graphs of the last 24 hours: processor, disk, swap and network, in the units of a server's statistics.
 * @param body the answer; points are `{x, y}`
 */
export const managedGraphs = (body: unknown): readonly SeriesGroup[] => [
  graphAt(body, 'CPU', '%', { cpu: 'cpu' }),
  graphAt(body, 'Disk', 'blocks/s', { disk: 'disk' }),
  graphAt(body, 'Swap', 'blocks/s', { swap: 'swap' }),
  graphAt(body, 'Network', 'bit/s', { in: 'net_in', out: 'net_out' }),
];

/** The message that the API sends in place of statistics; undefined where it sends statistics. */
export function managedMessage(body: unknown): string | undefined {
  const data = at(body, 'data');
  const said = Array.isArray(data) ? data.filter((one) => typeof one === 'string').join(' ') : '';
  return said === '' ? undefined : said;
}

const newest = (name: string) => (body: ManagedStatistics) => pointsOf(at(body, `data.${name}`)).at(-1)?.[1];

const columns = (
  [
    ['CPU now', 'cpu', 'percent'],
    ['Disk now', 'disk', 'blockrate'],
    ['Swap now', 'swap', 'blockrate'],
    ['Network in now', 'net_in', 'bitrate'],
    ['Network out now', 'net_out', 'bitrate'],
  ] as const
).map(([title, name, format]) => ({ title, value: newest(name), format, keep: 1 as const }));

/** The combined statistics of all managed servers (document 3, 4.4). */
export const managedStatistics: Resource = resource<ManagedStatistics>()({
  name: 'managed-statistics',
  one: 'managed statistics',
  area: 'Managed',
  aliases: ['managed-stats', 'managed-graphs'],
  id: 'title',
  param: 'statistics',
  label: () => 'all servers',
  statistics: {
    graphs: managedGraphs,
    none: (body) => managedMessage(body) ?? 'No statistics yet: no server has readings.',
  },
  columns,
  tabs: [{ title: 'Graphs', screen: 'graphs', uses: ['managed-statistics.view'] }],
  opensAt: 'Graphs',
  list: false,
  view: { path: '/v4/managed/stats', scope: 'account:read_only', freshFor: 300 },
});
