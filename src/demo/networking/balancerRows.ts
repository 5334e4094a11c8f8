/** A NodeBalancer as it is answered (document 3, 2.3). */
export interface Balancer {
  id: number;
  label: string;
  region: string;
  hostname: string;
  ipv4: string;
  ipv6: string | null;
  client_conn_throttle: number;
  tags: readonly string[];
  transfer: { in: number | null; out: number | null; total: number | null };
  created: string;
  updated: string;
}

/** A config of a NodeBalancer (document 3, 2.4); certificate and key are kept out of every answer. */
export interface BalancerConfig {
  id: number;
  nodebalancer_id: number;
  port: number;
  protocol: string;
  algorithm: string;
  stickiness: string;
  check: string;
  check_attempts: number;
  check_body: string;
  check_interval: number;
  check_passive: boolean;
  check_path: string;
  check_timeout: number;
  cipher_suite: string;
  proxy_protocol: string;
  ssl_cert: string | null;
  ssl_key: string | null;
  ssl_commonname: string;
  ssl_fingerprint: string;
}

/** A node of a config (document 3, 2.5). */
export interface BalancerNode {
  id: number;
  nodebalancer_id: number;
  config_id: number;
  label: string;
  address: string;
  mode: string;
  weight: number;
}

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
