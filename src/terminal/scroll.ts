/** Lines that moved together: those from `top` to `bottom` (inclusive) went up by `by`, or down where it is negative. */
export interface Scroll {
  top: number;
  bottom: number;
  by: number;
}

/** Fewer lines are as cheap to write again. */
const minLines = 3;

/** A prefix of this length identifies a line where another pane stands beside the one that moved. */
const prefixLength = 64;
const prefixOf = (line: string): string => line.slice(0, prefixLength);

/**
 * The largest band of lines that moved up or down together, so that the terminal can scroll it; where none did, the
 * largest one by the prefixes of the lines.
 * @param before the source of each line of the last frame
 * @param after the source of each line of the new one, as many
 */
export function scrollBetween(before: readonly string[], after: readonly string[]): Scroll | undefined {
  const [first, last] = changedRows(before, after);
  // A key that only moves the cursor changes two lines.
  if (last - first < minLines) return undefined;
  return bandBetween(before, after) ?? bandBetween(before.map(prefixOf), after.map(prefixOf));
}

/** The first and the last line that differ. */
const changedRows = (before: readonly string[], after: readonly string[]): readonly [number, number] => [
  after.findIndex((line, row) => line !== before[row]),
  after.findLastIndex((line, row) => line !== before[row]),
];

function bandBetween(before: readonly string[], after: readonly string[]): Scroll | undefined {
  const [first, last] = changedRows(before, after);
  if (first < 0 || last - first < minLines) return undefined;
  let best: Scroll | undefined;
  let bestMatches = Math.max(minLines, Math.floor((last - first) / 3));
  for (const by of shiftsBetween(before, after, first, last)) {
    const from = Math.max(first, first - by);
    const to = Math.min(last, last - by);
    let matches = 0;
    for (let row = from; row <= to; row++) {
      if (after[row] === before[row + by] && after[row] !== before[row]) matches++;
    }
    if (matches <= bestMatches) continue;
    bestMatches = matches;
    best = { top: first, bottom: last, by };
  }
  return best;
}

/** The distances by which lines of the new frame may have moved, by the rows of the same lines before. */
function shiftsBetween(before: readonly string[], after: readonly string[], first: number, last: number): Set<number> {
  const rowsBefore = new Map<string, number>();
  for (let row = first; row <= last; row++) rowsBefore.set(before[row] ?? '', row);
  const shifts = new Set<number>();
  for (let row = first; row <= last; row++) {
    const line = after[row] ?? '';
    const rowBefore = line === '' ? undefined : rowsBefore.get(line);
    if (rowBefore !== undefined && rowBefore !== row) shifts.add(rowBefore - row);
  }
  return shifts;
}
