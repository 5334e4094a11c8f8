import { outages } from '../account/tickets.seed.ts';
import { closeByPlatform, openByPlatform, ticketCalled } from '../account/tickets.ts';
import type { Cloud } from '../engine/cloud.ts';
import { type Random, randomFrom } from '../engine/random.ts';
import { day, hour, minute, timestamp } from '../engine/time.ts';
import { serversOf } from '../inventory.ts';
import { type Issue, type Service, seedServices } from './services.seed.ts';

/** The services by id. */
export function servicesOf(cloud: Cloud): Map<number, Service> {
  const servers = [...cloud.of(serversOf).values()];
  const primary = servers.find(({ label }) => label === 'db-primary');
  const host = primary?.ipv4.find((address) => address.startsWith('192.168.')) ?? '192.168.128.10';
  return seedServices({ host, region: primary?.region ?? 'us-east' }, cloud.options.time);
}

/** The issues, oldest first. */
export function issuesOf(cloud: Cloud): Issue[] {
  const { time } = cloud.options;
  const services = [...cloud.of(servicesOf).values()];
  const seeds = [
    { id: 70_411, label: 'shop', ticket: outages.past, created: time - 12 * day - 2 * hour },
    { id: 70_426, label: 'search', ticket: outages.now, created: time - 6 * minute },
  ];
  return seeds.flatMap(({ id, label, ticket, created }) => {
    const service = services.find((one) => one.label === label);
    const entity = ticketCalled(cloud, ticket);
    return service && entity ? [{ id, created: timestamp(created), services: [service.id], entity }] : [];
  });
}

/** Looks at a service that was made or enabled: after a while it is known to be well. */
export function watch(cloud: Cloud, service: Service): void {
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
  cloud.of(issuesOf).push({ id: cloud.nextId(), created: cloud.timestamp, services: [service.id], entity });
  cloud.after(random.integer(120, 400), () => recover(cloud, service));
}

/** A service answers again; one that was disabled or deleted meanwhile is left alone, its ticket ends all the same. */
function recover(cloud: Cloud, service: Service): void {
  if (service.status === 'problem') service.status = 'ok';
  const issue = cloud.of(issuesOf).findLast(({ services }) => services.includes(service.id));
  if (issue) closeByPlatform(cloud, Number(issue.entity.id), `${service.label} answers again. We close this ticket.`);
}

/** Has the outage at first end after some minutes, and others begin every 8 to 15 minutes. */
export function beginOutages(cloud: Cloud): void {
  const random = randomFrom(cloud.options.seed, 23);
  const down = [...cloud.of(servicesOf).values()].find(({ status }) => status === 'problem');
  if (down) cloud.after(420, () => recover(cloud, down));
  cloud.repeat(
    () => random.integer(480, 900),
    () => {
      const well = [...cloud.of(servicesOf).values()].filter(({ status }) => status === 'ok');
      const service = well[random.integer(0, Math.max(0, well.length - 1))];
      if (service) breakDown(cloud, service, random);
    },
  );
}
