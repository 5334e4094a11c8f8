import { shellWord } from '../../text/escapes.ts';
import { counted, textIn } from '../../text/words.ts';
import type { Gauge } from '../description.ts';
import { isPrivateAddress } from '../ipAddress.ts';
import type { DayGraph } from '../overview.ts';
import { type CacheView, type Load, type Resource, type Row, resource, statusColumn, textsOf } from '../resource.ts';
import { ticketShortcut, toNew } from '../shortcuts.ts';
import { tagActions, tagsField } from '../tagging.ts';
import { deviceFields } from './devices.ts';
import { cpuCurve, cpuShare, cpusOf, isOff, loadOf, serverLoads } from './load.ts';
import { rescueSlots, serverActions, serverStatuses, whatIsLost, whatIsLostTogether } from './serverActions.ts';
import { createFields, createServer, serverLabel, typeField } from './serverCreate.ts';
import { sizeOf } from './serverCreateRules.ts';
import { alertNames, type Server, scheduleNames, settingFields, windowHours } from './serverSettings.ts';
import { serverPrice } from './serverTypes.ts';
import { compactStatistics, statisticsOf } from './statistics.ts';

/** The first address at which a server is reached from outside. */
const publicAddress = (server: Server): string | undefined =>
  textsOf(server.ipv4).find((address) => !isPrivateAddress(address));

const sshCommand = (server: Server): string | undefined => {
  const address = publicAddress(server);
  return address && `ssh root@${shellWord(address)}`;
};

/** All addresses of a server, a line each, with their kind. */
const addresses = ({ ipv4, ipv6 }: Server): string =>
  [
    ...textsOf(ipv4).map((address) => `${address}, ${isPrivateAddress(address) ? 'private' : 'public'} IPv4`),
    ...(ipv6 ? [`${ipv6}, public IPv6`] : []),
  ].join('\n');

/** The newest reading of a load other than CPU. */
const newest =
  (load: Load) =>
  (server: Server, view: CacheView): number | undefined =>
    loadOf(server, load, view.day(String(server.id)))?.last;

const dayGraphs = (answer: Row, server: Server): readonly DayGraph[] =>
  serverLoads(answer, server).map((load) => ({ ...load, isPast: isOff(server) }));

/** The disk space of a server that its disks take; undefined until they are loaded. */
function allocation(server: Server, view: CacheView): Gauge | undefined {
  const disks = view.rows('disks', { serverId: String(server.id) });
  if (disks.length === 0 || typeof server.specs?.disk !== 'number') return undefined;
  return { used: sizeOf(disks), of: server.specs.disk, format: 'megabytes', says: 'allocated' };
}

/** Compute servers (document 2, 4.1). */
export const servers: Resource = resource<Server>()({
  name: 'servers',
  area: 'Compute',
  aliases: ['srv', 'instances'],
  path: '/v4/server/instances',
  scope: 'servers',
  monthly: serverPrice,
  entity: 'server',
  statistics: {
    graphs: (body, server) => statisticsOf(body, server.alerts, cpusOf(server)),
    loads: (body, server) =>
      serverLoads(body, server).map(({ name, unit, points }) => ({ name, unit, series: [{ name, points }] })),
    none: () => 'No statistics yet. The first readings of a server come some minutes after its first boot.',
    letters: {
      N: ['server_create'],
      B: ['server_boot', 'console_boot'],
      R: ['server_reboot', 'host_reboot', 'watchdog_reboot'],
      S: ['server_shutdown'],
      Z: ['server_resize', 'server_mutate'],
      M: ['server_migrate', 'server_migrate_datacenter'],
      I: ['server_rebuild'],
      C: ['server_clone'],
      K: ['backups_restore'],
    },
  },
  events: ['server_', 'backups_', 'watchdog_', 'console_', 'host_'],
  sort: 'Label',
  reads: ['server-types'],
  empty: 'A server is a virtual machine with its own disks and addresses. Create the first one from an image.',
  fields: {
    ...createFields,
    ...deviceFields(rescueSlots, undefined, { writeOnly: true }),
    label: serverLabel,
    type: typeField,
    tags: { ...tagsField, section: 'Server' },
    ...settingFields,
  },
  columns: [
    { ...statusColumn, words: serverStatuses },
    { title: 'Label', value: 'label', keep: 1 },
    { title: 'IPv4', value: (server) => publicAddress(server) ?? textsOf(server.ipv4)[0], keep: 1 },
    { title: 'CPU', value: cpuShare, curve: cpuCurve, format: 'load', keep: 1, fetches: 'stats' },
    { title: 'Region', value: 'region' },
    { title: 'Type', value: 'type' },
    { title: 'vCPU', value: 'specs.vcpus', format: 'number' },
    { title: 'RAM', value: 'specs.memory', format: 'megabytes' },
    {
      title: 'Backup',
      value: ({ backups }) => (backups?.enabled ? (backups.last_successful ?? 'none yet') : 'off'),
      format: 'age',
    },
    { title: 'Tags', value: 'tags', format: 'tags' },
    { title: 'Cost', value: serverPrice, format: 'money', toldBy: 'server-types', total: 'a month' },
    { title: 'Net in', name: 'in', value: newest('networkIn'), format: 'bitrate', keep: 3, fetches: 'stats' },
    { title: 'Net out', name: 'out', value: newest('networkOut'), format: 'bitrate', keep: 3, fetches: 'stats' },
    { title: 'I/O', name: 'io', value: newest('io'), format: 'blockrate', keep: 3, fetches: 'stats' },
    {
      title: 'Transfer',
      value: (server, view) => view.transferShare(String(server.id)),
      format: 'percent',
      keep: 3,
      fetches: 'transfer',
    },
    { title: 'ID', value: 'id', format: 'id', keep: 3 },
    { title: 'IPv6', value: 'ipv6', keep: 3 },
    { title: 'Image', value: 'image', keep: 3 },
    { title: 'Disk', value: 'specs.disk', format: 'megabytes', keep: 3 },
    { title: 'Watchdog', value: 'watchdog_enabled', format: 'boolean', keep: 3 },
    { title: 'Created', value: 'created', format: 'age', keep: 3 },
    { title: 'Updated', value: 'updated', format: 'age', keep: 3 },
  ],
  card: [
    { title: 'Disk allocated', value: (server, view) => allocation(server, view)?.used, format: 'megabytes' },
    { title: 'Transfer quota', value: 'specs.transfer', format: 'gigabytes' },
    { title: 'Backup day', value: 'backups.schedule.day' },
    { title: 'Backup window', value: ({ backups }) => windowHours(backups?.schedule?.window) },
    { title: 'CPU alert', value: 'alerts.cpu', format: 'limit % of one CPU' },
    { title: 'Disk I/O alert', value: 'alerts.io', format: 'limit operations/s' },
    { title: 'Net in alert', value: 'alerts.network_in', format: 'limit Mbit/s' },
    { title: 'Net out alert', value: 'alerts.network_out', format: 'limit Mbit/s' },
    { title: 'Transfer alert', value: 'alerts.transfer_quota', format: 'limit % of the quota' },
    { title: 'Hypervisor', value: 'hypervisor' },
    { title: 'Group', value: 'group' },
    { title: 'Addresses', value: addresses, format: 'paragraph' },
  ],
  overview: {
    summary: [
      { value: 'status', format: 'status' },
      { value: 'label' },
      { value: publicAddress, tells: 'IPv4' },
      { value: 'region' },
      { value: 'type' },
      {
        value: ({ specs }) => (typeof specs?.vcpus === 'number' ? counted(specs.vcpus, 'CPU') : undefined),
        tells: 'vCPU',
      },
      { value: 'specs.memory', format: 'megabytes' },
      { value: 'specs.disk', format: 'megabytes', says: '{} disk' },
      { value: serverPrice, format: 'money', says: '{} a month', tells: 'Cost' },
      { value: 'created', format: 'age', says: '{} old' },
    ],
    graphs: { operation: 'stats', of: dayGraphs, tell: ['CPU', 'Net in', 'Net out', 'I/O'] },
    related: [
      { list: 'nodebalancers' },
      { list: 'nodebalancer-configs', below: (balancer, { region }) => balancer.region === region },
      { list: 'nodebalancer-nodes' },
      { list: 'domains' },
      { list: 'records' },
      { list: 'volumes', operation: 'volumes' },
    ],
    reads: ['server-types'],
  },
  tabs: [
    { title: 'Graphs', screen: 'graphs', uses: ['stats', 'statsMonth'] },
    { title: 'Configs', list: 'configs' },
    { title: 'Disks', list: 'disks', gauge: allocation },
    { title: 'Backups', list: 'backups' },
    { title: 'Volumes', list: 'volumes', operation: 'volumes' },
    {
      title: 'Transfer',
      screen: 'serverTransfer',
      uses: ['transfer', 'transferMonth'],
      tells: ['Transfer', 'Transfer quota'],
    },
  ],
  create: createServer,
  edit: { body: ['label!', 'tags', 'watchdog_enabled', ...alertNames, ...scheduleNames, 'group'], single: true },
  remove: {
    disrupts: 'from then on',
    reads: ['disks', 'configs', 'backups', 'server-types', 'volumes'],
    takes: ['disks', 'configs'],
    ask: { warning: whatIsLost, typeLabel: true, together: whatIsLostTogether },
    inverse: 'Its disks, backups and addresses are gone.',
    invalidates: ['volumes', 'disks', 'configs', 'backups'],
  },
  actions: [...serverActions, ...tagActions],
  shortcuts: [
    toNew({
      name: 'capture',
      key: 'i',
      help: 'Capture an image of a disk',
      to: 'images',
      start: (server) => ({ server: String(server.id) }),
    }),
    toNew({
      name: 'volume',
      key: 'v',
      help: 'New volume for this server',
      to: 'volumes',
      start: (server) => ({ server_id: String(server.id) }),
    }),
    ticketShortcut('server_id'),
    toNew({
      name: 'transfer',
      key: 'h',
      help: 'Transfer to another account (deprecated)',
      to: 'entity-transfers',
      many: true,
      start: (server, _view, _params, servers = [server]) => ({
        'entities.servers': servers.map(({ id }) => String(id)),
      }),
    }),
  ],
  operations: {
    stats: { freshFor: 300, compact: compactStatistics },
    statsMonth: {
      path: '/v4/server/instances/{serverId}/stats/{year}/{month}',
      freshFor: 300,
      compact: compactStatistics,
    },
    transfer: { freshFor: 300 },
    transferMonth: { path: '/v4/server/instances/{serverId}/transfer/{year}/{month}', freshFor: 300 },
    volumes: { pages: 'numbered' },
  },
  copies: {
    'ssh command': sshCommand,
    IPv4: publicAddress,
    'private IPv4': (server) => textsOf(server.ipv4).find(isPrivateAddress),
    IPv6: (server) => textIn(server.ipv6)?.split('/')[0],
  },
});
