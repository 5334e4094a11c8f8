import { canonicalAddress, isIpv6 } from '../../resources/ipAddress.ts';
import { at, type Row } from '../../resources/resource.ts';

/** Where rows have their addresses, host names and targets. */
const paths = ['ipv4', 'ipv6', 'address', 'hostname', 'target'];

/** The addresses of a row as they are searched, each in one notation. */
export const searchedAddresses = (row: Row): readonly string[] =>
  paths.flatMap((path) => [at(row, path)].flat()).flatMap((text) => (typeof text === 'string' ? [inOneWay(text)] : []));

/** Most addresses are in the one notation already, which is many times faster to see than to make. */
const inOneWay = (text: string): string =>
  text.includes(':') && !isShort.test(text) ? canonicalAddress(text) : text.replace(/\/\d+$/, '').toLowerCase();

const isShort = /^(?:[1-9a-f][\da-f]{0,3}:|0:(?!0))+:(?:[1-9a-f][\da-f]{0,3}(?::|$))+(?:\/\d+)?$/;

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
