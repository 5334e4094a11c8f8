import { redaction } from '../../api/redact.ts';
import type { PlanFile, PlanFileStep } from '../../config/planSchema.ts';
import { isFieldOfRow } from '../../resources/body.ts';
import { sketchedBody } from '../../resources/changeRecord.ts';
import { describedActions, resourceNamed } from '../../resources/index.ts';
import { type Action, at, fieldLabel, type Resource } from '../../resources/resource.ts';
import { actionOn } from '../../resources/wording.ts';
import { inThisVersion } from '../../store/plans/stepChange.ts';

/** A field that a step changes, as it was and as it is sent. */
interface FieldFact {
  /** Its dotted path in the body. */
  name: string;
  label: string;
  before?: unknown;
  after: unknown;
}

/** A step of a plan as it is told, without an account. */
export interface StepFacts {
  id: number;
  resource: string;
  action: string;
  /** The action and its row: `Resize web-1`. */
  title: string;
  params: PlanFileStep['record']['params'];
  label: string;
  fields: readonly FieldFact[];
  /** The ids of the steps whose rows it needs. */
  needs: readonly number[];
  /** Its fields whose secret is not in the file. */
  secrets: readonly string[];
}

/** The facts of each step of a checked plan. */
export const factsOf = ({ steps }: PlanFile): readonly StepFacts[] => steps.map(stepFacts);

/** The resource and the action that a checked step names. */
export function describedStep({ record }: PlanFileStep): { resource: Resource; action: Action } {
  const resource = resourceNamed(record.resource);
  const action = describedActions(resource).find(({ name }) => name === record.action);
  if (!action) throw new Error(`${record.resource} has no action ${record.action}`);
  return { resource, action };
}

function stepFacts(step: PlanFileStep): StepFacts {
  const { id, record } = step;
  const { resource, action } = describedStep(step);
  const { params, label, before } = record;
  const { changes, body = {} } = inThisVersion(record);
  const sent = changes ? sketchedBody(changes, before) : (body as object);
  const fields = leavesOf(sent).map(([name, after]): FieldFact => {
    const was = before && isFieldOfRow(action, name) ? at(before, name) : undefined;
    return { name, label: fieldLabel(resource, action, name), ...(was !== undefined && { before: was }), after };
  });
  return {
    id,
    resource: resource.name,
    action: action.name,
    title: actionOn(action, label),
    params,
    label,
    fields,
    needs: [...new Set(referencesIn({ params, sent }))],
    secrets: fields.filter(({ after }) => after === redaction).map(({ name }) => name),
  };
}

/** The values of a body by their paths; lists and references are values. */
function leavesOf(part: object, prefix = ''): readonly (readonly [name: string, value: unknown])[] {
  return Object.entries(part).flatMap(([key, value]): readonly (readonly [string, unknown])[] => {
    const name = prefix + key;
    const isPart = value !== null && typeof value === 'object' && !Array.isArray(value) && !('$step' in value);
    return isPart && Object.keys(value).length > 0 ? leavesOf(value, `${name}.`) : [[name, value]];
  });
}

function referencesIn(value: unknown): readonly number[] {
  if (value === null || typeof value !== 'object') return [];
  return '$step' in value ? [Number(value.$step)] : Object.values(value).flatMap(referencesIn);
}
