import { account } from './account/account.ts';
import { entityTransfers } from './account/entityTransfers.ts';
import { events } from './account/events.ts';
import { invoices } from './account/invoices.ts';
import { tagged, tags } from './account/tags.ts';
import { replies, tickets } from './account/tickets.ts';
import { kernels, regions, serverTypes } from './compute/catalogue.ts';
import { configs } from './compute/configs.ts';
import { backups, disks } from './compute/disks.ts';
import { servers } from './compute/servers.ts';
import { stackscripts } from './compute/stackscripts.ts';
import type { Area } from './engine/answer.ts';
import { managedContacts } from './managed/contacts.ts';
import { managedCredentials, managedSshKey } from './managed/credentials.ts';
import { managedServerSettings } from './managed/serverSettings.ts';
import { managedIssues, managedServices } from './managed/services.ts';
import { managedStatistics } from './managed/statistics.ts';
import { nodebalancerConfigs, nodebalancerNodes } from './networking/balancerPorts.ts';
import { nodebalancers } from './networking/balancers.ts';
import { domains } from './networking/domains.ts';
import { records } from './networking/records.ts';
import { buckets, objectClusters, objectStorage } from './storage/buckets.ts';
import { images } from './storage/images.ts';
import { objectKeys } from './storage/objectKeys.ts';
import { objects } from './storage/objects.ts';
import { serverVolumes, volumes } from './storage/volumes.ts';

/** Every area of the cloud; together they answer every operation that is described. */
export const areas: readonly Area[] = [
  servers,
  disks,
  configs,
  backups,
  serverTypes,
  kernels,
  regions,
  volumes,
  serverVolumes,
  images,
  objectStorage,
  buckets,
  objects,
  objectKeys,
  objectClusters,
  stackscripts,
  domains,
  records,
  nodebalancers,
  nodebalancerConfigs,
  nodebalancerNodes,
  tickets,
  replies,
  events,
  account,
  invoices,
  entityTransfers,
  tags,
  tagged,
  managedServices,
  managedIssues,
  managedContacts,
  managedCredentials,
  managedServerSettings,
  managedSshKey,
  managedStatistics,
];
