import { sparkline } from '../../components/chart.ts';
import { quantity } from '../../components/scale.ts';
import { pointerOf, type Theme } from '../../components/theme.ts';
import type { Series, SeriesGroup } from '../../resources/compute/statistics.ts';
import { cell } from '../../text/cells.ts';

const mean = ({ points }: Series) => points.reduce((sum, [, value]) => sum + value, 0) / Math.max(1, points.length);

/** The series of a group with the highest mean. */
const busiest = ({ series }: SeriesGroup): Series | undefined =>
  series
    .filter(({ comparedWith }) => comparedWith === undefined)
    .reduce<Series | undefined>((highest, one) => (highest && mean(highest) >= mean(one) ? highest : one), undefined);

const nameWidth = 11;
const readingWidth = 28;

/** A line for each group: its name, its busiest series as a sparkline, and the newest reading of that. */
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
