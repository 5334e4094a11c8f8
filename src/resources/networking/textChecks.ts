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
const isEnd = (term: string) => /^[-+?~]?all$/.test(term) || term.startsWith('redirect=');

/** A mechanism with what it takes, or a modifier, of which those that are not known are passed over (RFC 7208, 4.6.1). */
const isTerm = (term: string) =>
  /^[-+?~]?(?:all|(?:a|mx)(?::[^/]+)?(?:\/\d+)?(?:\/\/\d+)?|ptr(?::.+)?|(?:include|exists|ip4|ip6):.+)$|^[a-z][\w.-]*=/.test(
    term,
  );

/** Counts the lookups of the terms, with those of other SPF records that are kept in the account. */
function lookupsOf(terms: readonly string[], zone: DnsZone, seen: readonly string[]): number {
  return terms.filter(isLookup).reduce((sum, term) => {
    const host = normalizedHost(/^(?:[-+?~]?include:|redirect=)(.+)$/.exec(term)?.[1]);
    return sum + 1 + (host === '' || seen.includes(host) ? 0 : lookupsBehind(host, zone, [...seen, host]));
  }, 0);
}

function lookupsBehind(host: string, zone: DnsZone, seen: readonly string[]): number {
  const found = zoneContaining(host, zone.view);
  const of = found?.params.domainId === zone.params.domainId ? zone : found;
  const terms = of?.at(host).map(termsOf).find(Boolean);
  return terms && seen.length <= maxLookups ? lookupsOf(terms, zone, seen) : 0;
}

const text = { types: ['TXT'] } as const;

/** Finds something in SPF records; nothing in others. */
const ofSpf =
  (find: (terms: readonly string[], host: string, zone: DnsZone) => string | undefined): ZoneCheck['find'] =>
  (record, zone) => {
    const terms = termsOf(record);
    return terms && find(terms, hostOf(record, zone), zone);
  };

/** The check that a name has one text of a kind at most. */
const onlyOne = (kind: string, rfc: string, is: (record: DomainRecord) => boolean, loss: string): ZoneCheck => ({
  ...text,
  name: `${kind.toLowerCase()}-several`,
  rfc,
  several: `{} names have several ${kind} records; with more than one, ${loss}`,
  refuses: true,
  set: (record, zone) => (is(record) ? setOf(record, zone).filter(is) : []),
  find: (record, zone, { length }) =>
    `${hostOf(record, zone)} has ${length} ${kind} records; with more than one, ${loss}, so make them one`,
});

/** The tags of a DMARC or DKIM record in their order (RFC 6376, 3.2), or the part that is none. */
function tagsOf(text: string): ReadonlyMap<string, string> | string {
  const parts = text.split(';').map((part) => part.trim());
  const odd = parts.find((part) => part !== '' && !/^[a-z]\w*\s*=/i.test(part));
  if (odd !== undefined) return odd;
  return new Map(
    parts
      .filter(Boolean)
      .map((part) => [part.slice(0, part.indexOf('=')).trim(), part.slice(part.indexOf('=') + 1).trim()]),
  );
}

const labelsOf = (record: DomainRecord, { domain }: DnsZone) => ownerOf(record, domain).split('.');
const isDmarc = (record: DomainRecord) => /^v\s*=\s*DMARC1\s*(?:;|$)/.test(textOf(record) ?? '');

/** Why a text at `_dmarc` is no policy, as the end of a sentence (RFC 7489, 6.3). */
function wrongPolicy(text: string): string | undefined {
  if (!/^v\s*=\s*DMARC1\s*(?:;|$)/.test(text)) return /dmarc/i.test(text) ? 'must begin with v=DMARC1;' : undefined;
  const tags = tagsOf(text);
  if (typeof tags === 'string') return `has "${tags}" where a tag belongs, as p=none`;
  const policy = tags.get('p');
  if (policy === undefined) return 'has no policy; p=none, p=quarantine or p=reject comes after v=DMARC1;';
  return /^(?:none|quarantine|reject)$/i.test(policy)
    ? undefined
    : `has the policy p=${policy}; there are none, quarantine and reject`;
}

/** Why a text below `_domainkey` is no key, as the end of a sentence (RFC 6376, 3.6.1). */
function wrongKey(text: string): string | undefined {
  if (!/(?:^|;)\s*(?:p|v)\s*=|dkim/i.test(text)) return undefined;
  const tags = tagsOf(text);
  if (typeof tags === 'string') return `has "${tags.slice(0, 40)}" where a tag belongs, as p=`;
  const [[first] = ['']] = tags;
  const version = tags.get('v');
  if (version !== undefined && (version !== 'DKIM1' || first !== 'v')) return 'must begin with v=DKIM1;';
  const key = tags.get('p');
  if (key === undefined) return 'has no key, which comes after p=';
  return /^[a-z\d+/\s]*={0,2}$/i.test(key)
    ? undefined
    : 'has a key with characters that are no base64; paste it again, without quotes';
}

const tags = ['issue', 'issuewild', 'iodef'];

/** Why certificate authorities do not understand a value, as the end of a sentence (RFC 8659, 4.2 and 4.4). */
function wrongIssuer({ tag, target }: DomainRecord): string | undefined {
  const value = textIn(target) ?? '';
  if (tag === 'iodef')
    return /^(?:https?:\/\/|mailto:)\S+$/.test(value)
      ? undefined
      : `has "${value}" for reports; an http or mailto URL goes there`;
  const [issuer = ''] = value.split(';').map((part) => part.trim());
  return issuer === '' || (isHostName(issuer) && !issuer.endsWith('.'))
    ? undefined
    : `names "${issuer}", which is no domain without a period at its end, so nobody may issue certificates; enter that of the authority`;
}

/** Checks of TXT and CAA records by what they say. */
export const textChecks: readonly ZoneCheck[] = [
  onlyOne('SPF', 'RFC 7208 §4.5', isSpf, 'receivers ignore them all'),
  {
    ...text,
    name: 'spf-too-many-lookups',
    rfc: 'RFC 7208 §4.6.4',
    several: '{} SPF records need more DNS lookups than receivers allow',
    isElsewhere: true,
    find: ofSpf((terms, host, zone) => {
      const lookups = lookupsOf(terms, zone, [host]);
      return lookups > maxLookups
        ? `The SPF record of ${host} needs at least ${lookups} DNS lookups; receivers reject it above ${maxLookups}`
        : undefined;
    }),
  },
  {
    ...text,
    name: 'spf-unknown-term',
    rfc: 'RFC 7208 §4.6.1',
    several: '{} SPF records have terms that do not exist, so receivers take them for broken',
    find: ofSpf((terms, host) => {
      const odd = terms.find((term) => !isTerm(term));
      return odd && `The SPF record of ${host} has "${odd}", which is no term, so receivers take all of it for broken`;
    }),
  },
  {
    ...text,
    name: 'spf-allows-everybody',
    rfc: 'RFC 7208 §5.1',
    several: '{} SPF records end with +all, which lets anybody send mail in their names',
    find: ofSpf((terms, host) =>
      terms.includes('all') || terms.includes('+all')
        ? `The SPF record of ${host} ends with +all, which lets anybody send mail in its name`
        : undefined,
    ),
  },
  {
    ...text,
    name: 'spf-without-end',
    rfc: 'RFC 7208 §4.7',
    several: '{} SPF records have neither all nor redirect, so they say nothing about other senders',
    severity: 'notice',
    find: ofSpf((terms, host) =>
      terms.some(isEnd)
        ? undefined
        : `The SPF record of ${host} has neither all nor redirect, so it says nothing about other senders`,
    ),
  },
  onlyOne('DMARC', 'RFC 7489 §6.6.3', isDmarc, 'receivers apply none'),
  {
    ...text,
    name: 'dmarc-malformed',
    rfc: 'RFC 7489 §6.3',
    several: '{} DMARC records are not as receivers read them',
    find: (record, zone) => {
      const wrong = labelsOf(record, zone)[0] === '_dmarc' ? wrongPolicy(textOf(record) ?? '') : undefined;
      return wrong && `The DMARC record of ${hostOf(record, zone)} ${wrong}`;
    },
  },
  {
    ...text,
    name: 'dkim-malformed',
    rfc: 'RFC 6376 §3.6.1',
    several: '{} DKIM records are not as receivers read them',
    find: (record, zone) => {
      const [selector = '', next] = labelsOf(record, zone);
      const wrong = next === '_domainkey' && !selector.startsWith('_') ? wrongKey(textOf(record) ?? '') : undefined;
      return wrong && `The DKIM record of ${hostOf(record, zone)} ${wrong}`;
    },
  },
  {
    name: 'record-unknown-tag',
    rfc: 'RFC 8659 §4.1',
    several: '{} CAA records have a tag that certificate authorities do not know',
    severity: 'notice',
    types: ['CAA'],
    field: 'tag',
    find: (record, zone) =>
      typeof record.tag === 'string' && record.tag !== '' && !tags.includes(record.tag)
        ? `The CAA record of ${hostOf(record, zone)} has the tag ${record.tag}; certificate authorities know only issue, issuewild and iodef`
        : undefined,
  },
  {
    name: 'caa-malformed',
    refuses: true,
    rfc: 'RFC 8659 §4',
    several: '{} CAA records have values that certificate authorities do not understand',
    types: ['CAA'],
    find: (record, zone) => {
      const isMeant = tags.includes(String(record.tag)) && typeof record.target === 'string';
      const wrong = isMeant ? wrongIssuer(record) : undefined;
      return wrong && `The CAA record of ${hostOf(record, zone)} ${wrong}`;
    },
  },
];
