import { idIn } from '../../resources/identity.ts';
import { creationsOf } from '../../resources/index.ts';
import { cachedRow } from '../../store/changes/change.ts';
import type { FormOverlay } from '../../store/navigation.ts';
import { withoutSecretEntries } from '../../store/plans/keptPlan.ts';
import { isDone, isInDoubt, type PlanStep } from '../../store/plans/plan.ts';
import { sketchOf } from '../../store/plans/stepChange.ts';
import type { Stores } from '../../store/stores.ts';
import { draftKey, formTitle, initialDraft } from '../form/useFormEdits.ts';
import { shownStep } from './planStep.ts';

/** Opens the form of a step filled with it, or says why not; what is changed comes in its place. */
export function editStep(stores: Stores, step: PlanStep): string | undefined {
  const change = sketchOf(step);
  if ('why' in change) return change.why;
  const { resource, action, params } = change;
  if (isDone(step)) return 'This step is done.';
  if (isInDoubt(step)) return 'It was sent, and its answer is not known: carry the plan out to look for it.';
  if (!action.body) return `${action.help} has nothing to fill in; delete the step instead.`;
  if (action.dialog) return `${action.help} has a dialog of its own; delete the step and plan it anew.`;
  const isOne = idIn(resource, params) !== undefined && !creationsOf(resource).includes(action);
  if (isOne && !cachedRow(stores, resource, params)) return `This ${resource.one} is not loaded; open it first.`;
  const shown = shownStep(stores, step);
  if ('why' in shown) return shown.why;
  const { submission } = shown;
  const overlay: FormOverlay = {
    kind: 'form',
    resource: resource.name,
    action: action.name,
    targets: isOne ? [params] : [],
    params,
    step: step.id,
  };
  const opened = initialDraft(stores, resource, action, overlay);
  stores.navigation.keepDraft(draftKey(overlay), {
    title: formTitle(action, resource, submission.targets),
    opened,
    mine: shown.lacksSecret ? withoutSecretEntries(shown.entered) : shown.entered,
  });
  stores.navigation.open(overlay);
  return undefined;
}
