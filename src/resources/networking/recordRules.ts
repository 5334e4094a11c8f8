import { isIpv4, isIpv6 } from '../ipAddress.ts';
import type { Complaint, Dated, Draft, Row } from '../resource.ts';

/**
 * A domain name of at most 255 characters, each label at most 63 (document 3, 2.1): labels as RFC 1035 has them, and
 * those that names within a domain have besides, with _ or as * at the begin.
 */
export const domainPattern = {
  test: /^(?=.{1,255}$)(?:\*\.)?[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*$/i,
  says: 'labels of 1–63 letters, digits, _ and - with dots between, none beginning or ending with -; the first may be *',
};

/** Whether a text names a host: a domain name whose labels may also hold _, with or without the trailing period. */
export const isHostName = (text: string): boolean => domainPattern.test.test(text.replace(/\.$/, ''));

/** A DNS record (document 3, 2.2). */
export type DomainRecord = Dated & {
  id: number;
  type: string;
  name: string;
  target: string;
  ttl_sec: number;
  priority: number;
  weight: number;
  port: number;
  service: string | null;
  protocol: string | null;
  tag: string | null;
};

/** The types of records in the order of the documents. */
export const recordTypes = ['A', 'AAAA', 'NS', 'MX', 'CNAME', 'TXT', 'SRV', 'PTR', 'CAA'] as const;

type RecordType = (typeof recordTypes)[number];

export const isRecordType = (type: string): boolean => Object.hasOwn(rules, type);

interface TypeRule {
  /** Its use, in a few words. */
  purpose: string;
  /** Its fields beside its TTL, by default those that most have, and those of them that a new one requires. */
  fields?: readonly string[];
  needed?: readonly string[];
  /** The meaning of its name, by default that of a host, and of its target. */
  name?: string;
  target: string;
  /** Says why a target is wrong, as the end of a sentence. */
  wrong?: (entry: string) => string | undefined;
}

const usual = {
  fields: ['name', 'target'],
  needed: ['target'],
  name: 'The hostname; empty for the domain itself.',
  wrong: () => undefined,
};

const rules: Readonly<Record<RecordType, TypeRule>> = {
  A: {
    purpose: 'an IPv4 address',
    target: 'The IPv4 address. [remote_addr] stands for the address that this request comes from.',
    wrong: (entry) =>
      isIpv4(entry) || entry === '[remote_addr]' ? undefined : 'must be an IPv4 address, e.g. 192.0.2.10',
  },
  AAAA: {
    purpose: 'an IPv6 address',
    target: 'The IPv6 address.',
    wrong: (entry) => (isIpv6(entry) ? undefined : 'must be an IPv6 address, e.g. 2001:db8::10'),
  },
  NS: {
    purpose: 'a name server of a subdomain',
    name: 'The subdomain, if any.',
    target: 'The domain name of the name server.',
    wrong: wrongHost,
  },
  MX: {
    purpose: 'a mail server',
    fields: ['null_mx', 'name', 'target', 'priority'],
    name: 'The mail subdomain; empty for the domain itself.',
    target: 'The domain name of the mail server.',
    wrong: (entry) =>
      entry === '.'
        ? 'must be a domain name; where a domain accepts no mail, a new record has the switch Null MX'
        : wrongHost(entry),
  },
  CNAME: {
    purpose: 'an alias of another name',
    // No name is required: the check of the zone says why there is none without one.
    name: 'The hostname; no other record may have it.',
    target: 'The domain name that it is an alias of.',
    wrong: wrongHost,
  },
  TXT: { purpose: 'text, e.g. for SPF or to prove ownership', target: 'The text.', wrong: wrongQuotes },
  SRV: {
    purpose: 'where a service is offered',
    fields: ['service', 'protocol', 'target', 'priority', 'weight', 'port'],
    needed: ['service', 'target', 'priority', 'weight', 'port'],
    target: 'The domain that offers the service; a bare subdomain is combined with this domain.',
    wrong: (entry) => wrongHost(entry, /\.\d+$/),
  },
  PTR: {
    purpose: 'the name of an address',
    needed: [],
    name: 'See the reverse DNS guide of the platform.',
    target: 'See the reverse DNS guide of the platform.',
  },
  CAA: {
    purpose: 'who may issue certificates',
    fields: ['name', 'tag', 'target'],
    needed: ['tag', 'target'],
    name: 'The subdomain; empty for the whole domain.',
    target: 'For issue and issuewild the domain of the issuer; for iodef an http or mailto URL.',
    wrong: wrongQuotes,
  },
};

/** The use of each type. */
export const typeHelp = Object.fromEntries(Object.entries(rules).map(([type, { purpose }]) => [type, purpose]));

/** The type that a form is about: the record's, which never changes, else the one chosen. */
export const typeOf = (draft: Draft, record?: Row): unknown => record?.type ?? draft.type;

const ruleFor = (type: unknown): Required<TypeRule> | undefined =>
  rules[type as RecordType] && { ...usual, ...rules[type as RecordType] };

export const becomesNullMx = (draft: Draft) => draft.null_mx === true;

/** Whether records of the type in a form have this field; a Null MX has only the switch that makes it one. */
export function hasField(name: string, draft: Draft, record?: Row): boolean {
  const type = typeOf(draft, record);
  if (type === 'MX' && becomesNullMx(draft) && name !== 'null_mx') return false;
  return ruleFor(type)?.fields.includes(name) ?? false;
}

/** Whether a new record of the chosen type requires this field. */
export const needsField = (name: string, draft: Draft): boolean =>
  ruleFor(draft.type)?.needed.includes(name) === true && !becomesNullMx(draft);

/** The meaning of the name or target in records of the type in a form. */
export const meaningOf = (name: 'name' | 'target', draft: Draft, record?: Row): string | undefined =>
  ruleFor(typeOf(draft, record))?.[name];

/** Says why a name is wrong, as the end of a sentence; undefined when it may be sent. */
export const wrongName = (entry: string): string | undefined =>
  /^(?:\*|[\w/-]{1,63})(?:\.[\w/-]{1,63})*\.?$/.test(entry)
    ? undefined
    : 'must be letters, digits, - and _ with dots between, e.g. www or *.dev; leave it empty for the domain itself';

/** Says why a target is wrong, as the end of a sentence; undefined when it may be sent. */
export const wrongTarget = (entry: string, draft: Draft, record?: Row): string | undefined =>
  ruleFor(typeOf(draft, record))?.wrong(entry);

/** No top level is a number: it is an address with a slip, or a priority in the wrong field. */
function wrongHost(entry: string, isNumber = /(?:^|\.)\d+$/): string | undefined {
  const address = entry.replace(/\.$/, '');
  // The check of the zone says what is to be done with an address.
  if (isIpv4(address) || isIpv6(address)) return undefined;
  if (entry === '@') return 'must be a domain name: that of the domain itself in place of @';
  return isHostName(entry) && !isNumber.test(address) ? undefined : 'must be a domain name, e.g. mail.example.com';
}

/** A text as a zone file has it: in quotes, with more of them where it is long. The API adds them by itself. */
const quotedParts = /^"(?:[^"\\]|\\.)*"(?:\s*"(?:[^"\\]|\\.)*")*$/;

/** Complains about the quotes of a zone file around a text, which would become part of it. */
function wrongQuotes(entry: string): string | undefined {
  if (!quotedParts.test(entry)) return undefined;
  return /"\s*"./.test(entry)
    ? 'must be one text without the quotes of a zone file; take them away and join what is between them'
    : 'must be without the quotes of a zone file around it';
}

/** Complains about a field that records of the type need and that is taken away from one. */
export function emptiedComplaint(draft: Draft, record: Row | undefined): Complaint | undefined {
  const { type } = record ?? {};
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
