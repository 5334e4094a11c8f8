import { account } from './account/account.ts';
import { audit } from './account/audit.ts';
import { entityTransfers } from './account/entityTransfers.ts';
import { events } from './account/events.ts';
import { invoices } from './account/invoices.ts';
import { requests } from './account/requests.ts';
import { tagged, tags } from './account/tags.ts';
import { replies, tickets } from './account/tickets.ts';
import { backups } from './compute/backups.ts';
import { configs } from './compute/configs.ts';
import { disks } from './compute/disks.ts';
import { kernels } from './compute/kernels.ts';
import { regions } from './compute/regions.ts';
import { servers } from './compute/servers.ts';
import { serverTypes } from './compute/serverTypes.ts';
import { stackscripts } from './compute/stackscripts.ts';
import { costs } from './costs/costs.ts';
import { managedContacts } from './managed/contacts.ts';
import { managedCredentials, managedSshKey } from './managed/credentials.ts';
import { managedIssues } from './managed/issues.ts';
import { managedServerSettings } from './managed/serverSettings.ts';
import { managedServices } from './managed/services.ts';
import { managedStatistics } from './managed/statistics.ts';
import { memoize } from './memoize.ts';
import type { ResourceName } from './names.ts';
import { nodebalancerConfigs } from './networking/balancerConfigs.ts';
import { nodebalancerNodes } from './networking/balancerNodes.ts';
import { domains } from './networking/domains.ts';
import { nodebalancers } from './networking/nodebalancers.ts';
import { records } from './networking/records.ts';
import { problems } from './problems/problems.ts';
import { type Action, type Column, type Operation, onEach, type Resource, type Shortcut } from './resource.ts';
import { at, type Params } from './row.ts';
import { buckets } from './storage/buckets.ts';
import { images } from './storage/images.ts';
import { objectKeys } from './storage/objectKeys.ts';
import { objectClusters, objectStorage } from './storage/objectStorage.ts';
import { objects } from './storage/objects.ts';
import { volumes } from './storage/volumes.ts';

/** Every noun of the API, in the order in which they are offered; at the end those of the program itself. */
const descriptions: Readonly<Record<ResourceName, Resource>> = {
  servers,
  volumes,
  images,
  'object-storage': objectStorage,
  buckets,
  objects,
  'object-keys': objectKeys,
  'object-clusters': objectClusters,
  stackscripts,
  domains,
  nodebalancers,
  kernels,
  regions,
  disks,
  configs,
  backups,
  'server-types': serverTypes,
  records,
  'nodebalancer-configs': nodebalancerConfigs,
  'nodebalancer-nodes': nodebalancerNodes,
  tickets,
  replies,
  events,
  account,
  invoices,
  'entity-transfers': entityTransfers,
  tags,
  tagged,
  'managed-services': managedServices,
  'managed-issues': managedIssues,
  'managed-contacts': managedContacts,
  'managed-credentials': managedCredentials,
  'managed-server-settings': managedServerSettings,
  'managed-ssh-key': managedSshKey,
  'managed-statistics': managedStatistics,
  problems,
  costs,
  requests,
  audit,
};

/** Every resource, in that order. */
export const resources: readonly Resource[] = Object.values(descriptions);

const byName = new Map<unknown, Resource>(resources.map((resource) => [resource.name, resource]));

/** The description of this name; undefined where another version, or a file, has named it. */
export const knownResource = (name: unknown): Resource | undefined => byName.get(name);

/** The description of this name. Throws when there is none, which is a mistake in a description. */
export function resourceNamed(name: string): Resource {
  const found = byName.get(name);
  if (!found) throw new Error(`no resource is called ${name}`);
  return found;
}

/** The description of this name or alias, as typed by a user. */
export function resourceCalled(word: string): Resource | undefined {
  const wanted = word.toLowerCase();
  return resources.find(({ name, one, aliases = [] }) =>
    [name, one, ...aliases].some((called) => called.toLowerCase() === wanted),
  );
}

/** Actions of the user's own, by resource. */
export type UserActions = ReadonlyMap<string, readonly Action[]>;

/** The user's own actions by who has set them; those that were set last count. */
const byOwner = new Map<object, UserActions>();

/** Offers the user's own actions beside the described ones, in place of those that `owner` has set before; undefined takes them back. */
export function setUserActions(owner: object, actions: UserActions | undefined): void {
  byOwner.delete(owner);
  if (actions) byOwner.set(owner, actions);
}

/** The user's own actions on the rows of a resource. */
export const userActionsOf = ({ name }: Resource): readonly Action[] => [...byOwner.values()].at(-1)?.get(name) ?? [];

/** Every change that a resource offers: create, edit, remove, the further actions and the user's own. */
export function actionsOf(resource: Resource): readonly Action[] {
  const described = describedActions(resource);
  return byOwner.size === 0 ? described : [...described, ...userActionsOf(resource)];
}

/** The action of this name. Throws when there is none, which is a bug. */
export function actionNamed(resource: Resource, name: string): Action {
  const action = actionsOf(resource).find((action) => action.name === name) ?? actionOnEach(resource, name);
  if (!action) throw new Error(`${resource.name} has no action ${name}`);
  return action;
}

/** The changes that a resource offers without those of the user's own. */
export function describedActions(resource: Resource): readonly Action[] {
  const { edit, remove, actions = [] } = resource;
  return [...creationsOf(resource), edit, ...actions, remove].filter((action) => action !== undefined);
}

/** Every way to make a row: create, and the further ones. */
export const creationsOf = ({ create, creates = [] }: Resource): readonly Action[] =>
  create ? [create, ...creates] : creates;

/** To several rows a shortcut to a new one below them, or in their place, is an action. */
const eachOf = memoize((shortcut: Shortcut) => onEach(resourceNamed(shortcut.to), shortcut));

/** The action of a shortcut of this name on several rows; undefined where it is done to one at a time. */
export function actionOnEach({ shortcuts }: Resource, name: string): Action | undefined {
  const shortcut = shortcuts?.find((one) => one.name === name && one.each);
  return shortcut && eachOf(shortcut);
}

/** The operations a description declares, with the name it has there. */
export function operationsOf(resource: Resource): readonly { name: string; operation: Operation }[] {
  const { list, view, operations = {} } = resource;
  return [
    ...(list ? [{ name: 'list', operation: list }] : []),
    ...(view ? [{ name: 'view', operation: view }] : []),
    ...describedActions(resource).map((action) => ({ name: action.name, operation: action })),
    ...Object.entries(operations).map(([name, operation]) => ({ name, operation })),
  ];
}

/** Whether the list of a resource is an area: it lies under no row, or is shown over all rows that it lies under. */
export const isArea = ({ list, under, across }: Resource): boolean =>
  list !== undefined && (under === undefined || across !== undefined);

/** Whether there is only one of a resource, which is viewed without an id. */
export const isSingle = ({ list, view }: Resource): boolean =>
  list === undefined && view !== undefined && !view.path.includes('{');

/** The row that an event or ticket names by `{type, id}`; undefined where its kind is not known or has no rows to be opened. */
export function rowOfEntity(entity: unknown): { resource: string; params: Params } | undefined {
  const type = at(entity, 'type');
  const id = at(entity, 'id');
  const resource = resources.find((resource) => resource.entity !== undefined && resource.entity === type);
  if (!resource?.view || resource.under || id === null || id === undefined) return undefined;
  return { resource: resource.name, params: { [resource.param]: String(id) } };
}

/** The operations that are read about each row for these columns. */
export const fetchedFor = (columns: readonly Column[]): readonly string[] => [
  ...new Set(columns.flatMap(({ fetches }) => fetches ?? [])),
];
