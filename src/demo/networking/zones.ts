import type { Cloud } from '../engine/cloud.ts';
import { type Entity, entityOf } from '../engine/entity.ts';
import type { Zone } from './zoneRows.ts';
import { seedZones } from './zones.seed.ts';

/** The zones by the id of their domain, oldest first. */
export const zonesOf = (cloud: Cloud): Map<number, Zone> => seedZones(cloud);

/** A domain as an event names it. */
export const domainEntity = ({ domain: { id, domain } }: Zone): Entity =>
  entityOf('domains', 'domain', { id, label: domain });
