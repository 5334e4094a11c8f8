import { redaction } from '../../api/redact.ts';
import { actionsOf } from '../../resources/index.ts';
import { at, fieldOf, type Row } from '../../resources/resource.ts';
import { isRow } from '../../resources/row.ts';
import { displayText } from '../../text/words.ts';
import type { Change } from '../changes/change.ts';
import { isSame } from '../rows.ts';
import { isReference, type Plan, type PlanStep } from './plan.ts';

/** A value that is not as it was when its step was planned. */
export interface StaleValue {
  /** Its path in the row. */
  name: string;
  before: unknown;
  now: unknown;
  /** Sent by the step. */
  wanted?: unknown;
}

/**
 * The values of a row that are no longer as its step has seen them: those that it sends, and of a deletion all that a
 * form can change.
 * @param before what the step has seen of the row
 * @param sent the bodies of earlier steps of the plan about this row: their values are nobody else's
 */
export function staleValues(
  { resource, action, body }: Change,
  before: Row,
  row: Row,
  sent: readonly Row[] = [],
): readonly StaleValue[] {
  const wanted = isRow(body) ? body : {};
  const names = action === resource.remove ? editable({ resource }) : leavesOf(wanted);
  return names.flatMap((name) => {
    const [was, now] = [at(before, name), at(row, name)];
    if (isSame(was ?? null, now ?? null) || was === redaction) return [];
    const own = sent.map((one) => at(one, name)).findLast((value) => value !== undefined);
    if (own !== undefined && isSame(own, now)) return [];
    return [{ name, before: was, now, ...(action !== resource.remove && { wanted: at(wanted, name) }) }];
  });
}

/** The bodies that the steps before one send to the same row. */
export function sentBefore({ steps }: Pick<Plan, 'steps'>, { id, record }: PlanStep): readonly Row[] {
  const before = steps.slice(
    0,
    steps.findIndex((one) => one.id === id),
  );
  return before.flatMap(({ record: { resource, params, body } }) =>
    resource === record.resource && isSame(params, record.params) && isRow(body) ? [body] : [],
  );
}

/** Why a step is refused whose row has changed since, as a sentence. */
export const staleText = (resource: Change['resource'], stale: readonly StaleValue[]): string =>
  `It was changed since this was planned: ${stale
    .map(({ name, before, now, ...sent }) => {
      const is = `${name} was ${valueText(before)} and is now ${valueText(now)}`;
      return 'wanted' in sent ? `${is}; the step sends ${valueText(sent.wanted)}` : is;
    })
    .join('; ')}. Edit the step, or delete it; nothing was sent to this ${resource.one}.`;

const valueText = (value: unknown): string =>
  value === undefined || value === null || value === '' ? 'empty' : displayText(value);

/** The fields that a form of these rows can change, but for those that change by themselves. */
function editable({ resource }: Pick<Change, 'resource'>): readonly string[] {
  const edit = actionsOf(resource).find(({ name }) => name === 'edit');
  const names = (edit?.body ?? []).map((name) => name.replace(/!$/, ''));
  return names.filter((name) => edit && !fieldOf(resource, edit, name).volatile);
}

/** The paths of the values of a body; a list is one value. */
const leavesOf = (part: Row, prefix = ''): readonly string[] =>
  Object.entries(part).flatMap(([name, value]) =>
    isRow(value) && !isReference(value) ? leavesOf(value, `${prefix}${name}.`) : [prefix + name],
  );
