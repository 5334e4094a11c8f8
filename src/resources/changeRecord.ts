import type { Action } from './action.ts';
import { isRow, type Params, type Row } from './row.ts';

/** One change as files keep it: the audit log, and whatever repeats or takes back a change. */
export interface ChangeRecord {
  /** The name of its resource. */
  resource: string;
  /** The name of its action. */
  action: string;
  /** The parameters of the row, or those of the list in which one is made. */
  params: Params;
  /** Names the row. */
  label: string;
  body?: unknown;
  /** The fields that an edit sends as they were before, or the whole row; absent where one is made. */
  before?: Row;
}

/** The part of a row that a change touches: the values at the places of the body where an edit sends them, else the row itself. */
export const touchedOf = (action: Action, body: unknown, row: Row): Row =>
  action.method === 'PUT' && isRow(body) ? partOf(row, body) : row;

/** The part of a row that a body has values for; what the row lacks is left out. */
const partOf = (row: Row, body: Row): Row =>
  Object.fromEntries(
    Object.entries(body).flatMap(([name, sent]) => {
      const value = row[name];
      if (value === undefined) return [];
      return [[name, isRow(value) && isRow(sent) ? partOf(value, sent) : value]];
    }),
  );
