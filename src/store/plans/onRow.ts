import { idIn } from '../../resources/identity.ts';
import { entriesIn } from '../../resources/inverse.ts';
import { fieldLabel, type Resource, type Row } from '../../resources/resource.ts';
import { isRow } from '../../resources/row.ts';
import { sentence } from '../../text/words.ts';
import { type Change, newLabel, unnamedLabel } from '../changes/change.ts';
import { bodyOn, isSoAlready, workedOut } from '../changes/ownEntries.ts';
import { readRules, rowNow } from '../changes/readAgain.ts';
import { isReference, type StepReference } from '../changes/references.ts';
import { knownBefore } from '../changes/undoable.ts';
import type { Stores } from '../stores.ts';
import { unreadBelow } from './held.ts';
import { otherNames, renamedText } from './names.ts';
import { type Lack, readNeeded } from './neededRows.ts';
import { type OwnStep, onKnownRow, parentEnds, withoutOwn } from './own.ts';
import { isDone, type Plan, type PlanStep, stepNumber, stepsBefore } from './plan.ts';
import { sketchOf } from './stepChange.ts';
import { wrongValueOf } from './stepFields.ts';

/** A step worked out on its row as it is now. */
export interface OnRow extends Lack {
  /** Absent where one is made, or gone. */
  row?: Row;
  /** To be sent, where nothing says why not. */
  change?: Change;
  /** That nothing is left to do, as a sentence. */
  already?: string;
  /** It is refused for the state of its row, which may be another later. */
  isOfNow?: boolean;
}

/**
 * Works out what a step sends, on its row as it is now. Rejects with an ApiError.
 * @param change the change of the step with its references filled in
 */
export async function onRow(stores: Stores, plan: Plan, step: PlanStep, change: Change): Promise<OnRow> {
  const found = await onOwnRow(stores, plan, step, change);
  return found.change ? { ...found, ...(await readNeeded(stores, plan, step, change)) } : found;
}

/** The same, looking at its own row and the lists that its rules name. */
async function onOwnRow(stores: Stores, plan: Plan, step: PlanStep, change: Change): Promise<OnRow> {
  const { resource, action, params, before, label } = change;
  await readRules(stores, change);
  const wrongValue = wrongValueOf(change, stores.view);
  if (wrongValue !== undefined) return { why: `${wrongValue} Nothing was sent.` };
  const end = parentEnds(plan, step);
  if (end !== undefined) return { why: end };
  const renamed = await otherNames(stores, plan, step);
  if (renamed !== undefined) return { why: renamed };
  if (before === undefined && idIn(resource, params) === undefined) return made(stores, plan, step, change);
  const row = await rowWithAnswer(stores, change);
  if (!row && action === resource.remove && before)
    return { already: `${label} is gone already, so nothing was sent.` };
  if (!row) return { why: `${label} is gone, so nothing was sent to it.` };
  const unread = unreadBelow(stores, change, Object.keys(step.record.holds ?? {}));
  if (unread !== undefined) return { row, why: `${unread} Nothing was sent.` };
  const { then, open, other, stale, later } = onKnownRow(stores.view, plan, step, change, row);
  const wrong = stale ?? otherName(plan, step, change, withoutOwn(then, [{ change }])) ?? later;
  if (wrong !== undefined) return { row, why: wrong };
  if (other) return { row, note: laterNote(other) };
  const worked = workedOut(stores.view, change, row, open.length > 0);
  if (!worked.change) return { row, ...worked };
  const refusal = action.refuse?.(row, stores.view);
  const [first] = open;
  // The row may be as this step leaves it from an earlier run, until the steps before it change it again.
  if (refusal !== undefined && first && isSoAlready(worked.change, row)) return { row, note: laterNote(first) };
  return refusal === undefined ? { row, ...worked } : { row, why: sentence(refusal, label), isOfNow: true };
}

/** A row that is made, checked as by its form against what is beside it now: earlier steps and others have changed that. */
function made({ view }: Stores, plan: Plan, { id, entries }: PlanStep, change: Change): OnRow {
  const { resource, action, params, body } = change;
  const names: readonly string[] = [resource.name, ...(action.reads ?? [])];
  const beside = stepsBefore(plan.steps, id).find((one) => names.includes(one.record.resource) && !isDone(one));
  if (beside && action.check)
    return { note: `Step ${stepNumber(plan, beside.id)} is done first, so it is looked at then.` };
  const draft = { ...entries, ...entriesIn(resource, action, isRow(body) ? body : {}) };
  const complaint = action.check?.(draft, view, undefined, params);
  if (!complaint) return { change };
  const { field, says } = complaint;
  return { why: `${sentence(`${fieldLabel(resource, action, field)}: ${says}`)} Nothing was sent.` };
}

const laterNote = ({ number }: OwnStep): string => `Step ${number} changes its row first, so it is looked at then.`;

/** The row of a change as it is now, with the answer that its form starts from. Rejects with an ApiError. */
async function rowWithAnswer(stores: Stores, change: Change): Promise<Row | undefined> {
  const { resource, action, params } = change;
  const row = await rowNow(stores, change);
  const { prefill } = action;
  if (row && prefill) await stores.cache.readAnswer({ resource: resource.name, operation: prefill, params });
  return knownBefore({ ...change, before: row }, stores.view);
}

/** A change with the body that it has on its row as it is now, whatever became of it. Rejects with an ApiError. */
export async function onRowNow(stores: Stores, change: Change): Promise<Change> {
  const row = change.changes && (await rowNow(stores, change));
  return row ? { ...change, body: bodyOn(stores.view, change, row) } : change;
}

/** Why a step is refused whose row has another name than the plan says, as a sentence. */
function otherName(plan: Plan, { record }: PlanStep, change: Change, row: Row): string | undefined {
  const { resource, before, params } = change;
  const name = resource.label(row);
  const own = Object.keys(resource.params ?? { [resource.param]: '' });
  const isInMade = Object.entries(record.params).some(([key, value]) => !own.includes(key) && isReference(value));
  const reference = record.params[resource.param];
  // A row that a step makes is named before it has a name, and one that its id names needs no other.
  const isMade =
    isInMade ||
    (isReference(reference)
      ? isCalledSo(plan, reference, resource, name) || name === idIn(resource, params)
      : !before && record.label === unnamedLabel(resource));
  return isMade || name === record.label ? undefined : renamedText(resource, record.label, name);
}

/** Whether the row that a step makes has the name that it gives, or was given none. */
function isCalledSo({ steps }: Plan, { $step, field }: StepReference, resource: Resource, name: string): boolean {
  const maker = steps.find(({ id }) => id === $step);
  const change = maker && sketchOf(maker);
  if (!change || 'why' in change || (field !== undefined && field !== resource.id)) return false;
  const given = newLabel(resource, isRow(change.body) ? change.body : {});
  // Without a name, it has that which a step before has given it.
  return [given, maker.record.label, undefined].includes(name) || given === unnamedLabel(resource);
}
