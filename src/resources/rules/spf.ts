import { timeOf } from '../../text/times.ts';
import { type DnsZone, normalizedHost, zoneContaining, zoneOf } from '../networking/dnsZones.ts';
import type { DomainRecord } from '../networking/recordRules.ts';
import { isSpf } from '../networking/zoneConflicts.ts';
import { type Rule, type RuleAnswer, rule } from '../problems/rule.ts';
import type { CacheView, Params } from '../resource.ts';
import { hostName, recordsBeside } from './records.ts';

const recordRule = rule<DomainRecord>('records');

/** An SPF record may need so many lookups in all (RFC 7208, 4.6.4). */
const maxLookups = 10;

/** The terms of an SPF record in lower case; undefined where a record is none. */
function termsOf({ type, target }: DomainRecord): readonly string[] | undefined {
  if (!isSpf({ type, target })) return undefined;
  return target.trim().replace(/^"|"$/g, '').toLowerCase().split(/\s+/).slice(1);
}

const isLookup = (term: string) => /^[-+?~]?(?:include:|exists:|(?:a|mx|ptr)(?:[:/]|$))|^redirect=/.test(term);

/** Counts the lookups of the terms, with those of other SPF records that are kept in the account. */
function lookupsOf(terms: readonly string[], view: CacheView, seen: readonly string[]): number {
  return terms.filter(isLookup).reduce((sum, term) => {
    const host = normalizedHost(/^(?:[-+?~]?include:|redirect=)(.+)$/.exec(term)?.[1]);
    return sum + 1 + (host === '' || seen.includes(host) ? 0 : lookupsBehind(host, view, [...seen, host]));
  }, 0);
}

function lookupsBehind(host: string, view: CacheView, seen: readonly string[]): number {
  const terms = zoneContaining(host, view)?.at(host).map(termsOf).find(Boolean);
  return terms && seen.length <= maxLookups ? lookupsOf(terms, view, seen) : 0;
}

/** Finds something in SPF records; nothing in others. */
const ofSpf =
  (
    find: (
      terms: readonly string[],
      host: string,
      record: DomainRecord,
      zone: DnsZone,
      view: CacheView,
    ) => string | undefined,
  ) =>
  (record: DomainRecord, view: CacheView, params: Params): RuleAnswer => {
    const terms = termsOf(record);
    if (!terms) return undefined;
    const zone = zoneOf(params, view);
    const says = find(terms, hostName(record, zone), record, zone, view);
    return says === undefined ? undefined : { says, since: timeOf(record.updated) };
  };

const isEnd = (term: string) => /^[-+?~]?all$/.test(term) || term.startsWith('redirect=');

/** Problems of SPF records, which say who may send mail in the name of a domain (RFC 7208). */
export const spfRules: readonly Rule[] = [
  recordRule({
    name: 'spf-several',
    several: '{} names have several SPF records; with more than one, receivers ignore them all',
    severity: 'warning',
    reads: ['domains'],
    remedy: { action: 'edit' },
    remedies: [{ action: 'delete' }],
    evidence: (record, view, params) => {
      const zone = zoneOf(params, view);
      return [record, ...recordsBeside(record, zone).filter(termsOf)].map(
        ({ id, target }, index) => `Record ${id}, ${index === 0 ? 'this one' : 'beside it'}, is "${target}".`,
      );
    },
    find: ofSpf((_terms, host, record, zone) => {
      const others = recordsBeside(record, zone).filter(termsOf);
      return others.length === 0 || others.some(({ id }) => id < record.id)
        ? undefined
        : `${host} has ${others.length + 1} SPF records; with more than one, receivers ignore them all`;
    }),
  }),
  recordRule({
    name: 'spf-too-many-lookups',
    several: '{} SPF records need more DNS lookups than receivers allow',
    severity: 'warning',
    reads: ['domains'],
    remedy: { action: 'edit' },
    find: ofSpf((terms, host, _record, _zone, view) => {
      const lookups = lookupsOf(terms, view, [host]);
      return lookups > maxLookups
        ? `The SPF record of ${host} needs at least ${lookups} DNS lookups; receivers reject it above ${maxLookups}`
        : undefined;
    }),
  }),
  recordRule({
    name: 'spf-allows-everybody',
    several: '{} SPF records end with +all, which lets anybody send mail in their names',
    severity: 'warning',
    reads: ['domains'],
    remedy: { action: 'edit' },
    find: ofSpf((terms, host) =>
      terms.includes('all') || terms.includes('+all')
        ? `The SPF record of ${host} ends with +all, which lets anybody send mail in its name`
        : undefined,
    ),
  }),
  recordRule({
    name: 'spf-without-end',
    several: '{} SPF records have neither all nor redirect, so they say nothing about other senders',
    severity: 'notice',
    reads: ['domains'],
    remedy: { action: 'edit' },
    find: ofSpf((terms, host) =>
      terms.some(isEnd)
        ? undefined
        : `The SPF record of ${host} has neither all nor redirect, so it says nothing about other senders`,
    ),
  }),
];
