import type { PrintedColumn } from '../document.ts';

/** An account in a line. What could not be read is null. */
export interface AccountLine {
  /** Its profile; left out where several accounts are printed, whose table names them. */
  account?: string;
  state: 'ok' | 'incomplete' | 'not read';
  critical: number | null;
  warnings: number | null;
  /** Events in progress. */
  jobs: number | null;
  servers: number | null;
  /** In dollars, as is `uninvoiced`. */
  balance: number | null;
  uninvoiced: number | null;
  readOnly: boolean | null;
}

/** The columns behind the name, as the list of accounts on the screen has them. */
export const accountColumns: readonly PrintedColumn<AccountLine>[] = [
  { title: 'State', value: ({ state }) => state, format: 'status', keep: 1 },
  { title: 'Critical', value: ({ critical }) => critical, format: 'number', keep: 1 },
  { title: 'Warnings', value: ({ warnings }) => warnings, format: 'number', keep: 1 },
  { title: 'Jobs', value: ({ jobs }) => jobs, format: 'number', keep: 2 },
  { title: 'Servers', value: ({ servers }) => servers, format: 'number', keep: 2 },
  { title: 'Balance', value: ({ balance }) => balance, format: 'money', keep: 2 },
  { title: 'Uninvoiced', value: ({ uninvoiced }) => uninvoiced, format: 'money', keep: 2 },
  { title: 'Mode', value: ({ readOnly }) => modeOf(readOnly), keep: 2 },
];

const modeOf = (readOnly: boolean | null): string | null =>
  readOnly === null ? null : readOnly ? 'read-only' : 'read-write';
