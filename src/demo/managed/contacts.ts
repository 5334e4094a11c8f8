import { at, type Row } from '../../resources/resource.ts';
import type { Cloud } from '../engine/cloud.ts';
import { collection } from '../engine/collection.ts';
import { assignFields, type Call } from '../engine/handler.ts';
import { type Contact, contactsOf } from './contacts.seed.ts';

const { find, handlers } = collection<Contact>('managed-contacts', {
  rows: contactsOf,
  filters: ['group'],
  remove: true,
});

function change(cloud: Cloud, contact: Contact, body: Row): Contact {
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
  const contact = change(cloud, blank, call.body);
  contactsOf(cloud).set(contact.id, contact);
  return contact;
}

/** Managed contacts (document 3, 4.4). */
export const managedContacts = handlers({
  create,
  edit: (call, cloud) => change(cloud, find(call, cloud), call.body),
});
