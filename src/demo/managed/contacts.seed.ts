import type { ManagedContact } from '../../resources/managed/contacts.ts';
import { perCloud } from '../engine/cloud.ts';
import { byId, type Stored } from '../engine/stored.ts';
import { day, timestamp } from '../engine/time.ts';

/** A contact (document 3, 4.4). */
export type Contact = Stored<ManagedContact>;

const people: readonly (readonly [name: string, group: string | null, phone: string | null, other: string | null])[] = [
  ['On-call', 'on-call', '+1 202 555 0143', '+1 202 555 0144'],
  ['Night shift', 'on-call', '+1 202 555 0171', null],
  ['Database team', 'database', '+1 202 555 0118', null],
  ['Office', 'office', '+1 202 555 0100', null],
  ['Status page', null, null, null],
];

/** The contacts by id. */
export const contactsOf = perCloud(({ options: { time } }) =>
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
