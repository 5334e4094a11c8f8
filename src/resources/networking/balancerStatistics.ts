import { pointsOf, type SeriesGroup } from '../compute/statistics.ts';
import { at } from '../row.ts';

/**
 * The graphs of a NodeBalancer's statistics: connections and traffic of the past 24 hours.
 * @param body the answer, flat or wrapped in `data`
 */
export function balancerStatisticsOf(body: unknown): readonly SeriesGroup[] {
  const part = at(body, 'data') ?? body;
  return [
    {
      name: 'Connections',
      unit: 'connections/s',
      series: [{ name: 'connections', points: pointsOf(at(part, 'connections')) }],
    },
    {
      name: 'Traffic',
      unit: 'bit/s',
      series: [
        { name: 'in', points: pointsOf(at(part, 'traffic.in')) },
        { name: 'out', points: pointsOf(at(part, 'traffic.out')) },
      ],
    },
  ];
}

/** The same with a graph for each series, by which NodeBalancers are compared. */
export const balancerLoads = (body: unknown): readonly SeriesGroup[] =>
  balancerStatisticsOf(body).flatMap(({ name, unit, series }) =>
    series.map((one) => ({ name: series.length > 1 ? `${name} ${one.name}` : name, unit, series: [one] })),
  );
