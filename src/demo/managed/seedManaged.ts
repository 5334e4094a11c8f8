import type { Entity } from '../engine/eventLog.ts';
import { noise } from '../engine/random.ts';
import { day, hour, stamp } from '../engine/stamp.ts';

/** A service under managed monitoring (document 3, 4.4). */
export interface Service {
  id: number;
  status: string;
  label: string;
  service_type: string;
  address: string;
  timeout: number;
  body: string | null;
  consultation_group: string;
  credentials: readonly number[];
  notes: string | null;
  region: string | null;
  created: string;
  updated: string;
}

export interface Issue {
  id: number;
  created: string;
  services: readonly number[];
  entity: Entity;
}

export interface Contact {
  id: number;
  name: string;
  email: string;
  phone: { primary: string | null; secondary: string | null };
  group: string | null;
  updated: string;
}

/** A credential; what it holds is never answered. */
export interface Credential {
  id: number;
  label: string;
  last_decrypted: string | null;
}

type Told = readonly [
  label: string,
  type: 'url' | 'tcp',
  address: string,
  timeout: number,
  group: string,
  more?: Partial<Service>,
];

const ids = { relay: 4101, database: 4102, console: 4103 };

/** What is watched. `inside` is where the private addresses are. */
const told = (inside: { host: string; region: string }): readonly Told[] => [
  ['shop', 'url', 'https://shop.example.com/health?deep=1', 10, 'on-call', { body: 'all is well' }],
  ['api', 'url', 'https://api.example.com/v1/status', 5, 'on-call', { body: '"status":"ok"' }],
  ['search', 'url', 'https://search.example.com/ping', 10, 'on-call', { status: 'problem' }],
  [
    'database',
    'tcp',
    `${inside.host}:5432`,
    15,
    'database',
    {
      region: inside.region,
      credentials: [ids.database],
      notes: 'Restart pgbouncer first.\nNever restart the primary while a replica is behind.',
    },
  ],
  ['mail', 'tcp', 'mail.example.com:25', 30, 'on-call', { credentials: [ids.relay] }],
  ['metrics', 'url', 'https://metrics.example.com/login', 20, 'office', { credentials: [ids.console] }],
  ['vpn', 'tcp', 'vpn.example.com:443', 10, 'office'],
  [
    'staging',
    'url',
    'https://staging.example.com/',
    60,
    '',
    { status: 'disabled', notes: 'Off outside office hours.' },
  ],
];

/** The services there are at first. */
export function seedServices(inside: { host: string; region: string }, time: number): Map<number, Service> {
  const services = told(inside).map(
    ([label, service_type, address, timeout, consultation_group, more], index): Service => ({
      id: 9201 + index * 3,
      status: 'ok',
      label,
      service_type,
      address,
      timeout,
      body: null,
      consultation_group,
      credentials: [],
      notes: null,
      region: null,
      created: stamp(time - (300 - index * 20) * day),
      updated: stamp(time - (40 - index * 4) * day),
      ...more,
    }),
  );
  return new Map(services.map((service) => [service.id, service]));
}

const people: readonly (readonly [name: string, group: string | null, phone: string | null, other: string | null])[] = [
  ['On-call', 'on-call', '+1 202 555 0143', '+1 202 555 0144'],
  ['Night shift', 'on-call', '+1 202 555 0171', null],
  ['Database team', 'database', '+1 202 555 0118', null],
  ['Office', 'office', '+1 202 555 0100', null],
  ['Status page', null, null, null],
];

/** The contacts there are at first. */
export function seedContacts(time: number): Map<number, Contact> {
  const contacts = people.map(
    ([name, group, primary, secondary], index): Contact => ({
      id: 5301 + index * 2,
      name,
      email: `${name.toLowerCase().replace(/\W+/g, '-')}@example.com`,
      phone: { primary, secondary },
      group,
      updated: stamp(time - (index * 31 + 9) * day),
    }),
  );
  return new Map(contacts.map((contact) => [contact.id, contact]));
}

/** The credentials there are at first. */
export const seedCredentials = (time: number): Map<number, Credential> =>
  new Map(
    [
      { id: ids.relay, label: 'mail relay', last_decrypted: stamp(time - 71 * day) },
      { id: ids.database, label: 'database, read only', last_decrypted: stamp(time - 5 * day - 3 * hour) },
      { id: ids.console, label: 'metrics console', last_decrypted: null },
    ].map((credential) => [credential.id, credential]),
  );

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** A public key of 4096 bits to look at; nobody has the private one. */
export function seedSshKey(seed: number): string {
  const random = Array.from({ length: 682 }, (_, place) => letters[Math.floor(noise(seed, place, 77) * 64)]).join('');
  return `ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAACAQ${random}== managed@example.com`;
}
