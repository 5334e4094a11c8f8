import type { Domain as DomainRow } from '../../resources/networking/domainActions.ts';
import type { DomainRecord } from '../../resources/networking/recordRules.ts';
import { type Cloud, perCloud, type Stored } from '../engine/cloud.ts';
import { type Entity, entityOf } from '../engine/eventLog.ts';
import { randomFrom } from '../engine/random.ts';
import { day, timestamp } from '../engine/time.ts';
import { serversOf } from '../inventory.ts';
import { balancersOf } from './balancers.seed.ts';

/** A domain as it is answered (document 3, 2.1). */
export type Domain = Stored<DomainRow> & { soa_email: string; description: string };

/** A record as it is answered (document 3, 2.2). */
export type DnsRecord = Stored<DomainRecord>;

/** A domain or record that is still to be made. */
export type Unmade<T> = Omit<T, 'id' | 'created' | 'updated'>;

/** A domain with its records and its zone file as it was last rendered. */
export interface Zone {
  domain: Domain;
  records: DnsRecord[];
  rendered: readonly string[];
}

const defaults = { ttl_sec: 86_400, refresh_sec: 14_400, retry_sec: 14_400, expire_sec: 1_209_600 } as const;

/** The time between a change and the zone file that has it, in seconds. */
const rendersAfter = 8;

/** Has the zone file of a changed zone rendered, a little later. */
export function render(cloud: Cloud, zone: Zone): void {
  cloud.after(rendersAfter, () => {
    zone.rendered = linesOf(zone, cloud.time);
  });
}

/** The zone file of a master, line by line; a slave has none of its own. */
function linesOf({ domain, records }: Zone, time: number): readonly string[] {
  if (domain.type !== 'master') return [];
  const timer = (name: keyof typeof defaults) => domain[name] || defaults[name];
  const serial = Math.floor(time / 1000);
  const mailbox = domain.soa_email.replace('@', '.');
  return [
    `; ${domain.domain} [${domain.id}]`,
    `$TTL ${timer('ttl_sec')}`,
    `@\t\tIN\tSOA\tns1.platform.example. ${mailbox}. ${serial} ${timer('refresh_sec')} ${timer('retry_sec')} ${timer('expire_sec')} 300`,
    ...[1, 2, 3, 4, 5].map((number) => `@\t\tIN\tNS\tns${number}.platform.example.`),
    ...records.map((record) => lineOf(record)),
  ];
}

function lineOf(record: DnsRecord): string {
  const name = record.type === 'SRV' ? `${record.service}${record.protocol ?? ''}` : record.name || '@';
  return [name, record.ttl_sec || '', 'IN', record.type, dataOf(record)].join('\t');
}

function dataOf({ type, target, priority, weight, port, tag }: DnsRecord): string {
  const host = target.includes('.') && !target.endsWith('.') ? `${target}.` : target;
  if (type === 'MX') return `${priority} ${target === '' ? '.' : host}`;
  if (type === 'SRV') return `${priority} ${weight} ${port} ${host}`;
  if (type === 'CAA') return `0 ${tag} "${target}"`;
  if (type === 'TXT') return `"${target}"`;
  return type === 'A' || type === 'AAAA' ? target : host;
}

type Written = readonly [type: string, name: string, target: string, more?: Partial<DnsRecord>];

const firstDomain = 1_480_201;
const firstRecord = 19_400_003;

/** The zones by the id of their domain, oldest first: what the servers and NodeBalancers are called, and some others. */
export const zonesOf = perCloud((cloud) => {
  const { seed, time } = cloud.options;
  let records = 0;
  const zones = written(cloud).map(({ records: lines, ...about }, place): Zone => {
    const random = randomFrom(seed, place, 71);
    const created = time - random.integer(40, 1200) * day;
    const recordOf = ([type, name, target, more]: Written): DnsRecord => {
      records += 1;
      const changed = timestamp(created + random.next() * (time - created));
      return {
        ...blank,
        id: firstRecord + records * 2,
        type,
        name,
        target,
        created: changed,
        updated: changed,
        ...more,
      };
    };
    const domain: Domain = {
      ...plain,
      id: firstDomain + place * 3,
      ...about,
      created: timestamp(created),
      updated: timestamp(time - random.integer(1, 30) * day),
    };
    const zone: Zone = { domain, records: lines.map(recordOf), rendered: [] };
    return { ...zone, rendered: linesOf(zone, created) };
  });
  return new Map(zones.map((zone) => [zone.domain.id, zone]));
});

/** A domain as an event names it. */
export const domainEntity = ({ domain: { id, domain } }: Zone): Entity =>
  entityOf('domains', 'domain', { id, label: domain });

/** A record with nothing but what every record has. */
export const blank: Omit<DnsRecord, 'id' | 'type' | 'created' | 'updated'> = {
  name: '',
  target: '',
  priority: 0,
  weight: 0,
  port: 0,
  service: null,
  protocol: null,
  ttl_sec: 0,
  tag: null,
};

/** A domain as it is made when nothing is said. */
export const plain: Omit<Domain, 'id' | 'domain' | 'created' | 'updated'> = {
  type: 'master',
  status: 'active',
  soa_email: '',
  description: '',
  group: '',
  master_ips: [],
  axfr_ips: [],
  tags: [],
  ttl_sec: 0,
  refresh_sec: 0,
  retry_sec: 0,
  expire_sec: 0,
};

type InitialZone = Partial<Domain> & { domain: string; records: readonly Written[] };

function written(cloud: Cloud): readonly InitialZone[] {
  const soa = { soa_email: 'hostmaster@example.com' };
  return [
    { domain: 'example.com', ...soa, tags: ['prod'], ttl_sec: 3600, records: company(cloud) },
    {
      domain: 'example.net',
      ...soa,
      tags: ['prod'],
      description: 'Everything that is not for customers',
      records: hosts(cloud),
    },
    {
      domain: 'shop.example',
      ...soa,
      tags: ['prod', 'shop'],
      records: [
        ['CNAME', 'www', 'example.com'],
        ['MX', '', 'mail.example.com', { priority: 10 }],
        ['TXT', '', 'v=spf1 include:example.com -all'],
        // Added for the newsletter: with two of them neither counts.
        ['TXT', '', 'v=spf1 include:_spf.example.org ~all'],
        ['TXT', '_dmarc', 'v=DMARC1; p=reject; rua=mailto:postmaster@example.com'],
        // Left from a server that is gone: its address belongs to somebody else by now.
        ['A', 'sale', '203.0.113.251', { ttl_sec: 300 }],
      ],
    },
    {
      domain: 'status.example',
      ...soa,
      description: 'Hosted elsewhere; takes no mail',
      records: [
        ['CNAME', 'www', 'pages.example.org'],
        ['MX', '', ''],
        ['CAA', '', 'letsencrypt.org', { tag: 'issue' }],
      ],
    },
    {
      domain: 'partner.example',
      type: 'slave',
      description: 'Read from the partner, who keeps it',
      master_ips: ['198.51.100.253', '3fff:100:53::253'],
      records: [],
    },
    {
      domain: 'old-shop.example',
      ...soa,
      status: 'disabled',
      description: 'Until the registration ends in autumn',
      records: [['A', '', '203.0.113.252']],
    },
  ];
}

function company(cloud: Cloud): readonly Written[] {
  const balancers = [...balancersOf(cloud).values()].map(({ balancer }) => balancer);
  const web = balancers.find(({ label }) => label === 'web-lb');
  const api = balancers.find(({ label }) => label === 'api-lb');
  const mail = [...serversOf(cloud).values()].slice(0, 200).find(({ label }) => label === 'mail');
  const front: readonly Written[] = web
    ? [
        ['A', '', web.ipv4, { ttl_sec: 300 }],
        ['AAAA', '', web.ipv6 ?? '', { ttl_sec: 300 }],
        ['CNAME', 'www', 'example.com'],
      ]
    : [];
  return [
    ...front,
    ...(api ? ([['A', 'api', api.ipv4, { ttl_sec: 300 }]] as const) : []),
    ...(mail ? ([['A', 'mail', mail.ipv4[0] ?? '']] as const) : []),
    ['MX', '', 'mail.example.com', { priority: 10 }],
    ['MX', '', 'mail-backup.example.org', { priority: 50 }],
    ['TXT', '', 'v=spf1 mx -all'],
    ['TXT', 'selector1._domainkey', 'v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA0demo'],
    ['CAA', '', 'letsencrypt.org', { tag: 'issue' }],
    ['CAA', '', 'mailto:security@example.com', { tag: 'iodef' }],
    ['NS', 'labs', 'ns1.example.org'],
    [
      'SRV',
      '_submission._tcp',
      'mail',
      { service: '_submission.', protocol: '_tcp', priority: 0, weight: 1, port: 587 },
    ],
  ];
}

/** Two records for each of the first servers. */
const hosts = (cloud: Cloud): readonly Written[] =>
  [...serversOf(cloud).values()]
    .slice(0, 60)
    .flatMap(({ label, ipv4, ipv6 }): readonly Written[] => [
      ['A', label, ipv4[0] ?? ''],
      ...(ipv6 ? ([['AAAA', label, ipv6.replace(/\/\d+$/, '')]] as const) : []),
    ]);
