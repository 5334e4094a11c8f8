import type { Row } from '../../resources/resource.ts';
import type { Cloud } from '../engine/cloud.ts';
import { invalid } from '../engine/errors.ts';
import { type Call, collection, logEvent, needUnrestricted } from '../engine/handler.ts';
import type { DnsRecord, Domain, Unmade, Zone } from './zones.ts';
import { blank, domainEntity, plain, render, zonesOf } from './zones.ts';

const { find, handlers } = collection<Zone>('domains', {
  rows: zonesOf,
  filters: ['domain', 'group', 'tags'],
  shown: ({ domain }) => domain,
  remove: (zone, call, cloud) => logZone(call, cloud, 'delete', zone),
  onRow: { edit, clone, zoneFile: ({ rendered }) => ({ zone_file: rendered }) },
});

/** The zone of the domain that a call is about. @throws 404 */
export const zoneIn = find;

/** The domain of a body where it is free; domains are unique across the platform. */
function freeDomain(cloud: Cloud, domain: unknown, except?: Zone): string {
  const wanted = String(domain).toLowerCase();
  const taken = [...zonesOf(cloud).values()].some((zone) => zone.domain.domain === wanted && zone !== except);
  if (taken) throw invalid('domain', 'DNS zone already exists.');
  return wanted;
}

/** A domain as a body leaves it, every rule of document 3, 2.1 and 4.1 kept. */
function changed(before: Omit<Unmade<Domain>, 'domain'>, body: Row) {
  const after = { ...before, ...timersIn(body) };
  for (const name of ['type', 'status', 'soa_email', 'description', 'group'] as const) {
    if (body[name] !== undefined) after[name] = String(body[name] ?? '');
  }
  for (const name of ['master_ips', 'axfr_ips', 'tags'] as const) {
    if (body[name] !== undefined) after[name] = (body[name] ?? []) as readonly string[];
  }
  after.status ||= 'active';
  if (after.type === 'master' && after.soa_email === '')
    throw invalid('soa_email', 'soa_email is required for type master');
  if (after.soa_email !== '' && !/^[^\s@]+@[^\s@]+$/.test(after.soa_email))
    throw invalid('soa_email', 'Must be an e-mail address');
  if (after.type === 'slave' && after.master_ips.length === 0)
    throw invalid('master_ips', 'At least one master address is required for type slave');
  return after;
}

/** Adds a zone with copies of records, and logs it. */
function add(call: Call, cloud: Cloud, change: string, domain: Unmade<Domain>, records: readonly Unmade<DnsRecord>[]) {
  const made = { ...domain, ...cloud.newRow() };
  const copies = records.map((record) => ({ ...record, ...cloud.newRow() }));
  const zone: Zone = { domain: made, records: copies, rendered: [] };
  zonesOf(cloud).set(made.id, zone);
  render(cloud, zone);
  logZone(call, cloud, change, zone);
  return made;
}

function logZone(call: Call, cloud: Cloud, change: string, zone: Zone): void {
  logEvent(call, cloud, `dns_zone_${change}`, domainEntity(zone));
}

/** Domain Create; it needs the grant add_domains. */
function create(call: Call, cloud: Cloud): Domain {
  needUnrestricted(call);
  const domain = freeDomain(cloud, call.body.domain);
  return add(call, cloud, 'create', { ...changed(plain, call.body), domain }, []);
}

/** Domain Import reads the records of a name server that allows it; those under .invalid never do. */
function importZone(call: Call, cloud: Cloud): Domain {
  needUnrestricted(call);
  const domain = freeDomain(cloud, call.body.domain);
  const server = String(call.body.remote_nameserver);
  if (!/^[a-z0-9.:-]+$/i.test(server)) throw invalid('remote_nameserver', 'remote_nameserver is not valid');
  if (/\.invalid\.?$/.test(server))
    throw invalid('remote_nameserver', 'The name server refused the zone transfer (AXFR). Allow it there first.');
  const read = [
    { ...blank, type: 'A', target: '203.0.113.253' },
    { ...blank, type: 'CNAME', name: 'www', target: domain },
    { ...blank, type: 'MX', target: `mail.${domain}`, priority: 10 },
    { ...blank, type: 'TXT', target: 'v=spf1 mx -all' },
  ];
  return add(call, cloud, 'import', { ...plain, domain, soa_email: `hostmaster@${domain}` }, read);
}

function clone(source: Zone, call: Call, cloud: Cloud): Domain {
  needUnrestricted(call);
  const domain = freeDomain(cloud, call.body.domain);
  return add(call, cloud, 'create', { ...source.domain, domain }, source.records);
}

function edit(zone: Zone, call: Call, cloud: Cloud): Domain {
  const { body } = call;
  if (Array.isArray(body.tags)) needUnrestricted(call);
  const domain = body.domain === undefined || body.domain === null ? undefined : freeDomain(cloud, body.domain, zone);
  Object.assign(zone.domain, changed(zone.domain, body), domain === undefined ? {} : { domain });
  cloud.touch(zone.domain);
  render(cloud, zone);
  logZone(call, cloud, 'update', zone);
  return zone.domain;
}

/** Domains (document 3, 4.1). */
export const domains = handlers({ create, import: importZone });

/** The values of timers, in seconds (document 3, 2.1 and 2.2). */
const values = [300, 3600, 7200, 14400, 28800, 57600, 86400, 172800, 345600, 604800, 1209600, 2419200] as const;

const longest = 2419200;
const names = ['ttl_sec', 'refresh_sec', 'retry_sec', 'expire_sec'] as const;

function secondsIn(body: Row, name: string): number | undefined {
  const seconds = body[name];
  if (seconds === undefined || seconds === null) return undefined;
  if (Number(seconds) < 0) throw invalid(name, 'Must be 0 or more');
  return Number(seconds);
}

/** The timers of a domain that a body sets, each rounded up to a value that there is; 0 stays. */
const timersIn = (body: Row): Partial<Record<(typeof names)[number], number>> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const seconds = secondsIn(body, name);
      if (seconds === undefined) return [];
      return [[name, seconds === 0 ? 0 : (values.find((value) => value >= seconds) ?? longest)]];
    }),
  );

/** The TTL of a record that a body sets, rounded to the nearest value that there is; 0 stays. */
export function recordTtlIn(body: Row): number | undefined {
  const seconds = secondsIn(body, 'ttl_sec');
  if (seconds === undefined || seconds === 0) return seconds;
  const distance = (value: number) => Math.abs(value - seconds);
  return values.reduce<number>((nearest, value) => (distance(value) < distance(nearest) ? value : nearest), longest);
}
