import { isPrivateService } from '../../resources/managed/address.ts';
import type { Row } from '../../resources/resource.ts';
import { regions } from '../compute/regions.seed.ts';
import type { Cloud } from '../engine/cloud.ts';
import { badRequest, invalid } from '../engine/errors.ts';
import { entityOf } from '../engine/eventLog.ts';
import { assignFields, type Call, collection, logEvent } from '../engine/handler.ts';
import { credentialsOf } from './credentials.seed.ts';
import { issuesOf, watch } from './monitoring.ts';
import { type Issue, type Service, servicesOf } from './services.seed.ts';

const { handlers } = collection<Service>('managed-services', {
  rows: servicesOf,
  remove: (service, call, cloud) => logChange(call, cloud, 'delete', service),
  onRow: { edit, enable, disable },
});

function logChange(call: Call, cloud: Cloud, change: string, service: Service): void {
  logEvent(call, cloud, `managed_service_${change}`, entityOf('managed-services', 'managed_service', service));
}

/** Brings what was sent into a service, once it is found in order as a whole. @throws 400 */
function change(cloud: Cloud, service: Service, body: Row): void {
  const address = typeof body.address === 'string' ? body.address.replace(/#.*$/, '') : service.address;
  const region = body.region === undefined ? service.region : (body.region as string | null);
  if (isPrivateService(address) && !region) throw invalid('region', 'region is required for a private address');
  if (!isPrivateService(address) && region) throw invalid('region', 'region must not be set for a public address');
  if (region && !regions.some(({ id }) => id === region)) throw invalid('region', 'region is not valid');
  const credentials = Array.isArray(body.credentials) ? body.credentials.map(Number) : service.credentials;
  if (!credentials.every((id) => credentialsOf(cloud).has(id))) {
    throw invalid('credentials', 'credentials is not valid');
  }
  assignFields(service, body, 'label', 'service_type', 'consultation_group', 'timeout');
  for (const name of ['body', 'notes'] as const) {
    if (body[name] !== undefined) service[name] = body[name] as string | null;
  }
  Object.assign(service, { address, region, credentials });
  cloud.touch(service);
}

function create(call: Call, cloud: Cloud): Service {
  const service: Service = {
    ...cloud.newRow(),
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
  };
  change(cloud, service, call.body);
  servicesOf(cloud).set(service.id, service);
  watch(cloud, service);
  logChange(call, cloud, 'create', service);
  return service;
}

function edit(service: Service, call: Call, cloud: Cloud): Service {
  change(cloud, service, call.body);
  return service;
}

function enable(service: Service, _call: Call, cloud: Cloud): Service {
  if (service.status !== 'disabled') throw badRequest('This service is enabled already.');
  watch(cloud, service);
  cloud.touch(service);
  return service;
}

function disable(service: Service, _call: Call, cloud: Cloud): Service {
  if (service.status === 'disabled') throw badRequest('This service is disabled already.');
  cloud.setStatus(service, 'disabled');
  return service;
}

/** Managed services (document 3, 4.4). */
export const managedServices = handlers({ create });

/** Managed issues (document 3, 4.4). */
export const managedIssues = collection<Issue>('managed-issues', {
  rows: issuesOf,
  listed: (issues) => issues.toReversed(),
}).handlers();
