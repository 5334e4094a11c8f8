import { type CacheView, emptyView } from './resource.ts';

/** One read of an object: the name of the part, the arguments where it is a function, and the value. */
export type ReadOf<T> = {
  [Name in keyof T]-?: NonNullable<T[Name]> extends (...given: infer Given) => infer Value
    ? readonly [name: Name, given: Given, value: Value]
    : readonly [name: Name, given: readonly [], value: T[Name]];
}[keyof T];

/** One read of a view. */
export type ViewRead = ReadOf<CacheView>;

/** All that a view can be asked: the empty one does not compile without a selector that views gain. */
const selectors = Object.keys(emptyView) as readonly (keyof CacheView)[];

/** The same object with only these parts; each read of one is told. */
export function observe<T extends object>(
  target: T,
  names: readonly (keyof T)[],
  onRead: (read: ReadOf<T>) => void,
): T {
  const observed = {};
  for (const name of names) {
    const part = target[name];
    const told = (given: readonly unknown[], value: unknown) => {
      onRead([name, given, value] as unknown as ReadOf<T>);
      return value;
    };
    Object.defineProperty(
      observed,
      name,
      typeof part === 'function'
        ? { value: (...given: readonly unknown[]) => told(given, part(...given)) }
        : { get: () => told([], target[name]) },
    );
  }
  return observed as T;
}

/** The same view; each read of it is told, also that of a selector which views gain. */
export const observeView = (view: CacheView, onRead: (read: ViewRead) => void): CacheView =>
  observe(view, selectors, onRead);

/** Reads the same again, perhaps of another object. */
export function readAgain<T>(target: T, [name, given]: ReadOf<T>): unknown {
  const part = target[name];
  return typeof part === 'function' ? part(...given) : part;
}

/** Takes a test of whether a value that a result is made from is still the same. */
export type Depend<Data> = (isSame: (data: Data) => boolean) => void;

/** Keeps the result of a function as long as everything is the same that it has depended on. */
export function memoizeBy<Data, Result>(work: (data: Data, depend: Depend<Data>) => Result): (data: Data) => Result {
  let last: { tests: readonly ((data: Data) => boolean)[]; result: Result } | undefined;
  return (data) => {
    if (last?.tests.every((isSame) => isSame(data))) return last.result;
    const tests: ((data: Data) => boolean)[] = [];
    last = { tests, result: work(data, (isSame) => tests.push(isSame)) };
    return last.result;
  };
}

/** Selectors on which nothing depends: relations look at all that is loaded. */
const unrecorded: ReadonlySet<keyof CacheView> = new Set(['loaded', 'measured']);

/** The view of some data, depending on all that is read of it; the time counts in steps. */
export function dependingView<Data extends { view: CacheView }>(
  { view }: Data,
  depend: Depend<Data>,
  stepMs: number,
): CacheView {
  const step = (time: number) => Math.floor(time / stepMs);
  return observeView(view, (read) => {
    const [name, , value] = read;
    if (name === 'now') depend(({ view }) => step(view.now) === step(value));
    else if (!unrecorded.has(name)) depend(({ view }) => Object.is(readAgain(view, read), value));
  });
}
