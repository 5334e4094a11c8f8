/** Words for resources, their rows and actions. */

import { clean } from '../text/cells.ts';
import { grouped } from '../text/numbers.ts';
import { durationText } from '../text/times.ts';
import { counted, textIn, wordsOf } from '../text/words.ts';
import { idOf } from './identity.ts';
import type { Action, Field, Resource, Row } from './resource.ts';

/** The plural of a resource within a sentence; names keep their capitals, and what is deprecated is not said again. */
export const plural = ({ many }: Pick<Resource, 'many'>): string => {
  const noun = many.replace(/ \(deprecated\)$/, '');
  return /^.+[A-Z]/.test(noun) ? noun : noun.toLowerCase();
};

/** A number of rows: `1 server`, `12 servers`. */
export const countedRows = (resource: Pick<Resource, 'one' | 'many'>, count: number): string =>
  `${grouped(count)} ${count === 1 ? resource.one : plural(resource)}`;

/** A row among those of its list: its label, and where others have the same, a text that it alone has, or its id. */
export function nameAmong(resource: Resource, row: Row, rows: readonly Row[]): string {
  const label = resource.label(row);
  const same = rows.filter((one) => resource.label(one) === label && idOf(resource, one) !== idOf(resource, row));
  if (same.length === 0) return label;
  const told = resource.columns.flatMap(({ value }) => (typeof value === 'string' ? (textIn(row[value]) ?? []) : []));
  const own = told.find((text) => same.every((one) => !Object.values(one).includes(text)));
  return `${label} (${own ?? idOf(resource, row)})`;
}

/** Rows in a sentence: the label of one, else their number. */
export function rowsText(resource: Resource, targets: readonly { row: Row }[]): string {
  const [first, ...others] = targets;
  return first && others.length === 0 ? resource.label(first.row) : countedRows(resource, targets.length);
}

/** The sentence for a list in which a filter finds nothing. */
export const noneMatching = (resource: Pick<Resource, 'many'>, filter: string): string =>
  `None of the ${plural(resource)} matches ${clean(filter)}`;

/** Where a row lies: `in zone example.com`. */
export const liesIn = ({ within }: Resource, above: Resource, row: Row): string =>
  (within ?? `of ${above.one} {}`).replace('{}', () => above.label(row));

/** An action with the rows it is done to: `Add tags to 3 volumes`, `Resize data-1`. */
export const actionOn = ({ help, on = `${help} {}` }: Pick<Action, 'help' | 'on'>, rows: string): string =>
  on.replace('{}', () => rows);

/** A clause about one row, said of several: `its data are gone` as `their data are gone`. */
export const ofSeveral = (clause: string): string =>
  clause.replace(/^(i)ts\b/i, (_, i) => (i === 'I' ? 'Their' : 'their')).replace(/^it\b/, 'each');

/**
 * Clauses about what is not as before once changes were taken back, each once.
 * @param rows the clauses of each row
 */
export function differingClauses(rows: readonly (readonly string[])[]): readonly string[] {
  const clauses = [...new Set(rows.flat())];
  if (rows.length < 2) return clauses;
  return clauses.map((clause) =>
    rows.every((own) => own.includes(clause)) ? ofSeveral(clause) : `for some ${clause}`,
  );
}

/** An action with its row: `Resize data-1`; a new row without a name is none: `Reply`. */
export const deedOn = ({ one }: Pick<Resource, 'one'>, action: Pick<Action, 'help' | 'on'>, label: string): string =>
  label === `the new ${one}` ? action.help : actionOn(action, label);

const stateWords: Readonly<Record<string, string>> = {
  '': 'has no known status',
  accepted: 'was accepted already',
  canceled: 'was cancelled',
  completed: 'is complete already',
  contact_support: 'needs help from support',
  creating: 'is being created',
  failed: 'has failed',
  needs_post_processing: 'is being finished',
  pending_upload: 'waits for its file',
  problem: 'has a problem',
  stale: 'has expired',
  user_aborted: 'was cancelled',
};

/** The status of a row as the end of a sentence: `has failed`, `is shutting down`. */
export const inState = (row: { readonly status?: unknown }): string => {
  const status = statusOf(row);
  return stateWords[status] ?? `is ${wordsOf(status)}`;
};

/**
 * The status of a row as rules compare it, in lower case with underscores, however it is spelled: `Shutting_Down` and
 * `shuttingDown` are `shutting_down`. Columns tell statuses apart in the same way.
 */
export const statusOf = (row: { readonly status?: unknown } | undefined): string =>
  wordsOf(textIn(row?.status) ?? '').replaceAll(' ', '_');

/** Rows that go along with another: `3 disks`; `disks` where none is loaded, since there may be some. */
export const ownedWords = (count: number, noun: string): string => (count === 0 ? `${noun}s` : counted(count, noun));

/** A number of seconds that is chosen, as columns have it: `5 min`, and `default` for 0; undefined of any other field. */
export function secondsWords({ kind, numeric, optionHelp }: Field, value: unknown): string | undefined {
  if (kind !== 'choice' || numeric !== 'seconds') return undefined;
  return String(value) === '0' ? 'default' : optionHelp?.[String(value)] && durationText(Number(value));
}
