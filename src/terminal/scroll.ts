/** Lines that moved together: those from `top` to `bottom` (inclusive) went up by `by`, or down where it is negative. */
export interface Scroll {
  top: number;
  bottom: number;
  by: number;
}

/** Fewer lines than this are as cheap to write again. */
const fewest = 3;

/** As much of a line says which one it is, where more stands beside what moved. */
const lead = 64;
const leadOf = (line: string): string => line.slice(0, lead);

/**
 * The largest band of lines that moved up or down as one, so that the terminal can move it itself; where none did, the
 * largest of those that begin alike.
 * @param before the source of each line of the last frame
 * @param after the source of each line of the new one, as many
 */
export const scrollBetween = (before: readonly string[], after: readonly string[]): Scroll | undefined =>
  bandBetween(before, after) ?? bandBetween(before.map(leadOf), after.map(leadOf));

function bandBetween(before: readonly string[], after: readonly string[]): Scroll | undefined {
  const first = after.findIndex((line, row) => line !== before[row]);
  const last = after.findLastIndex((line, row) => line !== before[row]);
  if (first < 0 || last - first < fewest) return undefined;
  let best: Scroll | undefined;
  let most = Math.max(fewest, Math.floor((last - first) / 3));
  for (const by of shiftsBetween(before, after, first, last)) {
    const from = Math.max(first, first - by);
    const to = Math.min(last, last - by);
    let matches = 0;
    for (let row = from; row <= to; row++) {
      if (after[row] === before[row + by] && after[row] !== before[row]) matches++;
    }
    if (matches <= most) continue;
    most = matches;
    best = { top: first, bottom: last, by };
  }
  return best;
}

/** Finds the distances that some line of the new frame may have moved, by where its like stood before. */
function shiftsBetween(before: readonly string[], after: readonly string[], first: number, last: number): Set<number> {
  const places = new Map<string, number>();
  for (let row = first; row <= last; row++) places.set(before[row] ?? '', row);
  const shifts = new Set<number>();
  for (let row = first; row <= last; row++) {
    const line = after[row] ?? '';
    const place = line === '' ? undefined : places.get(line);
    if (place !== undefined && place !== row) shifts.add(place - row);
  }
  return shifts;
}
