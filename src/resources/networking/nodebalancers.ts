import { shellWord } from '../../text/escapes.ts';
import { untoldPrice } from '../../text/numbers.ts';
import { listed, suffixOf } from '../../text/words.ts';
import { compactStatistics, graphAt, type SeriesGroup } from '../compute/statistics.ts';
import { paramsOf } from '../identity.ts';
import { memoize } from '../memoize.ts';
import type { DayGraph } from '../overview.ts';
import { at, type CacheView, type Draft, type Field, type Resource, type Row, resource } from '../resource.ts';
import { isRow, itemsOf, rowsOf } from '../row.ts';
import { ticketShortcut, toNew } from '../shortcuts.ts';
import { tagActions, tagsField } from '../tagging.ts';
import { configFieldNames, configFields, newConfig, withPem } from './balancerConfigFields.ts';
import { healthOf, healthWords } from './balancerConfigs.ts';
import { type NodeBalancer, nodeFrom, ownedNames, ownedText, privateAddressOf, wrongNode } from './nodeText.ts';

/** The ports that the form of a new NodeBalancer offers; more are added as configs. */
const places = [0, 1, 2] as const;

/** The required fields of a port come first. */
const first = ['port', 'protocol', 'ssl_cert', 'ssl_key', 'nodes'];
const portNames = [...first, ...configFieldNames.filter((name) => !first.includes(name))];

const prefixOf = (place: number) => `configs.${place}.`;
const portOf = (draft: Draft, place: number) => draft[`${prefixOf(place)}port`];

/** The fields of one port of a new NodeBalancer, offered once the ports before it are named. */
function portFields(place: number): Readonly<Record<string, Field>> {
  const prefix = prefixOf(place);
  const fields = configFields(prefix, (draft) => Boolean(portOf(draft, place)));
  const reached = (draft: Draft) => places.slice(0, place).every((earlier) => Boolean(portOf(draft, earlier)));
  const port = fields[`${prefix}port`];
  return {
    ...fields,
    ...(port && {
      [`${prefix}port`]: {
        ...port,
        shown: reached,
        help: place === 0 ? 'If empty, the NodeBalancer is created without configs and serves nothing yet.' : port.help,
        check: (entry, draft) =>
          places.slice(0, place).some((earlier) => portOf(draft, earlier) === entry)
            ? 'must be a port that no other config has'
            : undefined,
      },
    }),
    [`${prefix}nodes`]: {
      label: 'Nodes',
      kind: 'strings',
      section: `Port ${place + 1}`,
      shown: (draft) => Boolean(portOf(draft, place)),
      needed: (draft) => Boolean(portOf(draft, place)),
      check: (entry) => entry.split(/,\s*/).map(wrongNode).find(Boolean),
      to: 'servers',
      offers: (server, draft) =>
        privateAddressOf(server) !== undefined && (!draft.region || server.region === draft.region),
      picks: (server, draft) =>
        `${String(server.label).slice(0, 32)} ${privateAddressOf(server)}:${portOf(draft, place)}`,
      help: 'Each as label and private address with port, then mode and weight if needed: web-1 192.168.128.10:80 backup 50',
    },
  };
}

function configToSend({ nodes = [], ...config }: Row): Row {
  return { ...withPem(config), nodes: (nodes as readonly string[]).map(nodeFrom) };
}

/** The health of all nodes and the ports. */
const summaryOf = memoize((data: readonly unknown[]) => {
  const configs = rowsOf(data);
  const each = configs.map(healthOf);
  const [up, down] = [each.reduce((sum, { up }) => sum + up, 0), each.reduce((sum, { down }) => sum + down, 0)];
  return { health: healthWords({ up, down }), ports: configs.map(({ port }) => String(port)) };
});

/** From the list of configs, which answers of `configs` keep in line; without it, from the answer. */
const answered = (part: 'health' | 'ports') => (row: Row, view: CacheView) => {
  const params = paramsOf(nodebalancers, row);
  if (view.isRead('nodebalancer-configs', params)) return summaryOf(view.rows('nodebalancer-configs', params))[part];
  const answer = view.answer('nodebalancers', 'configs', params);
  return isRow(answer) ? summaryOf(itemsOf(answer.data))[part] : undefined;
};

/**
 * The graphs of a NodeBalancer's statistics: connections and traffic of the past 24 hours.
 * @param body the answer, flat or wrapped in `data`
 */
export const balancerStatisticsOf = (body: unknown): readonly SeriesGroup[] => [
  graphAt(body, 'Connections', 'connections/s', { connections: 'connections' }),
  graphAt(body, 'Traffic', 'bit/s', { in: 'traffic.in', out: 'traffic.out' }),
];

/** The same with a graph for each series, by which NodeBalancers are compared. */
const balancerLoads = (body: unknown): readonly SeriesGroup[] =>
  balancerStatisticsOf(body).flatMap(({ name, unit, series }) =>
    series.map((one) => ({ name: series.length > 1 ? `${name} ${one.name}` : name, unit, series: [one] })),
  );

const dayGraphs = (answer: Row): readonly DayGraph[] =>
  balancerLoads(answer).flatMap(({ series, ...named }) => series.map(({ points }) => ({ ...named, points })));

/** Says why a transfer report is wrong, as the end of a sentence (document 3, 2.3). */
function wrongTransfer(entry: string): string | undefined {
  const isRight = ([name, value]: readonly [string, unknown]) =>
    ['in', 'out', 'total'].includes(name) && (value === null || (typeof value === 'number' && value >= 0));
  return Object.entries(JSON.parse(entry)).every(isRight)
    ? undefined
    : 'must have in, out and total only, each a number of MiB or null';
}

/** NodeBalancers (document 3, 2.3 and 4.2). */
export const nodebalancers: Resource = resource<NodeBalancer>()({
  name: 'nodebalancers',
  one: 'NodeBalancer',
  many: 'NodeBalancers',
  area: 'Networking',
  aliases: ['nb', 'balancers'],
  path: '/v4/nodebalancers',
  scope: 'nodebalancers',
  entity: 'nodebalancer',
  statistics: {
    graphs: balancerStatisticsOf,
    loads: balancerLoads,
    none: () => 'No statistics yet. The first readings of a NodeBalancer come some minutes after it is created.',
    letters: {
      N: ['nodebalancer_create'],
      U: ['nodebalancer_update'],
      P: ['nodebalancer_config_create', 'nodebalancer_config_delete', 'nodebalancer_config_update'],
      D: ['nodebalancer_node_create', 'nodebalancer_node_delete', 'nodebalancer_node_update'],
    },
  },
  sort: 'Label',
  empty: 'A NodeBalancer spreads traffic over servers of its region by their private addresses.',
  fields: {
    label: {
      min: 3,
      max: 32,
      pattern: { test: /^[A-Za-z0-9_-]+$/, says: 'letters, digits, - and _' },
      unique: true,
      section: 'NodeBalancer',
    },
    region: {
      to: 'regions',
      offers: ({ capabilities }) => !Array.isArray(capabilities) || capabilities.includes('NodeBalancers'),
      help: 'Its nodes must be in the same region.',
      section: 'NodeBalancer',
    },
    client_conn_throttle: {
      label: 'Throttle',
      kind: 'integer',
      min: 0,
      max: 20,
      unit: 'connections/s',
      help: 'Per client address; 0 turns throttling off.',
      section: 'NodeBalancer',
    },
    tags: { ...tagsField, section: 'NodeBalancer' },
    transfer: {
      kind: 'json',
      volatile: true,
      check: wrongTransfer,
      help: 'Traffic of this month, in MiB: in is documented as the outbound total, out as the inbound one. The platform counts it itself; change it only if support tells you to.',
      section: 'NodeBalancer',
    },
    ...Object.assign({}, ...places.map(portFields)),
  },
  columns: [
    { title: 'Label', value: 'label', keep: 1 },
    {
      title: 'Up/down',
      name: 'health',
      value: answered('health'),
      format: 'health',
      fetches: 'configs',
      keep: 1,
      width: 16,
    },
    { title: 'Ports', value: answered('ports'), format: 'list', fetches: 'configs', keep: 1, width: 12 },
    { title: 'IPv4', value: 'ipv4' },
    { title: 'Region', value: 'region' },
    { title: 'Transfer', value: 'transfer.total', format: 'megabytes' },
    { title: 'Tags', value: 'tags', format: 'tags' },
    { title: 'ID', value: 'id', format: 'id', keep: 3 },
    { title: 'Hostname', value: 'hostname', keep: 3 },
    { title: 'IPv6', value: 'ipv6', keep: 3 },
    { title: 'Throttle', value: 'client_conn_throttle', format: 'limit connections/s', keep: 3 },
    { title: 'Created', value: 'created', format: 'age', keep: 3 },
  ],
  card: [
    { title: 'Transfer in', value: 'transfer.in', format: 'megabytes' },
    { title: 'Transfer out', value: 'transfer.out', format: 'megabytes' },
    { title: 'Updated', value: 'updated', format: 'date' },
  ],
  overview: {
    summary: [
      { value: 'label' },
      { value: 'ipv4' },
      { value: 'region' },
      { value: 'transfer.total', format: 'megabytes', says: '{} this month' },
      { value: 'created', format: 'age', says: '{} old' },
    ],
    graphs: { operation: 'stats', of: dayGraphs },
    related: [
      { list: 'nodebalancer-configs' },
      { list: 'nodebalancer-nodes' },
      { list: 'domains' },
      { list: 'records' },
    ],
  },
  actions: tagActions,
  tabs: [
    { title: 'Nodes', screen: 'balancerTree', uses: ['nodebalancer-configs', 'nodebalancer-nodes', 'servers.list'] },
    { title: 'Configs', list: 'nodebalancer-configs' },
    { title: 'Graphs', screen: 'graphs', uses: ['stats'] },
  ],
  create: {
    shownBy: { events: ['nodebalancer_create'], names: ['label'], time: 'created', isUnique: true },
    body: [
      'label',
      'region!',
      'client_conn_throttle',
      ...places.flatMap((place) => portNames.map((name) => `${prefixOf(place)}${name}`)),
    ],
    start: () =>
      Object.fromEntries(
        places.flatMap((place) =>
          Object.entries(newConfig).map(([name, entry]) => [`${prefixOf(place)}${name}`, entry]),
        ),
      ),
    send: ({ configs, ...body }) => (Array.isArray(configs) ? { ...body, configs: configs.map(configToSend) } : body),
    ask: {
      question: (_balancer, _view, { label, region }) =>
        `Creates ${label ? `the NodeBalancer ${label}` : 'a NodeBalancer'} in ${region}. It is billed as soon as it is created.`,
      note: 'A NodeBalancer is billed as soon as it is created.',
      cost: untoldPrice,
    },
  },
  edit: { body: ['label', 'client_conn_throttle', 'tags', 'transfer'] },
  remove: {
    disrupts: 'from then on',
    reads: ownedNames,
    takes: ownedNames,
    ask: {
      warning: (balancer, view) =>
        `Deletes ${balancer.label} with its ${ownedText(balancer, view)}, and releases its address${suffixOf(balancer.ipv4)}. The servers behind it are not touched. This cannot be undone.`,
      typeLabel: true,
      together: (balancers) =>
        `Deletes them with all their configs and nodes, and releases their addresses: ${listed(
          balancers.map(({ ipv4 }) => ipv4),
          8,
        )} stop answering. The servers behind them are not touched. This cannot be undone.`,
    },
    inverse: 'Its address is released.',
    invalidates: ownedNames,
  },
  shortcuts: [
    toNew({ name: 'config', key: 'c', help: 'New config', to: 'nodebalancer-configs', each: 'New config of {}' }),
    ticketShortcut('nodebalancer_id'),
  ],
  operations: { configs: { freshFor: 60, rowsOf: 'nodebalancer-configs' }, stats: { compact: compactStatistics } },
  copies: {
    IPv4: (balancer) => balancer.ipv4,
    IPv6: (balancer) => balancer.ipv6 ?? undefined,
    hostname: (balancer) => balancer.hostname,
    'curl command': (balancer) => `curl -I ${shellWord(`http://${at(balancer, 'ipv4')}/`)}`,
  },
});
