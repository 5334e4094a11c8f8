import { isPrivateService } from '../../resources/managed/address.ts';
import type { Row } from '../../resources/resource.ts';
import { regions } from '../compute/regions.seed.ts';
import { addressOf } from '../engine/address.ts';
import { answers, type Call, idIn, userIn } from '../engine/answer.ts';
import type { Cloud } from '../engine/cloud.ts';
import { collection } from '../engine/collection.ts';
import { invalid, notFound, refused } from '../engine/refusal.ts';
import { credentialsOf } from './credentials.ts';
import { issuesOf, servicesOf, watch } from './monitoring.ts';
import type { Service } from './services.seed.ts';

function asked(call: Call, cloud: Cloud): Service {
  const service = cloud.of(servicesOf).get(idIn(call, 'serviceId'));
  if (!service) throw notFound();
  return service;
}

/** Brings what was sent into a service, once it is found in order as a whole. @throws 400 */
function change(cloud: Cloud, service: Service, body: Row): void {
  const address = typeof body.address === 'string' ? body.address.replace(/#.*$/, '') : service.address;
  const region = body.region === undefined ? service.region : (body.region as string | null);
  if (isPrivateService(address) && !region) throw invalid('region', 'region is required for a private address');
  if (!isPrivateService(address) && region) throw invalid('region', 'region must not be set for a public address');
  if (region && !regions.some(({ id }) => id === region)) throw invalid('region', 'region is not valid');
  const credentials = Array.isArray(body.credentials) ? body.credentials.map(Number) : service.credentials;
  if (!credentials.every((id) => cloud.of(credentialsOf).has(id))) {
    throw invalid('credentials', 'credentials is not valid');
  }
  for (const name of ['label', 'service_type', 'consultation_group'] as const) {
    if (typeof body[name] === 'string') service[name] = body[name];
  }
  for (const name of ['body', 'notes'] as const) {
    if (body[name] !== undefined) service[name] = body[name] as string | null;
  }
  if (typeof body.timeout === 'number') service.timeout = body.timeout;
  Object.assign(service, { address, region, credentials });
  cloud.touch(service);
}

function create(call: Call, cloud: Cloud): Service {
  const service: Service = {
    id: cloud.nextId(),
    status: 'pending',
    label: '',
    service_type: 'url',
    address: '',
    timeout: 1,
    body: null,
    consultation_group: '',
    credentials: [],
    notes: null,
    region: null,
    created: cloud.stamp,
    updated: cloud.stamp,
  };
  change(cloud, service, call.body);
  cloud.of(servicesOf).set(service.id, service);
  watch(cloud, service);
  tell(call, cloud, service, 'managed_service_create');
  return service;
}

function edit(call: Call, cloud: Cloud): Service {
  const service = asked(call, cloud);
  change(cloud, service, call.body);
  return service;
}

function remove(call: Call, cloud: Cloud): Row {
  const service = asked(call, cloud);
  cloud.of(servicesOf).delete(service.id);
  tell(call, cloud, service, 'managed_service_delete');
  return {};
}

function tell(call: Call, cloud: Cloud, { id, label }: Service, action: string): void {
  const entity = { id, label, type: 'managed_service', url: addressOf('managed-services', id) ?? null };
  cloud.log.note({ action, entity, username: userIn(call).name });
}

function enable(call: Call, cloud: Cloud): Service {
  const service = asked(call, cloud);
  if (service.status !== 'disabled') throw refused('This service is enabled already.');
  watch(cloud, service);
  cloud.touch(service);
  return service;
}

function disable(call: Call, cloud: Cloud): Service {
  const service = asked(call, cloud);
  if (service.status === 'disabled') throw refused('This service is disabled already.');
  service.status = 'disabled';
  cloud.touch(service);
  return service;
}

/** Managed services (document 3, 4.4). */
export const managedServices = answers('managed-services', {
  list: (call, cloud) => collection([...cloud.of(servicesOf).values()], call),
  view: asked,
  create,
  edit,
  delete: remove,
  enable,
  disable,
});

/** Managed issues (document 3, 4.4). */
export const managedIssues = answers('managed-issues', {
  list: (call, cloud) => collection(cloud.of(issuesOf).toReversed(), call),
  view: (call, cloud) => {
    const id = idIn(call, 'issueId');
    const issue = cloud.of(issuesOf).find((one) => one.id === id);
    if (!issue) throw notFound();
    return issue;
  },
});
