import { pointsOf, type SeriesGroup } from '../compute/statistics.ts';
import { at } from '../resource.ts';

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
