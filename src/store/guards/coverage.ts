import { actionsOf, resources } from '../../resources/index.ts';
import type { Action, Resource } from '../../resources/resource.ts';
import { type Guard, levelsOf } from './concern.ts';
import { sameRequests } from './requests.ts';

/** The actions of an area that a guard concerns. */
export interface Covered {
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
