import type { ManagedContact } from '../../resources/managed/contacts.ts';
import { at } from '../../resources/resource.ts';
import { byId, type Cloud, perCloud, type Stored } from '../engine/cloud.ts';
import { assignFields, type Call, collection } from '../engine/handler.ts';
import { day, timestamp } from '../engine/time.ts';

/** A contact (document 3, 4.4). */
type Contact = Stored<ManagedContact>;

const people: readonly (readonly [name: string, group: string | null, phone: string | null, other: string | null])[] = [
  ['On-call', 'on-call', '+1 202 555 0143', '+1 202 555 0144'],
  ['Night shift', 'on-call', '+1 202 555 0171', null],
  ['Database team', 'database', '+1 202 555 0118', null],
  ['Office', 'office', '+1 202 555 0100', null],
  ['Status page', null, null, null],
];

const contactsOf = perCloud(({ options: { time } }) =>
  byId(
    people.map(
      ([name, group, primary, secondary], index): Contact => ({
        id: 5301 + index * 2,
        name,
        email: `${name.toLowerCase().replace(/\W+/g, '-')}@example.com`,
        phone: { primary, secondary },
        group,
        updated: timestamp(time - (index * 31 + 9) * day),
      }),
    ),
  ),
);

const { handlers } = collection<Contact>('managed-contacts', {
  rows: contactsOf,
  filters: ['group'],
  remove: true,
  onRow: { edit },
});

function edit(contact: Contact, { body }: Call, cloud: Cloud): Contact {
  assignFields(contact, body, 'name', 'email');
  if (body.group !== undefined) contact.group = body.group as string | null;
  for (const name of ['primary', 'secondary'] as const) {
    const number = at(body, `phone.${name}`);
    if (number !== undefined) contact.phone[name] = number as string | null;
  }
  cloud.touch(contact);
  return contact;
}

function create(call: Call, cloud: Cloud): Contact {
  const phone = { primary: null, secondary: null };
  const blank: Contact = { id: cloud.nextId(), name: '', email: '', phone, group: null, updated: cloud.timestamp };
  const contact = edit(blank, call, cloud);
  contactsOf(cloud).set(contact.id, contact);
  return contact;
}

/** Managed contacts (document 3, 4.4). */
export const managedContacts = handlers({ create });
