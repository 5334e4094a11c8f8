import { actionsOf, resources } from '../../resources/index.ts';
import type { Action, Resource } from '../../resources/resource.ts';
import { type Guard, levelsOf } from '../../store/guards/concern.ts';
import { sameRequests } from '../../store/guards/requests.ts';
import { clean } from '../../text/cells.ts';
import { columned, counted } from '../../text/words.ts';

/** The actions of an area that a guard concerns. */
interface Covered {
  resource: Resource;
  actions: readonly Action[];
  /** The areas by whose rows it is decided: its own, the servers of a disk, or either. */
  by: readonly Resource[];
}

/** All that a guard concerns, area by area, in the order in which they are offered. */
export function coverageOf(guard: Guard): readonly Covered[] {
  return resources.flatMap((resource) => {
    const levels = (action: Action) =>
      sameRequests({ resource, action, params: {} }, (path) => path).flatMap((subject) => levelsOf(guard, subject));
    const actions = actionsOf(resource).filter((action) => levels(action).length > 0);
    const [first] = actions;
    if (!first) return [];
    return [{ resource, actions, by: levels(first).map((level) => level.resource) }];
  });
}

const headings = ['ACTIONS', 'AREA', 'WHERE', 'HOW', 'REASON'];

/** More actions than these are counted. */
const maxNamed = 4;

/** Tells which operations are guarded how: a line for each guard, and a table of all areas. */
export function guardLines(guards: readonly Guard[]): { each: readonly string[]; table: readonly string[] } {
  const covered = guards.map(coverageOf);
  const each = guards.map((guard, index) => {
    const count = (covered[index] ?? []).reduce((sum, { actions }) => sum + actions.length, 0);
    return clean(`${howOf(guard)}: ${counted(count, 'operation')}${guard.reason ? `, ${guard.reason}` : ''}`);
  });
  const rows = guards.flatMap((guard, index) => (covered[index] ?? []).map((area) => rowOf(guard, area)));
  return { each, table: columned([headings, ...rows]) };
}

function rowOf(guard: Guard, { resource, actions, by }: Covered): readonly string[] {
  const names = actions.map(({ name }) => name);
  const named = names.length > maxNamed ? `all ${names.length}` : names.join(', ');
  const above = by.filter((one) => one !== resource).map(({ name }) => `of ${name}`);
  const area = [resource.name, ...above].join(by.includes(resource) ? ', also ' : ' ');
  return [named, area, guard.where ?? 'all', howOf(guard), guard.reason ?? ''].map((text) => clean(text));
}

/** The strictness of a guard in a few words. */
function howOf({ deny, ask, at_most }: Guard): string {
  if (deny) return 'denied';
  return [at_most === undefined ? '' : `at most ${at_most} at once`, ask ? `type the ${ask}` : '']
    .filter(Boolean)
    .join(', ');
}
