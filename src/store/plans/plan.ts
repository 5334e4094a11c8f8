import type { ChangeRecord, Intention } from '../../resources/changeRecord.ts';
import type { Draft } from '../../resources/row.ts';
import { durationText, type Timestamp, typedSeconds } from '../../text/times.ts';
import { type BackOf, type Change, madeBy, type Result } from '../changes/change.ts';
import type { Baseline } from '../changes/pendingChanges.ts';
import { referencesIn, type StepReference, withTokens } from '../changes/references.ts';
import { isSame } from '../rows.ts';

/** A change as a plan holds it: a reference may stand in the place of a parameter, and of any value that is sent. */
export interface PlannedRecord extends Omit<ChangeRecord, 'params'> {
  params: Readonly<Record<string, string | StepReference>>;
  /** Of a change of parts of a row, in place of a body: that is worked out on the row as it is when its turn comes. */
  changes?: Intention;
  /** Of a command of the user, the method and path that it has: it may be another one by the time that it is sent. */
  sends?: string;
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
 * - `begun`: it was answered, and what its step waits for has not come yet; it is waited for, never sent again
 * - `refused`: nothing was sent
 */
export interface StepResult {
  state: 'sent' | 'unknown' | 'begun' | 'done' | 'failed' | 'refused';
  at: Timestamp;
  /** A sentence, or a few. */
  says?: string;
  /** The parameters of the row that it made. */
  made?: Readonly<Record<string, string>>;
  /** The step is another now than the one that had this result, and is not sent again by itself. */
  isEdited?: boolean;
  /** Of a step that was sent, has begun, or whose result is unknown; of one that is done, whose end nobody has waited for. */
  since?: Baseline;
  /** The nodes that its row served and that were up before it was sent, as ids: `7/12/31`; absent where that was not read. */
  nodes?: readonly string[];
}

/** The conditions behind a change, before the next step is sent: the end of its job, and more. */
export interface Wait {
  /** The status that its row has then, and `nodes up` for the nodes that its row serves. */
  for?: readonly string[];
  /** Longer it is not waited for: `10m`. */
  within: string;
  /** So many of the steps behind it may be sent meanwhile. */
  meanwhile?: number;
  /** No step is sent meanwhile while so many go that have not come to their ends. */
  atATime?: number;
}

/** The milliseconds of a span in a plan. */
export const spanOf = ({ within }: Pick<Wait, 'within'>): number => (typedSeconds(within) ?? 0) * 1000;

/** A span of a plan in words: `10 min`. */
export const spanText = ({ within }: Pick<Wait, 'within'>): string => durationText(typedSeconds(within) ?? 0);

/** An action on several rows at a pace: its steps are a part of the plan that is carried out by itself. */
export interface Rolling {
  id: string;
  /** `Reboot 8 servers` */
  title: string;
  /** The resource of its rows, and how many they were; absent where each row has several steps. */
  of?: string;
  count?: number;
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
  wait?: Wait;
  /** The uid of a step before it: it goes once that has ended, and those behind it need not wait for it. */
  after?: string;
  rolling?: Rolling;
  /** The change that it takes back. */
  takesBack?: BackOf;
  /** Absent where it was never tried. */
  result?: StepResult;
}

export const isDone = ({ result }: Pick<PlanStep, 'result'>): boolean => result?.state === 'done';

/** Whether a step was done but for its end, which is waited for. */
export const hasBegun = ({ result }: Pick<PlanStep, 'result'>): boolean => result?.state === 'begun';

/** Whether the API has done what a step sends, be its end there or not. */
export const wasAnswered = (step: Pick<PlanStep, 'result'>): boolean => isDone(step) || hasBegun(step);

/** Whether a step was sent and may have been done. */
export const isInDoubt = ({ result }: Pick<PlanStep, 'result'>): boolean =>
  result?.state === 'sent' || result?.state === 'unknown';

/** A step as if it was never tried. */
export const withoutResult = ({ result: _, ...step }: PlanStep): PlanStep => step;

/** The result of a step that was sent. */
export function resultOfSent(
  change: Change,
  baseline: Baseline,
  result: Result | undefined,
): Omit<StepResult, 'at'> | undefined {
  const says = result?.says;
  if (!result || (result.state === 'not sent' && says === undefined)) return undefined;
  if (result.state === 'done') return { state: 'done', ...(says && { says }), ...madeBy(change, result.row) };
  if (result.state === 'not sent') return { state: 'refused', says };
  const { maybeSent, kind } = result.error ?? {};
  if (!maybeSent) return { state: 'failed', says };
  // One that was cut off is like one of a program that was killed: all that is known is that it is looked for.
  return {
    state: result.state === 'unknown' ? 'unknown' : 'sent',
    ...(kind !== 'aborted' && { says }),
    since: baseline,
  };
}

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

/** A step before it has its place in the plan. */
export interface NewStep extends Pick<PlanStep, 'record' | 'wait' | 'takesBack'> {
  /** The index among those that are added of the one after whose end it goes. */
  after?: number;
}

/** New steps with their numbers, from `id` on. */
export function stepsFrom(
  fresh: readonly NewStep[],
  id: number,
  newUid: (nth: number) => string,
  same: Pick<PlanStep, 'entries' | 'rolling'>,
): readonly PlanStep[] {
  const uids = fresh.map((_, nth) => newUid(nth));
  return fresh.map(({ record, wait, after, takesBack }, index) => ({
    id: id + index,
    uid: uids[index] ?? newUid(index),
    record: planned(record),
    ...same,
    ...(wait && { wait }),
    ...(takesBack && { takesBack }),
    ...(after !== undefined && { after: uids[after] }),
  }));
}

/** The steps without some; what went meanwhile reaches no further behind them. */
export const withoutSteps = (steps: readonly PlanStep[], isOut: (step: PlanStep) => boolean): readonly PlanStep[] =>
  steps.flatMap((step, index) => {
    const { wait } = step;
    const { meanwhile = 0 } = wait ?? {};
    const out = steps.slice(index + 1, index + 1 + meanwhile).filter(isOut).length;
    return isOut(step) ? [] : [wait && out > 0 ? { ...step, wait: { ...wait, meanwhile: meanwhile - out } } : step];
  });

/** The steps that are carried out together with one: those of its rolling action, or those of none. */
export const partOf = <S extends Pick<PlanStep, 'rolling'>>(steps: readonly S[], rolling: string | undefined) =>
  steps.filter((step) => step.rolling?.id === rolling);

/** Whether a step is one of those around the rows of a rolling action, such as one that drains a node. */
export const isAround = ({ rolling, wait, record }: PlanStep): boolean =>
  rolling !== undefined && (rolling.of === undefined ? !wait : record.resource !== rolling.of);

/** Those of the steps of a part by which its progress is counted: of a rolling action not those around it. */
export const countedOf = (part: readonly PlanStep[]): readonly PlanStep[] => part.filter((step) => !isAround(step));

/** The number by which people know a step of a plan. */
export const stepNumber = ({ numberOf = (one) => one }: Steps, id: number): number => numberOf(id);

/** The ids of the steps whose rows a step needs. */
export const needsOf = ({ record: { params, body, changes } }: Pick<PlanStep, 'record'>): readonly number[] => [
  ...new Set(referencesIn([params, body, changes]).map(({ $step }) => $step)),
];

/** The steps that stand before one. */
export const stepsBefore = <S extends { id: number }>(steps: readonly S[], id: number): readonly S[] =>
  steps.slice(0, Math.max(0, numberIn(steps, id) - 1));

/** Why a step cannot stand at an index. */
export function misplaced(record: PlanStep['record'], steps: readonly PlanStep[], index: number): string | undefined {
  const missing = needsOf({ record }).find((id) => !steps.slice(0, index).some((step) => step.id === id));
  if (missing === undefined) return undefined;
  const number = numberIn(steps, missing);
  return number > 0
    ? `It needs the row of step ${number}, which comes after it.`
    : 'It needs the row of a step that is not in the plan.';
}

/** A change as a plan holds it: the rows of other steps that were entered are references. */
const planned = (record: PlannedRecord): PlannedRecord => ({
  ...record,
  ...(record.body !== undefined && { body: withTokens(record.body) }),
  ...(record.changes && { changes: withTokens(record.changes) }),
});

/** The steps that are not done. */
export const openSteps = ({ steps }: Pick<Steps, 'steps'>): readonly PlanStep[] =>
  steps.filter((step) => !isDone(step));

/** The steps of a plan after they were edited, or a sentence that says why they cannot be. */
export type Edited = readonly PlanStep[] | string;

const notThere = 'This step is no longer in the plan.';

/** Puts another change in the place of a step. */
export function withRecord(steps: readonly PlanStep[], id: number, record: PlannedRecord, entries?: Draft): Edited {
  const index = numberIn(steps, id) - 1;
  const before = steps[index];
  if (!before) return notThere;
  if (isDone(before)) return `Step ${index + 1} is done; plan what is left to do as another step.`;
  if (hasBegun(before)) return `Step ${index + 1} has begun: its end is waited for.`;
  if (isInDoubt(before)) return `Step ${index + 1} was sent, and it is not known whether it was done.`;
  const { result: _, entries: __, takesBack: ___, edited = 0, ...same } = before;
  const step = { ...same, record: planned(record), ...(entries && { entries }), edited: edited + 1 };
  return misplaced(step.record, steps, index) ?? steps.with(index, step);
}

/** Whether a step goes on from another: it needs the row of that, or is planned on the same row and that is done. */
function goesOnFrom({ record }: PlanStep, { id, record: { resource, params }, result }: PlanStep): boolean {
  const isSameRow = record.before !== undefined && isSame([record.resource, record.params], [resource, params]);
  return needsOf({ record }).includes(id) || (isSameRow && isDone({ result }));
}

/** Deletes a step from which no other goes on. */
export function withoutUnneeded(steps: readonly PlanStep[], id: number): Edited {
  const one = steps.find((step) => step.id === id);
  const user = one && openSteps({ steps }).find((step) => step !== one && goesOnFrom(step, one));
  if (!user) return one ? withoutSteps(steps, (step) => step === one) : notThere;
  return `Step ${numberIn(steps, user.id)} goes on from step ${numberIn(steps, id)}; delete or edit that first.`;
}

/** Deletes the steps that are done and from which no other goes on. */
export function withoutDone(steps: readonly PlanStep[]): Edited {
  const open = openSteps({ steps });
  const left = withoutSteps(steps, (done) => isDone(done) && !open.some((step) => goesOnFrom(step, done)));
  if (left.length < steps.length) return left;
  return steps.some(isDone) ? 'Other steps go on from those that are done.' : 'No step is done yet.';
}

/** Steps as they are carried out; those that are gone meanwhile come back, as nobody deletes what is carried out. */
export function withCarried(steps: readonly PlanStep[], carried: readonly PlanStep[]): readonly PlanStep[] {
  const known = new Map(carried.map((step) => [step.uid, step]));
  const there = new Set(steps.map(({ uid }) => uid));
  const gone = carried.filter(({ uid }) => !there.has(uid));
  return [...gone, ...steps.map((step) => known.get(step.uid) ?? step)];
}

/** Moves a step by one place. */
export function withMoved(steps: readonly PlanStep[], id: number, by: 1 | -1): Edited {
  const index = numberIn(steps, id) - 1;
  const [step, other] = [steps[index], steps[index + by]];
  if (!step) return notThere;
  if (!other) return by < 0 ? 'This is the first step.' : 'This is the last step.';
  const [first, second] = by < 0 ? [other, step] : [step, other];
  if (needsOf(second).includes(first.id))
    return `Step ${numberIn(steps, second.id)} needs the row of step ${numberIn(steps, first.id)}, so it stays behind it.`;
  return steps.with(index, other).with(index + by, step);
}
