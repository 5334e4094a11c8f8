import { timeOf } from '../../text/times.ts';
import { called, textIn } from '../../text/words.ts';
import { isIpv4, isIpv6 } from '../ipAddress.ts';
import {
  type DnsZone,
  directTypes,
  hasNoRecord,
  nameTypes,
  normalizedHost,
  targetOf,
  zoneOf,
} from '../networking/dnsZones.ts';
import type { DomainRecord } from '../networking/recordRules.ts';
import { leadsTo } from '../networking/records.ts';
import { addressOwner, formerAddressOwner } from '../problems/lookup.ts';
import { type Rule, rule } from '../problems/rule.ts';

const recordRule = rule<DomainRecord>('records');

const about = { of: 'records', reads: ['domains'] } as const;

/** The full name of a record; only what is known of it where its domain is not loaded. */
export function hostName({ name }: DomainRecord, { domain = '' }: DnsZone): string {
  const own = name === '@' ? '' : normalizedHost(name);
  if (own === '' || own === domain) return domain || 'the domain itself';
  return domain === '' || own.endsWith(`.${domain}`) ? own : `${own}.${domain}`;
}

/** `The MX record of example.com`. */
const named = (record: DomainRecord, zone: DnsZone) => `The ${record.type} record of ${hostName(record, zone)}`;

/** The other records of the same name. */
export const recordsBeside = (record: DomainRecord, zone: DnsZone): readonly DomainRecord[] =>
  zone.at(record.name === '@' ? '' : normalizedHost(record.name)).filter((other) => other.id !== record.id);

/** Problems of the targets of DNS records (document 3, 2.2). */
export const recordRules: readonly Rule[] = [
  recordRule({
    reads: ['domains', 'servers', 'nodebalancers'],
    name: 'record-leads-to-gone',
    several: '{} records lead to addresses that the account no longer has',
    severity: 'warning',
    remedy: { action: 'edit' },
    find: (record, view, params) => {
      const [wanted] = leadsTo(record);
      const former = wanted === undefined ? undefined : formerAddressOwner(wanted, view);
      if (!former || wanted === undefined || addressOwner(wanted, view)) return;
      if (!view.isRead('servers') || !view.isRead('nodebalancers')) return;
      const owner = called(former.label, 'object', former.id);
      return `${named(record, zoneOf(params, view))} leads to ${wanted}, which belonged to ${owner}; the account no longer has it, so it may now be somebody else's`;
    },
  }),
  recordRule({
    ...about,
    name: 'record-beside-alias',
    several: '{} records share their name with a CNAME, which must be the only record of its name',
    severity: 'warning',
    remedy: { action: 'edit' },
    find: (record, view, params) => {
      if (record.type !== 'CNAME') return;
      const zone = zoneOf(params, view);
      const others = recordsBeside(record, zone);
      const kinds = [...new Set(others.flatMap(({ type }) => textIn(type) ?? []))];
      const isFirst = others.every(({ id, type }) => type !== 'CNAME' || id > record.id);
      if (kinds.length === 0 || !isFirst) return;
      return {
        says: `${named(record, zone)} shares its name with ${kinds.join(', ')}; a CNAME must be the only record of its name`,
        since: timeOf(record.updated),
      };
    },
  }),
  recordRule({
    ...about,
    name: 'record-alias-of-domain',
    several: '{} CNAME records are at the domain itself, where they are not allowed',
    severity: 'warning',
    remedy: { action: 'edit' },
    find: (record, view, params) => {
      if (record.type !== 'CNAME' || typeof record.name !== 'string') return;
      const zone = zoneOf(params, view);
      const own = normalizedHost(record.name);
      if (own !== '' && own !== '@' && own !== zone.domain) return;
      return {
        says: `${named(record, zone)} is at the domain itself, where a CNAME is not allowed; use A and AAAA records`,
        since: timeOf(record.updated),
      };
    },
  }),
  recordRule({
    ...about,
    name: 'record-target-is-address',
    several: '{} records have an address as their target; it must be a host name',
    severity: 'warning',
    remedy: { action: 'edit' },
    find: (record, view, params) => {
      const target = normalizedHost(record.target);
      if (!nameTypes.includes(record.type) || !(isIpv4(target) || isIpv6(target))) return;
      return {
        says: `${named(record, zoneOf(params, view))} has the address ${target} as its target; it must be a host name`,
        since: timeOf(record.updated),
      };
    },
  }),
  recordRule({
    ...about,
    name: 'record-target-is-alias',
    several: '{} records lead to a CNAME; their target must have addresses of its own',
    severity: 'warning',
    remedy: { action: 'edit' },
    find: (record, view, params) => {
      if (!directTypes.includes(record.type)) return;
      const { host, zone } = targetOf(record, view, params);
      const alias = zone?.at(host).find(({ type }) => type === 'CNAME');
      if (!alias) return;
      return `${named(record, zoneOf(params, view))} leads to ${host}, which is a CNAME; it must have addresses of its own`;
    },
  }),
  recordRule({
    ...about,
    name: 'record-target-without-record',
    several: '{} records lead to names that have no record',
    severity: 'warning',
    remedy: { action: 'edit' },
    find: (record, view, params) => {
      if (!nameTypes.includes(record.type)) return;
      const { host, zone } = targetOf(record, view, params);
      if (!zone || isIpv4(host) || isIpv6(host) || !hasNoRecord(host, zone)) return;
      return `${named(record, zoneOf(params, view))} leads to ${host}, for which ${zone.domain} has no record`;
    },
  }),
  recordRule({
    ...about,
    name: 'record-leads-to-itself',
    several: '{} records lead to themselves',
    severity: 'warning',
    remedy: { action: 'edit' },
    find: (record, view, params) => {
      if (record.type !== 'CNAME' && record.type !== 'NS') return;
      if (!normalizedHost(record.target).startsWith(record.name === '@' ? '' : normalizedHost(record.name))) return;
      const zone = zoneOf(params, view);
      if (zone.domain === undefined || targetOf(record, view, params).host !== hostName(record, zone)) return;
      const hasAddress = recordsBeside(record, zone).some(({ type }) => type === 'A' || type === 'AAAA');
      if (record.type === 'NS' && (hasAddress || !zone.whole)) return;
      return {
        says: `${named(record, zone)} leads to itself${record.type === 'NS' ? ', and that name has no address' : ''}`,
        since: timeOf(record.updated),
      };
    },
  }),
  recordRule({
    ...about,
    name: 'record-unknown-tag',
    several: '{} CAA records have a tag that certificate authorities do not know',
    severity: 'notice',
    remedy: { action: 'edit' },
    find: (record, view, params) =>
      record.type === 'CAA' && typeof record.tag === 'string' && !['issue', 'issuewild', 'iodef'].includes(record.tag)
        ? {
            says: `${named(record, zoneOf(params, view))} has the tag ${record.tag}; certificate authorities know only issue, issuewild and iodef`,
            since: timeOf(record.updated),
          }
        : undefined,
  }),
];
