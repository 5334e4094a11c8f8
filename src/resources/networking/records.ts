import { addressesOf, byAddress, canonicalAddress, isIpv4, isIpv6 } from '../ipAddress.ts';
import { type CacheView, type DescribedField, type Resource, type Row, resource } from '../resource.ts';
import { nameTypes, paramsOfRecord, reachedBy, zoneOf } from './dnsZones.ts';
import { type DomainRecord, hasField, meaningOf, needsField, typeHelp, wrongName, wrongTarget } from './recordRules.ts';
import { timerField } from './timers.ts';
import { recordComplaint, recordNote } from './zoneChecks.ts';
import { bare, zoneLine, zoneName } from './zoneLine.ts';

const body = ['name', 'service', 'protocol', 'tag', 'target', 'priority', 'weight', 'port', 'ttl_sec'];
const newBody = ['type!', 'null_mx', ...body];

/** A field that only some types of records have. */
const ofType = (name: string, field: DescribedField): DescribedField => ({
  ...field,
  shown: (draft, record) => hasField(name, draft, record),
  needed: (draft) => needsField(name, draft),
});

const ttl = timerField('TTL', 'the default of the domain', 'How long resolvers may cache it, in seconds.');

const leadable = ['servers', 'nodebalancers'];

const reachedOf = (record: DomainRecord, view: CacheView) =>
  reachedBy(record, zoneOf(paramsOfRecord(record, view), view));

/** The servers and NodeBalancers that a record points to, those deleted marked; `none` where it is nothing of the account. */
function pointsTo(record: DomainRecord, view: CacheView): string | undefined {
  const reached = reachedOf(record, view);
  if (!reached) return undefined;
  const labels = (find: (name: string, place: string) => Row | undefined) => [
    ...new Set(reached.places.flatMap((place) => leadable.flatMap((name) => find(name, place)?.label ?? []))),
  ];
  const owners = labels((name, place) => view.find(name, byAddress, place).at(-1));
  if (owners.length > 0) return owners.join(', ');
  const lost = labels((name, place) => view.deleted(name).findLast((row) => addressesOf(row).includes(place)));
  if (lost.length > 0) return `! none: was ${lost.join(', ')}`;
  const isKnown = !reached.isOpen && [...leadable, 'domains'].every((name) => view.isRead(name));
  return isKnown ? 'none' : undefined;
}

/** A number that only records of these types have. */
const numberOf = (name: 'priority' | 'weight' | 'port', types: readonly string[]) => (record: DomainRecord) =>
  types.includes(record.type) ? record[name] : undefined;

/** A body whose service and protocol are without what the platform adds to them (document 3, 2.2). */
const withBareParts = (body: Row): Row => ({
  ...body,
  ...Object.fromEntries(
    ['service', 'protocol'].flatMap((name) => (typeof body[name] === 'string' ? [[name, bare(body[name])]] : [])),
  ),
});

/** The records of a domain (document 3, 2.2 and 4.1). */
export const records: Resource = resource<DomainRecord>()({
  name: 'records',
  area: 'Networking',
  path: '/v4/domains/{domainId}/records',
  scope: 'domains',
  under: 'domains',
  within: 'in zone {}',
  label: (record) => `${record.type} ${zoneName(record)}`,
  events: ['dns_record_', 'dns_zone_'],
  reads: ['servers', 'nodebalancers', 'domains'],
  relations: [
    {
      to: ['servers', 'nodebalancers', 'buckets'],
      by: (record, _loaded, view) => reachedOf(record, view)?.places ?? [],
      theirs: addressesOf,
    },
  ],
  across: 'Zone',
  finds: [
    { title: 'Dangling records', aliases: ['points-to-none'], filter: 'points-to:none' },
    { title: 'SPF records', aliases: ['spf'], filter: 'type:txt spf1' },
  ],
  sort: 'Type',
  empty: 'A record tells what a name in the domain stands for: an address, a mail server, a text.',
  fields: {
    type: { optionHelp: typeHelp },
    null_mx: {
      ...ofType('null_mx', { label: 'Null MX', kind: 'boolean', fallback: false, local: true }),
      help: 'Declares that the domain accepts no mail. It must be the only MX record.',
    },
    name: ofType('name', {
      max: 100,
      check: wrongName,
      emptied: '',
      help: (draft, record) => meaningOf('name', draft, record),
    }),
    service: ofType('service', {
      min: 1,
      emptied: null,
      help: 'The name of the service, e.g. sip; the platform adds an underscore before it and a period after it.',
    }),
    protocol: ofType('protocol', {
      emptied: null,
      help: 'The protocol of the service, e.g. tcp; the platform adds an underscore before it.',
    }),
    tag: ofType('tag', {
      optionHelp: {
        issue: 'who may issue certificates',
        issuewild: 'who may issue wildcard certificates',
        iodef: 'where violations are reported',
      },
    }),
    target: ofType('target', {
      emptied: '',
      check: (entry, draft, _view, record) => wrongTarget(entry, draft, record),
      to: ['servers', 'nodebalancers'],
      each: {
        of: ownTarget,
        help: 'An address or a name. Of a server or NodeBalancer that is picked each record gets its own kind of address.',
      },
      picks: (row, draft, record) => pickedTarget(row, record?.type ?? draft.type),
      // Of several records each has a type of its own.
      picksWhen: (draft, record) => ['A', 'AAAA', 'CNAME', undefined].includes((record?.type ?? draft.type) as string),
      help: (draft, record) => meaningOf('target', draft, record),
    }),
    priority: ofType('priority', {
      kind: 'integer',
      min: 0,
      max: 255,
      help: (draft, record) => `Lower is preferred.${!record && draft.type === 'MX' ? ' 0 if empty.' : ''}`,
    }),
    weight: ofType('weight', {
      kind: 'integer',
      min: 0,
      max: 65535,
      help: 'Higher is preferred among equal priorities.',
    }),
    port: ofType('port', { kind: 'integer', min: 0, max: 65535 }),
    ttl_sec: { ...ttl, section: undefined },
  },
  columns: [
    { title: 'Zone', value: (record, view) => view.row('domains', paramsOfRecord(record, view).domainId)?.domain },
    { title: 'Type', value: 'type', keep: 1 },
    { title: 'Name', value: zoneName, keep: 1 },
    { title: 'Target', value: (record) => (isNullMx(record) ? 'no mail (Null MX)' : record.target), keep: 1 },
    { title: 'TTL', value: (record) => record.ttl_sec || 'default', format: 'duration' },
    { title: 'Priority', value: numberOf('priority', ['MX', 'SRV']), format: 'number' },
    { title: 'Points to', value: pointsTo, saysNone: true },
    { title: 'ID', value: 'id', format: 'id', keep: 3 },
    { title: 'Weight', value: numberOf('weight', ['SRV']), format: 'number', keep: 3 },
    { title: 'Port', value: numberOf('port', ['SRV']), format: 'id', keep: 3 },
    { title: 'Tag', value: 'tag', keep: 3 },
    { title: 'Updated', value: 'updated', format: 'age', keep: 3 },
  ],
  card: [
    { title: 'Zone-file line', value: zoneLine },
    { title: 'Created', value: 'created', format: 'date' },
  ],
  create: {
    shownBy: { events: ['dns_record_create'], names: ['name', 'target'] },
    body: newBody,
    reads: ['records', 'domains'],
    check: recordComplaint,
    ask: { note: recordNote },
    like: (record) => ({ null_mx: isNullMx(record) }),
    send: (sent, draft) =>
      draft.type === 'MX' && draft.null_mx === true
        ? { ...sent, name: '', target: '', priority: 0 }
        : withBareParts(sent),
  },
  edit: { body, reads: ['records', 'domains'], check: recordComplaint, ask: { note: recordNote }, send: withBareParts },
  remove: {
    ask: {
      warning: (record) => `Names that rely on this record stop resolving: ${zoneLine(record)}`,
      together: 'Deletes these records. Names that rely on them stop resolving.',
    },
    inverse: ({ before }) => ({
      action: 'create',
      entries: before && isNullMx(before) ? { null_mx: true } : {},
      differs: ['it gets another id', 'resolvers may remember for a while that it was gone'],
    }),
  },
  actions: [
    {
      name: 'ttl',
      key: 't',
      on: 'Set the TTL of {}',
      method: 'PUT',
      body: ['ttl_sec!'],
      fields: { ttl_sec: { ...ttl, section: undefined, fallback: undefined } },
      start: (record) => ({ ttl_sec: record && String(record.ttl_sec) }),
    },
  ],
  shortcuts: [
    { name: 'add-records', key: 'p', help: 'Add records', to: 'domains', action: 'add-records', start: () => ({}) },
  ],
  copies: { 'zone-file line': zoneLine, target: (record) => record.target || undefined },
});

export const isNullMx = ({ type, target }: Pick<DomainRecord, 'type' | 'target'>) => type === 'MX' && target === '';

/** The target that a server or NodeBalancer enters: its address of the kind asked for, or its host name. */
function pickedTarget({ ipv4, ipv6, hostname }: Row, type: unknown): string | undefined {
  const [first] = [ipv4].flat();
  if (type === 'A') return typeof first === 'string' ? first : undefined;
  if (type === 'AAAA') return typeof ipv6 === 'string' ? canonicalAddress(ipv6) : undefined;
  return type === 'CNAME' && typeof hostname === 'string' ? hostname : undefined;
}

/** The target that a record of several gets: of a server or NodeBalancer that was picked its own kind of address. */
function ownTarget(entry: string, record: Row, view: CacheView): string {
  const isName = nameTypes.includes(String(record.type));
  if (wrongTarget(entry, {}, record) === undefined && !(isName && (isIpv4(entry) || isIpv6(entry)))) return entry;
  const [owner] = leadable.flatMap((name) => view.find(name, byAddress, canonicalAddress(entry)));
  return (owner && pickedTarget(owner, record.type)) ?? entry;
}
