import { isSecretName, redacted, secretTexts } from '../../api/redact.ts';
import { type Draft, isRow, type Row } from '../../resources/row.ts';
import type { PlanStep } from './plan.ts';
import { isReference, withReferences } from './references.ts';

/** The value under which a step is kept, without secrets; its result is kept apart. */
export function stepValue(step: PlanStep, place: number): unknown {
  const { result: _, uid: __, ...rest } = withoutSecrets(step);
  return { place, ...rest };
}

/** The steps among values that were kept, by identity, in their order; whatever is none is left out. */
export function keptSteps(values: ReadonlyMap<string, unknown>): readonly PlanStep[] {
  const found = [...values].flatMap(([uid, value]) => (isStepValue(value) ? [{ ...value, uid }] : []));
  const steps: PlanStep[] = [];
  let shift = 0;
  for (const { place: _, ...step } of found.sort((one, other) => one.place - other.place)) {
    // The steps of a plan that was made before its account was known follow those of the account.
    if (shift === 0 && steps.some(({ id }) => id === step.id)) shift = Math.max(...steps.map(({ id }) => id));
    steps.push(shift === 0 ? step : shifted(step, shift));
  }
  return steps;
}

/** A step whose number, and those of the steps that it refers to, are higher. */
function shifted({ entries: _, ...step }: PlanStep, by: number): PlanStep {
  const record = withReferences(step.record, (reference) => ({ ...reference, $step: reference.$step + by }));
  return { ...step, id: step.id + by, record };
}

function isStepValue(value: unknown): value is Omit<PlanStep, 'uid'> & { place: number } {
  if (!isRow(value) || !Number.isFinite(value.place) || !Number.isSafeInteger(value.id) || !isRow(value.record))
    return false;
  const { resource, action, label, params, body, changes, before } = value.record;
  const isNamed = [resource, action, label].every((name) => typeof name === 'string');
  const isOf = isRow(params) && Object.values(params).every((one) => typeof one === 'string' || isSoundReference(one));
  const isSent = [body, before, value.entries].every(isRowOrNone) && isRowOrNone(changes) && isIntention(changes);
  return isNamed && isOf && isSent && Object.values(value.entries ?? {}).every(isEntry);
}

const isRowOrNone = (value: unknown): value is Row | undefined => value === undefined || isRow(value);

const isSoundReference = (value: unknown): boolean =>
  isReference(value) && (value.field === undefined || typeof value.field === 'string');

function isIntention({ set, add, remove }: Row = {}): boolean {
  const areLists = (lists: unknown) => isRowOrNone(lists) && Object.values(lists ?? {}).every(Array.isArray);
  return isRowOrNone(set) && areLists(add) && areLists(remove);
}

const isEntry = (entry: unknown): boolean =>
  typeof entry === 'string' ||
  typeof entry === 'boolean' ||
  (Array.isArray(entry) && entry.every((one) => typeof one === 'string'));

/** A step whose secrets are typed again before it is carried out. */
export const withoutSecrets = ({ entries, record, ...step }: PlanStep): PlanStep => {
  const { body, changes, before } = record;
  return {
    ...step,
    record: {
      ...record,
      ...(body !== undefined && { body: redacted(body) }),
      ...(changes && { changes: redacted(changes) as NonNullable<typeof changes> }),
      ...(before && { before: redacted(before) as NonNullable<typeof before> }),
    },
    ...(entries && { entries: withoutSecretEntries(entries, [body, changes]) }),
  };
};

/** The entries of a form but for its secrets, which may stand under other names as well. */
export function withoutSecretEntries(entries: Draft, body?: unknown): Draft {
  const secrets = secretTexts(body);
  return Object.fromEntries(
    Object.entries(entries).filter(
      ([name, entry]) => !isSecretName(name) && !secrets.some((secret) => String(entry).includes(secret)),
    ),
  );
}
