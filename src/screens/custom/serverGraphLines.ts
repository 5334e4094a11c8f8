import { sparkline } from '../../components/chart.ts';
import { quantity } from '../../components/scale.ts';
import { pointerOf, type Theme } from '../../components/theme.ts';
import type { Series, SeriesGroup } from '../../resources/compute/statistics.ts';
import { cell } from '../../text/cells.ts';

/** The lowest of the values above which a group of series raises an alert. */
export function alertThreshold({ series }: SeriesGroup): number | undefined {
  const limits = series.flatMap(({ threshold }) => threshold ?? []);
  return limits.length > 0 ? Math.min(...limits) : undefined;
}

const mean = ({ points }: Series) => points.reduce((sum, [, value]) => sum + value, 0) / Math.max(1, points.length);

/** The series of a group that has the most to show. */
const busiest = ({ series }: SeriesGroup): Series | undefined =>
  series
    .filter(({ comparedWith }) => comparedWith === undefined)
    .reduce<Series | undefined>((most, one) => (most && mean(most) >= mean(one) ? most : one), undefined);

const nameWidth = 11;
const readingWidth = 28;

/** All groups, a line each: name, its busiest series drawn small, and what that is now. */
export const summaryLines = (
  theme: Theme,
  groups: readonly SeriesGroup[],
  focus: number,
  width: number,
): readonly string[] => groups.map((group, index) => summaryLine(theme, group, index === focus, width));

function summaryLine(theme: Theme, group: SeriesGroup, isFocus: boolean, width: number): string {
  const pointer = pointerOf(theme, isFocus);
  const name = theme.paint(isFocus ? 'title' : 'plain', cell(group.name, nameWidth));
  const shown = busiest(group);
  const values = shown?.points.map(([, value]) => value) ?? [];
  const last = values.at(-1);
  if (!shown || last === undefined) return `${pointer} ${name} ${theme.paint('dim', 'no data yet')}`;
  const line = theme.paint(
    'series1',
    sparkline(values, Math.max(0, width - nameWidth - readingWidth - 4), theme.glyphs),
  );
  const reading = `${shown.name} ${quantity(last, group.unit)}`;
  return `${pointer} ${name} ${line}${cell(reading, readingWidth, 'right')}`;
}
