import { sentence } from '../../text/words.ts';
import { draftOf } from '../body.ts';
import { type Action, type CacheView, type Draft, emptyView, type Params, type Row, viewWith } from '../resource.ts';
import { complaintsOf } from '../verdict.ts';
import { identityOf, zoneOf } from './dnsZones.ts';
import type { Domain } from './domainActions.ts';
import { domains } from './domains.ts';
import type { DomainRecord } from './recordRules.ts';
import { isNullMx, records as recordsResource } from './records.ts';
import { isSpf } from './textChecks.ts';
import type { TimerName } from './timers.ts';
import { findingsOf } from './zoneChecks.ts';
import { bare, effectiveTimer, isHeld, plainName, zoneName } from './zoneLine.ts';
import { isText, secondsIn, type TextPlace, type TextRemark, type ZoneEntry, type ZoneText } from './zoneReader.ts';

/** The changes that make a zone as a file has it. Nothing is to be planned where there is a mistake. */
export type ZoneChanges = ReturnType<typeof zoneChanges>;

const [create, edit] = [recordsResource.create, recordsResource.edit] as readonly Action[];

/** A name within a zone as a record has it: '' is the zone itself, a period at the end leads out of it. */
function nameWithin(owner: string, zone: string): string {
  const plain = plainName(owner);
  if (plain === zone) return '';
  return plain.endsWith(`.${zone}`) ? owner.slice(0, -zone.length - 1) : `${owner}.`;
}

/** The whole name of a record as a zone file has it; one that a period ends is whole, and any other lies within the zone. */
export function fileOwnerOf(record: DomainRecord, zone: string): string {
  const name = zoneName(record);
  if (name === '@') return zone;
  return name.endsWith('.') ? plainName(name) : `${plainName(name)}.${zone}`;
}

/** The text by which records are the same but for their TTL. */
export const fileIdentityOf = (record: DomainRecord, zone: string, owner = fileOwnerOf(record, zone)): string =>
  `${owner} ${identityOf(record, zone)}`;

/** The text by which targets of one type are compared. */
const targetKey = (record: DomainRecord, zone: string): string =>
  identityOf({ ...record, tag: null, priority: 0, weight: 0, port: 0 }, zone);

/** An entry as the record that it asks for; the values are still texts. */
function wantedOf({ type, owner, data, ttl }: ZoneEntry, zone: string): DomainRecord {
  const name = nameWithin(owner, zone);
  const [, service, protocol] = (type === 'SRV' && /^_(.+)\._([^.]+)$/.exec(name)) || [];
  const { target = '' } = data;
  const root = type === 'MX' || type === 'PTR' ? '' : '.';
  const host = target === '' ? root : target.includes('.') ? target : `${target}.`;
  const named = service === undefined ? { name } : { name, service, protocol };
  return {
    type,
    ...named,
    ...data,
    target: isText(type) ? target : host,
    ttl_sec: ttl ?? 0,
  } as unknown as DomainRecord;
}

const draftFor = ({ name, ttl_sec, ...wanted }: DomainRecord): Draft => ({
  ...(wanted as Row as Draft),
  ...(wanted.type !== 'SRV' && { name }),
  ...(ttl_sec && { ttl_sec: String(ttl_sec) }),
  ...(isNullMx(wanted) && { null_mx: true }),
});

/** A record of the file, with the one of the zone that it is or becomes. */
interface Pairing {
  entry: ZoneEntry;
  wanted: DomainRecord;
  record?: DomainRecord;
  /** They differ in their TTL at most. */
  isSame?: true;
}

/** Records of one kind become each other: SPF becomes no other text, as there is one of a name at any time. */
const kindOf = (record: DomainRecord, owner: string) => `${record.type} ${owner} ${isSpf(record)}`;

/** Finds for each entry the record that it is, else one of its name and type that becomes it. */
function pair(entries: readonly ZoneEntry[], records: readonly DomainRecord[], zoneTtl: number, zone: string) {
  const left = new Set(records);
  const take = (record: DomainRecord | undefined) => {
    if (record) left.delete(record);
    return record;
  };
  const same = Map.groupBy(records, (record) => fileIdentityOf(record, zone));
  const like = Map.groupBy(records, (record) => kindOf(record, fileOwnerOf(record, zone)));
  const found = entries.map((entry): Pairing => {
    const wanted = wantedOf(entry, zone);
    const all = same.get(fileIdentityOf(wanted, zone, plainName(entry.owner))) ?? [];
    const among = all.filter((record) => left.has(record));
    const record = take(
      among.find((record) => isTold(record, entry)) ??
        among.find(({ ttl_sec }) => ttl_sec === wanted.ttl_sec) ??
        among.find((record) => isTtlOf(record, wanted, zoneTtl)) ??
        among[0],
    );
    return { entry, wanted, ...(record && { record, isSame: true }) };
  });
  const pairings = found.map((one): Pairing => {
    if (one.record || isNullMx(one.wanted)) return one;
    const among = like.get(kindOf(one.wanted, plainName(one.entry.owner))) ?? [];
    const record = take(among.find((record) => left.has(record) && !isNullMx(record)));
    return record ? { ...one, record } : one;
  });
  return { pairings, removes: [...left] };
}

/** Whether a record has the TTL of the file as it is there, be it one that the API would not take anew. */
const isTold = ({ ttl_sec }: Partial<DomainRecord>, { told }: ZoneEntry): boolean => told !== 0 && told === ttl_sec;

/** Whether a record has the TTL that is wanted; a zone file may write that of the domain at each of them. */
const isTtlOf = ({ ttl_sec }: DomainRecord, wanted: DomainRecord, zoneTtl: number): boolean =>
  (ttl_sec || 0) === wanted.ttl_sec || (!ttl_sec && wanted.ttl_sec === zoneTtl);

/** The entries of a record's form that a pairing changes. */
function changedIn({ entry, wanted, record, isSame }: Pairing, zoneTtl: number, zone: string): Draft {
  if (!record) return {};
  const fields = isSame ? [] : (['target', 'priority', 'weight', 'port', 'tag'] as const);
  const differing = fields.filter((field) => {
    if (wanted[field] === undefined) return false;
    return field === 'target'
      ? targetKey(record, zone) !== targetKey(wanted, zone)
      : String(record[field] ?? 0).toLowerCase() !== String(wanted[field]).toLowerCase();
  });
  return {
    ...Object.fromEntries(differing.map((field) => [field, String(wanted[field])])),
    ...(!isTold(record, entry) && !isTtlOf(record, wanted, zoneTtl) && { ttl_sec: String(wanted.ttl_sec) }),
  };
}

/** The view of a zone as it is to be. Without an account, the file is all there is. */
function viewOf(rows: readonly DomainRecord[], domain: Domain, around: CacheView | undefined): CacheView {
  const domainId = String(domain.id);
  const isOwn = (resource: string, under: Params = {}) =>
    resource === recordsResource.name && under.domainId === domainId;
  const view = around ?? viewWith(emptyView, { rows: () => [domain], isRead: (resource) => resource === domains.name });
  return viewWith(view, {
    row: (resource, id, params) =>
      resource === domains.name && String(id) === domainId ? domain : view.row(resource, id, params),
    rows: (resource, under) => (isOwn(resource, under) ? rows : view.rows(resource, under)),
    isRead: (resource, under) => isOwn(resource, under) || view.isRead(resource, under),
  });
}

/** Complains of what the API or the DNS refuses about an entry that is new or changes a record, and notes what else is wrong. */
function remarksAbout(
  { entry, wanted, record }: Pairing,
  { mine, row }: { mine: Draft; row: DomainRecord },
  view: CacheView,
  domain: Domain,
  zone: string,
): Pick<ZoneText, 'mistakes' | 'notes'> {
  const at = (field: string, says: string) => ({ ...(entry.at[field] ?? entry.at.name), says });
  const mistake = (field: string, says: string) => ({ mistakes: [at(field, says)], notes: [] });
  const params = { domainId: String(domain.id) };
  if (!record) {
    const plain = plainName(entry.owner);
    if (plain !== zone && !plain.endsWith(`.${zone}`))
      return mistake('name', `${entry.owner} is not in the zone ${zone}.`);
    if (wanted.type === 'SRV' && (!wanted.service || bare(wanted.service).includes('.')))
      return mistake('name', `the API holds services of ${zone} itself alone, whose names are like _sip._tcp.`);
    if (isNullMx(wanted) && (wanted.name !== '' || Number(wanted.priority) !== 0))
      return mistake('target', 'a Null MX is that of the zone itself, with the priority 0.');
  }
  if ((!record || 'target' in mine) && `.${plainName(wanted.target)}`.endsWith(`.${zone}.${zone}`))
    return mistake('target', `it leads to ${wanted.target}; a name in full ends with a period.`);
  const found = findingsOf(row, zoneOf(params, view), record);
  const refused = found.find(({ refuses }) => refuses);
  if (refused) return mistake(refused.field, sentence(refused.says));
  const others = row.type === 'MX' ? view.rows(recordsResource.name, params).filter(({ id }) => id !== row.id) : [];
  const alone = viewWith(view, { rows: () => others });
  const now = record && draftOf(recordsResource, edit as Action, record);
  const [complaint] = now
    ? complaintsOf(recordsResource, edit as Action, { ...now, ...mine }, alone, record, params, now)
    : complaintsOf(recordsResource, create as Action, draftFor(wanted), alone, undefined, params);
  if (complaint) return mistake(complaint.field, complaint.says);
  return { mistakes: [], notes: found.map(({ field, says }) => at(field, sentence(says))) };
}

/** The timers of a domain that a file may tell. */
const timers: readonly string[] = ['ttl_sec', 'refresh_sec', 'retry_sec', 'expire_sec'] satisfies TimerName[];

/** The entries of the domain's form that a file changes, with what is wrong about them. */
function domainChanges({ domain: told }: ZoneText, domain: Domain) {
  const now = draftOf(domains, domains.edit as Action, domain);
  /** The places of times that it has, be they such that the API would not take anew. */
  const same: TextPlace[] = [];
  const mine = Object.fromEntries(
    Object.entries(told).flatMap(([field, { value, at }]) => {
      const is = timers.includes(field) ? effectiveTimer(domain, field as TimerName) : domain[field];
      // The part before the @ is no name, yet compared as one.
      const [before, after] = [is, value].map((one) => plainName(String(one ?? '').replace('@', '.')));
      const isSame = timers.includes(field) && secondsIn(at.raw) === is;
      if (isSame) same.push(at);
      return isSame || before === after ? [] : [[field, value]];
    }),
  );
  const complaints = complaintsOf(domains, domains.edit as Action, { ...now, ...mine }, emptyView, domain, {}, now);
  const mistakes = complaints.flatMap(({ field, says }) => {
    const { at } = told[field] ?? {};
    return at ? [{ line: at.line, column: at.column, says }] : [];
  });
  return { mine, mistakes, same };
}

/**
 * Compares a zone file with the zone. What is in both stays as it is, whatever rules there are; what is new obeys those of
 * the forms.
 * @param around what is known of the account
 */
export function zoneChanges(text: ZoneText, domain: Domain, records: readonly DomainRecord[], around?: CacheView) {
  const zone = plainName(domain.domain);
  const zoneTtl = Number(text.domain.ttl_sec?.value ?? effectiveTimer(domain, 'ttl_sec'));
  const { pairings, removes } = pair(text.entries, records.filter(isHeld), zoneTtl, zone);
  const changed = pairings.map((pairing, place) => {
    const mine = changedIn(pairing, zoneTtl, zone);
    const { record, wanted } = pairing;
    const row = { ...(record ?? { ...wanted, id: -1 - place }), ...mine } as DomainRecord;
    return { pairing, mine, row, isChanged: !record || Object.keys(mine).length > 0 };
  });
  const rows = [...changed.map(({ row }) => row), ...records.filter((record) => !isHeld(record))];
  const view = viewOf(rows, { ...domain, ttl_sec: zoneTtl }, around);
  const told = domainChanges(text, domain);
  const remarks = changed.flatMap(({ pairing, isChanged, ...as }) =>
    isChanged ? [remarksAbout(pairing, as, view, domain, zone)] : [],
  );
  const same = [
    ...told.same,
    ...pairings.flatMap(({ entry, record }) => (record && isTold(record, entry) ? (entry.at.ttl_sec ?? []) : [])),
  ];
  const says = `${domain.domain} is a slave, so its records are those of its masters.`;
  const slave = domain.type === 'slave' ? [{ line: 1, column: 1, says }] : [];
  const made = changed.filter(({ pairing }) => !pairing.record);
  return {
    /** The entries of the domain's form that differ. */
    domain: told.mine,
    removes,
    edits: changed.flatMap(({ pairing: { record }, mine, isChanged: is }) => (record && is ? [{ record, mine }] : [])),
    /** The entries of the forms of new records. */
    creates: made.map(({ pairing }) => draftFor(pairing.wanted)),
    mistakes: inOrder([...text.mistakes, ...slave, ...told.mistakes, ...remarks.flatMap(({ mistakes }) => mistakes)]),
    notes: inOrder([
      ...text.notes.filter((note) => !same.some((at) => note.line === at.line && note.column === at.column)),
      ...remarks.flatMap(({ notes }) => notes),
    ]),
  };
}

const inOrder = (remarks: readonly TextRemark[]): readonly TextRemark[] =>
  remarks
    .map(({ line, column, says }) => ({ line, column, says }))
    .toSorted((one, other) => one.line - other.line || one.column - other.column);
