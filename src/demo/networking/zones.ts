import { addressOf } from '../engine/address.ts';
import type { Cloud } from '../engine/cloud.ts';
import type { Entity } from '../engine/eventLog.ts';
import { notFound } from '../engine/refusal.ts';
import { seedZones } from './zoneSeed.ts';

/** A domain as it is answered (document 3, 2.1). */
export interface Domain {
  id: number;
  domain: string;
  type: string;
  status: string;
  soa_email: string;
  description: string;
  group: string;
  master_ips: readonly string[];
  axfr_ips: readonly string[];
  tags: readonly string[];
  ttl_sec: number;
  refresh_sec: number;
  retry_sec: number;
  expire_sec: number;
  created: string;
  updated: string;
}

/** A record as it is answered (document 3, 2.2). */
export interface DnsRecord {
  id: number;
  type: string;
  name: string;
  target: string;
  priority: number;
  weight: number;
  port: number;
  service: string | null;
  protocol: string | null;
  ttl_sec: number;
  tag: string | null;
  created: string;
  updated: string;
}

/** A domain with its records and its zone file as it was last rendered. */
export interface Zone {
  domain: Domain;
  records: DnsRecord[];
  rendered: readonly string[];
}

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
