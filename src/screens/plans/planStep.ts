import type { Row } from '../../resources/resource.ts';
import { type Change, cachedRow, type Submission } from '../../store/changes/change.ts';
import { subjectsOf } from '../../store/guards/subjects.ts';
import type { FormOverlay } from '../../store/navigation.ts';
import { hasJobBefore } from '../../store/plans/ends.ts';
import { loadedOtherName } from '../../store/plans/names.ts';
import { lackOf } from '../../store/plans/onRow.ts';
import { onKnownRow, parentEnds, rowAfter } from '../../store/plans/own.ts';
import {
  hasBegun,
  isDone,
  isInDoubt,
  numberIn,
  type PlanStep,
  type Steps,
  stepNumber,
  wasAnswered,
} from '../../store/plans/plan.ts';
import { lacksSecret, sketchOf } from '../../store/plans/stepChange.ts';
import { wrongValueOf } from '../../store/plans/stepFields.ts';
import { isOfRow, type StepSubject, type StepWords, subjectOf, wordsOf } from '../../store/plans/stepWords.ts';
import { withoutSecretEntries } from '../../store/plans/storedPlan.ts';
import { whyForbidden } from '../../store/session.ts';
import type { Stores } from '../../store/stores.ts';
import { draftKey, formTitle, initialDraft } from '../form/useFormEdits.ts';

/** A step as it is shown. */
export interface ShownStep extends Pick<StepSubject, 'change' | 'entered'> {
  step: PlanStep;
  /** Its place, from 1 on. */
  number: number;
  /** As though it were sent by a form now. */
  submission: Submission;
  words: StepWords;
  /** Why it would be refused now, as sentences. */
  refusals: readonly string[];
  /** Why its label is typed. */
  asks: readonly string[];
  /** A secret is typed again before it can be carried out. */
  lacksSecret: boolean;
}

/** A step of which this version knows too little, with a sentence why. */
export interface UnknownStep {
  step: PlanStep;
  number: number;
  why: string;
}

/** A step as it is shown. */
export function shownStep(stores: Stores, step: PlanStep, glyphs?: 'unicode' | 'ascii'): ShownStep | UnknownStep {
  const { view, guards } = stores;
  const { steps } = stores.plans.getState();
  const plan: Steps = { steps, numberOf: (id) => numberIn(steps, id) };
  const number = stepNumber(plan, step.id);
  const subject = subjectOf(step, { ...plan, view });
  if ('why' in subject) return { step, number, why: subject.why };
  const { change, row, entered, draft } = subject;
  const { resource, action, params, body } = change;
  const submission: Submission = { resource, action, targets: row ? [{ row, params }] : [], params, draft };
  const guarded = guards.refusal(resource, action, params, row, body);
  const isOver = wasAnswered(step);
  return {
    step,
    number,
    change,
    submission,
    entered,
    words: wordsOf(step, subject, { ...plan, view, glyphs }),
    refusals: isOver ? [] : [refusalOf(stores, plan, step, change, row), guarded].filter((why) => why !== undefined),
    asks: isOver ? [] : guards.asks(() => (isOfRow(change) ? subjectsOf(submission, view) : [change])),
    lacksSecret: !isOver && lacksSecret(step),
  };
}

/** Why a step would be refused by what is loaded now, where nothing before it changes that. */
function refusalOf(stores: Stores, plan: Steps, step: PlanStep, change: Change, row: Row | undefined) {
  const { view } = stores;
  // It may be done, so its row may be as it leaves it.
  if (isInDoubt(step)) return undefined;
  const wrong = (stores.api.readOnly ? undefined : whyForbidden(stores, change.action)) ?? wrongValueOf(change, view);
  if (wrong !== undefined) return wrong;
  const end = parentEnds(plan, step);
  if (end !== undefined) return end;
  const lack = lackOf(plan, step, change, view);
  if (lack?.why !== undefined) return lack.why;
  const renamed = loadedOtherName(view, plan, step);
  if (renamed !== undefined || !row) return renamed;
  const { stale, later, other, open } = onKnownRow(view, plan, step, change, row, true);
  const then = rowAfter(row, open);
  const { refuse } = change.action;
  // An edit before it may put right what it is refused for.
  const isMended = typeof then === 'object' && refuse?.(then, view) === undefined;
  const why = other ? later : isMended ? undefined : refuse?.(row, view);
  return stale ?? (why !== undefined && hasJobBefore(stores, plan, step) ? undefined : why);
}

/** Opens the form of a step filled with it, or says why not; what is changed comes in its place. */
export function editStep(stores: Stores, step: PlanStep): string | undefined {
  const change = sketchOf(step);
  if ('why' in change) return change.why;
  const { resource, action, params } = change;
  if (isDone(step)) return 'This step is done.';
  if (hasBegun(step)) return 'It has begun: its end is waited for.';
  if (isInDoubt(step)) return 'It was sent, and its answer is not known: carry the plan out to look for it.';
  if (!action.body) return `${action.help} has nothing to fill in; delete the step instead.`;
  if (action.dialog) return `${action.help} has a dialog of its own; delete the step and plan it anew.`;
  const isOne = isOfRow(change);
  if (isOne && !cachedRow(stores.view, resource, params)) return `This ${resource.one} is not loaded; open it first.`;
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
