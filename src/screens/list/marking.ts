/** The marks with those from the last mark to the cursor, all of them ids; only the cursor's where none is shown. */
export function rangeMarked(shown: readonly string[], marks: readonly string[], cursor: number): readonly string[] {
  const last = marks.findLast((mark) => shown.includes(mark));
  const from = last === undefined ? cursor : shown.indexOf(last);
  const range = shown.slice(Math.min(from, cursor), Math.max(from, cursor) + 1);
  const own = range[from <= cursor ? range.length - 1 : 0];
  // The last mark is where the next range begins.
  return [...new Set([...marks, ...range])].filter((mark) => mark !== own).concat(own ?? []);
}

/** Marks from the last mark to the cursor, or answers why that changes nothing. */
export function markRange(
  shown: readonly string[],
  marks: readonly string[],
  cursor: number,
  set: (marks: readonly string[]) => void,
): string | undefined {
  const range = rangeMarked(shown, marks, cursor);
  set(range);
  return range.length === marks.length ? 'All from the last mark to here is marked.' : undefined;
}
