import type { SeriesGroup } from '../../resources/compute/statistics.ts';
import type { Drawn } from './useStatistics.ts';

/**
 * A graph for each load with one line for each member, in their order, then those of the month before.
 * @param labels the names of the members
 */
export function comparedGroups(
  members: readonly Pick<Drawn, 'groups'>[],
  labels: readonly string[],
): readonly SeriesGroup[] {
  const loads = members.find(({ groups }) => groups.length > 0)?.groups ?? [];
  return loads.map(({ name, unit }, place) => {
    const seriesOf = members.map(({ groups }) => groups[place]?.series ?? []);
    return {
      name,
      unit,
      series: [
        ...seriesOf.map(([own], index) => ({ name: labels[index] ?? '', points: own?.points ?? [] })),
        ...seriesOf.flatMap(([, before], index) =>
          before ? [{ ...before, name: `${labels[index]}, month before`, comparedWith: index }] : [],
        ),
      ],
    };
  });
}
