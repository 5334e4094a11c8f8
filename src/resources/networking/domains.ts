import { shellWord } from '../../text/escapes.ts';
import { addressPattern, byAddress, emailPattern } from '../ipAddress.ts';
import type { Lead } from '../overview.ts';
import { type CacheView, type Resource, type Row, resource, statusColumn } from '../resource.ts';
import { ticketShortcut, toNew } from '../shortcuts.ts';
import { tagsField } from '../tagging.ts';
import { leadsTo } from './dnsZones.ts';
import { type Domain, domainActions, editWarning } from './domainActions.ts';
import { addRecords, slaveRefusal } from './presets.ts';
import { type DomainRecord, domainPattern, isHostName } from './recordRules.ts';
import { domainTimer, type TimerName, timerDefaults, timersAtDefault } from './timers.ts';
import { zoneName } from './zoneLine.ts';

const isSlave = ({ type }: { type?: unknown }) => type === 'slave';

const body = [
  ...'domain! type! soa_email master_ips status description group tags axfr_ips'.split(' '),
  ...'ttl_sec refresh_sec retry_sec expire_sec'.split(' '),
];

/** The seconds that a timer really has. */
const effective = (name: TimerName) => (domain: Domain) => {
  const seconds = domain[name];
  return seconds === 0 ? timerDefaults[name] : seconds;
};

/** DNS domains (document 3, 4.1). */
export const domains: Resource = resource<Domain>()({
  name: 'domains',
  area: 'Networking',
  aliases: ['dns', 'zones'],
  path: '/v4/domains',
  scope: 'domains',
  label: (domain) => domain.domain,
  entity: 'domain',
  events: ['dns_zone_'],
  sort: 'Domain',
  empty: 'A domain holds DNS records, which the nameservers of the platform serve. It can also be imported.',
  fields: {
    domain: {
      min: 1,
      max: 255,
      pattern: domainPattern,
      help: 'Unique across the whole platform.',
      unique: true,
      section: 'Domain',
    },
    type: {
      optionHelp: { master: 'its records are kept here', slave: 'its records are transferred from other nameservers' },
      section: 'Domain',
    },
    soa_email: {
      label: 'SOA email',
      max: 255,
      pattern: emailPattern,
      needed: (draft) => draft.type === 'master',
      shown: (draft) => !isSlave(draft),
      help: 'The contact for the domain; published in its SOA record.',
      section: 'Domain',
    },
    master_ips: {
      label: 'Masters',
      kind: 'strings',
      merged: true,
      pattern: addressPattern,
      needed: isSlave,
      shown: isSlave,
      help: 'The nameservers that its records are transferred from; at least one.',
      section: 'Domain',
    },
    status: {
      optionHelp: { active: 'the nameservers serve it', disabled: 'kept but not served' },
      fallback: 'active',
      section: 'Domain',
    },
    description: { min: 1, max: 255, section: 'Domain' },
    group: { min: 1, max: 50, section: 'Domain' },
    tags: { ...tagsField, section: 'Domain' },
    axfr_ips: {
      label: 'Zone transfer to',
      kind: 'strings',
      merged: true,
      pattern: addressPattern,
      help: 'Addresses that may transfer the whole zone (AXFR). Leave it empty unless it is used.',
      section: 'Domain',
    },
    ttl_sec: domainTimer('ttl_sec', 'TTL', 'How long resolvers may cache its records, in seconds.'),
    refresh_sec: domainTimer('refresh_sec', 'Refresh', 'How often slaves check for changes, in seconds.'),
    retry_sec: domainTimer('retry_sec', 'Retry', 'How long slaves wait after a failed check, in seconds.'),
    expire_sec: domainTimer('expire_sec', 'Expire', 'How long slaves keep answering without their master, in seconds.'),
  },
  columns: [
    { title: 'Domain', value: 'domain', keep: 1 },
    statusColumn,
    { title: 'Type', value: 'type', keep: 1 },
    { title: 'SOA email', value: 'soa_email' },
    { title: 'TTL', value: effective('ttl_sec'), format: 'duration' },
    { title: 'Tags', value: 'tags', format: 'tags' },
    { title: 'ID', value: 'id', format: 'id', keep: 3 },
    { title: 'Group', value: 'group', keep: 3 },
    { title: 'Masters', value: 'master_ips', format: 'list', keep: 3 },
    { title: 'Transfer to', value: 'axfr_ips', format: 'list', keep: 3 },
    { title: 'Refresh', value: effective('refresh_sec'), format: 'duration', keep: 3 },
    { title: 'Retry', value: effective('retry_sec'), format: 'duration', keep: 3 },
    { title: 'Expire', value: effective('expire_sec'), format: 'duration', keep: 3 },
    { title: 'Description', value: 'description', keep: 3 },
  ],
  card: [{ title: 'Default timers', value: (domain) => timersAtDefault(domain), format: 'list' }],
  overview: {
    summary: [
      { value: 'status', format: 'status' },
      { value: 'domain' },
      { value: 'type' },
      { value: 'soa_email' },
      { value: effective('ttl_sec'), format: 'duration', says: 'TTL {}', tells: 'TTL' },
    ],
    related: [{ list: 'records' }],
    reads: ['servers', 'nodebalancers'],
    counts: { list: 'records', by: 'Type' },
    leads: ({ id }, view) => leadsOf(view.rows('records', { domainId: String(id) }), view),
  },
  opensAt: 'Records',
  tabs: [
    { title: 'Records', list: 'records' },
    { title: 'Zone file', screen: 'zoneFile', uses: ['zoneFile'] },
  ],
  create: {
    shownBy: { events: ['dns_zone_create'], names: ['domain'], isUnique: true },
    body,
    start: () => ({ type: 'master' }),
    ask: { note: 'You must own the domain, and its registrar must point to the nameservers of the platform.' },
  },
  creates: [
    {
      name: 'import',
      shownBy: { events: ['dns_zone_import', 'dns_zone_create'], names: ['domain'], isUnique: true },
      key: 'i',
      help: 'Import a domain',
      body: ['domain!', 'remote_nameserver!'],
      fields: {
        remote_nameserver: {
          label: 'Nameserver',
          min: 1,
          max: 255,
          check: (entry) => (isHostName(entry) ? undefined : 'must be the hostname or address of a nameserver'),
          help: 'The nameserver that its records are transferred from.',
        },
      },
      ask: {
        note: 'The nameserver must allow zone transfers (AXFR) from the four transfer addresses of the platform.',
      },
    },
  ],
  edit: { body, ask: { when: 'it renames the domain, disables it or makes it a slave', warning: editWarning } },
  remove: {
    reads: ['records'],
    takes: ['records'],
    ask: {
      warning: (domain, view) => {
        const count = view.rows('records', { domainId: String(domain.id) }).length;
        const records = count === 0 ? 'all its records' : count === 1 ? 'its one record' : `its ${count} records`;
        return `Deletes ${domain.domain} and ${records}; the nameservers stop serving it shortly afterwards. This cannot be undone.`;
      },
      typeLabel: true,
      together:
        'Deletes them with all their records; the nameservers stop serving them shortly afterwards. This cannot be undone.',
    },
    inverse: 'Its records are gone with it.',
    invalidates: ['records'],
  },
  actions: [addRecords, ...domainActions],
  shortcuts: [
    toNew({
      name: 'record',
      key: 'r',
      help: 'New record',
      to: 'records',
      each: 'New record in {}',
      refuse: slaveRefusal,
    }),
    ticketShortcut('domain_id'),
  ],
  operations: { zoneFile: { path: '/v4/domains/{domainId}/zone-file' } },
  copies: { domain: (domain) => domain.domain, 'dig command': (domain) => `dig ${shellWord(domain.domain)} ANY` },
});

const leadable = ['servers', 'nodebalancers'] as const;

/** The loaded servers and NodeBalancers to whose addresses records lead, each with its first record. */
function leadsOf(records: readonly Row[], view: CacheView): readonly Lead[] {
  const found = new Map<Row, Lead>();
  for (const record of records as readonly DomainRecord[]) {
    for (const address of leadsTo(record)) {
      for (const to of leadable) {
        const row = view.find(to, byAddress, address).at(-1);
        if (row && !found.has(row)) found.set(row, { to, row, by: `${record.type} ${zoneName(record)}` });
      }
    }
  }
  return [...found.values()];
}
