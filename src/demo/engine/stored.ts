import type { Row } from '../../resources/resource.ts';

/** A described row as the demo keeps it: open to change, and nothing but the fields that its description names. */
export type Stored<T extends Row> = { -readonly [K in keyof T as string extends K ? never : K]: Open<T[K]> };

type Open<T> = T extends object ? (T extends readonly unknown[] ? T : { -readonly [K in keyof T]: Open<T[K]> }) : T;

/** Rows by their id, in the order in which they come. */
export const byId = <T extends { id: number | string }>(rows: Iterable<T>): Map<T['id'], T> =>
  new Map(Array.from(rows, (row) => [row.id, row]));
