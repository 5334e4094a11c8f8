import type { Row } from '../../resources/resource.ts';

/** A described row as the demo keeps it: open to change, and nothing but the fields that its description names. */
export type Stored<T extends Row> = { -readonly [K in keyof T as string extends K ? never : K]: Open<T[K]> };

type Open<T> = T extends object ? (T extends readonly unknown[] ? T : { -readonly [K in keyof T]: Open<T[K]> }) : T;
