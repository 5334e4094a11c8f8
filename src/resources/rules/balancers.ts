import { timeOf } from '../../text/times.ts';
import { called, capitalized, counted, listed, textIn } from '../../text/words.ts';
import { type BalancerConfig, isSecure } from '../networking/balancerConfigs.ts';
import { hasNoRecord, normalizedHost, zoneContaining } from '../networking/dnsZones.ts';
import { type BalancerNode, hostOf, isDown, type NodeBalancer } from '../networking/nodeText.ts';
import { addressOwner, formerAddressOwner } from '../problems/rowIndex.ts';
import { type Rule, rule } from '../problems/rule.ts';
import { at, type CacheView, type Params, type Row, rowName } from '../row.ts';

const balancerRule = rule<NodeBalancer>('nodebalancers', (balancer) => rowName(balancer, 'NodeBalancer'));
const configRule = rule<BalancerConfig>('nodebalancer-configs', (...of) => capitalized(portWords(...of)), [
  'nodebalancers',
]);
const nodeRule = rule<BalancerNode>('nodebalancer-nodes');

/** Makes a rule of a port by its nodes, which mend it. */
const nodesRule = (given: Omit<Rule<BalancerConfig>, 'of' | 'names' | 'reads' | 'remedy'>): Rule =>
  configRule({ ...given, reads: ['nodebalancer-nodes'], remedy: { tab: 'Nodes' } });

/** A port of a NodeBalancer as it is named in a sentence: `port 443 of web-lb`. */
function portWords({ port }: Row, view: CacheView, { nodeBalancerId }: Params): string {
  const balancer = view.row('nodebalancers', nodeBalancerId);
  return `port ${typeof port === 'number' ? port : '?'} of ${called(balancer?.label, 'NodeBalancer', nodeBalancerId)}`;
}

const nodesOf = (view: CacheView, { configId = '' }: Params) =>
  view.rows('nodebalancer-nodes', { configId }) as readonly BalancerNode[];

const isOut = ({ mode }: BalancerNode) => mode === 'reject' || mode === 'drain';
const countIn = (value: unknown) => (typeof value === 'number' && value > 0 ? value : 0);

/** Counts the nodes of a config that are up and down, but for those that were taken out on purpose; and names those down. */
function healthOf({ nodes_status }: BalancerConfig, view: CacheView, params: Params) {
  const up = countIn(nodes_status?.up);
  const notUp = countIn(nodes_status?.down);
  const nodes = notUp > 0 ? nodesOf(view, params).filter(isDown) : [];
  const down = Math.max(0, notUp - nodes.filter(isOut).length);
  const names = nodes.filter((node) => !isOut(node)).map(({ label, id }) => called(label, 'node', id));
  return { up, down, names: names.length === down ? ` (${listed(names)})` : '' };
}

/** Problems of NodeBalancers, their ports and nodes (document 3, 2.3 to 2.5). */
export const balancerRules: readonly Rule[] = [
  balancerRule({
    name: 'balancer-without-ports',
    several: '{} NodeBalancers listen on no port and are still charged for',
    severity: 'notice',
    reads: ['nodebalancer-configs'],
    remedy: { tab: 'Configs' },
    remedies: [{ action: 'delete' }],
    find: ({ created }, view, params) => {
      const under = { nodeBalancerId: params.nodeBalancerId ?? '' };
      if (!view.isRead('nodebalancer-configs', under) || view.rows('nodebalancer-configs', under).length > 0) return;
      return { says: 'listens on no port and is still charged for', since: timeOf(created) };
    },
  }),
  balancerRule({
    name: 'balancer-throttled',
    several: '{} NodeBalancers take fewer connections a second from one address than a browser opens',
    severity: 'notice',
    remedy: { action: 'edit' },
    find: ({ client_conn_throttle: limit }) =>
      typeof limit === 'number' && limit > 0 && limit < 4
        ? `takes ${counted(limit, 'connection')} a second from one address, fewer than a single browser opens`
        : undefined,
  }),
  nodesRule({
    name: 'balancer-port-down',
    several: '{} ports of NodeBalancers have no node up',
    severity: 'critical',
    find: (config, view, params) => {
      const { up, down, names } = healthOf(config, view, params);
      return up === 0 && down > 0 ? `has no node up: ${counted(down, 'node')} down${names}` : undefined;
    },
  }),
  nodesRule({
    name: 'balancer-nodes-down',
    several: '{} ports of NodeBalancers have nodes down',
    find: (config, view, params) => {
      const { up, down, names } = healthOf(config, view, params);
      return up > 0 && down > 0 ? `has ${down} of ${up + down} nodes down${names}` : undefined;
    },
  }),
  nodesRule({
    name: 'balancer-port-without-nodes',
    several: '{} ports of NodeBalancers have no nodes, so they answer no request',
    find: (_config, view, params) => {
      const under = { configId: params.configId ?? '' };
      if (!view.isRead('nodebalancer-nodes', under) || nodesOf(view, under).length > 0) return;
      return 'has no nodes, so it answers no request';
    },
  }),
  nodesRule({
    name: 'balancer-nodes-taken-out',
    several: '{} ports of NodeBalancers take no new connections: all of their nodes are in mode drain or reject',
    severity: 'critical',
    find: (_config, view, params) => {
      const under = { configId: params.configId ?? '' };
      const nodes = nodesOf(view, under);
      if (nodes.length === 0 || !nodes.every(isOut) || !view.isRead('nodebalancer-nodes', under)) return;
      const all = nodes.length === 1 ? 'its only node is' : `all its ${nodes.length} nodes are`;
      return `takes no new connections: ${all} in mode drain or reject`;
    },
  }),
  configRule({
    name: 'balancer-port-unchecked',
    several: '{} ports of NodeBalancers have no active health check',
    severity: 'notice',
    remedy: { action: 'edit' },
    find: ({ check, check_passive }) => {
      if (check !== 'none') return;
      return check_passive === false
        ? { severity: 'warning', says: 'has no health checks; a node that fails keeps receiving traffic' }
        : 'has no active health check; a node that fails is noticed only by its 5xx responses';
    },
  }),
  configRule({
    name: 'balancer-legacy-ciphers',
    several: '{} ports of NodeBalancers accept the legacy ciphers, which are insecure',
    remedy: { action: 'edit' },
    find: (config) =>
      isSecure(config) && config.cipher_suite === 'legacy'
        ? 'accepts the legacy ciphers, which are insecure'
        : undefined,
  }),
  configRule({
    name: 'balancer-port-without-certificate',
    several: '{} ports of NodeBalancers use https but have no certificate',
    severity: 'critical',
    remedy: { action: 'certificate' },
    find: (config) =>
      isSecure(config) && (config.ssl_cert === null || config.ssl_cert === '') && !config.ssl_fingerprint
        ? 'uses https but has no certificate'
        : undefined,
  }),
  configRule({
    reads: ['domains', 'records'],
    name: 'balancer-certificate-of-others',
    several: '{} ports of NodeBalancers have a certificate for a name that does not lead to them',
    severity: 'notice',
    remedy: { action: 'certificate' },
    find: (config, view) => {
      const name = normalizedHost(config.ssl_commonname);
      if (!isSecure(config) || !name.includes('.')) return;
      const wrong = wrongName(name, view);
      return wrong && `has a certificate for ${name}, ${wrong}`;
    },
  }),
  nodeRule({
    name: 'balancer-node-of-no-server',
    several: '{} nodes point at addresses that no server of the account has',
    reads: ['nodebalancers', 'nodebalancer-configs', 'servers'],
    remedy: { action: 'edit' },
    find: (node, view, params) => {
      const host = hostOf(textIn(node.address));
      if (host === '' || addressOwner(host, view)) return;
      const former = formerAddressOwner(host, view);
      if ((!former && !isDown(node)) || !view.isRead('servers')) return;
      const config = view.row('nodebalancer-configs', params.configId) ?? {};
      const was = former ? `, which belonged to ${called(former.label, 'server', former.id)}` : '';
      return `${called(node.label, 'Node', node.id)} behind ${portWords(config, view, params)} points at ${host}${was}; no server of the account has that address`;
    },
  }),
];

/** Why the name of a certificate leads nobody here, as the end of a sentence; accounts that keep no domains here have them elsewhere. */
function wrongName(name: string, view: CacheView): string | undefined {
  const host = name.replace(/^\*\./, '');
  const zone = zoneContaining(host, view);
  if (!zone) {
    const areKnown = view.isRead('domains') && view.rows('domains').some((domain) => at(domain, 'domain'));
    return areKnown ? 'which is in no domain of the account' : undefined;
  }
  return host === name && hasNoRecord(host, zone) ? `for which ${zone.domain} has no record` : undefined;
}
