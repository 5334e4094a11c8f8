import { events } from './account/events.ts';
import { backups } from './compute/backups.ts';
import { configs } from './compute/configs.ts';
import { disks } from './compute/disks.ts';
import { kernels } from './compute/kernels.ts';
import { regions } from './compute/regions.ts';
import { servers } from './compute/servers.ts';
import { serverTypes } from './compute/serverTypes.ts';
import type { Action, Operation, Resource } from './resource.ts';
import { images } from './storage/images.ts';
import { volumes } from './storage/volumes.ts';

/** Every noun of the API, in the order in which they are offered. */
export const resources: readonly Resource[] = [
  servers,
  volumes,
  images,
  kernels,
  regions,
  disks,
  configs,
  backups,
  serverTypes,
  events,
];

const byName = new Map(resources.map((resource) => [resource.name, resource]));

/** The description of this name. Throws when there is none, which is a mistake in a description. */
export function resourceNamed(name: string): Resource {
  const found = byName.get(name);
  if (!found) throw new Error(`no resource is called ${name}`);
  return found;
}

/** The description of this name or alias, as typed by a user. */
export function resourceCalled(word: string): Resource | undefined {
  const wanted = word.toLowerCase();
  return resources.find(({ name, one, aliases }) => name === wanted || one === wanted || aliases?.includes(wanted));
}

/** Every change that a resource offers: create, edit, remove and the further actions. */
export function actionsOf({ create, edit, remove, actions = [] }: Resource): readonly Action[] {
  return [create, edit, ...actions, remove].filter((action) => action !== undefined);
}

/** The operations a description declares, with the name it has there. */
export function operationsOf(resource: Resource): readonly { name: string; operation: Operation }[] {
  const { list, view, operations = {} } = resource;
  return [
    ...(list ? [{ name: 'list', operation: list }] : []),
    ...(view ? [{ name: 'view', operation: view }] : []),
    ...actionsOf(resource).map((action) => ({ name: action.name, operation: action })),
    ...Object.entries(operations).map(([name, operation]) => ({ name, operation })),
  ];
}
