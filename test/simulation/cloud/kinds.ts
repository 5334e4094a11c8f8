import { type Item, Refusal, type Row } from './items.ts';

/** The rules for all things of a kind, as far as the documents say them. */
export interface Kind {
  /** The words of its list's path after the version; `*` stands for the id of what it lies in. */
  readonly path: string;
  readonly parent?: string;
  /** The field that no two of an account may share; of the whole platform for a domain. */
  readonly unique?: string;
  readonly required?: readonly string[];
  /** The fields that a change may set. */
  readonly fields: readonly string[];
  /** A new row, before its fields are set. */
  readonly start?: Row;
  /** The name of the kind in the actions of events; without it nothing is told. */
  readonly event?: string;
  /** The field with the time of its creation; some kinds do not tell it. */
  readonly created?: string;
  /** Nothing changes it, or nothing takes it away. */
  readonly lacks?: readonly ('edit' | 'delete')[];
}

const tags: readonly string[] = [];

export const kinds: Readonly<Record<string, Kind>> = {
  servers: {
    path: 'server/instances',
    unique: 'label',
    required: ['region', 'type'],
    fields: ['label', 'group', 'tags', 'watchdog_enabled', 'alerts', 'backups'],
    event: 'server',
    created: 'created',
    start: {
      status: 'offline',
      image: null,
      group: '',
      tags,
      watchdog_enabled: true,
      hypervisor: 'kvm',
      alerts: { cpu: 90, io: 10_000, network_in: 10, network_out: 10, transfer_quota: 80 },
      backups: { enabled: false, last_successful: null, schedule: { day: null, window: null } },
      specs: { disk: 25_600, memory: 1024, transfer: 1000, vcpus: 1 },
    },
  },
  configs: {
    path: 'server/instances/*/configs',
    parent: 'servers',
    required: ['label', 'devices'],
    fields: ['label', 'comments', 'devices', 'kernel', 'root_device', 'memory_limit'],
    event: 'server_config',
    start: { comments: null, kernel: 'server/latest-64bit', root_device: '/dev/sda', memory_limit: 0, interfaces: [] },
  },
  disks: {
    path: 'server/instances/*/disks',
    parent: 'servers',
    fields: ['label'],
    created: 'created',
    lacks: ['edit', 'delete'],
    start: { filesystem: 'ext4', size: 4096, status: 'ready' },
  },
  volumes: {
    path: 'volumes',
    unique: 'label',
    required: ['label'],
    fields: ['label', 'tags'],
    event: 'volume',
    created: 'created',
    start: { status: 'creating', size: 20, server_id: null, server_label: null, hardware_type: 'nvme', tags },
  },
  domains: {
    path: 'domains',
    unique: 'domain',
    required: ['domain', 'type'],
    fields: [
      ...['domain', 'type', 'soa_email', 'description', 'group', 'status', 'tags', 'master_ips', 'axfr_ips'],
      ...['ttl_sec', 'refresh_sec', 'retry_sec', 'expire_sec'],
    ],
    event: 'dns_zone',
    start: {
      ...{ soa_email: '', description: '', group: '', status: 'active', tags, master_ips: [], axfr_ips: [] },
      ...{ ttl_sec: 0, refresh_sec: 0, retry_sec: 0, expire_sec: 0 },
    },
  },
  records: {
    path: 'domains/*/records',
    parent: 'domains',
    required: ['type'],
    fields: ['type', 'name', 'target', 'ttl_sec', 'priority', 'weight', 'port', 'protocol', 'service', 'tag'],
    event: 'dns_record',
    created: 'created',
    start: {
      ...{ name: '', target: '', ttl_sec: 0, priority: 0, weight: 0, port: 0 },
      ...{ protocol: null, service: null, tag: null },
    },
  },
  nodebalancers: {
    path: 'nodebalancers',
    unique: 'label',
    required: ['region'],
    fields: ['label', 'tags', 'client_conn_throttle'],
    event: 'nodebalancer',
    created: 'created',
    start: { client_conn_throttle: 0, tags, transfer: { in: null, out: null, total: null }, ipv6: null },
  },
  balancerConfigs: {
    path: 'nodebalancers/*/configs',
    parent: 'nodebalancers',
    fields: [
      ...['port', 'protocol', 'algorithm', 'stickiness', 'check', 'check_attempts', 'check_body', 'check_interval'],
      ...['check_passive', 'check_path', 'check_timeout', 'cipher_suite', 'proxy_protocol'],
    ],
    start: {
      ...{ port: 80, protocol: 'http', algorithm: 'roundrobin', stickiness: 'none', check: 'none' },
      ...{ check_attempts: 3, check_body: '', check_interval: 5, check_passive: true, check_path: '' },
      ...{ check_timeout: 3, cipher_suite: 'recommended', proxy_protocol: 'none', ssl_cert: null, ssl_key: null },
      nodes_status: { up: 0, down: 0 },
    },
  },
  nodes: {
    path: 'nodebalancers/*/configs/*/nodes',
    parent: 'balancerConfigs',
    required: ['label', 'address'],
    fields: ['label', 'address', 'mode', 'weight'],
    start: { mode: 'accept', weight: 50, status: 'UP' },
  },
  tickets: {
    path: 'support/tickets',
    required: ['summary', 'description'],
    fields: ['summary', 'description'],
    event: 'ticket',
    created: 'opened',
    lacks: ['edit', 'delete'],
    start: { status: 'new', closable: true, closed: null, entity: null, attachments: [], updated_by: null },
  },
  replies: {
    path: 'support/tickets/*/replies',
    parent: 'tickets',
    required: ['description'],
    fields: ['description'],
    created: 'created',
    lacks: ['edit', 'delete'],
    start: { from_server: false },
  },
  contacts: {
    path: 'managed/contacts',
    fields: ['name', 'email', 'group', 'phone'],
    start: { name: '', email: '', group: null, phone: { primary: null, secondary: null } },
  },
  stackscripts: {
    path: 'server/stackscripts',
    required: ['label', 'images', 'script'],
    fields: ['label', 'description', 'images', 'is_public', 'rev_note', 'script'],
    event: 'stackscript',
    created: 'created',
    start: { description: '', is_public: false, rev_note: '', mine: true },
  },
};

/** Lists that are the same for everybody. */
export const catalogues: Readonly<Record<string, readonly Row[]>> = {
  regions: ['us-east', 'eu-west'].map((id) => ({
    id,
    country: id.slice(0, 2),
    status: 'ok',
    capabilities: ['Servers', 'NodeBalancers', 'Block Storage'],
    resolvers: { ipv4: '', ipv6: '' },
  })),
  'server/types': [1, 2, 4].map((vcpus) => ({
    id: `g6-standard-${vcpus}`,
    label: `Standard ${vcpus}`,
    class: 'standard',
    disk: vcpus * 51_200,
    memory: vcpus * 2048,
    transfer: vcpus * 2000,
    vcpus,
    price: { hourly: 0.015 * vcpus, monthly: 10 * vcpus },
    addons: { backups: { price: { hourly: 0.004, monthly: 2.5 } } },
    successor: null,
    gpus: 0,
    network_out: 2000,
  })),
  images: [
    {
      ...{ id: 'server/debian12', label: 'Debian 12', is_public: true, status: 'available', type: 'manual' },
      ...{ deprecated: false, size: 1300, vendor: 'Debian', created: '2024-01-01T00:00:00', description: null },
    },
  ],
};

/** Checks the values of a request against the rules of a kind. */
export function checkBody(kind: Kind, body: Row, others: readonly Item[], isNew: boolean): void {
  for (const name of isNew ? (kind.required ?? []) : [])
    if (body[name] === undefined || body[name] === '') throw new Refusal(400, `${name} is required`, name);
  const { unique } = kind;
  const wanted = unique && body[unique];
  if (wanted !== undefined && others.some((item) => item.versions.at(-1)?.row?.[unique as string] === wanted))
    throw new Refusal(400, `${unique === 'domain' ? 'Domain' : 'Label'} must be unique`, unique);
  for (const tag of (body.tags as readonly string[] | undefined) ?? [])
    if (tag.length < 3 || tag.length > 50) throw new Refusal(400, 'Length must be 3-50 characters', 'tags');
}
