import { textIn } from '../../text/words.ts';
import { canonicalAddress } from '../ipAddress.ts';
import { memoize } from '../memoize.ts';
import type { CacheView, LoadedList, Params, Row } from '../resource.ts';
import { statusOf } from '../wording.ts';
import type { DomainRecord } from './recordRules.ts';

/** A domain with its records, as far as they are loaded. */
export interface DnsZone {
  /** Its row; undefined where that is not loaded. */
  row?: Row;
  /** Its name in lower case. */
  domain?: string;
  /** All its records are loaded. */
  whole: boolean;
  /** Its records of a host name or a name within it; the domain itself is ''. */
  at(name: string): readonly DomainRecord[];
}

/** A host name in lower case and without the period at its end. */
export const normalizedHost = (value: unknown): string => (textIn(value) ?? '').toLowerCase().replace(/\.$/, '');

const byName = memoize((rows) =>
  Map.groupBy(rows as readonly DomainRecord[], ({ name }) => (name === '@' ? '' : normalizedHost(name))),
);

const byDomainId = memoize(
  (lists: readonly LoadedList[]) => new Map(lists.map((list) => [list.params.domainId, list])),
);

const byDomain = memoize((rows) => new Map(rows.map((row) => [normalizedHost(row.domain), row])));

/** The zone in which the records of these parameters lie. */
export function zoneOf({ domainId = '' }: Params, view: CacheView): DnsZone {
  const row = view.row('domains', domainId);
  const domain = normalizedHost(row?.domain) || undefined;
  const list = byDomainId(view.lists('records')).get(domainId);
  const names = byName(list?.rows ?? []);
  return {
    row,
    domain,
    whole: list?.whole === true,
    at: (name) => {
      const inside = within(name, domain);
      const full = domain && (inside === '' ? domain : `${inside}.${domain}`);
      return [...(names.get(inside) ?? []), ...((full && names.get(full)) || [])];
    },
  };
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

/** Whether a host name certainly does not resolve: its zone is served here and wholly loaded, without a record of the name, a wildcard, or a delegation to other name servers. */
export function hasNoRecord(host: string, zone: DnsZone): boolean {
  const { row, domain, whole } = zone;
  if (!whole || domain === undefined || row?.type !== 'master' || statusOf(row) !== 'active') return false;
  const [, ...parents] = within(host, domain).split('.');
  const above = parents.map((_part, index) => parents.slice(index).join('.'));
  const leads = (name: string) => zone.at(`*.${name}`).length > 0 || zone.at(name).some(({ type }) => type === 'NS');
  return zone.at(host).length === 0 && zone.at('*').length === 0 && !above.some(leads);
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

/** Types whose target is a name: those that may lead to an alias, and the alias. */
export const directTypes: readonly string[] = ['MX', 'NS', 'SRV'];
export const nameTypes: readonly string[] = [...directTypes, 'CNAME'];
const addressTypes: readonly string[] = ['A', 'AAAA'];
const resolvedTypes: readonly string[] = [...addressTypes, 'CNAME'];
const leadingTypes: ReadonlySet<string> = new Set([...addressTypes, ...nameTypes]);

/** The full host name that a record leads to, and the zone of the account that it lies in; a bare name lies in its own. */
export function targetOf(record: DomainRecord, view: CacheView, params: Params): { host: string; zone?: DnsZone } {
  const host = normalizedHost(record.target);
  if (host.includes('.') || host === '') return { host, zone: host === '' ? undefined : zoneContaining(host, view) };
  const zone = zoneOf(params, view);
  return zone.domain ? { host: `${host}.${zone.domain}`, zone } : { host };
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

/** Where a record leads by the zones of the account; undefined where it is of no type that leads anywhere. */
export function reachedBy(record: DomainRecord, view: CacheView): Reached | undefined {
  if (!record.target || !leadingTypes.has(record.type)) return undefined;
  if (addressTypes.includes(record.type)) return { places: [canonicalAddress(String(record.target))], isOpen: false };
  const places = new Set<string>();
  let isOpen = false;
  const follow = (one: DomainRecord, params: Params): void => {
    if (addressTypes.includes(one.type)) return void places.add(canonicalAddress(String(one.target)));
    const { host, zone } = targetOf(one, view, params);
    if (host === '' || places.has(host)) return;
    places.add(host);
    isOpen ||= zone?.whole === false;
    for (const next of zone ? answersFor(host, zone) : [])
      if (resolvedTypes.includes(next.type)) follow(next, { domainId: String(zone?.row?.id) });
  };
  follow(record, paramsOfRecord(record, view));
  return { places: [...places], isOpen };
}
