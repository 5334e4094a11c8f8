import type { Domain as DomainRow } from '../../resources/networking/domainActions.ts';
import type { DomainRecord } from '../../resources/networking/recordRules.ts';
import type { Cloud } from '../engine/cloud.ts';
import type { Stored } from '../engine/stored.ts';

/** A domain as it is answered (document 3, 2.1). */
export type Domain = Stored<DomainRow> & {
  soa_email: string;
  description: string;
  group: string;
  master_ips: readonly string[];
  axfr_ips: readonly string[];
  tags: readonly string[];
  refresh_sec: number;
  retry_sec: number;
  expire_sec: number;
  created: string;
  updated: string;
};

/** A record as it is answered (document 3, 2.2). */
export type DnsRecord = Stored<DomainRecord> & { created: string; updated: string };

/** A domain with its records and its zone file as it was last rendered. */
export interface Zone {
  domain: Domain;
  records: DnsRecord[];
  rendered: readonly string[];
}

const defaults = { ttl_sec: 86_400, refresh_sec: 14_400, retry_sec: 14_400, expire_sec: 1_209_600 } as const;

/** The time between a change and the zone file that has it, in seconds. */
const rendersAfter = 8;

/** Has the zone file of a changed zone rendered, a little later. */
export function render(cloud: Cloud, zone: Zone): void {
  cloud.after(rendersAfter, () => {
    zone.rendered = linesOf(zone, cloud.time);
  });
}

/** The zone file of a master, line by line; a slave has none of its own. */
export function linesOf({ domain, records }: Zone, time: number): readonly string[] {
  if (domain.type !== 'master') return [];
  const timer = (name: keyof typeof defaults) => domain[name] || defaults[name];
  const serial = Math.floor(time / 1000);
  const mailbox = domain.soa_email.replace('@', '.');
  return [
    `; ${domain.domain} [${domain.id}]`,
    `$TTL ${timer('ttl_sec')}`,
    `@\t\tIN\tSOA\tns1.platform.example. ${mailbox}. ${serial} ${timer('refresh_sec')} ${timer('retry_sec')} ${timer('expire_sec')} 300`,
    ...[1, 2, 3, 4, 5].map((number) => `@\t\tIN\tNS\tns${number}.platform.example.`),
    ...records.map((record) => lineOf(record)),
  ];
}

function lineOf(record: DnsRecord): string {
  const name = record.type === 'SRV' ? `${record.service}${record.protocol ?? ''}` : record.name || '@';
  return [name, record.ttl_sec || '', 'IN', record.type, dataOf(record)].join('\t');
}

function dataOf({ type, target, priority, weight, port, tag }: DnsRecord): string {
  const host = target.includes('.') && !target.endsWith('.') ? `${target}.` : target;
  if (type === 'MX') return `${priority} ${target === '' ? '.' : host}`;
  if (type === 'SRV') return `${priority} ${weight} ${port} ${host}`;
  if (type === 'CAA') return `0 ${tag} "${target}"`;
  if (type === 'TXT') return `"${target}"`;
  return type === 'A' || type === 'AAAA' ? target : host;
}
