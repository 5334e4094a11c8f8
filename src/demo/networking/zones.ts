import { addressOf } from '../engine/address.ts';
import type { Cloud } from '../engine/cloud.ts';
import type { Entity } from '../engine/eventLog.ts';
import { notFound } from '../engine/refusal.ts';
import type { Zone } from './zoneRows.ts';
import { seedZones } from './zones.seed.ts';

/** The zones by the id of their domain, oldest first. */
export const zonesOf = (cloud: Cloud): Map<number, Zone> => seedZones(cloud);

/** The zone of this domain. @throws 404 */
export function zoneAt(cloud: Cloud, id: number): Zone {
  const zone = cloud.of(zonesOf).get(id);
  if (!zone) throw notFound();
  return zone;
}

/** A domain as an event names it. */
export const domainEntity = ({ domain: { id, domain } }: Zone): Entity => ({
  id,
  label: domain,
  type: 'domain',
  url: addressOf('domains', id) ?? null,
});
