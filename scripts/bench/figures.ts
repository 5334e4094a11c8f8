/** One line of the table. */
export interface Figure {
  measure: string;
  value: number;
  unit: string;
  /** The lowest possible value, measured in the same run, and its name. */
  floor?: { value: number; of: string };
  /** The highest allowed value; of the ratio where it ends with `×`. */
  goal?: string;
}

/** The quantile of values; 0.5 is the median. NaN without values. */
export function quantile(values: readonly number[], share: number): number {
  const ordered = values.toSorted((one, other) => one - other);
  return ordered[Math.min(ordered.length - 1, Math.floor(ordered.length * share))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** A number with its significant digits. */
const rounded = (value: number): string =>
  Number.isNaN(value) ? '–' : value.toLocaleString('en', { maximumFractionDigits: Math.abs(value) < 20 ? 1 : 0 });

const titles = ['Measure', 'Figure', 'Floor', 'Ratio', 'Goal'];

const cellsOf = ({ measure, value, unit, floor, goal }: Figure): readonly string[] => [
  measure,
  `${rounded(value)} ${unit}`.trim(),
  floor ? `${rounded(floor.value)} (${floor.of})` : '',
  floor && floor.value > 0 ? `${(value / floor.value).toFixed(2)}×` : '',
  goal ?? '',
];

/** The figures as a table of Markdown. */
export const tableOf = (figures: readonly Figure[]): string =>
  [titles, titles.map(() => '---'), ...figures.map(cellsOf)].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** One figure on a line of text. */
export const lineOf = (figure: Figure): string => {
  const [measure = '', value = '', floor = '', ratio = '', goal = ''] = cellsOf(figure);
  const against = floor && `${ratio} of ${floor}`;
  return `${measure.padEnd(58)} ${value.padStart(12)}   ${against}${goal && `   goal ${goal}`}`;
};
