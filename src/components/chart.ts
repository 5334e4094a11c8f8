import type { Glyphs } from './format.ts';

const levels: Readonly<Record<Glyphs, string>> = { unicode: '▁▂▃▄▅▆▇█', ascii: '_.:-=+*#' };

/** The values of a chart from left to right; those that are missing are not drawn. */
type Values = readonly (number | null | undefined)[];

/**
 * A chart one line high and exactly `width` cells wide; the newest value is at the right.
 * Where there are more values than cells, each cell shows the largest of its own. Missing values leave a space.
 * @param top the value that fills a cell; the largest one by default
 */
export function sparkline(values: Values, width: number, glyphs: Glyphs, top?: number): string {
  const heights = largestPerCell(values, width);
  const full = top ?? heights.reduce<number>((largest, value) => Math.max(largest, value ?? 0), 0);
  const marks = levels[glyphs];
  const line = heights.map((value) => (value === undefined ? ' ' : (marks[levelOf(value, full)] ?? ' '))).join('');
  return line.padStart(Math.max(0, width));
}

/** The same chart in `rows` lines, the topmost first. */
export function sparkRows(values: Values, width: number, rows: number, glyphs: Glyphs): readonly string[] {
  if (rows <= 1) return [sparkline(values, width, glyphs)];
  const heights = largestPerCell(values, width);
  const full = heights.reduce<number>((largest, value) => Math.max(largest, value ?? 0), 0);
  const marks = levels[glyphs];
  return Array.from({ length: rows }, (_, row) => {
    const below = (rows - 1 - row) * marks.length;
    const line = heights.map((value) => {
      if (value === undefined) return ' ';
      const eighths = full > 0 ? Math.max(1, Math.round((value / full) * rows * marks.length)) : 1;
      return eighths <= below ? ' ' : (marks[Math.min(marks.length, eighths - below) - 1] ?? ' ');
    });
    return line.join('').padStart(Math.max(0, width));
  });
}

const levelOf = (value: number, full: number) =>
  full > 0 ? Math.min(7, Math.max(0, Math.ceil((value / full) * 8) - 1)) : 0;

function largestPerCell(values: Values, width: number): readonly (number | undefined)[] {
  const cells = Math.max(0, Math.min(width, values.length));
  return Array.from({ length: cells }, (_, index) => {
    const own = values.slice(
      Math.floor((index * values.length) / cells),
      Math.floor(((index + 1) * values.length) / cells),
    );
    return own.reduce<number | undefined>(
      (largest, value) => (Number.isFinite(value) ? Math.max(largest ?? 0, Number(value)) : largest),
      undefined,
    );
  });
}

const bars: Readonly<Record<Glyphs, { full: string; half: string; rest: string; unknown: string }>> = {
  unicode: { full: '█', half: '▌', rest: '░', unknown: '·' },
  ascii: { full: '#', half: '=', rest: '.', unknown: '?' },
};

/** A bar exactly `width` cells wide for 0 to 100 percent; one of its own kind where the percentage is not known. */
export function progressBar(percent: number | null | undefined, width: number, glyphs: Glyphs): string {
  const { full, half, rest, unknown } = bars[glyphs];
  const cells = Math.max(0, width);
  if (!Number.isFinite(percent)) return unknown.repeat(cells);
  const halves = Math.floor((Math.min(100, Math.max(0, Number(percent))) / 100) * cells * 2);
  return (full.repeat(Math.floor(halves / 2)) + (halves % 2 === 1 ? half : '')).padEnd(cells, rest);
}
