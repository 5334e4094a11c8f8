import { isSecretName, redacted, secretTexts } from '../../api/redact.ts';
import { type Draft, isRow } from '../../resources/row.ts';
import { type Plan, type PlanStep, randomUid } from './plan.ts';

/** The version of the file of a plan that is kept between sessions. */
const version = 1;

/** A plan as it is kept: its steps with the account that they are for. */
export type KeptPlan = Pick<Plan, 'host' | 'euuid' | 'steps'>;

/** The text of the file: without secrets. */
export const keptText = ({ host, euuid, steps }: KeptPlan): string =>
  `${JSON.stringify({ version, host, euuid, steps: steps.map(withoutSecrets) }, undefined, 2)}\n`;

/** The plan of a kept file. Throws an Error, the end of a sentence, where it holds none. */
export function keptPlanIn(text: string): KeptPlan {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error('it is damaged, no JSON');
  }
  if (!isRow(value) || value.version !== version) throw new Error('it is damaged, or of another version');
  const { host, euuid, steps } = value;
  const isOfAccount = typeof host === 'string' && (euuid === undefined || typeof euuid === 'string');
  if (!isOfAccount || !Array.isArray(steps)) throw new Error('it is damaged');
  const wrong = steps.findIndex((step) => !isStep(step));
  if (wrong >= 0) throw new Error(`it is damaged: steps[${wrong}] is no step`);
  // Steps of older plans have no identity yet.
  const identified = steps.map((step) => (typeof step.uid === 'string' ? step : { ...step, uid: randomUid() }));
  return { host, ...(euuid !== undefined && { euuid }), steps: identified };
}

function isStep(step: unknown): boolean {
  if (!isRow(step) || !Number.isSafeInteger(step.id) || !isRow(step.record)) return false;
  const { resource, action, label, params } = step.record;
  const isNamed = [resource, action, label].every((name) => typeof name === 'string');
  return isNamed && isRow(params) && (step.result === undefined || isRow(step.result));
}

/** A step whose secrets are typed again before it is carried out. */
export const withoutSecrets = ({ entries, record, ...step }: PlanStep): PlanStep => {
  const { body, before } = record;
  return {
    ...step,
    record: {
      ...record,
      ...(body !== undefined && { body: redacted(body) }),
      ...(before && { before: redacted(before) as NonNullable<typeof before> }),
    },
    ...(entries && { entries: withoutSecretEntries(entries, body) }),
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
