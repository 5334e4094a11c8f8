import { textOf } from '../../text/words.ts';
import type { DomainRecord } from './recordRules.ts';

/** A service or protocol without the underscore and period that the platform adds. */
export const bare = (part: unknown) => textOf(part).replace(/^_/, '').replace(/\.$/, '');

/** The name within its domain as a zone file has it: `@` for the domain itself, `_service._protocol` for a service. */
export function zoneName({ type, name, service, protocol }: DomainRecord): string {
  if (type === 'SRV' && service) return `_${bare(service)}._${bare(protocol) || 'tcp'}`;
  return name || '@';
}

const withPeriod = (host: string) => (host.endsWith('.') || !host.includes('.') ? host : `${host}.`);

const quoted = (text: string) => `"${text.replace(/(["\\])/g, '\\$1')}"`;

/** The text after the type in a line of a zone file. */
function dataOf({ type, target: to, priority, weight, port, tag }: DomainRecord): string {
  const target = textOf(to);
  switch (type) {
    case 'MX':
      return `${priority} ${target === '' ? '.' : withPeriod(target)}`;
    case 'SRV':
      return `${priority} ${weight} ${port} ${withPeriod(target)}`;
    case 'CAA':
      return `0 ${tag} ${quoted(target)}`;
    case 'TXT':
      return quoted(target);
    case 'A':
    case 'AAAA':
      return target;
    default:
      return withPeriod(target);
  }
}

/** A record as one line of a zone file; the TTL is left out where it is the domain's. */
export const zoneLine = (record: DomainRecord): string =>
  [zoneName(record), record.ttl_sec || '', 'IN', record.type, dataOf(record)].filter((part) => part !== '').join(' ');
