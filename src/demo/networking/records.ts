import { isIPv4, isIPv6 } from 'node:net';
import type { Row } from '../../resources/resource.ts';
import type { Cloud } from '../engine/cloud.ts';
import { badRequest, invalid } from '../engine/errors.ts';
import { assignFields, type Call, collection, logEvent } from '../engine/handler.ts';
import { recordTtlIn, zoneIn } from './domains.ts';
import { blank, type DnsRecord, domainEntity, render, type Unmade } from './zones.ts';

const { handlers } = collection<DnsRecord>('records', {
  rows: (cloud, call) => zoneIn(call, cloud).records,
  filters: ['name', 'tag'],
  remove: (record, call, cloud) => finish(call, cloud, 'delete', record),
  onRow: { edit },
});

type Written = Unmade<DnsRecord>;

/** A record as a body leaves it. */
function written(before: Written, body: Row): Written {
  const ttl = recordTtlIn(body);
  const after = {
    ...before,
    ...(body.name !== undefined && { name: String(body.name ?? '') }),
    ...(body.target !== undefined && { target: String(body.target ?? '') }),
    ...(ttl !== undefined && { ttl_sec: ttl }),
    ...(body.tag !== undefined && { tag: body.tag === null ? null : String(body.tag) }),
    ...(body.service !== undefined && { service: serviceOf(body.service) }),
    ...(body.protocol !== undefined && { protocol: prefixed(body.protocol) }),
  };
  assignFields(after, body, 'priority', 'weight', 'port');
  if (after.target === '[remote_addr]' && after.type === 'A') after.target = requester;
  if (after.type === 'SRV') after.name = `${(after.service ?? '').replace(/\.$/, '')}.${after.protocol ?? '_tcp'}`;
  return after;
}

/** The address of every client: the demo API listens on the loopback address only. */
const requester = '127.0.0.1';

const prefixed = (part: unknown) => (part === null || part === '' ? null : `_${String(part).replace(/^_/, '')}`);

const serviceOf = (service: unknown) => {
  const name = prefixed(service);
  return name && `${name.replace(/\.$/, '')}.`;
};

const host = /^(?:\*\.)?[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*\.?$/i;

const srv = ['SRV'];
/** The types of record that have these fields. */
const typesWith = { weight: srv, port: srv, service: srv, protocol: srv, priority: ['MX', 'SRV'], tag: ['CAA'] };

/** Keeps the rules of each type (document 3, 2.2); `sent` is what the body names. */
function check(record: Written, sent: Row, others: readonly DnsRecord[], isNew: boolean): void {
  const { type, name, target } = record;
  const isNull = type === 'MX' && target === '';
  if (type === 'MX') checkMail(record, others, isNew);
  for (const field of ['priority', 'weight', 'port'] as const) {
    if (type === 'SRV' && isNew && typeof sent[field] !== 'number')
      throw invalid(field, `${field} is required for SRV`);
  }
  for (const [field, types] of Object.entries(typesWith))
    if (sent[field] && !types.includes(type)) throw invalid(field, `${field} is only valid for ${types.join(' and ')}`);
  if (type === 'SRV' && !record.service) throw invalid('service', 'service is required for SRV');
  if (type === 'CAA' && !record.tag) throw invalid('tag', 'tag is required for CAA');
  if (type === 'CNAME' && name === '') throw invalid('name', 'name is required for CNAME');
  if (type === 'CNAME' && others.some((other) => other.name.toLowerCase() === name.toLowerCase()))
    throw invalid('name', 'A record with this name exists already; a CNAME must be unique.');
  if (!isNull && target === '' && type !== 'PTR') throw invalid('target', 'target is required');
  if (!isNull && !fits(record)) throw invalid('target', 'target is not valid');
}

function checkMail({ name, target, priority }: Written, others: readonly DnsRecord[], isNew: boolean): void {
  const mail = others.filter(({ type }) => type === 'MX');
  if (target === '') {
    if (name !== '') throw invalid('name', 'name must be empty for a Null MX');
    if (priority !== 0) throw invalid('priority', 'priority must be 0 for a Null MX');
    if (mail.length > 0) throw badRequest('Remove all other MX records before adding a Null MX.');
  }
  if (isNew && target !== '' && mail.some((other) => other.target === ''))
    throw badRequest('There is a Null MX; no other MX record can be added.');
}

function fits({ type, target, tag }: Written): boolean {
  switch (type) {
    case 'A':
      return isIPv4(target);
    case 'AAAA':
      return isIPv6(target);
    case 'TXT':
    case 'PTR':
      return true;
    case 'CAA':
      return tag === 'iodef' ? /^(?:https?:\/\/|mailto:)\S+$/.test(target) : !target.endsWith('.');
    default:
      return host.test(target);
  }
}

/** Renders the zone of a changed record and logs the change. */
function finish(call: Call, cloud: Cloud, change: string, { type, name }: DnsRecord): void {
  const zone = zoneIn(call, cloud);
  cloud.touch(zone.domain);
  render(cloud, zone);
  logEvent(call, cloud, `dns_record_${change}`, domainEntity(zone), { message: `${type} ${name || '@'}` });
}

function create(call: Call, cloud: Cloud): DnsRecord {
  const { records } = zoneIn(call, cloud);
  const record = { ...written({ ...blank, type: String(call.body.type) }, call.body), ...cloud.newRow() };
  check(record, call.body, records, true);
  records.push(record);
  finish(call, cloud, 'create', record);
  return record;
}

function edit(record: DnsRecord, call: Call, cloud: Cloud): DnsRecord {
  const after = written(record, call.body);
  const others = zoneIn(call, cloud).records.filter((one) => one !== record);
  check(after, call.body, others, false);
  Object.assign(record, after);
  cloud.touch(record);
  finish(call, cloud, 'update', record);
  return record;
}

/** The records of domains (document 3, 4.1). */
export const records = handlers({ create });
