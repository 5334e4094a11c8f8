import type { TimeSpan } from '../../api/apiClock.ts';
import type { ChangeRecord, Intention } from '../../resources/changeRecord.ts';
import { type Draft, isRow, type Row } from '../../resources/row.ts';
import type { Timestamp } from '../../text/times.ts';

/** The place of a value of the row that an earlier step makes: its id, or another of its fields. */
export interface StepReference {
  /** The id of the step. */
  $step: number;
  /** A path in that row, such as `ipv4.0`; its id by default. */
  field?: string;
}

/** A change as a plan holds it: a reference may stand in the place of a parameter, and of any value that is sent. */
export interface PlannedRecord extends Omit<ChangeRecord, 'params'> {
  params: Readonly<Record<string, string | StepReference>>;
  /** Of a change of parts of a row, in place of a body: that is worked out on the row as it is when its turn comes. */
  changes?: Intention;
  /** The labels of the rows that it names besides its own, as they were: `servers/12` is `web-1`. */
  names?: Readonly<Record<string, string>>;
  /** Of a deletion: the ids of the rows that go along with it, by their resources, as far as they were read. */
  holds?: Readonly<Record<string, readonly string[]>>;
  /** The price of the row before it and after it, in US dollars a month, where that was known when this was planned. */
  price?: { before: number; after: number };
}

/** The state before a change was sent whose answer is not known, as a file can hold it. */
export interface SentSince {
  at: Timestamp;
  /** Between which times of the API's clock. */
  sent?: TimeSpan;
  ids: readonly string[];
  whole: readonly string[];
  event?: number | string;
  /** The name of the user who has sent it, where that was known. */
  user?: string;
}

/**
 * - `sent`: its answer was not seen, and nobody has looked yet whether it was done
 * - `unknown`: its answer was lost, and nothing shows whether it was done; it is looked for again, never sent unasked
 * - `refused`: nothing was sent
 */
export interface StepResult {
  state: 'sent' | 'unknown' | 'done' | 'failed' | 'refused';
  at: Timestamp;
  /** A sentence, or a few. */
  says?: string;
  /** The parameters of the row that it made. */
  made?: Readonly<Record<string, string>>;
  /** The step is another now than the one that had this result, and is not sent again by itself. */
  isEdited?: boolean;
  /** Of a step that was sent, or whose result is unknown. */
  since?: SentSince;
}

/** Whether a step was sent and may have been done. */
export const isInDoubt = ({ state }: Pick<StepResult, 'state'>): boolean => state === 'sent' || state === 'unknown';

/** One change of a plan. */
export interface PlanStep {
  /** Its own number, which stays when the order changes. */
  id: number;
  /** No other step of any plan has it: what became of the step is known by it. Edited, the step keeps it. */
  uid: string;
  record: PlannedRecord;
  /** The entries of its form, by field. */
  entries?: Draft;
  /** So often it was edited: a session with other secrets in it sees by this that it is another step now. */
  edited?: number;
  /** Absent where it was never tried. */
  result?: StepResult;
}

/** An identity that no other step has: 12 hexadecimal digits at random. */
export const randomUid = (): string => crypto.randomUUID().replaceAll('-', '').slice(0, 12);

/** Changes that were collected, in the order in which they are carried out. */
export interface Plan {
  /** The host of the API, with its port where it has one. */
  host: string;
  /** The account, where it is known. */
  euuid?: string;
  profile?: string;
  steps: readonly PlanStep[];
}

/** Whether a value stands for one of a row yet to be made. */
export const isReference = (value: unknown): value is StepReference & Row =>
  isRow(value) && typeof value.$step === 'number';

/** The ids of the steps that a value refers to. */
function referencesIn(value: unknown): readonly number[] {
  if (isReference(value)) return [value.$step];
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  return isRow(value) ? Object.values(value).flatMap(referencesIn) : [];
}

/** The place of a step among others, from 1 on, by which people know it; ids stay when steps come and go. */
export const numberIn = (steps: readonly { id: number }[], id: number): number =>
  steps.findIndex((step) => step.id === id) + 1;

/** The ids of the steps whose rows a step needs. */
export const needsOf = ({ record: { params, body, changes } }: Pick<PlanStep, 'record'>): readonly number[] => [
  ...new Set(referencesIn([params, body, changes])),
];

/** A value with what stands in the places of its references. */
export function withReferences(value: unknown, filled: (reference: StepReference) => unknown): unknown {
  if (isReference(value)) return filled(value);
  if (Array.isArray(value)) return value.map((one) => withReferences(one, filled));
  if (!isRow(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withReferences(one, filled)]));
}
