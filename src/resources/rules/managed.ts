import { day, hour, timeOf } from '../../text/times.ts';
import { called, listed, textIn } from '../../text/words.ts';
import type { ManagedContact } from '../managed/contacts.ts';
import type { ManagedCredential } from '../managed/credentials.ts';
import type { ManagedIssue } from '../managed/issues.ts';
import type { ManagedService } from '../managed/services.ts';
import { memoize } from '../memoize.ts';
import { idIndex } from '../problems/rowIndex.ts';
import { lasting, type Rule, rule } from '../problems/rule.ts';
import { at, itemsOf, type Row } from '../row.ts';
import { statusOf } from '../wording.ts';

const issueRule = rule<ManagedIssue>('managed-issues');
const contactRule = rule<ManagedContact>('managed-contacts');
const credentialRule = rule<ManagedCredential>('managed-credentials');

const serviceName = ({ id, label }: ManagedService) => called(label, 'Service', id);
const serviceRule = rule<ManagedService>('managed-services', serviceName);
const toldRule = rule<ManagedService>('managed-services');

/** When the newest issue of each service began, in ms since the epoch. */
const newestIssues = memoize((rows) => {
  const begun = rows.flatMap(({ services, created }) => itemsOf(services).map((id) => [id, timeOf(created)] as const));
  return new Map(begun.sort(([, one], [, other]) => one - other));
});

const credentialsOf = memoize((rows) => new Set(rows.flatMap(({ credentials }) => itemsOf(credentials))));

const reachable = ({ email, phone }: Row) =>
  [email, at(phone, 'primary'), at(phone, 'secondary')].some((way) => textIn(way) !== undefined);

/** Rules for managed monitoring (document 3, 4.4). */
export const managedRules: readonly Rule[] = [
  serviceRule({
    name: 'service-down',
    several: '{} services do not answer as expected',
    severity: 'critical',
    reads: ['managed-issues'],
    remedy: { shortcut: 'ticket' },
    find: (service, view) => {
      if (statusOf(service) !== 'problem') return;
      const where = textIn(service.address);
      return {
        says: `does not answer as expected${where ? ` at ${where}` : ''}`,
        since: newestIssues(view.rows('managed-issues')).get(service.id) ?? timeOf(service.updated),
      };
    },
  }),
  serviceRule({
    name: 'service-pending',
    several: '{} services are still pending; nobody watches them yet',
    remedy: { shortcut: 'ticket' },
    find: lasting(['pending'], hour, (span) => `is still pending after ${span}; nobody watches it yet`),
  }),
  serviceRule({
    name: 'service-disabled',
    several: '{} services are disabled and not watched',
    severity: 'notice',
    remedy: { action: 'enable' },
    find: lasting(['disabled'], day, (span) => `has not been watched for ${span}; it is disabled`, ['updated']),
  }),
  toldRule({
    name: 'service-tells-nobody',
    several: '{} services tell nobody when they fail',
    reads: ['managed-contacts'],
    remedy: { action: 'edit' },
    find: (service, view) => {
      const { consultation_group: group } = service;
      if (statusOf(service) === 'disabled') return;
      const nobody = `Nobody is told when ${serviceName(service)} goes down`;
      if (group === '' || group === null) return `${nobody}: it names no contact group`;
      const name = textIn(group);
      if (!name || !view.isRead('managed-contacts')) return;
      if (view.find('managed-contacts', idIndex('group'), name).length > 0) return;
      return `${nobody}: no contact is in its group ${name}`;
    },
  }),
  issueRule({
    name: 'issue-open',
    several: '{} issues have a ticket that is still open',
    reads: ['managed-services', 'tickets'],
    find: ({ id, services, entity, created }, view) => {
      const status = statusOf(view.row('tickets', at(entity, 'id')));
      if (status !== 'open' && status !== 'new') return;
      const rows = itemsOf(services).map((service) => view.row('managed-services', service));
      // A service that is down has a problem of its own.
      if (rows.some((row) => statusOf(row) === 'problem')) return;
      const well = rows.flatMap((row) => (row && statusOf(row) === 'ok' ? (textIn(row.label) ?? []) : []));
      const again = well.length > 0 ? `; ${listed(well)} ${well.length === 1 ? 'answers' : 'answer'} again` : '';
      return {
        severity: well.length > 0 ? 'notice' : undefined,
        says: `${called(at(entity, 'label'), 'Issue', id)} is an issue whose ticket is still open${again}`,
        since: timeOf(created),
      };
    },
  }),
  contactRule({
    name: 'contact-unreachable',
    several: '{} contacts have neither e-mail nor phone',
    remedy: { action: 'edit' },
    find: (contact) => {
      if (reachable(contact) || contact.phone === undefined || contact.email === undefined) return;
      return {
        says: `${called(contact.name, 'Contact', contact.id)} has neither e-mail nor phone, so managed monitoring cannot reach anybody there`,
        since: timeOf(contact.updated),
      };
    },
  }),
  credentialRule({
    name: 'credential-without-service',
    several: '{} credentials belong to no service and were never used',
    severity: 'notice',
    reads: ['managed-services'],
    find: ({ id, label, last_decrypted }, view) => {
      if (!view.isRead('managed-services') || last_decrypted !== null) return;
      if (id === undefined || credentialsOf(view.rows('managed-services')).has(id)) return;
      return `${called(label, 'Credential', id)} belongs to no service and was never used`;
    },
  }),
];
