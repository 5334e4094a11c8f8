import { durationText } from '../../text/times.ts';
import { listed } from '../../text/words.ts';
import { type CacheView, type Draft, type Params, type Resource, type Row, resource } from '../resource.ts';
import { toNew } from '../shortcuts.ts';
import { ownedWords } from '../wording.ts';
import { checkConfig, configFieldNames, configFields, hiddenPem, newConfig, withPem } from './balancerConfigFields.ts';
import { rebuild } from './rebuild.ts';

/** One port of a NodeBalancer (document 3, 2.4). */
export type BalancerConfig = Row & {
  id: number;
  port: number;
  protocol: string;
  check: string;
  nodes_status?: { up?: number; down?: number };
  algorithm: string;
  stickiness: string;
  /** In seconds. */
  check_interval: number;
  /** In seconds. */
  check_timeout: number;
  check_attempts: number;
  check_path: string;
  check_body: string;
  check_passive: boolean;
  cipher_suite: string;
  proxy_protocol: string;
  ssl_fingerprint: string;
};

const list = '/v4/nodebalancers/{nodeBalancerId}/configs';

/** Counts the nodes of a config that take traffic and those that do not. */
export const healthOf = ({ nodes_status }: Row): { up: number; down: number } => {
  const { up = 0, down = 0 } = (nodes_status ?? {}) as { up?: number; down?: number };
  return { up, down };
};

/** Counts of nodes as they are shown: `2 up 1 down`. */
export const healthWords = ({ up, down }: { up: number; down: number }): string => `${up} up ${down} down`;

/** Whether a port speaks https, for which it needs a certificate. */
export const isSecure = ({ protocol }: BalancerConfig): boolean => protocol === 'https';

/** Describes the health check in a few words: `http /health every 5 s`. */
export function checkWords({ check: kind, check_path, check_interval }: Row): string {
  if (!kind || kind === 'none') return 'none';
  const often = check_interval ? `every ${durationText(Number(check_interval))}` : '';
  return [kind, check_path, often].filter(Boolean).map(String).join(' ');
}

function portsOf(configs: readonly BalancerConfig[]): string {
  const ports = configs.map(({ port }) => port);
  return listed(ports, 8);
}

/** Asked where an edit affects the clients of the port. */
function editWarning(config: BalancerConfig, view: CacheView, draft: Draft, params: Params): string {
  const { port = String(config.port), protocol = config.protocol } = draft;
  const isNewPem = ['ssl_cert', 'ssl_key'].some((name) => draft[name] && draft[name] !== hiddenPem);
  const losses = [
    String(port) === String(config.port) ? '' : `Port ${config.port} stops answering; port ${port} answers instead.`,
    protocol === config.protocol
      ? ''
      : `Port ${port} switches from ${config.protocol} to ${protocol}; clients that speak ${config.protocol} are no longer answered.`,
    isSecure(config) && isNewPem ? replacement(config, view, draft, params) : '',
  ].filter(Boolean);
  return losses.join(' ');
}

const replacement = (config: BalancerConfig, view: CacheView, _draft: Draft, { nodeBalancerId }: Params) => {
  const balancer = view.row('nodebalancers', nodeBalancerId)?.label;
  const current = config.ssl_commonname ? `the current one (${config.ssl_commonname})` : 'the current one';
  return `New connections to port ${config.port}${balancer ? ` of ${balancer}` : ''} get the new certificate at once; ${current} cannot be read back.`;
};

const form = { body: configFieldNames, reads: ['nodebalancer-configs'], check: checkConfig, send: withPem } as const;

/** The configs of a NodeBalancer, one for each port (document 3, 2.4 and 4.2). */
export const nodebalancerConfigs: Resource = resource<BalancerConfig>()({
  name: 'nodebalancer-configs',
  one: 'NodeBalancer config',
  many: 'NodeBalancer configs',
  area: 'Networking',
  aliases: ['nodebalancerconfigs'],
  path: list,
  scope: 'nodebalancers',
  under: 'nodebalancers',
  label: (config) => `port ${config.port}`,
  used: { by: 'nodes_status', is: (config) => healthOf(config).up > 0 },
  events: ['nodebalancer_config_', 'nodebalancer_node_'],
  sort: 'Port',
  empty: 'A config is a port that the NodeBalancer listens on, and how it spreads traffic over its nodes.',
  fields: configFields(),
  columns: [
    { title: 'Port', value: 'port', format: 'id', keep: 1 },
    { title: 'Protocol', value: 'protocol', keep: 1 },
    { title: 'Up/down', value: (config) => healthWords(healthOf(config)), format: 'health', keep: 1 },
    { title: 'Algorithm', value: 'algorithm' },
    { title: 'Stickiness', value: 'stickiness' },
    { title: 'Check', value: checkWords },
    { title: 'Certificate', value: (one) => (isSecure(one) ? one.ssl_commonname || 'no common name' : undefined) },
    { title: 'ID', value: 'id', format: 'id', keep: 3 },
    { title: 'Path', value: 'check_path', keep: 3 },
    { title: 'Interval', value: 'check_interval', format: 'duration', keep: 3 },
    { title: 'Timeout', value: 'check_timeout', format: 'duration', keep: 3 },
    { title: 'Attempts', value: 'check_attempts', format: 'number', keep: 3 },
    { title: 'Passive', value: 'check_passive', format: 'boolean', keep: 3 },
    { title: 'PROXY', value: 'proxy_protocol', keep: 3 },
    { title: 'Cipher', value: 'cipher_suite', keep: 3 },
    { title: 'Fingerprint', value: 'ssl_fingerprint', keep: 3 },
  ],
  card: [
    { title: 'Check body', value: 'check_body' },
    { title: 'Certificate ends', value: (config) => (isSecure(config) ? 'the API does not tell when' : '') },
  ],
  opensAt: 'Nodes',
  tabs: [{ title: 'Nodes', list: 'nodebalancer-nodes' }],
  create: {
    shownBy: { events: ['nodebalancer_config_create'], names: ['port'], isUnique: true },
    ...form,
    start: (_config, view, { nodeBalancerId = '' }) => ({
      ...(view.rows('nodebalancer-configs', { nodeBalancerId }).some(({ port }) => port === 80) ? {} : { port: '80' }),
      ...newConfig,
    }),
    ask: { note: 'It serves nothing until it has nodes.' },
  },
  edit: {
    ...form,
    inverse: ({ body, before }) =>
      before?.protocol === 'https' && body?.protocol !== undefined && body.protocol !== 'https'
        ? { action: 'edit', differs: ['its certificate and key are to be entered again'] }
        : undefined,
    single: true,
    ask: { when: 'it changes the port, the protocol or the certificate', warning: editWarning },
  },
  remove: {
    disrupts: 'from then on',
    reads: ['nodebalancer-nodes'],
    takes: ['nodebalancer-nodes'],
    ask: {
      warning: (config, view) =>
        `Deletes the config of port ${config.port} and its ${ownedWords(view.rows('nodebalancer-nodes', { configId: String(config.id) }).length, 'node')}; the port stops answering. The servers are not touched.`,
      typeLabel: true,
      together: (configs) =>
        `Deletes them and their nodes; the ports ${portsOf(configs)} stop answering. The servers are not touched.`,
    },
    inverse: ({ before }) =>
      before && isSecure(before)
        ? 'Its private key cannot be read back.'
        : { action: 'create', differs: ['it gets another id', 'its nodes are to be made anew'] },
    invalidates: ['nodebalancer-nodes'],
  },
  actions: [
    rebuild,
    {
      name: 'certificate',
      shownBy: { events: ['nodebalancer_config_update'] },
      key: 't',
      on: 'Replace the certificate of {}',
      tellsWhere: 'always',
      method: 'PUT',
      body: ['ssl_cert!', 'ssl_key!'],
      start: () => ({}),
      refuse: (config) =>
        isSecure(config)
          ? undefined
          : `Port ${config.port} uses ${config.protocol}, which has no certificate; change it to https first`,
      send: withPem,
      ask: {
        warning: replacement,
        together: (configs) =>
          `New connections to the ports ${portsOf(configs)} get the new certificate at once; the current ones cannot be read back.`,
        note: 'New connections get the new certificate at once; the current one cannot be read back.',
      },
      inverse: 'The certificate that it replaced cannot be read back.',
    },
  ],
  shortcuts: [toNew({ name: 'node', key: 'o', help: 'New node', to: 'nodebalancer-nodes', each: 'New node at {}' })],
  copies: { fingerprint: (config) => (config.ssl_fingerprint ? String(config.ssl_fingerprint) : undefined) },
});
