import type { Row } from './resource.ts';

/** Keeps the result of a function for each object, e.g. a list of rows, as long as that object is in use. */
export function memoize<Result, Key extends object = readonly Row[]>(work: (key: Key) => Result): (key: Key) => Result {
  const results = new WeakMap<Key, { result: Result }>();
  return (key) => {
    const known = results.get(key);
    if (known) return known.result;
    const result = work(key);
    results.set(key, { result });
    return result;
  };
}

/** Keeps the result of a function for each key, as long as the function is in use. */
export function memoizeAll<Key, Result extends object>(work: (key: Key) => Result): (key: Key) => Result {
  const results = new Map<Key, Result>();
  return (key) => foundOrMade(results, key, () => work(key));
}

const maxTexts = 1000;

/** Keeps the result of a function for each text, of so many at most: an API may send any number of them. */
export function memoizeText(work: (text: string) => string): (text: string) => string {
  const results = new Map<string, string>();
  return (text) => {
    const known = results.get(text);
    if (known !== undefined) return known;
    const result = work(text);
    if (results.size >= maxTexts) results.clear();
    results.set(text, result);
    return result;
  };
}

/** The value of a key, which is made where there is none yet. */
export function foundOrMade<Key, Value extends object>(
  values: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  make: () => Value,
): Value {
  const known = values.get(key);
  if (known) return known;
  const made = make();
  values.set(key, made);
  return made;
}

/** Adds a value to the list of a key. Most lists have one value, and an empty one would make room for 17 with its first. */
export function addTo<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/** Calls a function again only where an argument is another one than the last time. */
export function memoizeOne<Args extends readonly unknown[], Result>(work: (...args: Args) => Result) {
  let last: { args: Args; result: Result } | undefined;
  return (...args: Args): Result => {
    if (!last || args.some((arg, index) => arg !== last?.args[index])) last = { args, result: work(...args) };
    return last.result;
  };
}
