/** The candidate with the fewest typing mistakes, if these are few enough for its length and leave some of it. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const [best] = ranked(word, candidates);
  if (!best || best.mistakes >= best.candidate.length) return undefined;
  return best.mistakes <= Math.max(1, Math.floor(best.candidate.length / 3)) ? best.candidate : undefined;
}

/** The nearest candidates, where at least one has half of the letters right. */
export function nearestOnes(word: string, candidates: readonly string[], count: number): readonly string[] {
  const nearest = ranked(word, candidates).slice(0, count);
  const isNear = nearest.some(({ candidate, mistakes }) => mistakes <= Math.min(word.length, candidate.length) / 2);
  return isNear ? nearest.map(({ candidate }) => candidate) : [];
}

/** Those with the fewest mistakes first; of two with as many the longer one has more letters right. */
const ranked = (word: string, candidates: readonly string[]) =>
  candidates
    .map((candidate) => ({ candidate, mistakes: mistakesBetween(word, candidate) }))
    .sort((one, other) => one.mistakes - other.mistakes || other.candidate.length - one.candidate.length);

/** The optimal string alignment distance: letters to insert, delete, replace or swap with their neighbour. */
function mistakesBetween(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? 0;
  for (let row = 1; row <= one.length; row++) {
    const line = [row];
    rows.push(line);
    for (let column = 1; column <= other.length; column++) {
      const same = one[row - 1] === other[column - 1];
      const swapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      line.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + (same ? 0 : 1),
          swapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
  }
  return at(one.length, other.length);
}

/**
 * `; did you mean X, Y or Z?`, of words that begin with it or are like it, or a full stop.
 * @param lead stands before each of them
 */
export function orSuggestions(word: string, candidates: readonly string[], lead = ''): string {
  const like = ranked(word, [...new Set(candidates)])
    .map((one) => ({ ...one, begins: word.length > 1 && one.candidate.startsWith(word) }))
    .filter(({ begins, candidate, mistakes }) => begins || mistakes <= Math.min(word.length, candidate.length) / 2)
    .sort((one, other) => Number(other.begins) - Number(one.begins));
  const words = like.slice(0, 3).map(({ candidate }) => lead + candidate);
  return words.length === 0 ? '.' : `; did you mean ${words.join(', ').replace(/, (?=[^,]*$)/, ' or ')}?`;
}

/** `; did you mean X?` or a full stop, to end a sentence that names an unknown word. */
export function orSuggestion(word: string, candidates: readonly string[]): string {
  const meant = nearest(word, candidates);
  return meant ? `; did you mean ${meant}?` : '.';
}
