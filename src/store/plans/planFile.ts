import { redacted } from '../../api/redact.ts';
import { parsePlan } from '../../config/parsePlan.ts';
import { type PlanFile, planVersion } from '../../config/planSchema.ts';
import { idValue } from '../../resources/identity.ts';
import { resourceNamed } from '../../resources/index.ts';
import type { Timestamp } from '../../text/times.ts';
import { isDone, isInDoubt, numberIn, type Plan, type PlanStep } from './plan.ts';
import { type StepReference, withReferences } from './references.ts';
import { inThisVersion } from './stepChange.ts';

/** Who writes a plan, and when. */
interface Writer {
  /** The version of Skydeck. */
  program: string;
  now: Timestamp;
}

/** The text of a plan's file, or sentences why there is none. */
export type WrittenPlan = { text: string } | { mistakes: readonly string[] };

/**
 * Writes what is left of a plan, without secrets and without what became of its steps. What is written can be read: it is
 * checked as a file is.
 */
export function writtenPlan(plan: Plan, { program, now }: Writer): WrittenPlan {
  const left = plan.steps.filter((step) => !isDone(step));
  if (left.length === 0) return { mistakes: ['The plan has no steps to save.'] };
  const asked = left.find(isInDoubt);
  if (asked)
    return {
      mistakes: [
        `It is not known whether step ${numberIn(plan.steps, asked.id)} was done; carry it out before you save.`,
      ],
    };
  const { host, euuid, profile, steps } = plan;
  const file: PlanFile = {
    version: planVersion,
    madeAt: new Date(now).toISOString(),
    program,
    host,
    ...(euuid !== undefined && { euuid }),
    ...(profile !== undefined && { profile }),
    steps: left.map((step, place) => fileStep({ ...step, id: place + 1 }, steps, left)),
  };
  const text = `${JSON.stringify(file, null, 2)}\n`;
  const parsed = parsePlan(text);
  return 'mistakes' in parsed ? parsed : { text };
}

/** A step as a file has it, with references by the places of the steps that are left. */
function fileStep(
  { id, uid, record }: PlanStep,
  all: readonly PlanStep[],
  left: readonly PlanStep[],
): PlanFile['steps'][number] {
  const numbered = (one: StepReference) => ({ ...one, $step: numberIn(left, one.$step) || left.length + 1 });
  const filled = (part: unknown, sentAs: (id: string) => string | number = idValue) =>
    redacted(
      withReferences(part, (one) => {
        const made = madeId(one, all);
        return made === undefined ? numbered(one) : sentAs(made);
      }),
    );
  const { resource, action, params, label, before, names, holds, price } = record;
  const { changes, body } = inThisVersion(record);
  return {
    id,
    uid,
    record: {
      resource,
      action,
      params: filled(params, String),
      label,
      body: filled(body),
      changes: filled(changes),
      before: redacted(before),
      names,
      holds,
      price,
    },
  } as PlanFile['steps'][number];
}

/** The id of a row that a step has made; undefined where it has not, or another field is meant. */
function madeId({ $step, field }: StepReference, all: readonly PlanStep[]): string | undefined {
  const step = all.find(({ id }) => id === $step);
  return field === undefined && step ? step.result?.made?.[resourceNamed(step.record.resource).param] : undefined;
}
