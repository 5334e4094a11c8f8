import type { Row } from './resource.ts';

/** Something worked out from rows or lists of them, once for as long as they are the same. */
export function remembered<T, From = Row>(workOut: (rows: readonly From[]) => T): (rows: readonly From[]) => T {
  const known = new WeakMap<readonly From[], { worth: T }>();
  return (rows) => {
    const found = known.get(rows) ?? { worth: workOut(rows) };
    known.set(rows, found);
    return found.worth;
  };
}
