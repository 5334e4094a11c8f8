/** One of these values, by how likely each is compared to the others. */
export function weighted<T>(random: () => number, all: readonly (readonly [T, number])[]): T {
  const total = all.reduce((sum, [, weight]) => sum + weight, 0);
  let left = random() * total;
  for (const [value, weight] of all) {
    left -= weight;
    if (left < 0) return value;
  }
  throw new Error('there is nothing to choose from');
}
