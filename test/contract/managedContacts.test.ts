import { expect, test } from 'vitest';
import { describeArea } from './area.ts';
import type { Cloud } from './cloud.ts';
import { accepts, lengths, refuses, word } from './limits.ts';
import { type Contact, contact } from './managedNouns.ts';
import { nothing } from './shapes.ts';

const path = '/v4/managed/contacts';
const wanted = (more: object = {}) => ({ name: word(8), email: `${word(8)}@example.com`, ...more });
const newContact = (cloud: Cloud, more: object = {}) => cloud.post<Contact>(path, wanted(more));
const aContact = async (cloud: Cloud) => ({ contactId: (await newContact(cloud)).id });

const limits = [
  lengths('name', 2, 64),
  refuses('name', 'a/b', 5),
  refuses('group', 'a/b', 5),
  lengths('group', 2, 50),
  accepts('group', null),
  accepts('email', 'on.call+night@mail.example.com'),
  refuses('email', 'nobody', 'nobody@', '@example.com', 'no body@example.com', 'nobody@example', 5),
  accepts('phone', { primary: '+1 202 555 0143' }, { primary: null, secondary: null }),
  refuses('phone', '+1 202 555 0143', { primary: 12025550143 }),
];

describeArea(
  'managed contacts (document 3, 4.4)',
  {
    'GET /v4/managed/contacts': { answers: contact },
    'POST /v4/managed/contacts': { answers: contact, body: () => wanted(), limits },
    'GET /v4/managed/contacts/{contactId}': { answers: contact, params: aContact },
    'PUT /v4/managed/contacts/{contactId}': { answers: contact, params: aContact, body: () => ({}), limits },
    'DELETE /v4/managed/contacts/{contactId}': { answers: nothing, params: aContact },
  },
  (cloud) => {
    test('one phone number is changed without the other', async () => {
      const { id } = await newContact(cloud(), { phone: { primary: '1', secondary: '2' } });
      const { phone } = await cloud().put<Contact>(`${path}/${id}`, { phone: { secondary: '3' } });
      expect(phone).toEqual({ primary: '1', secondary: '3' });
    });

    test('a deleted contact is gone', async () => {
      const { id } = await newContact(cloud());
      await cloud().remove(`${path}/${id}`);
      expect((await cloud().ask('GET', `${path}/${id}`)).status).toBe(404);
    });
  },
);
