import {
  boolean,
  date,
  integer,
  list,
  matching,
  nullable,
  number,
  object,
  oneOf,
  optional,
  type Shape,
  text,
} from './shapes.ts';

/** The fields of a domain that tests read (document 3, 2.1). */
export interface Domain {
  id: number;
  domain: string;
  type: string;
  status: string;
  tags: string[];
  master_ips: string[];
  axfr_ips: string[];
  ttl_sec: number;
  soa_email: string;
}

/** The fields of a domain record that tests read (document 3, 2.2). */
export interface DomainRecord {
  id: number;
  type: string;
  name: string;
  target: string;
  priority: number;
  ttl_sec: number;
  service: string | null;
  protocol: string | null;
}

export interface NodeBalancer {
  id: number;
  label: string;
  region: string;
  tags: string[];
  client_conn_throttle: number;
}

export interface BalancerConfig {
  id: number;
  port: number;
  protocol: string;
  ssl_cert: string | null;
  ssl_key: string | null;
  nodes_status: { up: number; down: number };
}

export interface BalancerNode {
  id: number;
  label: string;
  address: string;
  mode: string;
  weight: number;
  status: string;
}

/** Document 3, 2.1; an address is looked at where it is sent. */
export const domain: Shape = object({
  id: integer,
  domain: matching(/^[a-z0-9.-]+$/),
  type: oneOf('master', 'slave'),
  status: oneOf('active', 'disabled'),
  soa_email: optional(text),
  description: optional(text),
  group: optional(text),
  master_ips: list(text),
  axfr_ips: list(text),
  tags: list(text),
  ttl_sec: integer,
  refresh_sec: integer,
  retry_sec: integer,
  expire_sec: integer,
});

export const recordTypes = ['A', 'AAAA', 'NS', 'MX', 'CNAME', 'TXT', 'SRV', 'PTR', 'CAA'];

/** Document 3, 2.2. */
export const domainRecord: Shape = object({
  id: integer,
  type: oneOf(...recordTypes),
  name: text,
  target: text,
  ttl_sec: integer,
  priority: integer,
  weight: integer,
  port: integer,
  service: nullable(text),
  protocol: nullable(text),
  tag: nullable(oneOf('issue', 'issuewild', 'iodef')),
});

/** Document 3, 2.3. */
export const nodebalancer: Shape = object({
  id: integer,
  label: matching(/^[a-zA-Z0-9_-]{3,32}$/),
  region: text,
  client_conn_throttle: integer,
  created: date,
  hostname: matching(/^\d+[.-]\d+[.-]\d+[.-]\d+\D/),
  ipv4: matching(/^\d+\.\d+\.\d+\.\d+$/),
  ipv6: nullable(matching(/^[0-9a-f:]+$/)),
  tags: list(text),
  transfer: object({ in: nullable(number), out: nullable(number), total: nullable(number) }),
});

const secret = nullable(oneOf('<REDACTED>'));

/** Document 3, 2.4. */
export const balancerConfig: Shape = object({
  id: integer,
  port: integer,
  protocol: oneOf('http', 'https', 'tcp'),
  algorithm: oneOf('roundrobin', 'leastconn', 'source'),
  stickiness: oneOf('none', 'table', 'http_cookie'),
  check: oneOf('none', 'connection', 'http', 'http_body'),
  check_attempts: integer,
  check_body: text,
  check_interval: integer,
  check_passive: boolean,
  check_path: text,
  check_timeout: integer,
  cipher_suite: oneOf('recommended', 'legacy'),
  proxy_protocol: oneOf('none', 'v1', 'v2'),
  ssl_cert: secret,
  ssl_key: secret,
  ssl_commonname: text,
  ssl_fingerprint: text,
});

export const modes = ['accept', 'reject', 'drain', 'backup'];

/** Document 3, 2.5. */
export const balancerNode: Shape = object({
  id: integer,
  label: text,
  address: matching(/^\d+\.\d+\.\d+\.\d+(:\d+)?$/),
  mode: oneOf(...modes),
  weight: integer,
});
