import { clean } from '../../text/cells.ts';
import { columned, suffixOf, textOf } from '../../text/words.ts';
import type { Domain } from './domainActions.ts';
import { type DomainRecord, isRecordType, recordTypes } from './recordRules.ts';
import { type TimerName, timerDefaults } from './timers.ts';

/** A service or protocol without the underscore and period that the platform adds. */
export const bare = (part: unknown) => textOf(part).replace(/^_/, '').replace(/\.$/, '');

/** The name within its domain as a zone file has it: `@` for the domain itself, `_service._protocol` for a service. */
export function zoneName({ type, name, service, protocol }: DomainRecord): string {
  if (type === 'SRV' && service) return `_${bare(service)}._${bare(protocol) || 'tcp'}`;
  return textOf(name) || '@';
}

/** A name with each label as the DNS has it (RFC 5891); one that cannot be so stays as it is. */
export const asciiName = (name: string): string =>
  name
    .split('.')
    .map((label) => {
      // Behind another label, digits of any script are no address.
      const url = `http://${label}.x`;
      const isForeign = /^[\w\P{ASCII}-]*$/u.test(label) && /\P{ASCII}/u.test(label);
      const host = isForeign && URL.canParse(url) ? new URL(url).hostname : '';
      return /^[^.]+\.x$/.test(host) ? host.slice(0, -2) : label;
    })
    .join('.');

/** A name as names are compared: in lower case, as the DNS has it, without the period at its end. */
export const plainName = (name: string): string => asciiName(name).toLowerCase().replace(/\.$/, '');

const encoder = new TextEncoder();

/** A byte behind which a zone file has nothing but itself: those that it would take for something else are escaped. */
function byteText(byte: number, special: RegExp): string {
  const character = String.fromCharCode(byte);
  if (byte < 0x20 || byte > 0x7e) return `\\${String(byte).padStart(3, '0')}`;
  return special.test(character) ? `\\${character}` : character;
}

const escaped = (bytes: Uint8Array, special: RegExp) => [...bytes].map((byte) => byteText(byte, special)).join('');

/** A name with what a zone file would take for something else escaped; a space by its digits, as it would end it. */
function escapedName(named: unknown): string {
  const name = textOf(named);
  return name === '@' ? name : escaped(encoder.encode(asciiName(name)), /[^\w*/.-]/).replaceAll('\\ ', '\\032');
}

const quoted = (text: Uint8Array) => `"${escaped(text, /["\\]/)}"`;

/** A text in pieces of so many bytes as one may have (RFC 1035, 3.3). */
function pieces(text: string): string {
  const bytes = encoder.encode(text);
  const count = Math.ceil(bytes.length / 255) || 1;
  return Array.from({ length: count }, (_, nth) => quoted(bytes.subarray(nth * 255, nth * 255 + 255))).join(' ');
}

const withPeriod = (host: string) => (host.endsWith('.') || !host.includes('.') ? host : `${host}.`);

/** A target that is a name; that of nothing is the root. */
const hostText = (target: string): string => (target === '' ? '.' : escapedName(withPeriod(target)));

/** The text after the type in a line of a zone file. */
export function dataOf({ type, target: to, priority, weight, port, tag }: DomainRecord): string {
  const target = textOf(to);
  switch (type) {
    case 'MX':
      return `${priority ?? 0} ${hostText(target)}`;
    case 'SRV':
      return `${priority ?? 0} ${weight ?? 0} ${port ?? 0} ${hostText(target)}`;
    case 'CAA':
      // It is no text in pieces, however long (RFC 8659, 4.1.1).
      return `0 ${tag} ${quoted(encoder.encode(target))}`;
    case 'TXT':
      return pieces(target);
    case 'A':
    case 'AAAA':
      return target;
    default:
      return hostText(target);
  }
}

/** Whether a zone file can hold a record: one of a type that the documents do not have, or without what its type needs, it cannot. */
export const isHeld = ({ type, target, tag, ttl_sec, priority, weight, port }: DomainRecord): boolean =>
  isRecordType(type) &&
  [ttl_sec, priority, weight, port].every((number) => /^\d*$/.test(textOf(number))) &&
  // A word of printable ASCII that ends nowhere before its end.
  (!/^(?:A|AAAA|CAA)$/.test(type) || /^[!#-'*-:<-[\]-~]+$/.test(textOf(type === 'CAA' ? tag : target)));

/** Says of a record that no zone file can hold that it stays. */
const remarkOn = (record: DomainRecord): string =>
  clean(
    `; The${suffixOf(record.type)} record of ${zoneName(record)} stays as it is, as no zone file can hold it: ${textOf(record.target)}`,
    Number.POSITIVE_INFINITY,
  );

const partsOf = (record: DomainRecord): readonly string[] => [
  escapedName(zoneName(record)),
  record.ttl_sec ? String(record.ttl_sec) : '',
  'IN',
  record.type,
  dataOf(record),
];

/** A record as one line of a zone file; the TTL is left out where it is the domain's. */
export const zoneLine = (record: DomainRecord): string =>
  partsOf(record)
    .filter((part) => part !== '')
    .join(' ');

/** The order of records in a zone file: the domain itself first, then name by name, each by types. */
function byName(one: DomainRecord, other: DomainRecord): number {
  const [name, others] = [zoneName(one), zoneName(other)].map((name) => (name === '@' ? '' : name.toLowerCase()));
  const type = ({ type }: DomainRecord) => recordTypes.indexOf(type as 'A');
  if (name !== others) return (name ?? '') < (others ?? '') ? -1 : 1;
  return type(one) - type(other) || one.id - other.id;
}

/** The seconds that a timer of a domain really has. */
export const effectiveTimer = (domain: Domain, name: TimerName): number => Number(domain[name]) || timerDefaults[name];

/** A domain with its records as a zone file, which is the same for the same zone. */
export function zoneFileOf(domain: Domain, records: readonly DomainRecord[]): string {
  const email = /^(.*)@([^@]+)$/s.exec(domain.soa_email ?? '');
  const mailbox = email && `${escaped(encoder.encode(email[1]), /[^\w+-]/)}.${escapedName(withPeriod(email[2] ?? ''))}`;
  const timers = (['refresh_sec', 'retry_sec', 'expire_sec'] as const).map((name) => effectiveTimer(domain, name));
  const ordered = records.toSorted(byName);
  const rows = ordered.filter(isHeld).map(partsOf);
  const lines = [...columned(rows, [32, 7, 2, 5, 0]), ...ordered.filter((one) => !isHeld(one)).map(remarkOn)];
  // The words of the SOA record that the API keeps are not known: its server is the root, the others are 0.
  const soa = mailbox ? [`@ IN SOA . ${mailbox} 0 ${timers.join(' ')} 0 ; mailbox, 0, refresh, retry, expire, 0`] : [];
  return `${[`$ORIGIN ${escapedName(domain.domain)}.`, `$TTL ${effectiveTimer(domain, 'ttl_sec')}`, ...soa, ...lines].join('\n')}\n`;
}
