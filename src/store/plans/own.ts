import { putAt } from '../../resources/body.ts';
import { sketchedBody } from '../../resources/changeRecord.ts';
import { knownResource, resourceNamed } from '../../resources/index.ts';
import { memoize } from '../../resources/memoize.ts';
import { ancestorsOf } from '../../resources/relations.ts';
import { at, type CacheView, isRow, knownField, type Resource, type Row, textsOf } from '../../resources/resource.ts';
import type { Timestamp } from '../../text/times.ts';
import { sentence } from '../../text/words.ts';
import type { Change } from '../changes/change.ts';
import { isSameValue, leavesOf, valuesSet } from '../changes/ownEntries.ts';
import { isReference } from '../changes/references.ts';
import { isSame } from '../rows.ts';
import { isDone, needsOf, numberIn, type PlanStep, type Steps, spanOf, stepNumber, wasAnswered } from './plan.ts';
import { heldBy, otherHeld, staleText, staleValues } from './stale.ts';
import { sketchOf } from './stepChange.ts';

/** An earlier step about the same row. */
export interface OwnStep {
  number: number;
  change: Change;
  isDone: boolean;
}

/** The steps of a plan by kind and id of their rows, and their places, in the order in which they are carried out. */
const indexed = memoize((steps: readonly PlanStep[]) => {
  const order = steps.toSorted((one, other) => turnOf(one) - turnOf(other) || 0);
  return {
    byRow: Map.groupBy(order, ({ record: { resource, params } }) =>
      rowKey(resource, params[knownResource(resource)?.param ?? '']),
    ),
    places: new Map(order.map(({ id }, place) => [id, place])),
  };
});

/** When a step was sent; those that are left come last, though moved, or brought back, they stand before others. */
const turnOf = (step: PlanStep): number =>
  wasAnswered(step) ? (step.result?.since?.at ?? step.result?.at ?? 0) : Number.POSITIVE_INFINITY;

/** Names a row of a kind by its id, or the step that makes it. */
export const rowKey = (resource: string, id: unknown): string =>
  `${resource} ${isReference(id) ? `step ${id.$step}` : id}`;

/** The steps before one about rows of a kind with an id, in order: a plan is not gone through for each of its steps. */
function stepsAbout({ steps }: Steps, resource: Resource, { id, record }: PlanStep): readonly PlanStep[] {
  const { byRow, places } = indexed(steps);
  const placeOf = (one: number) => places.get(one) ?? 0;
  const about = byRow.get(rowKey(resource.name, record.params[resource.param])) ?? [];
  return about.filter((one) => placeOf(one.id) < placeOf(id));
}

/** The steps before one that are about the same row, in order; a creation is about none. */
export function ownBefore(plan: Steps, step: PlanStep): readonly OwnStep[] {
  const { resource: name, params } = step.record;
  const resource = resourceNamed(name);
  if (resource.list && params[resource.param] === undefined) return [];
  return stepsAbout(plan, resource, step).flatMap((one) => {
    const change = isSame(one.record.params, params) ? sketchOf(one) : undefined;
    return change && !('why' in change) ? [{ number: stepNumber(plan, one.id), change, isDone: wasAnswered(one) }] : [];
  });
}

/**
 * Whether the end of a step that is done is still to be waited for, as the run that has done it did not: what was done to its
 * row since tells that it came.
 */
export function isEndOpen(plan: Steps, step: PlanStep, now: Timestamp): boolean {
  const { wait, result } = step;
  if (!isDone(step) || !wait || !result?.since || now - result.at > spanOf(wait)) return false;
  const number = stepNumber(plan, step.id);
  const isAbout = (one: PlanStep) =>
    needsOf(one).includes(step.id) || ownBefore(plan, one).some((own) => own.number === number);
  // A step that sent nothing tells of no end.
  const wasSent = (one: PlanStep) => wasAnswered(one) && one.result?.since !== undefined;
  return !plan.steps.slice(numberIn(plan.steps, step.id)).some((one) => wasSent(one) && isAbout(one));
}

/** Whether the row of a step lies below one with these parameters, which may be references. */
export const liesBelow = ({ record }: PlanStep, params: Row): boolean =>
  Object.entries(params).every(([name, value]) => isSame(record.params[name], value));

/** Why a step is refused before which the row is deleted in which its own lies, as a sentence. */
export function parentEnds(plan: Steps, step: PlanStep): string | undefined {
  for (const parent of ancestorsOf(resourceNamed(step.record.resource)).toReversed()) {
    const end = stepsAbout(plan, parent, step).find(
      (one) => one.record.action === parent.remove?.name && liesBelow(step, one.record.params) && !isDone(one),
    );
    if (end) return endText(parent, stepNumber(plan, end.id));
  }
  return undefined;
}

const endText = ({ one }: Pick<Resource, 'one'>, number: number): string => `Step ${number} deletes this ${one} first.`;

/** A row as it would be without what steps of its plan have made of it; what others have made of that since stays. */
export function withoutOwn(row: Row, own: readonly Pick<OwnStep, 'change'>[]): Row {
  if (own.length === 0) return row;
  const without = structuredClone(row) as Record<string, unknown>;
  for (const { change } of own.toReversed()) {
    const { action, changes, before = {} } = change;
    for (const [name, value] of [...valuesSet(change), ...Object.entries(action.leaves ?? {})])
      if (isSameValue(change, name, at(without, name), value)) putAt(without, name.split('.'), at(before, name));
    for (const name of Object.keys({ ...changes?.add, ...changes?.remove })) {
      const was = listAt(before, name);
      const [added, removed] = [textsOf(changes?.add?.[name]), textsOf(changes?.remove?.[name])];
      const kept = listAt(without, name).filter((one) => was.includes(one) || !added.includes(one));
      const back = removed.filter((one) => was.includes(one) && !kept.includes(one));
      putAt(without, name.split('.'), [...kept, ...back]);
    }
  }
  return without;
}

/**
 * A row as steps that are not done yet will leave it: 'gone' where one deletes it, undefined where what they do to it is not
 * known.
 */
export function rowAfter(row: Row, open: readonly Pick<OwnStep, 'change'>[]): Row | 'gone' | undefined {
  let now = structuredClone(row) as Record<string, unknown>;
  for (const { change } of open) {
    const { resource, action, changes, body } = change;
    const { reaches: status } = action.shownBy ?? {};
    if (action === resource.remove) return 'gone';
    if (action.makes) continue;
    if (!changes && action.method !== 'PUT' && !action.leaves && status === undefined) return undefined;
    const sent = changes ? sketchedBody(changes, now) : isRow(body) ? body : {};
    const values = [...leavesOf(sent), ...Object.entries({ ...action.leaves, ...(status && { status }) })];
    now = structuredClone(now);
    for (const [path, value] of values) putAt(now, path.split('.'), value);
  }
  return now;
}

/**
 * Why a step will be refused once those before it are done, as a sentence; undefined where it will not, or where that is seen
 * only then.
 */
function refusalAfter(change: Change, row: Row, open: readonly OwnStep[], view: CacheView): string | undefined {
  const { resource, action, label } = change;
  const last = open.at(-1);
  if (!last) return undefined;
  const then = rowAfter(row, open);
  if (then === undefined) return undefined;
  if (then === 'gone') return action === resource.remove ? undefined : endText(resource, last.number);
  const refusal = action.refuse?.(then, view);
  return refusal === undefined || refusal === action.refuse?.(row, view)
    ? undefined
    : sentence(`After step ${last.number}, ${refusal}`, label);
}

const isEdit = ({ change }: OwnStep): boolean => change.action.method === 'PUT';

/**
 * Compares the row of a step with what the step was planned on, and what the steps before it make of it: `then` is the row
 * without what those have made of it, `open` those that are not done, `other` the first of these that is no edit, `stale` and
 * `later` why the step is refused on the row as it is, and as those steps leave it, as sentences.
 * @param isPart the row may lack what is compared, as one of a list does
 */
export function onKnownRow(view: CacheView, plan: Steps, step: PlanStep, change: Change, row: Row, isPart = false) {
  const { resource, action } = change;
  const own = ownBefore(plan, step);
  const open = own.filter(({ isDone }) => !isDone);
  const other = open.find((one) => !isEdit(one));
  const then = withoutOwn(row, own);
  // A step that is no edit changes more of its row than it sends: what the platform derives, but nothing that a form has.
  const isAllKnown = action !== resource.remove || own.every(isEdit);
  const changed = staleValues(change, then).filter(
    ({ name, now }) =>
      (now !== undefined || !isPart) && (isAllKnown || knownField(resource, resource.edit ?? {}, name) !== undefined),
  );
  const stale = staleText(resource, changed, otherHeld(plan, step, heldBy(change, view)));
  return { then, open, other, stale, later: other && refusalAfter(change, row, open, view) };
}

const listAt = (row: Row, name: string): readonly string[] => textsOf(at(row, name));
