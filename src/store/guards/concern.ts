import { commandName } from '../../config/commandActions.ts';
import type { Configuration } from '../../config/configuration.ts';
import { idIn } from '../../resources/identity.ts';
import { creationsOf, isSingle, resourceCalled, resources } from '../../resources/index.ts';
import { memoizeAll } from '../../resources/memoize.ts';
import { ancestorsOf } from '../../resources/relations.ts';
import { type Action, emptyView, type Params, type Resource, type Row } from '../../resources/resource.ts';
import { guardFilter } from './guardFilter.ts';

/** A safeguard of the configuration. */
export type Guard = Configuration['guards'][number];

/** An action on one row, or one that makes a row, as guards look at it. */
export interface Subject {
  resource: Resource;
  action: Pick<Action, 'name' | 'body' | 'harmless'> & Partial<Pick<Action, 'method' | 'path' | 'first' | 'fills'>>;
  params: Params;
  /** The row as the caller has it; that of the cache by default. */
  row?: Row;
  /** The body, where a row is made. */
  body?: unknown;
}

/** A row on which it depends whether a guard holds: that which is changed, or one that it belongs to. */
export interface Level {
  resource: Resource;
  /** It is about to be made. */
  isNew: boolean;
}

/** All actions. */
export const everything = '*';

/** Whether a guard names an action; none is about what changes nothing. */
const namesAction = ({ actions }: Guard, { name, harmless }: Pick<Action, 'name' | 'harmless'>): boolean =>
  !harmless && actions.some((word) => word === everything || actionWord(word) === actionWord(name));

/** The name of an action as it is compared: that of a command may be several words. */
export const actionWord = (name: string): string => commandName({ name });

const isCreation = ({ resource, action, params }: Subject): boolean =>
  creationsOf(resource).some(({ name }) => name === action.name) ||
  (idIn(resource, params) === undefined && !isSingle(resource));

/** The resources whose rows a filter can be asked about. */
export const fittingResources = memoizeAll(
  (where: string): ReadonlySet<Resource> =>
    new Set(resources.filter((resource) => !('error' in guardFilter(where, resource, emptyView)))),
);

/**
 * The rows on which it depends whether a guard holds for a change; none where it does not concern it. A guard for all
 * actions on the rows of an area also concerns what belongs to these, such as the disks of a server; one without an
 * area concerns all that its filter can be asked about, and what belongs to that.
 */
export function levelsOf(guard: Guard, subject: Subject): readonly Level[] {
  const { for: area, where, actions } = guard;
  if (!namesAction(guard, subject.action)) return [];
  const own = subject.resource;
  const above = ancestorsOf(own);
  const level = (resource: Resource): Level => ({ resource, isNew: resource === own && isCreation(subject) });
  if (area !== undefined) {
    const named = resourceCalled(area);
    // A guard whose area does not exist is refused at the start; where it came past that, it holds for all.
    if (!named || named === own) return [level(own)];
    return actions.includes(everything) && above.includes(named) ? [level(named)] : [];
  }
  if (where === undefined) return [level(own)];
  const fits = fittingResources(where);
  // The same for a filter that nothing can be asked about.
  return fits.size === 0 ? [level(own)] : [own, ...above].filter((one) => fits.has(one)).map(level);
}
