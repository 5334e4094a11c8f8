import { clean, cut } from '../../text/cells.ts';
import { durationText } from '../../text/times.ts';
import { listed } from '../../text/words.ts';
import type { LineTone } from '../action.ts';
import type { Domain } from './domainActions.ts';
import type { DomainRecord } from './recordRules.ts';
import { fileIdentityOf, fileOwnerOf } from './zoneChanges.ts';
import { dataOf, effectiveTimer, plainName } from './zoneLine.ts';

/** The answer of a name server; its records have names in full and the TTL that is left, and no ids. Their texts are hostile. */
export interface DnsAnswer {
  /** `NOERROR`, `NXDOMAIN`, `REFUSED`. */
  rcode: string;
  /** It is that of a server of the zone, and out of no cache. */
  isAuthoritative: boolean;
  records: readonly DomainRecord[];
  /** Among them the name servers to which it refers. */
  authorities: readonly DomainRecord[];
}

/** A line about an answer; `warn` where it cannot be told whether the zone says so. */
export interface Judged {
  tone: LineTone;
  says: string;
}

/** Values as zone files have them; of many the first ones. */
const valuesOf = (records: readonly DomainRecord[]): string =>
  listed(records.map((one) => cut(clean(dataOf(one)), 300)).toSorted(), 8);

/**
 * A question about a record of a zone, with a sentence about what the zone says and the judgement of answers.
 * @param records those of the zone; undefined where they are not known
 */
export function questionAbout(record: DomainRecord, domain: Domain, records?: readonly DomainRecord[]) {
  const zone = plainName(domain.domain);
  const { type } = record;
  const name = fileOwnerOf(record, zone);
  const expected = records?.filter((one) => one.type === type && fileOwnerOf(one, zone) === name) ?? [];
  const ttls = expected.map(({ ttl_sec }) => Number(ttl_sec) || effectiveTimer(domain, 'ttl_sec'));
  const identities = (all: readonly DomainRecord[], owner?: string) =>
    [...new Set(all.map((one) => fileIdentityOf(one, zone, owner)))].toSorted().join('\n');
  const of = (all: readonly DomainRecord[], wanted = type) =>
    all.filter((one) => one.type === wanted && plainName(one.name) === name);

  /** Compares all records of the name and type, whatever their order; the line begins with who answered. */
  function judged({ rcode, isAuthoritative, ...answer }: DnsAnswer, who: string): Judged {
    if (rcode !== 'NOERROR' && rcode !== 'NXDOMAIN') return { tone: 'warn', says: `${who} answers ${rcode}` };
    // The zone above a delegation only refers to its name servers.
    const found = [of(answer.records), of(answer.authorities)].find((some) => some.length > 0) ?? [];
    const alias = of(answer.records, 'CNAME');
    const next = answer.authorities.filter((one) => one.type === 'NS');
    const isReferral = !isAuthoritative && answer.records.length === 0 && found.length === 0 && next.length > 0;
    const isOfZone = records?.some((one) => fileIdentityOf(one, zone) === identities(alias, name));
    const ttl = Math.min(...found.map(({ ttl_sec }) => ttl_sec));
    const values = `${valuesOf(found)}; ${isAuthoritative ? `TTL ${durationText(ttl)}` : `${durationText(ttl)} left`}`;
    const absent = rcode === 'NXDOMAIN' ? 'no such name' : `no ${type} record`;
    const other = isReferral ? `refers to ${valuesOf(next)}` : absent;
    const instead = alias.length > 0 ? `CNAME ${valuesOf(alias)}${isOfZone ? ', which the zone has' : ''}` : other;
    const says = `${who}: ${found.length > 0 ? values : instead}`;
    if (!records || isReferral) return { tone: 'warn', says };
    if (identities(expected) !== identities(found, name)) return { tone: 'bad', says: `${says}; not as the zone says` };
    const isOdd = found.length > 0 && (isAuthoritative ? !ttls.includes(ttl) : ttl > Math.max(...ttls));
    return { tone: isOdd ? 'warn' : 'good', says: `${says}; as the zone says${isOdd ? ', but for the TTL' : ''}` };
  }

  const times = listed([...new Set(ttls)].map(durationText));
  const none = 'The zone has no such record any more.';
  const zoneSays = expected.length > 0 ? `The zone says ${valuesOf(expected)}; TTL ${times}.` : none;
  return { name, zoneSays, judged };
}
