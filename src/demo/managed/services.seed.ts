import type { ManagedIssue } from '../../resources/managed/issues.ts';
import type { ManagedService } from '../../resources/managed/services.ts';
import { byId, perCloud, type Stored } from '../engine/cloud.ts';
import type { Entity } from '../engine/eventLog.ts';
import { day, timestamp } from '../engine/time.ts';
import { serversOf } from '../inventory.ts';
import { credentialIds } from './credentials.seed.ts';

/** A service under managed monitoring (document 3, 4.4). */
export type Service = Stored<ManagedService>;

/** An issue of services (document 3, 4.4). */
export type Issue = Omit<Stored<ManagedIssue>, 'entity'> & { entity: Entity };

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
      created: timestamp(time - (300 - index * 20) * day),
      updated: timestamp(time - (40 - index * 4) * day),
      ...more,
    }),
  );
  return byId(services);
});
