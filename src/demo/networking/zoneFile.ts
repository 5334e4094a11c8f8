import type { Cloud } from '../engine/cloud.ts';
import type { DnsRecord, Zone } from './zoneRows.ts';

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
