import type { ResourceName } from './names.ts';
import type { CacheView, Row } from './row.ts';

/** All loaded rows of a resource, by its name. */
export type Loaded = (resource: string) => readonly Row[];

/** Joins rows to those of another resource where no field holds their ids: both sides have a value in common. */
export interface Relation<T = Row> {
  /** The resource or resources on the other side. */
  to: ResourceName | readonly ResourceName[];
  /** The values of a row. */
  by: (row: T, loaded: Loaded, view: CacheView) => readonly unknown[];
  /** Those of a row on the other side; its id by default. */
  theirs?: (row: Row) => readonly unknown[];
}
