import ipaddr from 'ipaddr.js';
import type { Row, RowIndex } from './resource.ts';

/** Whether a text is an IPv4 address. */
export const isIpv4 = (text: string): boolean => ipaddr.IPv4.isValidFourPartDecimal(text);

/** Whether a text is an IPv6 address, without a prefix length and without a zone. */
export const isIpv6 = (text: string): boolean => text.includes(':') && !text.includes('%') && ipaddr.IPv6.isValid(text);

/** Whether a text is an IPv4 or IPv6 address with a prefix length. */
export function isCidr(text: string): boolean {
  const [address = '', prefix = '', ...rest] = text.split('/');
  if (rest.length > 0 || !/^\d{1,3}$/.test(prefix)) return false;
  return isIpv4(address) ? Number(prefix) <= 32 : isIpv6(address) && Number(prefix) <= 128;
}

/**
 * An address as all ways to write it are compared: IPv6 as RFC 5952 has it, everything in lower case, without a prefix
 * length. What is no address, e.g. a host name, only loses its upper case.
 */
export function canonicalAddress(text: string): string {
  const address = text.replace(/\/\d+$/, '');
  return isIpv6(address) ? ipaddr.IPv6.parse(address).toRFC5952String() : address.toLowerCase();
}

/** The addresses of a server or NodeBalancer, as they are compared, and its host name. */
export const addressesOf = ({ ipv4, ipv6, hostname }: Row): readonly string[] =>
  [ipv4, ipv6, hostname].flat().flatMap((address) => (typeof address === 'string' ? [canonicalAddress(address)] : []));

/** By addresses as they are compared. */
export const byAddress: RowIndex = { name: 'address', valuesOf: addressesOf };

/** The rule of a list of IPv4 and IPv6 addresses. */
export const addressPattern = {
  test: { test: (text: string) => isIpv4(text) || isIpv6(text) },
  says: 'IPv4 or IPv6 addresses',
};

/** An e-mail address: something, @ and a domain. */
export const emailPattern = {
  test: /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/,
  says: 'an email address, e.g. oncall@example.com',
  whole: true,
} as const;

/** Whether an IPv4 address is private: 10/8, 172.16/12 or 192.168/16. */
export const isPrivateAddress = (text: string): boolean =>
  maybePrivate.test(text) && isIpv4(text) && ipaddr.IPv4.parse(text).range() === 'private';

/** Tells most addresses apart at once: lists ask for each of thousands of rows. */
const maybePrivate = /^(?:10|172|192\.168)\./;

/** Whether a host, as an address bar has it, is this machine or only reached on its own link, where no cloud keeps files. */
export function isNearby(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '');
  if (/^(.*\.)?localhost\.?$/i.test(bare)) return true;
  return ipaddr.isValid(bare) && ['loopback', 'linkLocal', 'unspecified'].includes(ipaddr.process(bare).range());
}

/** A name server by its address. */
export interface NameServer {
  address: string;
  port: number;
}

/** A name server as it is written: `192.0.2.53`, `192.0.2.53:5353`, `[2001:db8::53]:53`; undefined for any other text. */
export function nameServerIn(text: string): NameServer | undefined {
  const [, inner, plain, digits = '53'] = /^(?:\[(.+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? [];
  const [address, port] = [inner ?? plain ?? text, Number(digits)];
  return (isIpv4(address) || isIpv6(address)) && port > 0 && port < 65_536 ? { address, port } : undefined;
}
