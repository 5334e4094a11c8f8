import { listed } from '../../text/words.ts';
import { isBlank } from '../body.ts';
import { emailPattern } from '../ipAddress.ts';
import { type Complaint, type DescribedField, type Draft, type Resource, type Row, resource } from '../resource.ts';
import { plainName } from './address.ts';

/** A person who is notified when a managed service goes down (document 3, 4.4). */
export type ManagedContact = Row & {
  id: number;
  name: string;
  email: string;
  group: string | null;
  phone: { primary: string | null; secondary: string | null };
  updated: string;
};

const phone = (label: string): DescribedField => ({ label, emptied: null });

/** The documents require neither, but nobody could be notified without one of them. */
const needsSomebody = ({ name, email }: Draft): Complaint | undefined =>
  isBlank(name) && isBlank(email) ? { field: 'name', says: 'enter a name or an email address' } : undefined;

const body = ['name', 'email', 'group', 'phone.primary', 'phone.secondary'];

/** Contacts of managed monitoring (document 3, 4.4). */
export const managedContacts: Resource = resource<ManagedContact>()({
  name: 'managed-contacts',
  area: 'Managed',
  aliases: ['contacts'],
  path: '/v4/managed/contacts',
  scope: 'account',
  label: ({ id, name, email }) => name || email || `contact ${id}`,
  sort: 'Name',
  empty: 'A contact is notified when a managed service of their group goes down.',
  fields: {
    name: { min: 2, max: 64, pattern: plainName(2) },
    email: { pattern: emailPattern },
    group: {
      min: 2,
      max: 50,
      pattern: plainName(2),
      emptied: null,
      help: 'A service notifies the contacts of its group.',
    },
    'phone.primary': phone('Primary phone'),
    'phone.secondary': phone('Secondary phone'),
  },
  columns: [
    { title: 'Name', value: 'name', keep: 1 },
    { title: 'Group', value: 'group' },
    { title: 'Email', value: 'email', keep: 1 },
    { title: 'Primary', value: 'phone.primary' },
    { title: 'Secondary', value: 'phone.secondary' },
    { title: 'ID', value: 'id', format: 'id', keep: 3 },
    { title: 'Updated', value: 'updated', format: 'age', keep: 3 },
  ],
  overview: { related: [{ list: 'managed-services' }] },
  view: { scope: 'account:read_write' },
  create: { shownBy: { names: ['name', 'email'] }, body, check: needsSomebody },
  edit: { body, single: true },
  remove: {
    reads: ['managed-contacts', 'managed-services'],
    ask: {
      warning: (contact, view) => {
        const { id, group, name, email } = contact;
        const isLast =
          Boolean(group) &&
          view.isRead('managed-contacts') &&
          !view.rows('managed-contacts').some((other) => other.group === group && other.id !== id);
        const told = view.rows('managed-services').filter(({ consultation_group }) => consultation_group === group);
        const gone = `Deletes ${name || email}, who is no longer notified of problems.`;
        if (!isLast || told.length === 0) return gone;
        const services = told.length === 1 ? `${told[0]?.label}` : `${told.length} services`;
        return `${gone} It is the last contact in the group ${group}, so nobody is notified when ${services} ${told.length === 1 ? 'goes' : 'go'} down.`;
      },
      together: (contacts, view) => {
        const leaving = new Set(contacts.map(({ id }) => id));
        const staying = view.rows('managed-contacts').filter(({ id }) => !leaving.has(id as number));
        const groups = [...new Set(contacts.flatMap(({ group }) => group || []))];
        const isRead = view.isRead('managed-contacts');
        const empty = groups.filter((group) => isRead && !staying.some((other) => other.group === group));
        const nobody = empty.length > 0 ? ` Nobody is left in ${listed(empty, 8)}.` : '';
        return `Deletes these contacts, who are no longer notified of problems.${nobody}`;
      },
    },
    inverse: () => ({ action: 'create', differs: ['it gets another id'] }),
  },
  copies: {
    email: ({ email }) => email,
    'primary phone': (contact) => contact.phone?.primary ?? undefined,
    'secondary phone': (contact) => contact.phone?.secondary ?? undefined,
  },
});
