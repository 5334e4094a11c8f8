import { actionsOf } from '../../src/resources/index.ts';
import type { Action, Resource } from '../../src/resources/resource.ts';

/** The action of this name; fails when the description has none. */
export function actionOf(resource: Resource, name: string): Action {
  const found = actionsOf(resource).find((action) => action.name === name);
  if (!found) throw new Error(`${resource.name} has no action ${name}`);
  return found;
}
