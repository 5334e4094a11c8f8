import { redaction } from '../../api/redact.ts';
import { idIn, idOf } from '../../resources/identity.ts';
import { resourceNamed } from '../../resources/index.ts';
import { isMadeAnew } from '../../resources/inverse.ts';
import { at, type CacheView, knownField, type Params, type Resource, type Row } from '../../resources/resource.ts';
import { isEmpty, isNothing } from '../../resources/row.ts';
import { plural } from '../../resources/wording.ts';
import { unitText } from '../../text/numbers.ts';
import { counted, displayText } from '../../text/words.ts';
import type { Change, Deed } from '../changes/change.ts';
import { isSameValue, valuesSet } from '../changes/ownEntries.ts';
import { pathText, type ValueChange, valueChanges } from '../history/valueChanges.ts';
import { listsUnder, queryKey } from '../queries.ts';
import type { Stores } from '../stores.ts';
import { type PlannedRecord, type PlanStep, type Steps, wasAnswered } from './plan.ts';

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
  const { resource, action, before } = change;
  if (!before) return [];
  const { used } = resource;
  const isAnew = isMadeAnew(resource, before, row);
  if (action === resource.remove)
    return valueChanges(resource, before, row)
      .filter((one) => isTelling(one, before) || (isAnew && one.path[0] === resource.create?.shownBy?.time))
      .filter(({ path }) => path[0] !== used?.by || (used?.is(row) && !used.is(before)))
      .map((one) => ({ name: pathText(one), before: one.before, now: one.after }));
  return valuesSet(change).flatMap(([name, value]) => {
    const [was, now] = [at(before, name), at(row, name)];
    const isLeft = was === redaction || isSameValue(change, name, was, now) || isSameValue(change, name, value, now);
    return isLeft ? [] : [{ name, before: was, now, wanted: value }];
  });
}

/** Whether a row was on its way to another state, so that the platform has changed it since. */
export const isUnsettled = ({ status }: Row): boolean => /(?<!runn)ing(_|$)|^pending/.test(String(status ?? ''));

/**
 * Whether a difference tells of another row than was seen: a part that either of them lacks does not, nor a time, nor the state
 * of a row that was on its way, nor the values that it had none of. Any other value that it got then was not seen.
 */
function isTelling({ path, before, after }: ValueChange, row: Row): boolean {
  if (before === undefined || after === undefined || before === redaction) return false;
  const name = path.join('.');
  if (isUnsettled(row) && name !== 'label' && (name === 'status' || isEmpty(before))) return false;
  return [before, after].some((one) => typeof one !== 'string' || !/^\d{4}-\d\d-\d\dT/.test(one));
}

/**
 * Why a step is refused whose row has changed since, as a sentence; undefined where nothing has.
 * @param held a clause about the rows that go along with it, where these are others
 */
export function staleText(resource: Resource, stale: readonly StaleValue[], held?: string): string | undefined {
  const clauses = stale.map(({ name, before, now, ...sent }) => {
    const unit = knownField(resource, {}, name)?.unit;
    const said = (value: unknown) =>
      isNothing(value) ? 'empty' : displayText(value) + unitText(typeof value === 'number' ? unit : '');
    const is = `${name} was ${said(before)} and is now ${said(now)}`;
    return 'wanted' in sent ? `${is}; the step sends ${said(sent.wanted)}` : is;
  });
  if (held !== undefined) clauses.push(held);
  if (clauses.length === 0) return undefined;
  return `It was changed since this was planned: ${clauses.join('; ')}. Edit the step, or delete it; nothing was sent to this ${resource.one}.`;
}

/** The ids of the rows that go along with a deleted one, by their resources. */
export type Held = NonNullable<PlannedRecord['holds']>;

/** The rows that go along with what a change deletes, as far as their lists are read to their ends; undefined for any other change. */
export function heldBy({ resource, action, params }: Deed, view: CacheView): Held | undefined {
  const { takes = [] } = resource.remove ?? {};
  if (action !== resource.remove) return undefined;
  const held = takes.flatMap((name) => {
    const lists = listsUnder(name, params, view);
    if (!lists?.every((under) => view.isRead(name, under))) return [];
    const rows = lists.flatMap((under) => view.rows(name, under));
    return [[name, rows.map((row) => idOf(resourceNamed(name), row))] as const];
  });
  return held.length > 0 ? Object.fromEntries(held) : undefined;
}

/**
 * Why a deletion is refused with which rows go that cannot be read, as a sentence: there may be others, or some at all.
 * @param names the resources of those rows
 */
export function unreadBelow({ cache, view }: Stores, deed: Deed, names: readonly string[]): string | undefined {
  const { resource, action, params } = deed;
  if (action !== resource.remove) return undefined;
  for (const name of names)
    for (const under of listsUnder(name, params, view) ?? []) {
      const key = queryKey({ resource: name, operation: 'list', params: under });
      const { error } = cache.getState().collections[key] ?? {};
      if (error) return `Its ${plural(resourceNamed(name))} cannot be read, and they go with it: ${error.message}`;
    }
  return undefined;
}

/** A view in which the rows that a step knows to go along are loaded, by their ids alone. */
export const heldRows = ({ holds = {} }: Pick<PlannedRecord, 'holds'>): Partial<CacheView> => ({
  rows: (name) =>
    Object.hasOwn(holds, name) ? (holds[name] ?? []).map((id) => ({ [resourceNamed(name).id]: id })) : [],
  isRead: (name) => Object.hasOwn(holds, name),
});

/**
 * Why a deletion is refused with which other rows would go than when it was planned, as a clause: `it had 0 records and has
 * 12 now`. What other steps of the plan have made or deleted meanwhile is their doing.
 */
export function otherHeld({ steps }: Steps, { record }: PlanStep, now: Held | undefined): string | undefined {
  for (const [name, before] of Object.entries(record.holds ?? {})) {
    const there = now?.[name];
    if (!there) continue;
    const of = resourceNamed(name);
    const { made, deleted } = doneTo(of, steps);
    const known = new Set(before);
    const then = [...there.filter((id) => !made.has(id)), ...deleted.filter((id) => known.has(id))];
    const fresh = then.filter((id) => !known.has(id)).length;
    if (fresh === 0 && then.length === before.length) continue;
    const noun = (count: number) => counted(count, of.one);
    return then.length === before.length
      ? `${fresh} of its ${noun(before.length)} ${fresh === 1 ? 'is another' : 'are others'} now`
      : `it had ${noun(before.length)} and has ${noun(then.length)} now`;
  }
  return undefined;
}

/** The ids of the rows of a resource that steps have made and deleted. */
function doneTo(of: Resource, steps: Steps['steps']): { made: ReadonlySet<string>; deleted: readonly string[] } {
  const done = steps.filter((step) => step.record.resource === of.name && wasAnswered(step));
  const made = done.flatMap(({ result }) => (result?.made && idIn(of, result.made)) ?? []);
  const deleted = done.flatMap(({ record: { action, params } }) =>
    action === of.remove?.name ? (idIn(of, params as Params) ?? []) : [],
  );
  return { made: new Set(made), deleted };
}
