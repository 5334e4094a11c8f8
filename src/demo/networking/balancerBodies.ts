import { createHash, X509Certificate } from 'node:crypto';
import { isIPv4 } from 'node:net';
import { resourceNamed } from '../../resources/index.ts';
import type { BalancerConfig as BalancerConfigRow } from '../../resources/networking/balancerConfigs.ts';
import type {
  BalancerNode as BalancerNodeRow,
  NodeBalancer as NodeBalancerRow,
} from '../../resources/networking/nodeText.ts';
import { isRow, type Row } from '../../resources/row.ts';
import type { Cloud, Stored } from '../engine/cloud.ts';
import { badRequest, HttpError, invalid } from '../engine/errors.ts';
import { checkBody, rulesOf } from '../engine/validation.ts';

/** A NodeBalancer as it is answered (document 3, 2.3). */
export type Balancer = Stored<NodeBalancerRow>;

/** A config of a NodeBalancer (document 3, 2.4); certificate and key are kept out of every answer. */
export type BalancerConfig = Omit<Stored<BalancerConfigRow>, 'nodes_status'> & {
  nodebalancer_id: number;
  ssl_cert: string | null;
  ssl_key: string | null;
  ssl_commonname: string;
};

/** A node of a config (document 3, 2.5). */
export type BalancerNode = Omit<Stored<BalancerNodeRow>, 'status'> & { nodebalancer_id: number; config_id: number };

/** A config with its nodes. */
export interface Port {
  config: BalancerConfig;
  nodes: { node: BalancerNode; since: number }[];
}

/** A NodeBalancer with everything below it. */
export interface BalancerTree {
  balancer: Balancer;
  ports: Port[];
}

/** Stands in answers for a certificate or key. */
export const hidden = '<REDACTED>';

/** A config as it is made when nothing is said. */
export const plainConfig: Omit<BalancerConfig, 'id' | 'nodebalancer_id'> = {
  port: 80,
  protocol: 'http',
  algorithm: 'roundrobin',
  stickiness: 'none',
  check: 'none',
  check_attempts: 2,
  check_body: '',
  check_interval: 5,
  check_passive: true,
  check_path: '',
  check_timeout: 3,
  cipher_suite: 'recommended',
  proxy_protocol: 'none',
  ssl_cert: null,
  ssl_key: null,
  ssl_commonname: '',
  ssl_fingerprint: '',
};

type Known = Omit<BalancerConfig, 'id' | 'nodebalancer_id'>;

/** A config as a body leaves it (document 3, 2.4); `taken` are the ports of the others. @throws 400 */
export function configFrom<T extends Known>(before: T, body: Row, taken: readonly number[]): T {
  const names = Object.keys(plainConfig).filter((name) => !name.startsWith('ssl_')) as (keyof Known)[];
  const set = names.flatMap((name) =>
    body[name] === undefined || body[name] === null ? [] : [[name, body[name]] as const],
  );
  const after: T = { ...before, ...Object.fromEntries(set) };
  if (taken.includes(after.port)) throw invalid('port', 'Port must be unique on the NodeBalancer');
  if (after.stickiness === 'http_cookie' && after.protocol === 'tcp')
    throw invalid('stickiness', 'http_cookie is for http and https only');
  return { ...after, ...certificateFrom(after, body) };
}

function certificateFrom(config: Known, body: Row): Partial<Known> {
  const [cert, key] = (['ssl_cert', 'ssl_key'] as const).map((name) => pemIn(body, name));
  if (config.protocol !== 'https') {
    if (cert) throw invalid('ssl_cert', `ssl_cert is not supported with ${config.protocol}`);
    if (key) throw invalid('ssl_key', `ssl_key is not supported with ${config.protocol}`);
    return { ssl_cert: null, ssl_key: null, ssl_commonname: '', ssl_fingerprint: '' };
  }
  if (cert === null || (cert === undefined && !config.ssl_cert))
    throw invalid('ssl_cert', 'ssl_cert is required with https');
  if (key === null || (key === undefined && !config.ssl_key))
    throw invalid('ssl_key', 'ssl_key is required with https');
  if (cert && !key) throw invalid('ssl_key', 'ssl_key does not match ssl_cert');
  return cert ? { ssl_cert: hidden, ssl_key: hidden, ...namesOf(cert) } : {};
}

/** A certificate or key in a body: a text, null to have none, undefined where it stays as it is. */
function pemIn(body: Row, name: 'ssl_cert' | 'ssl_key'): string | null | undefined {
  const value = body[name];
  if (value === undefined || value === hidden) return undefined;
  if (value === null || value === '') return null;
  const text = String(value).replaceAll('\\n', '\n').trim();
  const wanted = name === 'ssl_cert' ? /^-----BEGIN CERTIFICATE-----/ : /^-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/;
  if (!wanted.test(text) || !/-----END [A-Z ]+-----$/.test(text)) throw invalid(name, `${name} must be in PEM`);
  return text;
}

/** The common name and fingerprint of a certificate; one that only looks like one has no name. */
function namesOf(cert: string): Pick<Known, 'ssl_commonname' | 'ssl_fingerprint'> {
  try {
    const { subject, fingerprint } = new X509Certificate(cert);
    return { ssl_commonname: /^CN=(.*)$/m.exec(subject)?.[1] ?? '', ssl_fingerprint: fingerprint };
  } catch {
    return { ssl_commonname: '', ssl_fingerprint: fingerprintOf(cert) };
  }
}

/** A fingerprint as certificates have them. */
export const fingerprintOf = (text: string): string =>
  (createHash('sha1').update(text).digest('hex').toUpperCase().match(/../g) ?? []).join(':');

/** The configs of a new NodeBalancer, each with its nodes. @throws 400 with fields such as `configs[0].port` */
export function configsIn(cloud: Cloud, balancerId: number, configs: unknown): Port[] {
  if (configs === undefined || configs === null) return [];
  if (!Array.isArray(configs)) throw invalid('configs', 'Must be of type Array');
  const taken: number[] = [];
  return configs.map((body, index) =>
    within(`configs[${index}]`, () => {
      needObject(body);
      checkAgainst('nodebalancer-configs', body);
      const config = { ...configFrom(plainConfig, body, taken), id: cloud.nextId(), nodebalancer_id: balancerId };
      taken.push(config.port);
      return { config, nodes: nodesIn(cloud, { config, nodes: [] }, body.nodes) };
    }),
  );
}

/** The nodes of a port as a whole: those with an id are changed, those without are made. @throws 400 */
export function nodesIn(cloud: Cloud, { config, nodes }: Port, list: unknown): Port['nodes'] {
  if (!Array.isArray(list) || list.length === 0) throw invalid('nodes', 'At least one node is required per port');
  return list.map((body, index) =>
    within(`nodes[${index}]`, () => {
      needObject(body);
      const existing = nodes.find(({ node }) => node.id === body.id);
      if (body.id !== undefined && body.id !== null && !existing) throw invalid('id', 'id is not valid');
      checkAgainst('nodebalancer-nodes', existing ? { ...existing.node, ...body } : body);
      return existing ? { ...existing, node: nodeFrom(existing.node, body, config) } : newNode(cloud, config, body);
    }),
  );
}

/** A new node of a config. @throws 400 */
export function newNode(cloud: Cloud, config: BalancerConfig, body: Row): Port['nodes'][number] {
  const { id, nodebalancer_id } = config;
  const blank = {
    id: cloud.nextId(),
    nodebalancer_id,
    config_id: id,
    label: '',
    address: '',
    mode: 'accept',
    weight: 100,
  };
  return { node: nodeFrom(blank, body, config), since: cloud.time };
}

/** A node as a body leaves it. @throws 400 */
export function nodeFrom(before: BalancerNode, body: Row, config: BalancerConfig): BalancerNode {
  const { label, address, mode, weight } = body;
  return {
    ...before,
    ...(typeof label === 'string' && { label }),
    ...(typeof address === 'string' && { address: addressFrom(address, config.port) }),
    ...(typeof mode === 'string' && { mode }),
    ...(typeof weight === 'number' && { weight }),
  };
}

/** A private address with its port; without one it is the port of the config. */
function addressFrom(text: string, port: number): string {
  const [host = '', given, ...rest] = text.split(':');
  const number = given === undefined ? port : /^\d{1,5}$/.test(given) ? Number(given) : 0;
  if (!isIPv4(host) || rest.length > 0 || number < 1 || number > 65535)
    throw invalid('address', 'Must be an IP address with a port');
  if (!/^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)/.test(host))
    throw invalid('address', 'Must be a private IPv4 address');
  return `${host}:${number}`;
}

function needObject(body: unknown): asserts body is Row {
  if (!isRow(body)) throw badRequest('Must be of type Object');
}

/** Checks what is made against the fields of its own creation. */
function checkAgainst(name: string, body: Row): void {
  const resource = resourceNamed(name);
  if (resource.create) checkBody(body, rulesOf(resource, resource.create, []));
}

/** Puts the place before the fields of what is refused there. */
function within<T>(place: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    throw new HttpError(
      error.status,
      error.errors.map(({ field, reason }) => ({ field: field === undefined ? place : `${place}.${field}`, reason })),
    );
  }
}
