import type { Cloud } from './cloud.ts';
import { word } from './limits.ts';
import type { BalancerConfig, BalancerNode, Domain, DomainRecord, NodeBalancer } from './networkNouns.ts';

/** A new domain name of so many characters, its labels at most 63 long. */
export function domainName(length: number): string {
  const own = word(Math.min(length, 20));
  let name = own;
  while (name.length < length) {
    const rest = length - name.length;
    name += rest === 1 ? 'x' : `.${'x'.repeat(Math.min(63, rest - 1))}`;
  }
  return name;
}

/** A new master domain. */
export const newDomain = (cloud: Cloud, more: object = {}): Promise<Domain> =>
  cloud.post<Domain>('/v4/domains', {
    domain: `${word(12)}.example`,
    type: 'master',
    soa_email: 'hostmaster@example.com',
    ...more,
  });

/** A new record in this domain. */
export const newRecord = (cloud: Cloud, domainId: number, more: object = {}): Promise<DomainRecord> =>
  cloud.post<DomainRecord>(`/v4/domains/${domainId}/records`, {
    type: 'A',
    name: word(8),
    target: '192.0.2.9',
    ...more,
  });

/** A new NodeBalancer without configs. */
export const newBalancer = (cloud: Cloud, more: object = {}): Promise<NodeBalancer> =>
  cloud.post<NodeBalancer>('/v4/nodebalancers', { region: 'us-east', label: word(10), ...more });

/** The path of the configs of a NodeBalancer, or of one of them. */
export const configPath = (balancerId: number | string | undefined, id?: number | string): string =>
  `/v4/nodebalancers/${balancerId}/configs${id === undefined ? '' : `/${id}`}`;

/** A new config on this NodeBalancer, on port 80 where nothing else is said. */
export const newPort = (cloud: Cloud, balancerId: number, more: object = {}): Promise<BalancerConfig> =>
  cloud.post<BalancerConfig>(configPath(balancerId), more);

let nodes = 0;

/** A private address that no other node was given, with a port. */
export const privateAddress = (): string => `192.168.${200 + Math.floor(++nodes / 250)}.${nodes % 250}:80`;

/** A new node of this config. */
export const newNode = (cloud: Cloud, balancerId: number, configId: number, more: object = {}): Promise<BalancerNode> =>
  cloud.post<BalancerNode>(`${configPath(balancerId, configId)}/nodes`, {
    label: word(8),
    address: privateAddress(),
    ...more,
  });

const pem = (kind: string) => `-----BEGIN ${kind}-----\nZGVtbw==\n-----END ${kind}-----`;

/** Looks like a certificate and its private key. */
export const certificate = { ssl_cert: pem('CERTIFICATE'), ssl_key: pem('PRIVATE KEY') };
