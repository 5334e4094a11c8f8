import { outages } from '../account/tickets.seed.ts';
import { closeByPlatform, openByPlatform, ticketCalled } from '../account/tickets.ts';
import { type Cloud, perCloud } from '../engine/cloud.ts';
import { type Random, randomFrom } from '../engine/random.ts';
import { day, hour, minute, timestamp } from '../engine/time.ts';
import { type Issue, type Service, servicesOf } from './services.seed.ts';

/** The issues, oldest first. */
export const issuesOf = perCloud((cloud): Issue[] => {
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
