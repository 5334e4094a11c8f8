import { textIn, textOf } from '../../text/words.ts';
import { canonicalAddress } from '../ipAddress.ts';
import { addTo, memoize, memoizeOne } from '../memoize.ts';
import type { Severity } from '../problems/rule.ts';
import { type CacheView, none, type Params, type Row } from '../resource.ts';
import { statusOf } from '../wording.ts';
import type { DomainRecord } from './recordRules.ts';
import { plainName, zoneName } from './zoneLine.ts';

/** A domain with its records, as far as they are loaded. */
export interface DnsZone {
  /** The view that it is read from, which has the other zones. */
  view: CacheView;
  params: Params;
  /** Its row; undefined where that is not loaded. */
  row?: Row;
  /** Its name in lower case. */
  domain?: string;
  /** All its records are loaded. */
  readonly whole: boolean;
  /** Its records of a host name or a name within it; the domain itself is ''. */
  at(name: string): readonly DomainRecord[];
  /** Its records under a key of `keyOf`. */
  under(key: string): readonly DomainRecord[];
}

/** A host name as names are compared: as the DNS has it, in lower case and without the period at its end. */
export const normalizedHost = (value: unknown): string => plainName(textIn(value) ?? '');

/** A name within its domain as a host name; '' and a name that is the domain already are that itself. */
function fullName(name: string, domain: string | undefined): string {
  if (domain === undefined || name === domain || name.endsWith(`.${domain}`)) return name;
  return name === '' ? domain : `${name}.${domain}`;
}

/** The host name of a record; only what is known of it where its domain is not loaded. */
export function ownerOf(record: DomainRecord, domain: string | undefined): string {
  const name = normalizedHost(zoneName(record));
  return fullName(name === '@' ? '' : name, domain);
}

/** The host name that a record leads to; a bare name lies in its own domain. */
const hostBehind = ({ target }: DomainRecord, domain: string | undefined): string => {
  const isWhole = textOf(target).includes('.');
  const host = normalizedHost(target);
  if (host === '@') return domain ?? host;
  return host === '' || isWhole ? host : fullName(host, domain);
};

/** The text by which records of one name and type are the same but for their TTL. */
export function identityOf(record: DomainRecord, domain: string | undefined): string {
  const { type, target, tag } = record;
  const text = textOf(target).toWellFormed();
  const host = type === 'AAAA' || type === 'A' ? canonicalAddress(text) : hostBehind(record, domain);
  const isText = type === 'TXT' || type === 'CAA';
  const numbers = [record.priority, record.weight, record.port].map((number) => Number(number ?? 0));
  return JSON.stringify([type, isText ? text : host, type === 'CAA' ? textOf(tag).toLowerCase() : '', ...numbers]);
}

type KeyOf = (record: DomainRecord, domain: string | undefined) => string;

/** The keys under which a zone has a record: its name, its name and type, all that identifies it, and where it leads. */
export const keyOf = {
  at: (record, domain) => `at ${ownerOf(record, domain)}`,
  set: (record, domain) => `set ${ownerOf(record, domain)} ${record.type}`,
  same: (record, domain) => `same ${ownerOf(record, domain)} ${identityOf(record, domain)}`,
  to: (record, domain) => `to ${nameTypes.includes(record.type) ? hostBehind(record, domain) : ''}`,
} satisfies Record<string, KeyOf>;

const keysOf = (record: DomainRecord, domain: string | undefined): readonly string[] =>
  Object.values<KeyOf>(keyOf).map((key) => key(record, domain));

/** The records of a list by their keys, made once for each list and domain. */
const indexOf = memoize((rows) =>
  memoizeOne((domain: string | undefined) => {
    const index = new Map<string, DomainRecord[]>();
    for (const record of rows as readonly DomainRecord[]) {
      for (const key of keysOf(record, domain)) addTo(index, key, record);
    }
    return index;
  }),
);

/** The lists of which longer ones were made. */
const grown = new WeakMap<readonly Row[], readonly [list: readonly Row[], more: readonly Row[]]>();

/** The records of a list and further ones; the index of the list is of use for both. */
export function recordsWith(list: readonly Row[], more: readonly Row[]): readonly Row[] {
  const rows = [...list, ...more];
  grown.set(rows, [list, more]);
  return rows;
}

const byDomain = memoize((rows) => new Map(rows.map((row) => [normalizedHost(row.domain), row])));

/** The zone in which the records of these parameters lie. */
export function zoneOf({ domainId = '' }: Params, view: CacheView): DnsZone {
  const row = view.row('domains', domainId);
  const domain = normalizedHost(row?.domain) || undefined;
  const params = { domainId };
  const rows = domainId === '' ? none : view.rows('records', params);
  const [list, more = none] = grown.get(rows) ?? [rows];
  const [index, others] = [indexOf(list)(domain), indexOf(more)(domain)];
  const under = (key: string) => {
    const [found = [], further] = [index.get(key), others.get(key)];
    return further ? [...found, ...further] : found;
  };
  return {
    view,
    params,
    ...(row && { row }),
    ...(domain !== undefined && { domain }),
    get whole() {
      return view.isRead('records', params);
    },
    at: (name) => under(`at ${fullName(name, domain)}`),
    under,
  };
}

/** A zone with one of its records, or a new one, as it is to be. */
export function zoneWith(zone: DnsZone, record: DomainRecord): DnsZone {
  const own = new Set(keysOf(record, zone.domain));
  const under: DnsZone['under'] = (key) => {
    const others = zone.under(key).filter(({ id }) => id !== record.id);
    return own.has(key) ? [...others, record] : others;
  };
  const at: DnsZone['at'] = (name) => under(`at ${fullName(name, zone.domain)}`);
  return Object.assign(Object.create(zone), { at, under });
}

/** A name without the domain that it lies in. */
function within(name: string, domain: string | undefined): string {
  if (domain === undefined || name === domain) return name === domain ? '' : name;
  return name.endsWith(`.${domain}`) ? name.slice(0, -domain.length - 1) : name;
}

/** The smallest loaded zone that contains a host name. */
export function zoneContaining(host: string, view: CacheView): DnsZone | undefined {
  const domains = byDomain(view.rows('domains'));
  for (let name = host; name !== ''; name = name.includes('.') ? name.slice(name.indexOf('.') + 1) : '') {
    const row = domains.get(name);
    if (row) return zoneOf({ domainId: String(row.id) }, view);
  }
  return undefined;
}

/** Whether all that a zone answers is known: it is served here and wholly loaded, and so are the names of all zones. */
export const isKnown = ({ row, domain, whole, view }: DnsZone): boolean =>
  domain !== undefined && row?.type === 'master' && statusOf(row) === 'active' && whole && view.isRead('domains');

/**
 * Whether a host name certainly has no record, or none of these types: its zone is served here and wholly loaded, without a
 * wildcard for it, or a delegation to other name servers.
 */
export function hasNoRecord(host: string, zone: DnsZone, types?: readonly string[]): boolean {
  const { domain } = zone;
  const found = zone.at(host);
  if (found.some(({ type }) => types?.includes(type) ?? true) || domain === undefined || !isKnown(zone)) return false;
  const [, ...parents] = within(host, domain).split('.');
  const above = parents.map((_part, index) => parents.slice(index).join('.'));
  // A wildcard answers for no name that is there.
  const isWild = ['*', ...above.map((name) => `*.${name}`)].some((name) => zone.at(name).length > 0);
  return !(isWild && found.length === 0) && !above.some((name) => zone.at(name).some(({ type }) => type === 'NS'));
}

const paramsByRecord = new WeakMap<Row, Params>();
const indexed = new WeakSet<readonly Row[]>();

/** The parameters of the list that a record was read in; none where it was viewed alone. */
export function paramsOfRecord(record: Row, view: CacheView): Params {
  const known = paramsByRecord.get(record);
  if (known) return known;
  for (const { params, rows } of view.lists('records')) {
    if (indexed.has(rows)) continue;
    indexed.add(rows);
    for (const row of rows) paramsByRecord.set(row, params);
  }
  return paramsByRecord.get(record) ?? {};
}

/** The address or hostname that a record points to. */
export const leadsTo = ({ type, target }: DomainRecord): readonly string[] =>
  ['A', 'AAAA', 'CNAME'].includes(type) ? [canonicalAddress(String(target)).replace(/\.$/, '')] : [];

/** Types whose target is a name: those that may lead to an alias, and the alias. */
export const directTypes: readonly string[] = ['MX', 'NS', 'SRV'];
export const nameTypes: readonly string[] = [...directTypes, 'CNAME'];
const addressTypes: readonly string[] = ['A', 'AAAA'];
const resolvedTypes: readonly string[] = [...addressTypes, 'CNAME'];
const leadingTypes: ReadonlySet<string> = new Set([...addressTypes, ...nameTypes]);

/** The full host name that a record leads to, and the zone of the account that it lies in. */
export function targetOf(record: DomainRecord, zone: DnsZone): { host: string; zone?: DnsZone } {
  const host = hostBehind(record, zone.domain);
  if (host === '' || !host.includes('.')) return { host };
  const found = zoneContaining(host, zone.view);
  // As it is to be, a zone differs from the one that is loaded.
  const isOwn = found ? found.params.domainId === zone.params.domainId : within(host, zone.domain) !== host;
  return { host, ...(isOwn ? { zone } : found && { zone: found }) };
}

/** The records that answer for a host name in its zone: those of the name, else those of the nearest wildcard above. */
function answersFor(host: string, zone: DnsZone): readonly DomainRecord[] {
  const name = within(host, zone.domain);
  const labels = name === '' ? [] : name.split('.');
  const wildcards = labels.map((_label, nth) => ['*', ...labels.slice(nth + 1)].join('.'));
  return [host, ...wildcards].map(zone.at).find((found) => found.length > 0) ?? [];
}

/** Where a record leads: addresses as they are compared, and names on the way to them. */
export interface Reached {
  places: readonly string[];
  /** A name on the way is in no zone of the account that is served, or its zone is not wholly loaded. */
  isOpen: boolean;
}

/** Where a record of a zone leads by the zones of the account; undefined where it is of no type that leads anywhere. */
export function reachedBy(record: DomainRecord, own: DnsZone): Reached | undefined {
  if (!record.target || !leadingTypes.has(record.type)) return undefined;
  if (addressTypes.includes(record.type)) return { places: [canonicalAddress(String(record.target))], isOpen: false };
  const places = new Set<string>();
  let isOpen = false;
  const follow = (one: DomainRecord, from: DnsZone): void => {
    if (addressTypes.includes(one.type)) return void places.add(canonicalAddress(String(one.target)));
    const { host, zone } = targetOf(one, from);
    if (host === '' || places.has(host)) return;
    places.add(host);
    isOpen ||= zone?.whole === false;
    if (zone) for (const next of answersFor(host, zone)) if (resolvedTypes.includes(next.type)) follow(next, zone);
  };
  follow(record, own);
  return { places: [...places], isOpen };
}

/**
 * One way in which a record can be wrong in its zone: forms, zone files, plans and problems read the same table, so that
 * all of them say the same sentence. Of a zone that is not known it finds nothing.
 */
export interface ZoneCheck {
  /** The name of its problem rule; lower-case words with dashes. */
  name: string;
  /** The source of the rule, as `RFC 2181 §10.3`, or that of each type. */
  rfc?: string | Readonly<Record<string, string>>;
  /** One sentence for several records, `{}` in the place of their number. */
  several: string;
  scope: {
    /** The types of records to which it applies; all by default. */
    types?: readonly string[];
    /** Those of which only a form says it: one that is there is no problem. */
    unseen?: readonly string[];
    /** `warning` by default. */
    severity?: Severity;
    /** The field of the form at which it is said; the target by default. */
    field?: string;
    /** A form and a plan are refused, as the DNS or the API cannot have it; else they only say it. */
    refuses?: boolean;
    /** It depends on the place to which the record leads, so the age of the record tells nothing. */
    isElsewhere?: true;
    /** Further resources that it looks at. */
    reads?: readonly string[];
  };
  /** The records that are wrong together, two at least, the one first at which the problem is shown. */
  set?: (record: DomainRecord, zone: DnsZone) => readonly DomainRecord[];
  find: (record: DomainRecord, zone: DnsZone, all: readonly DomainRecord[]) => string | undefined;
}

/** The host name of a record, in a sentence. */
export const hostOf = (record: DomainRecord, { domain }: DnsZone): string =>
  ownerOf(record, domain) || 'the domain itself';

/** The order in which records were made. */
export const byId = (one: DomainRecord, other: DomainRecord): number => one.id - other.id;

/** The records of the same name and type, in the order in which they were made. */
export const setOf = (record: DomainRecord, zone: DnsZone): readonly DomainRecord[] =>
  zone.under(keyOf.set(record, zone.domain)).toSorted(byId);

/** The sentence of a check about a record, with its source; it has no period. */
export function sentenceOf(
  { rfc, scope: { types }, set, find }: ZoneCheck,
  record: DomainRecord,
  zone: DnsZone,
): string | undefined {
  if (types && !types.includes(record.type)) return undefined;
  const all = set?.(record, zone) ?? [];
  const says = set && all.length < 2 ? undefined : find(record, zone, all);
  const source = typeof rfc === 'object' ? rfc[record.type] : rfc;
  return says && source ? `${says} (${source})` : says;
}
