import { redaction } from '../../api/redact.ts';
import { isPatch } from '../../resources/body.ts';
import { intentionOfBody, sketchedBody } from '../../resources/changeRecord.ts';
import { idIn, idValue } from '../../resources/identity.ts';
import { resourceNamed } from '../../resources/index.ts';
import { strayTarget } from '../../resources/relations.ts';
import { type Action, at, isNothing, isRow, type Params } from '../../resources/resource.ts';
import { type Change, cachedRow, changeOfRecord } from '../changes/change.ts';
import { rowNow } from '../changes/readAgain.ts';
import { isAnywhere, referencesIn, type StepReference, tokenOf, withReferences } from '../changes/references.ts';
import type { Stores } from '../stores.ts';
import { isDone, isInDoubt, type PlannedRecord, type PlanStep, type StepResult, type Steps } from './plan.ts';

/** The change of a step with its references left in place, for whoever shows it. */
export const sketchOf = ({ record }: Pick<PlanStep, 'record'>): Change | { why: string } =>
  changeFor(record, withReferences(record.params, tokenOf) as Params);

/** The id of a row that a step has made; undefined where it has not, or another field is meant. */
export function madeId({ $step, field }: StepReference, all: readonly PlanStep[]): string | undefined {
  const step = all.find(({ id }) => id === $step);
  return field === undefined && step ? step.result?.made?.[resourceNamed(step.record.resource).param] : undefined;
}

/** A step whose row, and those that it lies in, are named by what others of these steps have made. */
export const withMade = ({ record, ...step }: PlanStep, all: readonly PlanStep[]): PlanStep => {
  const params = withReferences(record.params, (one) => madeId(one, all) ?? tokenOf(one));
  return { ...step, record: { ...record, params } };
};

/** The change of a record whose references are filled in, or kept for readers. */
function changeFor(record: PlannedRecord, params: Params): Change | { why: string } {
  const change = changeOfRecord({ ...record, params });
  const { changes, before } = inThisVersion(record);
  return 'why' in change || !changes ? change : { ...change, changes, body: sketchedBody(changes, before) };
}

/** A record with what an edit touches in place of its body, which plans of the first version have. */
export function inThisVersion(record: PlannedRecord): PlannedRecord {
  const { body, changes, before } = record;
  if (changes || !isRow(body)) return record;
  const found = changeOfRecord({ ...record, params: {}, label: '' });
  if ('why' in found || !isPatch(found.action)) return record;
  const { resource, action } = found;
  return { ...record, body: undefined, changes: intentionOfBody(resource, action, body, before) };
}

/** Whether a secret that a step sends was left out. */
export const lacksSecret = ({ record: { body, changes } }: PlanStep): boolean => isRedacted([body, changes]);

/** Why a step whose secret was left out is not sent, as a sentence; undefined where none was. */
export const whyNoSecret = (step: PlanStep): string | undefined =>
  lacksSecret(step) ? 'Its secret is kept in no file: open its form and type it again.' : undefined;

/**
 * The change of a step with the values of the rows that earlier steps have made, or a sentence why it has none yet. One that
 * was sent is looked for without its secret. Rejects with an ApiError.
 * @param isSecretLater a secret that was left out is asked for before the step is sent
 */
export async function changeOfStep(
  stores: Stores,
  { steps }: Steps,
  step: PlanStep,
  isSecretLater = false,
): Promise<Change | { why: string }> {
  const { record } = step;
  const why = isSecretLater || isInDoubt(step) ? undefined : whyNoSecret(step);
  if (why !== undefined) return { why };
  const values = new Map<string, unknown>();
  for (const { path: _, ...reference } of referencesIn([record.params, record.body, record.changes])) {
    const found = await referredValue(stores, steps, reference);
    if ('why' in found) return found;
    values.set(JSON.stringify(reference), found.value);
  }
  const stray = strayReference(steps, step);
  if (stray !== undefined) return { why: stray };
  const filled = withReferences(record, (reference) => values.get(JSON.stringify(reference)));
  if (isRedacted(filled.params)) return { why: 'A secret names its row, and no file holds that: do it by itself.' };
  const params = Object.entries(filled.params).map(([name, value]) => [name, String(value)]);
  const change = changeFor(filled, Object.fromEntries(params));
  const isOther = record.sends !== undefined && 'action' in change && sendsOf(change.action) !== record.sends;
  return isOther ? { why: 'The command was changed since this was planned: plan it anew. Nothing was sent.' } : change;
}

/** The request of an action, as a text. */
export const sendsOf = ({ method, path }: Action): string => `${method} ${path}`;

/** Why a step is refused that names the row of another as what it is not, as a sentence. */
export function strayReference(steps: readonly PlanStep[], step: PlanStep): string | undefined {
  const change = sketchOf(step);
  const { params, body, changes } = step.record;
  for (const { path, $step, field } of referencesIn({ params, body, changes })) {
    const maker = steps.find(({ id }) => id === $step);
    const made = maker && sketchOf(maker);
    const says = made && !('why' in made || 'why' in change) ? strayTarget(change, path, made, field) : undefined;
    if (says !== undefined) return `${path.join('.')} ${says}. Nothing was sent.`;
  }
  return undefined;
}

/** Whether a secret was left out. */
export const isRedacted = (value: unknown): boolean => isAnywhere(value, (part) => part === redaction);

/** The value that a reference stands for. Rejects with an ApiError. */
async function referredValue(
  stores: Stores,
  steps: readonly PlanStep[],
  { $step, field }: StepReference,
): Promise<{ value: unknown } | { why: string }> {
  const made = steps.find(({ id }) => id === $step);
  if (!made) return { why: 'It needs the row of a step that is not in the plan.' };
  const params = isDone(made) ? made.result?.made : undefined;
  const resource = resourceNamed(made.record.resource);
  const called = `${resource.one} ${made.record.label}`;
  if (!params) return { why: `It needs the ${called}, which an earlier step makes and has not made yet.` };
  const change = sketchOf(made);
  if ('why' in change) return change;
  // A row that is loaded is taken to be there; that of a field is read, as it may have changed.
  const row =
    (field === undefined && cachedRow(stores.view, resource, params)) || (await rowNow(stores, { ...change, params }));
  if (!row) return { why: `The ${called}, which an earlier step made, is gone.` };
  if (field === undefined) return { value: idValue(idIn(resource, params) ?? '') };
  const value = at(row, field);
  return isNothing(value) ? { why: `The ${called}, which an earlier step made, has no ${field} yet.` } : { value };
}

/** The result of a step after which it may still have been done by an earlier request, if that is in doubt. */
export function withDoubt(result: Omit<StepResult, 'at'> | undefined, doubt: StepResult | undefined): typeof result {
  if (!doubt || !result) return result ?? doubt;
  if (result.state !== 'failed' && result.state !== 'refused') return result;
  return { ...doubt, state: 'unknown', says: `${result.says ?? ''} ${sentBeforeText}`.trimStart() };
}

const sentBeforeText = 'It was sent before as well, and it is not known whether it was done then: look at its row.';
