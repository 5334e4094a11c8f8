import { canonicalAddress, isIpv6 } from '../../resources/ipAddress.ts';
import type { Row } from '../../resources/resource.ts';

/** Fields with the addresses, host names and targets of rows. */
const fields = ['ipv4', 'ipv6', 'address', 'hostname', 'target'];

/** The addresses of a row as they are searched, each in one notation. */
export function searchedAddresses(row: Row): readonly string[] {
  const found: string[] = [];
  for (const field of fields) {
    const value = row[field];
    if (typeof value === 'string') found.push(inOneWay(value));
    else if (Array.isArray(value)) for (const one of value) if (typeof one === 'string') found.push(inOneWay(one));
  }
  return found;
}

/** Most addresses are in the one notation already, which is many times faster to see than to make. */
function inOneWay(text: string): string {
  const address = text.replace(/\/\d+$/, '');
  return address.includes(':') && !isShort.test(address) ? canonicalAddress(address) : address.toLowerCase();
}

const isShort = /^(?:[1-9a-f][\da-f]{0,3}:|0:(?!0))+:(?:[1-9a-f][\da-f]{0,3}(?::|$))+$/;

/** The forms in which a typed address, or the beginning or a part of one, may stand in the one notation. */
export function addressForms(typed: string): readonly string[] {
  const word = typed.toLowerCase().replace(/(?<=[.:].*)\/\d{0,3}$/, '');
  if (isIpv6(word)) return [canonicalAddress(word)];
  if (!/^[\da-f:]*:[\da-f:]*$/.test(word)) return [word];
  const plain = word.replace(/(^|:)0+(?=[\da-f])/g, '$1');
  if (plain.includes('::')) return [plain];
  const short = plain.replace(/(^|:)0(?::0)+(?=:|$):?/, '$1:').replace(/:0:?$/, '::');
  return [...new Set([plain, short])];
}
