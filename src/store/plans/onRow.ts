import type { Needed } from '../../resources/action.ts';
import { idIn, paramNames } from '../../resources/identity.ts';
import { entriesIn } from '../../resources/inverse.ts';
import { type CacheView, fieldLabel, isRow, type Resource, type Row, viewWith } from '../../resources/resource.ts';
import { sentence } from '../../text/words.ts';
import { type Change, newLabel, unnamedLabel } from '../changes/change.ts';
import { bodyOn, isSoAlready, workedOut } from '../changes/ownEntries.ts';
import { readListAgain, readRules, rowNow } from '../changes/readAgain.ts';
import { isReference, type StepReference, tokenOf, withReferences, withTokens } from '../changes/references.ts';
import { knownBefore } from '../changes/undoable.ts';
import type { Stores } from '../stores.ts';
import { otherNames, renamedText } from './names.ts';
import { liesBelow, type OwnStep, onKnownRow, parentEnds, withoutOwn } from './own.ts';
import { isDone, type Plan, type PlanStep, partOf, type Steps, stepNumber, stepsBefore } from './plan.ts';
import { unreadBelow } from './stale.ts';
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
function made({ view }: Stores, plan: Plan, { id, entries, rolling, record }: PlanStep, change: Change): OnRow {
  const { resource, action, params, body } = change;
  const names: readonly string[] = [resource.name, ...(action.reads ?? [])];
  const isBeside = (one: PlanStep) => one.record.resource !== resource.name || liesBelow(one, record.params);
  // Those of another part may never be carried out.
  const beside = partOf(stepsBefore(plan.steps, id), rolling?.id).find(
    (one) => names.includes(one.record.resource) && isBeside(one) && !isDone(one),
  );
  if (beside && action.check)
    return { note: `Step ${stepNumber(plan, beside.id)} is done first, so it is looked at then.` };
  const draft = { ...entries, ...entriesIn(resource, action, isRow(body) ? body : {}) };
  const complaint = action.check?.(draft, view, undefined, params);
  return complaint ? refusedFor(change, complaint) : { change };
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
  const own = paramNames(resource);
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

/** Why a step is refused, or what cannot be told of that yet; sentences. */
export interface Lack {
  why?: string;
  note?: string;
}

/** Reads the rows below another one of which a step needs one, where that is there, and tells whether they are lacking. Never rejects. */
async function readNeeded(stores: Stores, plan: Steps, step: PlanStep, change: Change) {
  const { cache, view } = stores;
  const { list, under } = neededBy(change, view) ?? {};
  if (list && under && !Object.values(paramsOf(under)).some(isReference))
    await readListAgain(cache, { resource: list, operation: 'list', params: under });
  return lackOf(plan, step, change, view);
}

/** Tells from what is loaded whether the rows are lacking of which a step needs one. */
export function lackOf(plan: Steps, step: PlanStep, change: Change, view: CacheView): Lack | undefined {
  const needed = neededBy(change, view);
  if (!needed) return undefined;
  const { list, under, several, unread } = needed;
  const params = paramsOf(under);
  const before = stepsBefore(plan.steps, step.id);
  const changing = before.find((one) => !isDone(one) && one.record.resource === list && liesBelow(one, params));
  const parent = Object.values(params).find(isReference);
  if (parent) {
    const made = before.find(({ id }) => id === parent.$step);
    const by = made && !isDone(made) ? sketchOf(made) : undefined;
    if (changing || !by || 'why' in by || !isRow(by.body) || !by.action.emptyBelow?.(by.body).includes(list))
      return undefined;
    // Until it is made, its body is all that is known of it.
    const { body } = by;
    return refusedFor(change, (neededBy(change, viewWith(view, { row: () => body })) ?? needed).none);
  }
  if (changing)
    return { note: `Step ${stepNumber(plan, changing.id)} changes the ${list} first, so they are looked at then.` };
  if (!view.isRead(list, under)) return { note: unread };
  const count = view.rows(list, under).length;
  if (count === 0) return refusedFor(change, needed.none);
  return count > 1 ? { note: several } : undefined;
}

function neededBy({ resource, action, body }: Change, view: CacheView): Needed | undefined {
  if (!action.needs) return undefined;
  return action.needs(entriesIn(resource, action, withReferences(isRow(body) ? body : {}, tokenOf)), view);
}

/** The parameters of a list with references in the place of tokens. */
const paramsOf = (under: Needed['under']) => withTokens<Readonly<Record<string, unknown>>>(under ?? {});

const refusedFor = ({ resource, action }: Change, { field, says }: Needed['none']): Lack => ({
  why: `${sentence(`${fieldLabel(resource, action, field)}: ${says}`)} Nothing was sent.`,
});
