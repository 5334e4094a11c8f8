import { ApiError } from '../../api/error.ts';
import { idIn } from '../../resources/identity.ts';
import { sentence } from '../../text/words.ts';
import { type Change, deedName } from '../changes/change.ts';
import { limitsOf } from '../guards/subjects.ts';
import { whyOutOfScope } from '../session.ts';
import type { Stores } from '../stores.ts';
import { hasJobBefore } from './ends.ts';
import { type Lack, lackOf, type OnRow, onRow } from './onRow.ts';
import { hasBegun, isInDoubt, needsOf, openSteps, type Plan, type PlanStep, stepNumber } from './plan.ts';
import { changeOfStep, lacksSecret, sketchOf, strayReference } from './stepChange.ts';
import { wrongValueOf } from './stepFields.ts';

/** A step that is left of a plan, as far as can be told before anything is sent. */
export interface Examined extends Lack {
  id: number;
  /** Why the API could not be asked about it. */
  error?: ApiError;
}

/** A step with its change and its row, where these are known. */
type Known = Examined & OnRow;

/**
 * Reads the rows of a plan and says of each step that is not done whether it would be refused. Sends nothing but GET.
 * @param isSecretLater secrets that were left out are asked for before the first step is sent
 */
export async function examinePlan(stores: Stores, plan: Plan, isSecretLater = false): Promise<readonly Examined[]> {
  const left = openSteps(plan);
  const known = new Map<number, Known>();
  // One after the other: a plan of many rows must not be the storm that the API limits.
  for (const step of left) known.set(step.id, await examineStep(stores, plan, step, known, isSecretLater));
  const submissions = [...known.values()].flatMap(({ change, row }) =>
    change && row ? [{ submission: { ...change, targets: [{ row, params: change.params }] } }] : [],
  );
  const limits = limitsOf(stores, submissions);
  return [...known.values()].map(({ id, why, note, error, change, row }) => {
    const limit = change && row && limits.get(deedName(change));
    return { id, why: why ?? (limit && sentence(limit)), note, error };
  });
}

async function examineStep(
  stores: Stores,
  plan: Plan,
  step: PlanStep,
  earlier: ReadonlyMap<number, Known>,
  isSecretLater: boolean,
): Promise<Known> {
  const { id } = step;
  if (hasBegun(step)) return { id, note: 'It has begun, so its end is waited for.' };
  const sketch = sketchOf(step);
  const wrong =
    'why' in sketch
      ? sketch.why
      : (strayReference(plan.steps, step) ??
        wrongValueOf(sketch, stores.view) ??
        whyOutOfScope(stores.api, sketch.action));
  if (wrong !== undefined && !isInDoubt(step)) return { id, why: wrong };
  const open = needsOf(step).find((needed) => earlier.has(needed));
  if (open !== undefined && (isSecretLater || !lacksSecret(step))) {
    const needed = 'why' in sketch ? undefined : lackOf(plan, step, sketch, stores.view);
    return needed?.why !== undefined
      ? { id, ...needed }
      : { id, note: `Step ${stepNumber(plan, open)} makes its row, so it is looked at then.` };
  }
  try {
    const change = await changeOfStep(stores, plan, step, isSecretLater);
    if ('why' in change) return { id, why: change.why };
    // It may be done, so its row may be as it leaves it.
    if (isInDoubt(step)) return { id, change, note: 'Its answer was lost, so it is looked for first.' };
    const found = await examineChange(stores, plan, step, change);
    if (!found.isOfNow || !hasJobBefore(stores, plan, step)) return found;
    return { ...found, why: undefined, note: 'A job of a step before it is going on, so it is looked at then.' };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { id, why: error.message, error };
  }
}

async function examineChange(stores: Stores, plan: Plan, step: PlanStep, change: Change): Promise<Known> {
  const { id } = step;
  const { resource, action, params, before, label, body } = change;
  const told = (why: string | undefined) => (why === undefined ? undefined : sentence(why, label));
  if (idIn(resource, params) === undefined && before === undefined) {
    const why = told(stores.guards.refusal(resource, action, params, undefined, body));
    if (why !== undefined) return { id, change, why };
  }
  const { row, why, isOfNow, already, note = already } = await onRow(stores, plan, step, change);
  const guarded = row && told(stores.guards.refusal(resource, action, params, row));
  return { id, change, row, why: why ?? guarded, note, isOfNow };
}
