import { textIn } from '../../text/words.ts';
import { type DnsZone, hostOf, normalizedHost, ownerOf, setOf, type ZoneCheck, zoneContaining } from './dnsZones.ts';
import { type DomainRecord, isHostName } from './recordRules.ts';

/** The text of a TXT record, its pieces joined and without the quotes around them; undefined where it has none. */
const textOf = ({ type, target }: DomainRecord) =>
  type === 'TXT' ? textIn(target)?.replace(/^"|"$/g, '').replace(/"\s+"/g, '') : undefined;

/** Whether a TXT record says who may send mail in the name of the domain. */
export const isSpf = (record: DomainRecord): boolean => /^\s*v=spf1(?:[\s"]|$)/i.test(textOf(record) ?? '');

/** The terms of an SPF record in lower case; undefined where a record is none. */
const termsOf = (record: DomainRecord): readonly string[] | undefined =>
  isSpf(record) ? textOf(record)?.trim().toLowerCase().split(/\s+/).slice(1) : undefined;

/** An SPF record may need so many lookups in all (RFC 7208, 4.6.4). */
const maxLookups = 10;

const isLookup = (term: string) => /^[-+?~]?(?:include:|exists:|(?:a|mx|ptr)(?:[:/]|$))|^redirect=/.test(term);
/** Whether a term ends an SPF record. */
export const isEnd = (term: string) => /^[-+?~]?all$/.test(term) || term.startsWith('redirect=');

/** A mechanism with what it takes, or a modifier, of which those that are not known are passed over (RFC 7208, 4.6.1). */
const isTerm = (term: string) =>
  /^[-+?~]?(?:all|(?:a|mx)(?::[^/]+)?(?:\/\d+)?(?:\/\/\d+)?|ptr(?::.+)?|(?:include|exists|ip4|ip6):.+)$|^[a-z][\w.-]*=/.test(
    term,
  );

/** Lookups are counted to no more: records that include each other in every order have millions. */
const maxCounted = 100;

/** Counts the lookups of the terms, with those of other SPF records that are kept in the account. */
const lookupsOf = (terms: readonly string[], zone: DnsZone, seen: readonly string[], most = maxCounted): number =>
  terms.filter(isLookup).reduce((sum, term) => {
    if (sum >= most) return sum;
    const host = normalizedHost(/^(?:[-+?~]?include:|redirect=)(.+)$/.exec(term)?.[1]);
    const isKnown = host === '' || seen.includes(host);
    return sum + 1 + (isKnown ? 0 : lookupsBehind(host, zone, [...seen, host], most - sum - 1));
  }, 0);

function lookupsBehind(host: string, zone: DnsZone, seen: readonly string[], most: number): number {
  const found = zoneContaining(host, zone.view);
  const of = found?.params.domainId === zone.params.domainId ? zone : found;
  const terms = of?.at(host).map(termsOf).find(Boolean);
  return terms && seen.length <= maxLookups ? lookupsOf(terms, zone, seen, most) : 0;
}

const scope = { types: ['TXT'] };

/** Finds something in SPF records; nothing in others. */
const ofSpf =
  (find: (terms: readonly string[], host: string, zone: DnsZone) => string | undefined): ZoneCheck['find'] =>
  (record, zone) => {
    const terms = termsOf(record);
    return terms && find(terms, hostOf(record, zone), zone);
  };

/** The check that a name has one text of a kind at most. */
const onlyOne = (kind: string, rfc: string, is: (record: DomainRecord) => boolean, loss: string): ZoneCheck => ({
  name: `${kind.toLowerCase()}-several`,
  rfc,
  several: `{} names have several ${kind} records; with more than one, ${loss}`,
  scope: { ...scope, refuses: true },
  set: (record, zone) => (is(record) ? setOf(record, zone).filter(is) : []),
  find: (record, zone, { length }) =>
    `${hostOf(record, zone)} has ${length} ${kind} records; with more than one, ${loss}, so make them one`,
});

/** Whether a TXT record is a DMARC policy. */
export const isDmarc = (record: DomainRecord): boolean => /^v\s*=\s*DMARC1\s*(?:;|$)/.test(textOf(record) ?? '');

/** A policy as receivers read it (RFC 7489, 6.3), and a key (RFC 6376, 3.6.1). */
const policy = /^v\s*=\s*DMARC1\s*;(?:[^;]*;)*?\s*p\s*=\s*(?:none|quarantine|reject)\s*(?:;|$)/i;
const key = /^(?:v\s*=\s*DKIM1\s*;)?(?:(?!\s*v\s*=)[^;]*;)*?\s*p\s*=[a-zA-Z\d+/\s]*(?:={1,2}\s*)?(?:;|$)/;

/** The check of a text at names that only such texts have; others, as they prove an ownership, are passed over. */
const shaped = (
  kind: string,
  rfc: string,
  isAt: (first: string, second: string | undefined) => boolean,
  fits: (text: string) => boolean,
  way: string,
): ZoneCheck => ({
  name: `${kind.toLowerCase()}-malformed`,
  rfc,
  several: `{} ${kind} records are not as receivers read them`,
  scope,
  find: (record, zone) => {
    const [first = '', second] = ownerOf(record, zone.domain).split('.');
    const text = textOf(record);
    return text !== undefined && isAt(first, second) && !fits(text)
      ? `The ${kind} record of ${hostOf(record, zone)} is not as receivers read it: ${way}`
      : undefined;
  },
});

/** Whether certificate authorities understand a value (RFC 8659, 4.2 and 4.4). */
function isIssuer({ tag, target }: DomainRecord): boolean {
  const value = textIn(target) ?? '';
  if (tag === 'iodef') return /^(?:https?:\/\/|mailto:)\S+$/.test(value);
  const [issuer = ''] = value.split(';').map((part) => part.trim());
  return issuer === '' || (isHostName(issuer) && !issuer.endsWith('.'));
}

/** Checks of TXT and CAA records by what they say. */
export const textChecks: readonly ZoneCheck[] = [
  onlyOne('SPF', 'RFC 7208 §4.5', isSpf, 'receivers ignore them all'),
  {
    name: 'spf-too-many-lookups',
    rfc: 'RFC 7208 §4.6.4',
    several: '{} SPF records need more DNS lookups than receivers allow',
    scope: { ...scope, isElsewhere: true },
    find: ofSpf((terms, host, zone) => {
      const lookups = lookupsOf(terms, zone, [host]);
      return lookups > maxLookups
        ? `The SPF record of ${host} needs at least ${lookups} DNS lookups; receivers reject it above ${maxLookups}`
        : undefined;
    }),
  },
  {
    name: 'spf-unknown-term',
    rfc: 'RFC 7208 §4.6.1',
    several: '{} SPF records have terms that do not exist, so receivers take them for broken',
    scope,
    find: ofSpf((terms, host) => {
      const odd = terms.find((term) => !isTerm(term));
      return odd && `The SPF record of ${host} has "${odd}", which is no term, so receivers take all of it for broken`;
    }),
  },
  {
    name: 'spf-allows-everybody',
    rfc: 'RFC 7208 §5.1',
    several: '{} SPF records end with +all, which lets anybody send mail in their names',
    scope,
    find: ofSpf((terms, host) =>
      terms.some((term) => /^\+?all$/.test(term))
        ? `The SPF record of ${host} ends with +all, which lets anybody send mail in its name`
        : undefined,
    ),
  },
  {
    name: 'spf-without-end',
    rfc: 'RFC 7208 §4.7',
    several: '{} SPF records have neither all nor redirect, so they say nothing about other senders',
    scope: { ...scope, severity: 'notice' },
    find: ofSpf((terms, host) =>
      terms.some(isEnd)
        ? undefined
        : `The SPF record of ${host} has neither all nor redirect, so it says nothing about other senders`,
    ),
  },
  onlyOne('DMARC', 'RFC 7489 §6.6.3', isDmarc, 'receivers apply none'),
  shaped(
    'DMARC',
    'RFC 7489 §6.3',
    (first) => first === '_dmarc',
    (text) => !/dmarc/i.test(text) || (/^v\s*=\s*DMARC1/.test(text) && policy.test(text)),
    'v=DMARC1; comes first, then p=none, p=quarantine or p=reject',
  ),
  shaped(
    'DKIM',
    'RFC 6376 §3.6.1',
    (first, second) => second === '_domainkey' && !first.startsWith('_'),
    (text) => !/(?:^|;)\s*[pv]\s*=|dkim/i.test(text) || key.test(text),
    'v=DKIM1; comes first, and the key in base64 behind p=',
  ),
  {
    name: 'caa-malformed',
    rfc: 'RFC 8659 §4',
    several: '{} CAA records are not as certificate authorities read them',
    scope: { types: ['CAA'], refuses: true },
    find: (record, zone) => {
      const isMeant = ['issue', 'issuewild', 'iodef'].includes(String(record.tag)) && typeof record.target === 'string';
      return isMeant && !isIssuer(record)
        ? `The CAA record of ${hostOf(record, zone)} has ${record.tag} "${record.target}"; issue and issuewild take a domain without a period at its end, iodef an http or mailto URL`
        : undefined;
    },
  },
];
