import { redacted } from '../../api/redact.ts';
import { isRow } from '../../resources/row.ts';
import type { PlanStep } from './plan.ts';

/** The version of the file of a plan that is kept between sessions. */
const version = 1;

/** The steps as a file keeps them: without secrets. */
export const keptText = (steps: readonly PlanStep[]): string =>
  `${JSON.stringify({ version, steps: steps.map(withoutSecrets) }, undefined, 2)}\n`;

/** The steps of a kept file. Throws an Error, one sentence, where it holds none. */
export function stepsIn(text: string): readonly PlanStep[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error('The kept plan is no JSON.');
  }
  if (!isRow(value) || value.version !== version || !Array.isArray(value.steps))
    throw new Error('The kept plan is damaged, or of another version.');
  const wrong = value.steps.findIndex((step) => !isStep(step));
  if (wrong >= 0) throw new Error(`The kept plan is damaged: steps[${wrong}] is no step.`);
  return value.steps as unknown as readonly PlanStep[];
}

function isStep(step: unknown): boolean {
  if (!isRow(step) || !Number.isSafeInteger(step.id) || !isRow(step.record)) return false;
  const { resource, action, label, params } = step.record;
  const isNamed = [resource, action, label].every((name) => typeof name === 'string');
  return isNamed && isRow(params) && (step.result === undefined || isRow(step.result));
}

/** A step whose secrets are typed again before it is carried out. */
const withoutSecrets = ({ entries, record, ...step }: PlanStep): PlanStep => {
  const { body, before } = record;
  const isWhole = JSON.stringify(redacted(body)) === JSON.stringify(body);
  return {
    ...step,
    record: {
      ...record,
      ...(body !== undefined && { body: redacted(body) }),
      ...(before && { before: redacted(before) as NonNullable<typeof before> }),
    },
    // The entries may hold the same secrets under other names.
    ...(isWhole && entries && { entries }),
  };
};
