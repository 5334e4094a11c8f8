import type { ManagedCredential } from '../../resources/managed/credentials.ts';
import type { ManagedIssue } from '../../resources/managed/issues.ts';
import type { ManagedService } from '../../resources/managed/services.ts';
import { byId, perCloud, type Stored } from '../engine/cloud.ts';
import type { Entity } from '../engine/eventLog.ts';
import { noise } from '../engine/random.ts';
import { day, hour, timestamp } from '../engine/time.ts';
import { serversOf } from '../inventory.ts';

/** A credential; what it holds is never answered. */
export type Credential = Stored<ManagedCredential>;

/** The ids of the credentials there are at first, for the services that use them. */
const credentialIds = { relay: 4101, database: 4102, console: 4103 };

/** The credentials by id. */
export const credentialsOf = perCloud(({ options: { time } }) =>
  byId<Credential>([
    { id: credentialIds.relay, label: 'mail relay', last_decrypted: timestamp(time - 71 * day) },
    { id: credentialIds.database, label: 'database, read only', last_decrypted: timestamp(time - 5 * day - 3 * hour) },
    { id: credentialIds.console, label: 'metrics console', last_decrypted: null },
  ]),
);

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** A public key of 4096 bits to look at; nobody has the private one. */
export function seedSshKey(seed: number): string {
  const random = Array.from({ length: 682 }, (_, place) => letters[Math.floor(noise(seed, place, 77) * 64)]).join('');
  return `ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAACAQ${random}== managed@example.com`;
}

/** A service under managed monitoring (document 3, 4.4). */
export type Service = Stored<ManagedService>;

/** An issue of services (document 3, 4.4). */
export type Issue = Omit<Stored<ManagedIssue>, 'entity'> & { entity: Entity };

/** A service, as far as nothing else is said of it. */
export const newService = (
  own: Pick<Service, 'id' | 'status' | 'created' | 'updated'> & Partial<Service>,
): Service => ({
  ...{ id: own.id, status: own.status, label: '', service_type: 'url', address: '', timeout: 1, body: null },
  ...{ consultation_group: '', credentials: [], notes: null, region: null, ...own },
});

type InitialService = readonly [
  label: string,
  type: 'url' | 'tcp',
  address: string,
  timeout: number,
  group: string,
  more?: Partial<Service>,
];

/** The services under monitoring; `inside` is where the private addresses are. */
const initialServices = (inside: { host: string; region: string }): readonly InitialService[] => [
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
      credentials: [credentialIds.database],
      notes: 'Restart pgbouncer first.\nNever restart the primary while a replica is behind.',
    },
  ],
  ['mail', 'tcp', 'mail.example.com:25', 30, 'on-call', { credentials: [credentialIds.relay] }],
  ['metrics', 'url', 'https://metrics.example.com/login', 20, 'office', { credentials: [credentialIds.console] }],
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

/** The services by id. */
export const servicesOf = perCloud((cloud) => {
  const { time } = cloud.options;
  const primary = [...serversOf(cloud).values()].find(({ label }) => label === 'db-primary');
  const host = primary?.ipv4.find((address) => address.startsWith('192.168.')) ?? '192.168.128.10';
  const services = initialServices({ host, region: primary?.region ?? 'us-east' }).map(
    ([label, service_type, address, timeout, consultation_group, more], index) => {
      const created = timestamp(time - (300 - index * 20) * day);
      const of = { id: 9201 + index * 3, status: 'ok', created, updated: timestamp(time - (40 - index * 4) * day) };
      return newService({ ...of, label, service_type, address, timeout, consultation_group, ...more });
    },
  );
  return byId(services);
});
