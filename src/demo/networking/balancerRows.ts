import type { BalancerConfig as BalancerConfigRow } from '../../resources/networking/balancerConfigs.ts';
import type {
  BalancerNode as BalancerNodeRow,
  NodeBalancer as NodeBalancerRow,
} from '../../resources/networking/nodeText.ts';
import type { Stored } from '../engine/stored.ts';

/** A NodeBalancer as it is answered (document 3, 2.3). */
export type Balancer = Stored<NodeBalancerRow> & {
  client_conn_throttle: number;
  tags: readonly string[];
  transfer: { in: number | null; out: number | null; total: number | null };
  created: string;
  updated: string;
};

/** A config of a NodeBalancer (document 3, 2.4); certificate and key are kept out of every answer. */
export type BalancerConfig = Omit<Stored<BalancerConfigRow>, 'nodes_status'> & {
  nodebalancer_id: number;
  algorithm: string;
  stickiness: string;
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
