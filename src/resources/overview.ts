/** The language in which a description says what the overview of a row shows beside its facts. */

import type { CellFormat } from '../text/cellFormat.ts';
import type { ResourceName } from './names.ts';
import type { CacheView, Row } from './row.ts';

/** One value of the first line; left out where it is not known. */
export interface SummaryPart<T = Row> {
  /** As in a column. */
  value: string | ((row: T, view: CacheView) => unknown);
  format?: CellFormat;
  /** Put around the value, which stands for `{}`: "{} a month". */
  says?: string;
  /** The title of the column that it tells in other words; the facts leave it out, as they do columns of the same value. */
  tells?: string;
}

/** A small graph of the past day. */
export interface DayGraph {
  name: string;
  /** `%`, `blocks/s`, `connections/s` or `bit/s`. */
  unit: string;
  /** In order of time. */
  points: readonly (readonly [ms: number, value: number])[];
  /** The last of them is not of now. */
  isPast?: boolean;
}

/** A list that is read because rows of it may belong to the row. */
export interface RelatedList<T = Row> {
  list: ResourceName;
  /** The one of this resource's `operations` that lists only those of the row. */
  operation?: string;
  /** Of a list that lies below other rows: those below which it is read; all by default. */
  below?: (parent: Row, row: T) => boolean;
}

/** A row that another leads to. */
export interface Lead {
  to: ResourceName;
  row: Row;
  /** The way to it: "A www.shop.example". */
  by: string;
}

/** The blocks of the overview of a row beside its facts. They are read only where there is room for them. */
export interface Overview<T = Row> {
  /** The first line, the most important first. */
  summary?: readonly SummaryPart<T>[];
  /** Small graphs of the past day, from the answer of one of `operations`. */
  graphs?: {
    operation: string;
    of: (answer: Row, row: T) => readonly DayGraph[];
    /** The titles of the columns that the figures beside the graphs tell; the facts leave them out. */
    tell?: readonly string[];
  };
  /** The lists to read for related rows, in the order in which they are shown; parents come before their children. */
  related?: readonly RelatedList<T>[];
  /** Further lists of the account that the first line and `leads` look at. */
  reads?: readonly ResourceName[];
  /** The children of this resource are counted by the column of this title. */
  counts?: { list: ResourceName; by: string };
  /** The rows that it leads to by what lies below it. */
  leads?: (row: T, view: CacheView) => readonly Lead[];
  /** Some of `copies`, by name, shown below this heading. */
  commands?: { title: string; names: readonly string[] };
}
