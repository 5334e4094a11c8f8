import { canonicalAddress } from '../ipAddress.ts';
import type { CacheView, Complaint, Draft, Params, Row } from '../resource.ts';
import { becomesNullMx, ruleFor, typeOf } from './recordRules.ts';
import { bare, plainName } from './zoneLine.ts';

/** The record that a form makes or edits, within its domain. */
interface Zone {
  /** The name of the domain in lower case; undefined where it is not loaded. */
  domain?: string;
  /** The records of the domain but for the one that is edited, as far as they are loaded. */
  others: readonly Row[];
  /** The record as it is, where one is edited. */
  record?: Row;
}

/** A host name as names are compared. */
const lower = (value: unknown): string => plainName(String(value ?? ''));

/**
 * Complains about conflicts of a record with its domain and the other records of that, as far as these are loaded
 * (document 3, 2.2; RFC 1034, 3.6.2; RFC 2181, 10.3; RFC 7208, 3.2; RFC 7505).
 */
export function recordComplaint(
  draft: Draft,
  view: CacheView,
  record: Row | undefined,
  { domainId = '' }: Params,
): Complaint | undefined {
  const type = String(typeOf(draft, record));
  const zone: Zone = {
    domain: lower(view.row('domains', domainId)?.domain) || undefined,
    others: view.rows('records', { domainId }).filter(({ id }) => id !== record?.id),
    record,
  };
  return (
    emptiedComplaint(type, draft, record) ??
    fullNameComplaint(draft, zone) ??
    (type === 'MX' ? mailComplaint(draft, zone) : undefined) ??
    aliasComplaint(type, draft, zone) ??
    targetComplaint(type, draft, zone) ??
    spfComplaint(type, draft, zone) ??
    twinComplaint(type, draft, zone)
  );
}

/** Tells that the other records of a domain could not be looked at; undefined where all were. */
export const uncheckedNote = (view: CacheView, { domainId = '' }: Params): string | undefined =>
  view.isRead('records', { domainId })
    ? undefined
    : 'Not all records of the domain could be read, so this one is not checked against the others.';

/** Complains about a field that records of the type need and that is taken away from one. */
function emptiedComplaint(type: string, draft: Draft, record: Row | undefined): Complaint | undefined {
  const missing = record && ruleFor(type)?.needed.find((field) => draft[field] === '');
  if (!missing) return undefined;
  if (type !== 'MX') return { field: missing, says: `records of type ${type} require it` };
  if (record.target === '') return nullMxComplaint(draft);
  return {
    field: missing,
    says: 'without it this would be a Null MX, and the domain would accept no mail; if that is meant, delete the MX records and make a new one with the switch Null MX',
  };
}

/** A Null MX has no name and the priority 0 (document 3, 2.2). */
function nullMxComplaint(draft: Draft): Complaint | undefined {
  if (draft.name) return { field: 'name', says: 'a Null MX has none' };
  return Number(draft.priority || 0) === 0 ? undefined : { field: 'priority', says: 'it must be 0 for a Null MX' };
}

/** A name without the domain at its end, '' for the domain itself; undefined where it does not end with it. */
function withinDomain(name: string, domain: string | undefined): string | undefined {
  if (domain === undefined) return undefined;
  if (name === domain) return '';
  return name.endsWith(`.${domain}`) ? name.slice(0, -domain.length - 1) : undefined;
}

/** Complains about a name that ends with the domain, which may be added to it again, or with a period, as full names do. */
function fullNameComplaint({ name }: Draft, { domain = 'the domain' }: Zone): Complaint | undefined {
  const own = lower(name);
  const within = withinDomain(own, domain);
  const way = within === '' ? `leave it empty for ${domain} itself` : `enter ${within ?? own}`;
  if (within !== undefined) return { field: 'name', says: `${domain} may be added to it once more; ${way}` };
  return String(name ?? '').endsWith('.')
    ? { field: 'name', says: `a period at its end makes it a name outside of ${domain}; ${way}` }
    : undefined;
}

/** The name of a record within its domain, as names are compared: '' is the domain itself. */
function nameIn({ name, service, protocol, type }: Draft | Row, domain: string | undefined): string {
  if (type === 'SRV' && service) return `_${bare(service)}._${bare(protocol) || 'tcp'}`.toLowerCase();
  const own = name === '@' ? '' : lower(name);
  return withinDomain(own, domain) ?? own;
}

function mailComplaint(draft: Draft, { others, record }: Zone): Complaint | undefined {
  const mail = others.filter(({ type }) => type === 'MX');
  if (becomesNullMx(draft) && mail.length > 0) {
    return { field: 'null_mx', says: `the domain has other MX records (${mail.length}); delete them first` };
  }
  if (!record && !becomesNullMx(draft) && mail.some(({ target }) => target === '')) {
    return { field: 'type', says: 'the domain has a Null MX, which forbids other MX records; delete it first' };
  }
  return undefined;
}

/** A CNAME is the only record of its name, whichever of them is made first. */
function aliasComplaint(type: string, draft: Draft, { domain, others }: Zone): Complaint | undefined {
  const name = nameIn({ ...draft, type }, domain);
  const beside = others.filter((other) => nameIn(other, domain) === name);
  const field = type === 'SRV' ? 'service' : 'name';
  const [taken] = type === 'CNAME' ? beside : beside.filter((other) => other.type === 'CNAME');
  if (!taken) return undefined;
  const says =
    type === 'CNAME'
      ? `a record of type ${taken.type} already has this name; a CNAME must be the only record of its name`
      : `a CNAME, which leads to ${taken.target}, has this name, and must be the only record of it; delete it first`;
  return { field, says };
}

/** Types whose target must have addresses of its own. */
const directs: readonly unknown[] = ['MX', 'NS', 'SRV'];

/** Complains where an MX, NS or SRV would lead to an alias, whichever of them is made first, and an alias to itself. */
function targetComplaint(type: string, draft: Draft, { domain, others }: Zone): Complaint | undefined {
  if (domain === undefined) return undefined;
  const full = (target: unknown) => {
    const host = lower(target);
    return host === '' || host.includes('.') ? host : `${host}.${domain}`;
  };
  const hostOf = (record: Row | Draft) => [nameIn(record, domain), domain].filter(Boolean).join('.');
  const host = full(draft.target);
  if (directs.includes(type)) {
    const isAlias = others.some((other) => other.type === 'CNAME' && hostOf(other) === host);
    if (isAlias)
      return {
        field: 'target',
        says: `${host} is a CNAME; records of type ${type} must lead to a name with addresses`,
      };
  }
  if (type !== 'CNAME') return undefined;
  const own = hostOf({ ...draft, type });
  if (host === own) return { field: 'target', says: 'a CNAME cannot lead to itself' };
  const behind = others.find((other) => directs.includes(other.type) && full(other.target) === own);
  return (
    behind && {
      field: 'name',
      says: `the ${behind.type} record of ${hostOf(behind)} leads to it, and must lead to a name with addresses, not to a CNAME`,
    }
  );
}

/** Whether a TXT record says who may send mail in the name of the domain. */
export const isSpf = ({ type, target }: Draft | Row): boolean =>
  type === 'TXT' && typeof target === 'string' && /^\s*"?v=spf1(?:[\s"]|$)/i.test(target);

/** A name has one SPF record at most. */
function spfComplaint(type: string, draft: Draft, { domain, others }: Zone): Complaint | undefined {
  if (!isSpf({ ...draft, type })) return undefined;
  const name = nameIn({ ...draft, type }, domain);
  const other = others.find((other) => isSpf(other) && nameIn(other, domain) === name);
  return (
    other && {
      field: 'target',
      says: 'the name has an SPF record already, and with two of them receivers ignore both; edit that one',
    }
  );
}

/** The values that identify a record, as a text; the TTL does not count. */
function identityOf(type: string, values: Draft | Row): string {
  const parts = (ruleFor(type)?.fields ?? []).map((field) => {
    const text = String(values[field] ?? '');
    if (field === 'target' && (type === 'TXT' || type === 'CAA')) return text;
    if (field === 'target' && type === 'AAAA') return canonicalAddress(text);
    if (field === 'service' || field === 'protocol') return bare(text).toLowerCase();
    return field === 'priority' && text === '' ? '0' : lower(text);
  });
  return JSON.stringify(parts);
}

/** Complains about a duplicate that differs in the TTL at most; an existing duplicate may stay one. */
function twinComplaint(type: string, draft: Draft, { others, record }: Zone): Complaint | undefined {
  const identity = identityOf(type, { ...draft, null_mx: undefined });
  if (becomesNullMx(draft) || (record && identityOf(type, record) === identity)) return undefined;
  const isTwin = others.some((other) => other.type === type && identityOf(type, other) === identity);
  return isTwin ? { field: 'target', says: 'the domain already has this record' } : undefined;
}
