import type { Needed } from '../../resources/action.ts';
import { entriesIn } from '../../resources/inverse.ts';
import { type CacheView, fieldLabel, viewWith } from '../../resources/resource.ts';
import { isRow } from '../../resources/row.ts';
import { sentence } from '../../text/words.ts';
import type { Change } from '../changes/change.ts';
import { readListAgain } from '../changes/readAgain.ts';
import { isReference, tokenOf, withReferences, withTokens } from '../changes/references.ts';
import { isSame } from '../rows.ts';
import type { Stores } from '../stores.ts';
import { isDone, type PlanStep, type Steps, stepNumber, stepsBefore } from './plan.ts';
import { sketchOf } from './stepChange.ts';

/** Why a step is refused, or what cannot be told of that yet; sentences. */
export interface Lack {
  why?: string;
  note?: string;
}

/** Reads the rows below another one of which a step needs one, where that is there, and tells whether they are lacking. Never rejects. */
export async function readNeeded(stores: Stores, plan: Steps, step: PlanStep, change: Change) {
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
  const changing = before.find(
    (one) =>
      !isDone(one) &&
      one.record.resource === list &&
      Object.entries(params).every(([name, value]) => isSame(one.record.params[name], value)),
  );
  const parent = Object.values(params).find(isReference);
  if (parent) {
    const made = before.find(({ id }) => id === parent.$step);
    const by = made && !isDone(made) ? sketchOf(made) : undefined;
    if (changing || !by || 'why' in by || !isRow(by.body) || !by.action.emptyBelow?.(by.body).includes(list))
      return undefined;
    // Until it is made, its body is all that is known of it.
    const { body } = by;
    return refusedFor(change, neededBy(change, viewWith(view, { row: () => body })) ?? needed);
  }
  if (changing)
    return { note: `Step ${stepNumber(plan, changing.id)} changes the ${list} first, so they are looked at then.` };
  if (!view.isRead(list, under)) return { note: unread };
  const count = view.rows(list, under).length;
  if (count === 0) return refusedFor(change, needed);
  return count > 1 ? { note: several } : undefined;
}

function neededBy({ resource, action, body }: Change, view: CacheView): Needed | undefined {
  if (!action.needs) return undefined;
  return action.needs(entriesIn(resource, action, withReferences(isRow(body) ? body : {}, tokenOf)), view);
}

/** The parameters of a list with references in the place of tokens. */
const paramsOf = (under: Needed['under']) => withTokens<Readonly<Record<string, unknown>>>(under ?? {});

const refusedFor = ({ resource, action }: Change, { none: { field, says } }: Needed): Lack => ({
  why: `${sentence(`${fieldLabel(resource, action, field)}: ${says}`)} Nothing was sent.`,
});
