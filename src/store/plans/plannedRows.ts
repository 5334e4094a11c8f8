import { creationsOf, resourceNamed } from '../../resources/index.ts';
import { at, type Field, isRow, type Row } from '../../resources/resource.ts';
import { isReference, tokenOf, withTokens } from '../changes/references.ts';
import type { Stores } from '../stores.ts';
import { numberIn, openSteps, stepsBefore } from './plan.ts';

/**
 * The rows that the plan will make and a field can refer to. A field that is filled from a row gets the same value of it
 * as from a row that there is. The id of each is its entry.
 * @param pick the value that the field takes from a row; absent where it takes the id
 * @param before the step that is edited; only those before it are offered
 */
export function plannedRows(
  { plans, view }: Stores,
  { to, kind }: Field,
  pick: ((row: Row) => string | undefined) | undefined,
  before?: number,
) {
  const targets: readonly string[] = [to ?? []].flat();
  const steps = openSteps(plans.getState());
  const earlier = before === undefined ? steps : stepsBefore(steps, before);
  return earlier.flatMap(({ id, record }) => {
    const { resource: name, action, label } = record;
    if (!targets.includes(name) || !creationsOf(resourceNamed(name)).some((one) => one.name === action)) return [];
    const field = pick && pickedPath(view.rows(name), pick);
    if (pick && field === undefined) return [];
    const token = tokenOf({ $step: id, ...(field !== undefined && { field }) });
    return [
      {
        id: kind === 'device' ? `${name}/${token}` : token,
        label: plannedText(numberIn(plans.getState().steps, id), label, field),
      },
    ];
  });
}

const plannedText = (number: number, label: string, field: string | undefined): string =>
  `step ${number}: ${label}, not made yet${field === undefined ? '' : ` (its ${field})`}`;

/** The label of a row that the plan will make, by the entry that stands for it; undefined for any other entry. */
export function plannedLabel({ plans }: Stores, entry: string): string | undefined {
  const reference = withTokens(entry.slice(entry.indexOf('{')));
  if (!isReference(reference)) return undefined;
  const { $step, field } = reference;
  const { steps } = plans.getState();
  const step = steps.find(({ id }) => id === $step);
  return step && plannedText(numberIn(steps, $step), step.record.label, field);
}

/** The path of the value that is picked from a row, by the first row that has one. */
function pickedPath(rows: readonly Row[], pick: (row: Row) => string | undefined): string | undefined {
  for (const row of rows) {
    const value = pick(row);
    const path = value === undefined ? undefined : pathsOf(row).find((one) => String(at(row, one)) === value);
    if (path !== undefined) return path;
  }
  return undefined;
}

const pathsOf = (part: unknown, prefix = ''): readonly string[] =>
  isRow(part) || Array.isArray(part)
    ? Object.entries(part).flatMap(([name, value]) => pathsOf(value, prefix === '' ? name : `${prefix}.${name}`))
    : [prefix];
