import { textIn, withoutStop } from '../../text/words.ts';
import type { Part } from '../action.ts';
import { draftOf, withoutBlanks } from '../body.ts';
import { addressesOf, isIpv6 } from '../ipAddress.ts';
import type { Action, DescribedAction, DescribedField } from '../resource.ts';
import { type CacheView, type Draft, type Params, textsOf, viewWith } from '../row.ts';
import { complaintsOf } from '../verdict.ts';
import { identityOf, recordsWith, setOf, zoneOf } from './dnsZones.ts';
import type { Domain } from './domainActions.ts';
import type { DomainRecord } from './recordRules.ts';
import { records } from './records.ts';
import { isDmarc, isEnd, isSpf } from './textChecks.ts';
import { recordNote } from './zoneChecks.ts';
import { zoneLine } from './zoneLine.ts';
import { readZone } from './zoneReader.ts';

const uses = {
  mail: 'the mail servers of a provider: MX, SPF, DKIM, DMARC',
  web: 'the addresses of a server or NodeBalancer, and www',
  redirect: 'a name that leads to another one',
  verification: 'a text that proves the ownership',
  dkim: 'a key by which mail is signed',
};

/** A field that the form has for these uses alone. */
const of = (used: readonly string[], field: DescribedField): DescribedField => ({
  ...field,
  shown: (draft) => used.includes(String(draft.for)),
});

/** The uses of which a name is asked for. */
const named = ['web', 'redirect', 'verification'];

const entry = (draft: Draft, name: string) => textIn(draft[name]) ?? '';
const words = (text: string) => text.split(/[\s,]+/).filter(Boolean);

/** The key in a pasted text, and its selector: a line of a zone file, its pieces in quotes, or the bare text. */
function pastedKey(draft: Draft): { selector: string; target: string; wrong?: string } {
  const text = entry(draft, 'dkim');
  const pieces = /^[("]/.test(text) ? text.replace(/^\(|\)$/g, '') : `"${text}"`;
  const { entries, mistakes } = readZone(/\sTXT\s/i.test(text) ? text : `@ TXT ( ${pieces} )`, 'x');
  const [{ owner = '', data = {} } = {}] = entries;
  const [, selector = ''] = /^(.+?)\._domainkey(?:\.|$)/.exec(owner) ?? [];
  const wrong = mistakes[0] && { wrong: `in it, ${withoutStop(mistakes[0].says)}` };
  return { selector, target: data.target ?? '', ...wrong };
}

/** Whether the selector of a key is asked for, as the pasted text has none. */
const lacksSelector = (draft: Draft) =>
  /^(?:mail|dkim)$/.test(String(draft.for)) && entry(draft, 'dkim') !== '' && pastedKey(draft).selector === '';

/** An SPF record with further senders, before the term that ends it. */
function spfWith(old: string, entered: string): string {
  const terms = (text: string) => words(text.replace(/^"|"$/g, '').replace(/^v=spf1\s*/i, ''));
  const all = [...terms(old), ...terms(entered || 'mx')];
  return ['v=spf1', ...new Set(all.filter((term) => !isEnd(term))), all.find(isEnd) ?? '~all'].join(' ');
}

/** The records that the form asks for, each as its own form has it, with the field that it comes from. */
function wantedBy(draft: Draft, { domain }: Domain): readonly (Draft & { from: string })[] {
  const name = entry(draft, 'name');
  const { selector, target } = pastedKey(draft);
  const dkim = target === '' ? [] : [{ from: 'dkim', type: 'TXT', name: `${selector || name}._domainkey`, target }];
  const hosts = textsOf(withoutBlanks(draft.hosts));
  const made: Readonly<Record<string, readonly (Draft & { from: string })[]>> = {
    mail: [
      ...hosts.map((host, nth) => {
        const [, priority = String(Math.min(255, 10 * (nth + 1))), target = host] = /^(\d+)\s+(.+)$/.exec(host) ?? [];
        return { from: 'hosts', type: 'MX', name: '', target, priority };
      }),
      { from: 'spf', type: 'TXT', name: '', target: spfWith('', entry(draft, 'spf')) },
      ...dkim,
      ...(draft.dmarc === true ? [{ from: 'dmarc', type: 'TXT', name: '_dmarc', target: 'v=DMARC1; p=none' }] : []),
    ],
    web: [
      ...words(entry(draft, 'to')).map((target) => ({ from: 'to', type: isIpv6(target) ? 'AAAA' : 'A', name, target })),
      ...(name === '' ? [{ from: 'name', type: 'CNAME', name: 'www', target: domain }] : []),
    ],
    redirect: [{ from: 'to', type: 'CNAME', name, target: entry(draft, 'to') }],
    verification: [{ from: 'text', type: 'TXT', name, target: entry(draft, 'text') }],
    dkim,
  };
  return made[String(draft.for)] ?? [];
}

/** The parts that are left beside what is there already: an SPF record that is there gets further senders. */
function partsOf(domain: Domain, view: CacheView, draft: Draft, params: Params): readonly (Part & { from: string })[] {
  const zone = zoneOf(params, view);
  return wantedBy(draft, domain).flatMap(({ from, ...entries }) => {
    const made = { ...entries, id: -1 } as unknown as DomainRecord;
    const kind = isSpf(made) ? isSpf : isDmarc(made) ? isDmarc : undefined;
    const same = (one: DomainRecord) => identityOf({ ...one, priority: 0 }, zone.domain);
    const row = setOf(made, zone).find(kind ?? ((one) => same(one) === same(made)));
    // A www that is there stays.
    if (draft.for === 'web' && made.type === 'CNAME' && zone.at('www').length > 0) return [];
    if (!row) return [{ of: records.name, from, entries }];
    const target = isSpf(made) ? spfWith(row.target, entry(draft, 'spf')) : row.target;
    return row.target === target ? [] : [{ of: records.name, from, row, entries: { target } }];
  });
}

/** Each part as the form of its record has it, beside what the others make. */
function formsOf(domain: Domain, view: CacheView, draft: Draft, params: Params) {
  const parts = partsOf(domain, view, draft, params);
  return parts.map((part) => {
    const { row, entries, from } = part;
    const others = parts
      .filter((one) => one !== part && !one.row)
      .map((one, nth) => ({ ...one.entries, id: -2 - nth }));
    const rows = recordsWith(view.rows(records.name, params), others);
    const around = viewWith(view, {
      rows: (resource, under) => (resource === records.name && under ? rows : view.rows(resource, under)),
    });
    const action = (row ? records.edit : records.create) as Action;
    const now = row && draftOf(records, action, row);
    return { from, row, action, entries: { ...now, ...entries }, now, around };
  });
}

/** Complains as the forms of the records do, at the field from which each comes. */
const complaintAbout: DescribedAction<Domain>['check'] = (draft, view, domain, params) => {
  const { wrong } = pastedKey(draft);
  if (wrong !== undefined || !domain) return wrong === undefined ? undefined : { field: 'dkim', says: wrong };
  if (!view.isRead(records.name, params))
    return {
      field: 'for',
      says: 'the records of the domain could not be read to their end, so it is not known what is there already',
    };
  const forms = formsOf(domain, view, draft, params);
  for (const { from, row, action, entries, now, around } of forms) {
    const [found] = complaintsOf(records, action, entries, around, row, params, now);
    const field = found?.field === 'name' && named.includes(String(draft.for)) ? 'name' : from;
    if (found) return { field, says: found.says.replace(/^(?:Name|Target):? |\.$/g, '') };
  }
  return forms.length === 0 ? { field: 'for', says: 'all of this is there already' } : undefined;
};

/** Tells which record is changed, and what the checks of the zone warn of. */
function noteOf(domain: Domain, view: CacheView, draft: Draft, params: Params): string {
  const told = formsOf(domain, view, draft, params).flatMap(({ row, entries, around }) => [
    row && `The SPF record "${row.target}" becomes "${entries.target}".`,
    recordNote(row ?? {}, around, entries, params),
  ]);
  return [...new Set(told)].filter(Boolean).join(' ');
}

/** Why no record is added to a domain. */
export const slaveRefusal = ({ domain, type }: Domain): string | undefined =>
  type === 'slave' ? `${domain} is a slave, so its records are those of its masters` : undefined;

/** Makes the records that one use of a domain needs, all of them together. */
export const addRecords: DescribedAction<Domain> = {
  name: 'add-records',
  path: '/v4/domains/{domainId}/records',
  key: 'p',
  on: 'Add records to {}',
  single: true,
  reads: ['records', 'servers', 'nodebalancers'],
  body: ['for!', 'hosts', 'spf', 'dkim', 'name', 'to', 'text', 'dmarc'],
  fields: {
    for: { optionHelp: uses },
    hosts: of(['mail'], {
      ...{ label: 'Mail hosts', kind: 'strings', needed: true },
      help: 'The names that the provider gives, the preferred first; a number before one is its priority.',
    }),
    spf: of(['mail'], { label: 'SPF', fallback: 'mx', help: 'Who may send: include:_spf.example.net' }),
    dkim: of(['dkim', 'mail'], {
      ...{ label: 'DKIM', needed: (draft) => draft.for === 'dkim' },
      help: 'Pasted: a line of a zone file, or v=DKIM1; … alone.',
    }),
    name: {
      needed: lacksSelector,
      shown: (draft) => named.includes(String(draft.for)) || lacksSelector(draft),
      help: (draft) => (lacksSelector(draft) ? 'The selector of the key.' : 'Empty for the domain itself.'),
    },
    to: of(['web', 'redirect'], {
      ...{ label: 'Leads to', needed: true, to: ['servers', 'nodebalancers'] },
      help: ({ for: use }) => (use === 'web' ? 'IPv4 and IPv6 addresses, with spaces between.' : 'A name.'),
      picks: ({ ipv4, ipv6 }) => addressesOf({ ipv4: [ipv4].flat()[0], ipv6 }).join(' ') || undefined,
      picksWhen: (draft) => draft.for === 'web',
    }),
    text: of(['verification'], { needed: true, help: 'As the service gives it.' }),
    dmarc: of(['mail'], { label: 'DMARC', kind: 'boolean', fallback: false, help: 'Adds v=DMARC1; p=none' }),
  },
  start: () => ({ for: 'mail' }),
  refuse: slaveRefusal,
  check: complaintAbout,
  ask: {
    note: noteOf,
    // A table cuts texts and has no room for priorities, which are read whole before they are sent.
    question: (domain, view, draft, params) => {
      const made = partsOf(domain, view, draft, params).filter(({ row }) => !row);
      const texts = made.map(({ entries }) => zoneLine(entries as unknown as DomainRecord));
      return `${noteOf(domain, view, draft, params)} Adds to ${domain.domain}: ${texts.join('; ')}`.trim();
    },
  },
  inverse: 'Each of its records is taken back.',
  parts: partsOf,
};
