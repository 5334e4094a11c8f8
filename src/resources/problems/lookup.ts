import { textIn } from '../../text/words.ts';
import { byAddress, canonicalAddress } from '../ipAddress.ts';
import { memoize } from '../memoize.ts';
import type { DomainRecord } from '../networking/recordRules.ts';
import type { CacheView, LoadedList, Params, Row } from '../resource.ts';
import { statusOf } from '../wording.ts';
import { findIn } from './rowIndex.ts';

/** The loaded server or NodeBalancer with an address or host name. */
export function addressOwner(address: string, view: CacheView): Row | undefined {
  const wanted = canonicalAddress(address);
  return view.find('servers', byAddress, wanted).at(-1) ?? view.find('nodebalancers', byAddress, wanted).at(-1);
}

/** The deleted one that had it. */
export function formerAddressOwner(address: string, view: CacheView): Row | undefined {
  const wanted = canonicalAddress(address);
  const among = (rows: readonly Row[]) => findIn(rows, byAddress, wanted).at(-1);
  return among(view.deleted('servers')) ?? among(view.deleted('nodebalancers'));
}

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
