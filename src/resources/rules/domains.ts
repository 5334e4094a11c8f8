import { timeOf } from '../../text/times.ts';
import { called, textIn } from '../../text/words.ts';
import { sentenceOf, type ZoneCheck, zoneOf } from '../networking/dnsZones.ts';
import type { Domain } from '../networking/domainActions.ts';
import type { DomainRecord } from '../networking/recordRules.ts';
import { zoneChecks } from '../networking/zoneChecks.ts';
import { zoneLine } from '../networking/zoneLine.ts';
import { type Rule, rule } from '../problems/rule.ts';
import { statusOf } from '../wording.ts';

const domainRule = rule<Domain>('domains', ({ id, domain }) => called(domain, 'Domain', id));

/** Problems of DNS domains (document 3, 2.1). */
export const domainRules: readonly Rule[] = [
  domainRule({
    name: 'domain-not-rendered',
    several: '{} domains have a status in which changes may not reach the name servers',
    remedy: { tab: 'Records' },
    // Beyond the two documented states the API has `has_errors` and `edit_mode` as well.
    find: (domain) => {
      const status = textIn(statusOf(domain));
      if (status === undefined || status === 'active' || status === 'disabled') return;
      const since = timeOf(domain.updated);
      return status.includes('error')
        ? { severity: 'critical', says: 'has errors, so its changes do not reach the name servers', since }
        : { says: `has the status ${status}; its changes may not reach the name servers`, since };
    },
  }),
  domainRule({
    name: 'domain-disabled',
    several: '{} domains are disabled; the name servers do not answer for them',
    severity: 'notice',
    remedy: { action: 'enable' },
    find: (domain) =>
      statusOf(domain) === 'disabled'
        ? { says: 'is disabled; the name servers do not answer for it', since: timeOf(domain.updated) }
        : undefined,
  }),
  domainRule({
    name: 'domain-without-master',
    several: '{} domains are slaves without a master, so their records are read from nowhere',
    remedy: { action: 'edit' },
    find: (domain) =>
      domain.type === 'slave' && Array.isArray(domain.master_ips) && domain.master_ips.length === 0
        ? 'is a slave without a master, so its records are read from nowhere'
        : undefined,
  }),
  domainRule({
    name: 'domain-without-contact',
    several: '{} domains name no SOA e-mail, which a master needs',
    severity: 'notice',
    remedy: { action: 'edit' },
    find: (domain) =>
      domain.type === 'master' && (domain.soa_email === null || domain.soa_email === '')
        ? 'names no SOA e-mail, which a master needs'
        : undefined,
  }),
  domainRule({
    name: 'domain-without-records',
    several: '{} domains are active and have no records, so nothing in them is found',
    severity: 'notice',
    reads: ['records'],
    remedy: { tab: 'Records' },
    find: (domain, view, params) => {
      if (domain.type !== 'master' || statusOf(domain) !== 'active') return;
      const under = { domainId: params.domainId ?? '' };
      if (!view.isRead('records', under) || view.rows('records', under).length > 0) return;
      return 'is active and has no records, so nothing in it is found';
    },
  }),
];

/** The rule that finds what a check finds of the records that are there; of several it is shown at the first. */
function ruleOf(check: ZoneCheck): Rule {
  const { name, several, set, scope } = check;
  const { severity, types, unseen, isElsewhere, reads = [] } = scope;
  return rule<DomainRecord>('records')({
    name,
    several,
    severity,
    reads: ['domains', ...reads],
    remedy: { action: 'edit' },
    ...(set && {
      remedies: [{ action: 'delete' }],
      evidence: (record, view, params) =>
        set(record, zoneOf(params, view)).map(
          (one, nth) => `Record ${one.id}, ${nth === 0 ? 'this one' : 'beside it'}, is ${zoneLine(one)}.`,
        ),
    }),
    find: (record, view, params) => {
      if (types?.includes(record.type) === false || unseen?.includes(record.type)) return;
      const zone = zoneOf(params, view);
      const says = sentenceOf(check, record, zone);
      if (says === undefined || (set && set(record, zone)[0]?.id !== record.id)) return;
      return isElsewhere ? says : { says, since: timeOf(record.updated) };
    },
  });
}

/** Problems of DNS records in their zones. */
export const recordRules: readonly Rule[] = zoneChecks.map(ruleOf);
