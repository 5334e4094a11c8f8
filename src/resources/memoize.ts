import type { Row } from './resource.ts';

/** Works something out from rows, or lists of them, once for as long as they are the same. */
export function memoize<T, From = Row>(workOut: (rows: readonly From[]) => T): (rows: readonly From[]) => T {
  const known = new WeakMap<readonly From[], { worth: T }>();
  return (rows) => {
    const found = known.get(rows) ?? { worth: workOut(rows) };
    known.set(rows, found);
    return found.worth;
  };
}

/** Calls a function again only where an argument is another one than the last time. */
export function memoizeOne<Args extends readonly unknown[], Result>(work: (...args: Args) => Result) {
  let last: { args: Args; result: Result } | undefined;
  return (...args: Args): Result => {
    if (!last || args.some((arg, index) => arg !== last?.args[index])) last = { args, result: work(...args) };
    return last.result;
  };
}
