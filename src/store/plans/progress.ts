import { redacted } from '../../api/redact.ts';
import { isRow } from '../../resources/row.ts';
import { isDone, isInDoubt, type PlanStep, type StepResult } from './plan.ts';

/** The values under which the results of steps are kept, by the identities of the steps. */
type Values = ReadonlyMap<string, unknown>;

/** The result of a step as it is kept, with the step as it was then. */
interface KeptResult {
  result: StepResult;
  as: string;
}

/** The value under which the result of a step is kept; undefined where it has none. */
export const progressValue = (step: PlanStep): KeptResult | undefined =>
  step.result && { result: step.result, as: textOf(step) };

/**
 * Steps with the results that are kept of them. A step that was edited since is not the one that was refused or failed,
 * and is tried anew; one that was done, or of which that is not known, keeps its result.
 */
export const withProgress = (steps: readonly PlanStep[], values: Values): readonly PlanStep[] =>
  steps.map((step) => {
    const { result: _, ...untried } = step;
    if (!values.has(step.uid)) return untried;
    const value = values.get(step.uid);
    if (!isKept(value)) return { ...untried, result: unreadable };
    const { result, as } = value;
    if (as === textOf(step)) return { ...untried, result };
    return isDone({ result }) || isInDoubt({ result })
      ? { ...untried, result: { ...result, isEdited: true } }
      : untried;
  });

/** A result that was damaged says nothing, so nothing is sent. */
const unreadable: StepResult = {
  state: 'unknown',
  at: 0,
  says: 'The record of it is damaged, so it is not known whether it was done: look at its row.',
};

/** The request of a step as a text, without secrets. */
function textOf({ record: { resource, action, params, body, changes } }: PlanStep): string {
  return JSON.stringify(sorted(redacted({ resource, action, params, body, changes })));
}

/** A value with the fields of its objects in one order, which files keep or not. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRow(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sorted(value[name])]));
}

const states: readonly unknown[] = ['sent', 'unknown', 'done', 'failed', 'refused'] satisfies StepResult['state'][];

const isText = (value: unknown): value is string => typeof value === 'string';
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);

function isKept(value: unknown): value is KeptResult {
  if (!isRow(value) || !isRow(value.result) || !isText(value.as)) return false;
  const { state, at, says, made, since } = value.result;
  const isTold = states.includes(state) && Number.isFinite(at) && (says === undefined || isText(says));
  const isMade = made === undefined || (isRow(made) && Object.values(made).every(isText));
  return isTold && isMade && (since === undefined || isSince(since));
}

function isSince(value: unknown): boolean {
  if (!isRow(value) || !Number.isFinite(value.at) || !isTexts(value.ids) || !isTexts(value.whole)) return false;
  const { event, sent, user } = value;
  const isSpan = sent === undefined || (isRow(sent) && Number.isFinite(sent.from) && Number.isFinite(sent.to));
  return (
    isSpan && (user === undefined || isText(user)) && (event === undefined || isText(event) || Number.isFinite(event))
  );
}
