import { durationText } from '../../text/times.ts';
import { called, listed, sentence, textOf, uncapitalized } from '../../text/words.ts';
import { isIpv4, isIpv6 } from '../ipAddress.ts';
import { addressOwner, formerAddressOwner } from '../problems/rowIndex.ts';
import type { CacheView, Complaint, Draft, Params, Row } from '../resource.ts';
import {
  byId,
  type DnsZone,
  directTypes,
  hasNoRecord,
  hostOf,
  isKnown,
  keyOf,
  leadsTo,
  nameTypes,
  normalizedHost,
  ownerOf,
  reachedBy,
  sentenceOf,
  setOf,
  targetOf,
  type ZoneCheck,
  zoneOf,
  zoneWith,
} from './dnsZones.ts';
import { becomesNullMx, type DomainRecord, emptiedComplaint, typeOf } from './recordRules.ts';
import { textChecks } from './textChecks.ts';
import { timerDefaults } from './timers.ts';

const isAddress = (target: string) => isIpv4(target) || isIpv6(target);
const secondsOf = ({ ttl_sec }: Row) => Number(ttl_sec) || 0;
const addresses = ['A', 'AAAA', 'CNAME'];
/** Of two that differ it is never the same. */
const ttlText = (seconds: number) => (seconds % 3600 && seconds > 3600 ? `${seconds} s` : durationText(seconds));

/** `The MX record of example.com`. */
const named = (record: DomainRecord, zone: DnsZone) => `The ${record.type} record of ${hostOf(record, zone)}`;

/** Every check of a record in its zone. */
export const zoneChecks: readonly ZoneCheck[] = [
  {
    name: 'record-name-in-full',
    rfc: 'RFC 1035 §5.1',
    several: '{} records have names to which their domain may be added once more',
    // The documents take a name in full for an address.
    scope: { severity: 'notice', field: 'name', refuses: true, unseen: ['A', 'AAAA'] },
    find: ({ type, name }, { domain }) => {
      const own = normalizedHost(name);
      const isWithin = domain !== undefined && `.${own}`.endsWith(`.${domain}`);
      if (!isWithin && !textOf(name).endsWith('.')) return undefined;
      const short = isWithin ? own.slice(0, -domain.length - 1) : own;
      const way = short === '' ? `leave it empty for ${domain} itself` : `enter ${short}`;
      return isWithin
        ? `The ${type} record is named ${own}, and ${domain} may be added to it once more; ${way}`
        : `The ${type} record is named ${own}., which the period makes a name outside of ${domain ?? 'its domain'}; ${way}`;
    },
  },
  {
    name: 'record-alias-of-domain',
    rfc: 'RFC 1912 §2.4',
    several: '{} CNAME records are at the domain itself, where they are not allowed',
    scope: { field: 'name', refuses: true, types: ['CNAME'] },
    find: (record, zone) =>
      typeof record.name === 'string' && ['', '@', zone.domain].includes(ownerOf(record, zone.domain))
        ? `${named(record, zone)} is at the domain itself, where a CNAME is not allowed; use A and AAAA records`
        : undefined,
  },
  {
    name: 'record-beside-alias',
    rfc: 'RFC 1034 §3.6.2',
    several: '{} names have a CNAME beside other records, which must be the only one',
    scope: { field: 'name', refuses: true },
    set: (record, zone) => {
      const all = zone.under(keyOf.at(record, zone.domain));
      const aliases = all.filter(({ type }) => type === 'CNAME').toSorted(byId);
      return aliases.length === 0 ? [] : [...aliases, ...all.filter(({ type }) => type !== 'CNAME')];
    },
    find: (record, zone, [, ...others]) => {
      const kinds = [...new Set(others.map(({ type }) => (type === 'CNAME' ? 'another CNAME' : type)))];
      return `${hostOf(record, zone)} has a CNAME beside ${listed(kinds, 9)}; a CNAME must be the only record of its name, so delete it or the others`;
    },
  },
  {
    name: 'record-leads-to-itself',
    rfc: 'RFC 1034 §3.6.2',
    several: '{} CNAME records lead back to themselves',
    scope: { refuses: true, types: ['CNAME'], isElsewhere: true },
    find: (record, zone) =>
      zone.domain !== undefined && reachedBy(record, zone)?.places.includes(ownerOf(record, zone.domain))
        ? `${named(record, zone)} leads back to itself`
        : undefined,
  },
  {
    name: 'record-target-is-address',
    rfc: { MX: 'RFC 1035 §3.3.9', NS: 'RFC 1035 §3.3.11', CNAME: 'RFC 1035 §3.3.1', SRV: 'RFC 2782' },
    several: '{} records have an address as their target; it must be a host name',
    scope: { refuses: true, types: nameTypes },
    find: (record, zone) => {
      const target = normalizedHost(record.target);
      const kind = isIpv4(target) ? 'an A' : 'an AAAA';
      return isAddress(target)
        ? `${named(record, zone)} has the address ${target} as its target; make ${kind} record for it, and enter the name of that`
        : undefined;
    },
  },
  {
    name: 'record-target-is-alias',
    rfc: { MX: 'RFC 2181 §10.3', NS: 'RFC 2181 §10.3', SRV: 'RFC 2782' },
    several: '{} records lead to a CNAME; their target must have addresses of its own',
    scope: { refuses: true, types: directTypes, isElsewhere: true },
    find: (record, own) => {
      const { host, zone } = targetOf(record, own);
      return zone?.at(host).some(({ type }) => type === 'CNAME')
        ? `${named(record, own)} leads to ${host}, which is a CNAME; it must have addresses of its own`
        : undefined;
    },
  },
  {
    name: 'record-target-without-record',
    rfc: { MX: 'RFC 5321 §5.1', NS: 'RFC 1912 §2.8', SRV: 'RFC 2782' },
    several: '{} records lead to names that have no address',
    scope: { types: nameTypes, isElsewhere: true },
    find: (record, own) => {
      const { host, zone } = targetOf(record, own);
      if (!zone || isAddress(host)) return undefined;
      const name = ownerOf(record, own.domain);
      // Below the name that an NS delegates, its address is asked for here.
      const isGlue = record.type === 'NS' && zone === own && name !== own.domain && `.${host}`.endsWith(`.${name}`);
      const isBare = isGlue
        ? isKnown(own) && !zone.at(host).some(({ type }) => addresses.includes(type))
        : hasNoRecord(host, zone, record.type === 'CNAME' ? undefined : [...addresses, 'NS']);
      const lacks = zone.at(host).length > 0 ? 'which has no address' : `for which ${zone.domain} has no record`;
      const loss = record.type === 'NS' ? `, so nobody answers for ${name}` : '';
      return isBare ? `${named(record, own)} leads to ${host}, ${lacks}${loss}` : undefined;
    },
  },
  {
    name: 'record-leads-to-gone',
    several: '{} records lead to addresses that the account no longer has',
    scope: { types: addresses, isElsewhere: true, reads: ['servers', 'nodebalancers'] },
    find: (record, zone) => {
      const { view } = zone;
      const [wanted] = leadsTo(record);
      const former = wanted === undefined ? undefined : formerAddressOwner(wanted, view);
      if (!former || wanted === undefined || addressOwner(wanted, view)) return undefined;
      if (!view.isRead('servers') || !view.isRead('nodebalancers')) return undefined;
      const owner = called(former.label, 'object', former.id);
      return `${named(record, zone)} leads to ${wanted}, which belonged to ${owner}; the account no longer has it, so it may now be somebody else's`;
    },
  },
  {
    name: 'mx-null-beside-others',
    rfc: 'RFC 7505 §3',
    several: '{} domains have a Null MX beside other MX records, which must be the only one',
    scope: { field: 'type', refuses: true, types: ['MX'] },
    set: setOf,
    find: (record, zone, all) =>
      all.some(({ target }) => target === '')
        ? `${hostOf(record, zone)} has a Null MX beside another MX record; a Null MX must be the only one, so delete it or the others`
        : undefined,
  },
  {
    name: 'record-duplicate',
    rfc: 'RFC 2181 §5',
    several: '{} records are there twice',
    scope: { severity: 'notice', refuses: true },
    set: (record, zone) => zone.under(keyOf.same(record, zone.domain)).toSorted(byId),
    find: (record, zone, { length }) =>
      record.target === undefined
        ? undefined
        : `${hostOf(record, zone)} has the same ${record.type} record ${length === 2 ? 'twice' : `${length} times`}; once is enough`,
  },
  {
    name: 'record-ttl-differs',
    rfc: 'RFC 2181 §5.2',
    several: '{} names have records of one type with different TTLs',
    scope: { severity: 'notice', field: 'ttl_sec' },
    set: setOf,
    find: (record, zone, all) => {
      const whole = zone.row ? secondsOf(zone.row) || timerDefaults.ttl_sec : 0;
      const times = [...new Set(all.map((one) => secondsOf(one) || whole))].toSorted((one, other) => one - other);
      return whole > 0 && times.length > 1
        ? `The ${record.type} records of ${hostOf(record, zone)} have TTLs of ${listed(times.map(ttlText))}; resolvers take them for one, and keep them for the shortest`
        : undefined;
    },
  },
  ...textChecks,
];

/** A finding about a record that is made or changed; its sentence has no period. */
interface ZoneFinding extends Complaint {
  refuses: boolean;
}

/**
 * Finds all that is wrong with a record that is made or changed, in its zone.
 * @param was the record as it is: what is wrong with that already is not said
 */
export function findingsOf(record: DomainRecord, zone: DnsZone, was?: DomainRecord): readonly ZoneFinding[] {
  const next = zoneWith(zone, record);
  const standing = was ? new Set(findingsOf(was, zone).map(({ says }) => says)) : undefined;
  // An alias makes those wrong that lead to its name.
  const behind = record.type === 'CNAME' ? next.under(`to ${ownerOf(record, zone.domain)}`) : [];
  const concerned = [record, ...behind.filter(({ type, id }) => directTypes.includes(type) && id !== record.id)];
  return zoneChecks.flatMap((check) =>
    concerned.flatMap((one) => {
      const says = sentenceOf(check, one, next);
      if (says === undefined || standing?.has(says)) return [];
      const { field = 'target', refuses = false } = check.scope;
      return [{ refuses, field: one === record ? field : 'name', says }];
    }),
  );
}

function findingsIn(draft: Draft, view: CacheView, record: Row | undefined, params: Params): readonly ZoneFinding[] {
  const type = typeOf(draft, record);
  const isNone = type === 'MX' && becomesNullMx(draft);
  const target = isNone ? '' : draft.target || undefined;
  const made = {
    id: Number.POSITIVE_INFINITY,
    ...record,
    ...{ ...draft, name: draft.name ?? '', target, type },
    ...(isNone && { name: '', priority: 0 }),
  };
  return findingsOf(made as unknown as DomainRecord, zoneOf(params, view), record as DomainRecord | undefined);
}

/** Complains about a record that a form makes or changes, where the API or the DNS cannot have it (document 3, 2.2). */
export function recordComplaint(
  draft: Draft,
  view: CacheView,
  record: Row | undefined,
  params: Params,
): Complaint | undefined {
  const type = typeOf(draft, record);
  const emptied = emptiedComplaint(draft, record);
  if (emptied) return emptied;
  const refused = findingsIn(draft, view, record, params).find(({ refuses }) => refuses);
  const isNone = type === 'MX' && becomesNullMx(draft);
  const atType = isNone ? 'null_mx' : record ? 'target' : 'type';
  if (refused) {
    const { field, says } = refused;
    const shown = field === 'name' && type === 'SRV' ? 'service' : field === 'type' ? atType : field;
    return { field: shown, says: uncapitalized(says) };
  }
  // The API forbids them at other names as well.
  const mail = type === 'MX' && !record ? view.rows('records', params).filter((other) => other.type === 'MX') : [];
  if (mail.length === 0 || !(isNone || mail.some(({ target }) => target === ''))) return undefined;
  const says = isNone ? `other MX records (${mail.length})` : 'a Null MX, which forbids other MX records';
  return { field: atType, says: `the domain has ${says}; delete ${isNone ? 'them' : 'it'} first` };
}

/** Tells in a form what is wrong with a record without refusing it, and that the others could not be looked at. */
export function recordNote(record: Row, view: CacheView, draft: Draft, params: Params): string | undefined {
  const was = record.id === undefined ? undefined : record;
  const said = findingsIn(draft, view, was, params).filter(({ refuses }) => !refuses);
  const isRead = view.isRead('records', { domainId: params.domainId ?? '' });
  const unread = 'Not all records of the domain could be read, so this one is not checked against the others.';
  return [...said.map(({ says }) => sentence(says)), ...(isRead ? [] : [unread])].join(' ') || undefined;
}
