import type { Row } from './resource.ts';

/** Keeps the result of a function for each object, e.g. a list of rows, as long as that object is in use. */
export function memoize<Result, Key extends object = readonly Row[]>(work: (key: Key) => Result): (key: Key) => Result {
  const results = new WeakMap<Key, { result: Result }>();
  return (key) => {
    const known = results.get(key) ?? { result: work(key) };
    results.set(key, known);
    return known.result;
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
