/** A text as a name of letters, digits and these signs; it begins with a letter or `_`. */
export function nameOf(text: string, others = ''): string {
  const name = text.normalize('NFKD').replace(new RegExp(`[^A-Za-z0-9_${others}]+`, 'g'), '_');
  return /^[A-Za-z_]/.test(name) ? name : `_${name}`;
}

/** Names by what they stand for; of several that would be called the same, each is told apart by its own mark. */
export function uniqueNames<T>(items: readonly T[], nameIn: (item: T) => string, markOf: (item: T) => string) {
  const called = Map.groupBy(items, nameIn);
  const names = new Map<T, string>();
  const taken = new Set(called.keys());
  for (const [name, those] of called)
    for (const item of those) {
      let own = those.length > 1 ? nameOf(`${name}_${markOf(item)}`, '-') : name;
      while (those.length > 1 && taken.has(own)) own += '_';
      taken.add(own);
      names.set(item, own);
    }
  return (item: T): string => names.get(item) ?? '';
}
