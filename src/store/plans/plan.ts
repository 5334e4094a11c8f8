import type { ChangeRecord, Intention } from '../../resources/changeRecord.ts';
import type { Draft } from '../../resources/row.ts';
import type { Timestamp } from '../../text/times.ts';
import type { Baseline } from '../changes/pendingChanges.ts';
import { referencesIn, type StepReference } from './references.ts';

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
  since?: Baseline;
}

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

export const isDone = ({ result }: Pick<PlanStep, 'result'>): boolean => result?.state === 'done';

/** Whether a step was sent and may have been done. */
export const isInDoubt = ({ result }: Pick<PlanStep, 'result'>): boolean =>
  result?.state === 'sent' || result?.state === 'unknown';

/** An identity that no other step has: 12 hexadecimal digits at random. */
export const randomUid = (): string => crypto.randomUUID().replaceAll('-', '').slice(0, 12);

/** Steps in the order in which they are carried out. */
export interface Steps {
  steps: readonly PlanStep[];
  /** The number by which people know a step: in a session its place; where this is absent, as with files, its id. */
  numberOf?: (id: number) => number;
}

/** Changes that were collected. */
export interface Plan extends Steps {
  /** The host of the API, with its port where it has one. */
  host: string;
  /** The account, where it is known. */
  euuid?: string;
  profile?: string;
}

/** The place of a step among others, from 1 on, by which people know it; ids stay when steps come and go. */
export const numberIn = (steps: readonly { id: number }[], id: number): number =>
  steps.findIndex((step) => step.id === id) + 1;

/** The number by which people know a step of a plan. */
export const stepNumber = ({ numberOf = (one) => one }: Steps, id: number): number => numberOf(id);

/** The ids of the steps whose rows a step needs. */
export const needsOf = ({ record: { params, body, changes } }: Pick<PlanStep, 'record'>): readonly number[] => [
  ...new Set(referencesIn([params, body, changes]).map(({ $step }) => $step)),
];

/** The steps that stand before one. */
export const stepsBefore = <S extends { id: number }>(steps: readonly S[], id: number): readonly S[] =>
  steps.slice(0, Math.max(0, numberIn(steps, id) - 1));
