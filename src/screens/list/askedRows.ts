import type { Column, Row } from '../../resources/resource.ts';
import { valueIn } from '../../store/filter/fields.ts';

/** Rows that a filter or an order needs the answers of one operation about. */
export interface Asked {
  operation: string;
  /** The title of the column that is told of in the title of the list. */
  title: string;
  rows: readonly Row[];
}

/** Adds one more operation about these rows, unless it is asked about some already. */
export const alsoAsked = (
  asked: readonly Asked[],
  operation: string | undefined,
  rows: readonly Row[],
): readonly Asked[] =>
  operation === undefined || asked.some((one) => one.operation === operation)
    ? asked
    : [...asked, { operation, title: '', rows }];

/** Columns that note the rows that they were asked about; the others are as they were. */
export function notingColumns(columns: readonly Column[]) {
  let noted = new Map<string, { title: string; rows: Row[] }>();
  const noting = (column: Column, operation: string): Column => ({
    ...column,
    value: (row, view) => {
      const known = noted.get(operation) ?? { title: column.title, rows: [] };
      noted.set(operation, known);
      // Rows come one after the other, each for every term that asks.
      if (known.rows.at(-1) !== row) known.rows.push(row);
      return valueIn(row, column, view);
    },
  });
  return {
    columns: columns.map((column) => (column.fetches === undefined ? column : noting(column, column.fetches))),
    /** All that was asked since the last call. */
    take: () => {
      const taken = [...noted].map(([operation, { title, rows }]) => ({ operation, title, rows }));
      noted = new Map();
      return taken;
    },
  };
}
