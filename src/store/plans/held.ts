import { idIn, idOf } from '../../resources/identity.ts';
import { resourceNamed } from '../../resources/index.ts';
import type { CacheView, Params, Resource } from '../../resources/resource.ts';
import { plural } from '../../resources/wording.ts';
import { counted } from '../../text/words.ts';
import type { Deed } from '../changes/change.ts';
import { listsUnder, queryKey } from '../queries.ts';
import type { Stores } from '../stores.ts';
import { type PlannedRecord, type PlanStep, type Steps, wasAnswered } from './plan.ts';

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
