import { redaction } from '../../api/redact.ts';
import { at, knownField, type Resource, type Row } from '../../resources/resource.ts';
import { isEmpty, isNothing, isRow } from '../../resources/row.ts';
import { displayText } from '../../text/words.ts';
import type { Change } from '../changes/change.ts';
import { isSameValue, leavesOf } from '../changes/ownEntries.ts';
import { pathText, type ValueChange, valueChanges } from '../history/valueChanges.ts';

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
 * The values of a row that are no longer as its step has seen them: those that it sets to something else, and of a deletion
 * all that the platform does not change by itself. Entries of lists that a step adds or removes are none of them.
 * @param row without what earlier steps of the plan have made of it
 */
export function staleValues(change: Change, row: Row): readonly StaleValue[] {
  const { resource, action, before, body, changes } = change;
  if (!before) return [];
  if (action === resource.remove)
    return valueChanges(resource, before, row)
      .filter((one) => isTelling(one, before))
      .filter(({ path }) => path[0] !== resource.used?.by || isUsedAnew(resource, before, row))
      .map((one) => ({ name: pathText(one), before: one.before, now: one.after }));
  const wanted = changes ? Object.entries(changes.set ?? {}) : leavesOf(isRow(body) ? body : {});
  return wanted.flatMap(([name, value]) => {
    const [was, now] = [at(before, name), at(row, name)];
    const isLeft = was === redaction || isSameValue(change, name, was, now) || isSameValue(change, name, value, now);
    return isLeft ? [] : [{ name, before: was, now, wanted: value }];
  });
}

/** Whether something uses a row that nothing used. */
const isUsedAnew = ({ used }: Resource, before: Row, row: Row): boolean => used?.is(row) === true && !used.is(before);

/** Whether a row was on its way to another state, so that the platform has changed it since. */
export const isTransient = ({ status }: Row): boolean => /(?<!runn)ing(_|$)|^pending/.test(String(status ?? ''));

/**
 * Whether a difference tells of another row than was seen: a part that either of them lacks does not, nor a time, nor the state
 * of a row that was on its way, nor the values that it had none of. Any other value that it got then was not seen.
 */
function isTelling({ path, before, after }: ValueChange, row: Row): boolean {
  if (before === undefined || after === undefined || before === redaction) return false;
  const name = path.join('.');
  if (isTransient(row) && name !== 'label' && (name === 'status' || isEmpty(before))) return false;
  return [before, after].some((one) => typeof one !== 'string' || !/^\d{4}-\d\d-\d\dT/.test(one));
}

/**
 * Why a step is refused whose row has changed since, as a sentence; undefined where nothing has.
 * @param held a clause about the rows that go along with it, where these are others
 */
export function staleText(resource: Resource, stale: readonly StaleValue[], held?: string): string | undefined {
  const clauses = stale.map(({ name, before, now, ...sent }) => {
    const unit = knownField(resource, {}, name)?.unit;
    const said = (value: unknown) => `${valueText(value)}${unit && typeof value === 'number' ? ` ${unit}` : ''}`;
    const is = `${name} was ${said(before)} and is now ${said(now)}`;
    return 'wanted' in sent ? `${is}; the step sends ${said(sent.wanted)}` : is;
  });
  if (held !== undefined) clauses.push(held);
  if (clauses.length === 0) return undefined;
  return `It was changed since this was planned: ${clauses.join('; ')}. Edit the step, or delete it; nothing was sent to this ${resource.one}.`;
}

const valueText = (value: unknown): string => (isNothing(value) ? 'empty' : displayText(value));
