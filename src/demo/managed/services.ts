import { isPrivateService } from '../../resources/managed/address.ts';
import type { Row } from '../../resources/resource.ts';
import { outages } from '../account/tickets.seed.ts';
import { closeByPlatform, openByPlatform, ticketCalled } from '../account/tickets.ts';
import { regions } from '../compute/catalogue.ts';
import { type Cloud, perCloud } from '../engine/cloud.ts';
import { badRequest, invalid } from '../engine/errors.ts';
import { entityOf } from '../engine/eventLog.ts';
import { assignFields, type Call, collection, logEvent } from '../engine/handler.ts';
import { type Random, randomFrom } from '../engine/random.ts';
import { day, hour, minute, timestamp } from '../engine/time.ts';
import { credentialsOf, type Issue, newService, type Service, servicesOf } from './services.seed.ts';

const { handlers } = collection<Service>('managed-services', {
  rows: servicesOf,
  remove: (service, call, cloud) => logChange(call, cloud, 'delete', service),
  onRow: { edit: (service, { body }, cloud) => change(cloud, service, body), enable, disable },
});

function logChange(call: Call, cloud: Cloud, change: string, service: Service): void {
  logEvent(call, cloud, `managed_service_${change}`, entityOf('managed-services', 'managed_service', service));
}

/** Brings what was sent into a service, once it is found in order as a whole. @throws 400 */
function change(cloud: Cloud, service: Service, body: Row): Service {
  const address = typeof body.address === 'string' ? body.address.replace(/#.*$/, '') : service.address;
  const region = body.region === undefined ? service.region : (body.region as string | null);
  if (isPrivateService(address) && !region) throw invalid('region', 'region is required for a private address');
  if (!isPrivateService(address) && region) throw invalid('region', 'region must not be set for a public address');
  if (region && !regions.some(({ id }) => id === region)) throw invalid('region', 'region is not valid');
  const credentials = Array.isArray(body.credentials) ? body.credentials.map(Number) : service.credentials;
  if (!credentials.every((id) => credentialsOf(cloud).has(id)))
    throw invalid('credentials', 'credentials is not valid');
  assignFields(service, body, 'label', 'service_type', 'consultation_group', 'timeout');
  for (const name of ['body', 'notes'] as const) {
    if (body[name] !== undefined) service[name] = body[name] as string | null;
  }
  Object.assign(service, { address, region, credentials });
  cloud.touch(service);
  return service;
}

function create(call: Call, cloud: Cloud): Service {
  const service = change(cloud, newService({ ...cloud.newRow(), status: 'pending' }), call.body);
  servicesOf(cloud).set(service.id, service);
  watch(cloud, service);
  logChange(call, cloud, 'create', service);
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

/** The issues, oldest first. */
const issuesOf = perCloud((cloud): Issue[] => {
  const { time } = cloud.options;
  const services = [...servicesOf(cloud).values()];
  const seeds = [
    { id: 70_411, label: 'shop', ticket: outages.past, created: time - 12 * day - 2 * hour },
    { id: 70_426, label: 'search', ticket: outages.now, created: time - 6 * minute },
  ];
  return seeds.flatMap(({ id, label, ticket, created }) => {
    const service = services.find((one) => one.label === label);
    const entity = ticketCalled(cloud, ticket);
    return service && entity ? [{ id, created: timestamp(created), services: [service.id], entity }] : [];
  });
});

/** Looks at a service that was made or enabled: after a while it is known to be well. */
function watch(cloud: Cloud, service: Service): void {
  service.status = 'pending';
  cloud.after(20, () => {
    if (service.status === 'pending') service.status = 'ok';
  });
}

/** A service goes down: an issue with a ticket, until it answers again. */
function breakDown(cloud: Cloud, service: Service, random: Random): void {
  service.status = 'problem';
  const entity = openByPlatform(
    cloud,
    `${service.label} does not answer`.slice(0, 64),
    `Managed monitoring got no response from ${service.label} within ${service.timeout} seconds, three times in a row. We are looking into it.`,
  );
  issuesOf(cloud).push({ id: cloud.nextId(), created: cloud.timestamp, services: [service.id], entity });
  cloud.after(random.integer(120, 400), () => recover(cloud, service));
}

/** A service answers again; one that was disabled or deleted meanwhile is left alone, its ticket ends all the same. */
function recover(cloud: Cloud, service: Service): void {
  if (service.status === 'problem') service.status = 'ok';
  const issue = issuesOf(cloud).findLast(({ services }) => services.includes(service.id));
  if (issue) closeByPlatform(cloud, Number(issue.entity.id), `${service.label} answers again. We close this ticket.`);
}

/** Has the outage at first end after some minutes, and others begin every 8 to 15 minutes. */
export function beginOutages(cloud: Cloud): void {
  const random = randomFrom(cloud.options.seed, 23);
  const down = [...servicesOf(cloud).values()].find(({ status }) => status === 'problem');
  if (down) cloud.after(420, () => recover(cloud, down));
  cloud.repeat(
    () => random.integer(480, 900),
    () => {
      const well = [...servicesOf(cloud).values()].filter(({ status }) => status === 'ok');
      const service = well[random.integer(0, Math.max(0, well.length - 1))];
      if (service) breakDown(cloud, service, random);
    },
  );
}

/** Managed issues (document 3, 4.4). */
export const managedIssues = collection<Issue>('managed-issues', {
  rows: issuesOf,
  listed: (issues) => issues.toReversed(),
}).handlers();
