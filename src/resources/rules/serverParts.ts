import { sizeText } from '../../text/numbers.ts';
import { dayText, hour } from '../../text/times.ts';
import { findIn, idIndex } from '../problems/rowIndex.ts';
import { lasting, type Rule, rule } from '../problems/rule.ts';
import { at, type CacheView, idAt, numberAt, type Params, type Row, rowName, textAt, timeAt } from '../row.ts';
import { statusOf } from '../wording.ts';

/** The parameters of the lists below the server of a row. */
const under = ({ serverId = '' }: Params): Params => ({ serverId });

/** The slot of the device that a config boots from; undefined where it names none. */
const rootSlot = (config: Row) => /^\/dev\/(sd[a-h])\d*$/.exec(textAt(config, 'root_device') ?? '')?.[1];

/** Names the fault of the device that a config boots from; undefined where that cannot be told. */
function rootFault(config: Row, view: CacheView, params: Params): string | undefined {
  const slot = rootSlot(config);
  const devices = at(config, 'devices');
  if (slot === undefined || devices === null || typeof devices !== 'object') return undefined;
  const disk = idAt(devices, `${slot}.disk_id`);
  const volume = idAt(devices, `${slot}.volume_id`);
  if (disk !== undefined) return diskFault(disk, view, params);
  return volume === undefined ? 'holds no disk or volume' : volumeFault(volume, view, params);
}

const diskIn = (id: string, view: CacheView, params: Params): Row | undefined =>
  findIn(view.rows('disks', under(params)), idIndex('id'), id)[0];

function diskFault(id: string, view: CacheView, params: Params): string | undefined {
  if (!view.isRead('disks', under(params))) return undefined;
  return diskIn(id, view, params) ? undefined : `names disk ${id}, which does not exist`;
}

function volumeFault(id: string, view: CacheView, { serverId }: Params): string | undefined {
  const volume = view.row('volumes', id);
  if (!volume) return view.isRead('volumes') ? `names volume ${id}, which does not exist` : undefined;
  if (volume.server_id === undefined || idAt(volume, 'server_id') === serverId) return undefined;
  return `names ${rowName(volume, 'volume')}, which is not attached to it`;
}

/** More configs say no more. */
const maxConfigs = 3;

/** Says what each config of a server boots from. */
export function bootWords(_server: Row, view: CacheView, params: Params): readonly string[] {
  const configs = view.rows('configs', under(params));
  if (configs.length === 0) return view.isRead('configs', under(params)) ? ['It has no config to boot with.'] : [];
  return configs.slice(0, maxConfigs).map((config) => {
    const device = textAt(config, 'root_device');
    const name = `Config ${rowName(config, 'config')}`;
    if (device === undefined) return `${name} names no device to boot from.`;
    const fault = rootFault(config, view, params);
    if (fault !== undefined) return `${name} boots from ${device}, which ${fault}.`;
    return `${name} boots from ${device}${rootWords(config, view, params)}.`;
  });
}

/** The disk or volume behind the device that a config boots from: `: disk Debian 12 (124458), ready`. */
function rootWords(config: Row, view: CacheView, params: Params): string {
  const slot = rootSlot(config);
  const disk = idAt(config, `devices.${slot}.disk_id`);
  const volume = idAt(config, `devices.${slot}.volume_id`);
  const row = disk === undefined ? view.row('volumes', volume) : diskIn(disk, view, params);
  if (!row) return '';
  const status = statusOf(row).replaceAll('_', ' ');
  return `: ${disk === undefined ? 'volume' : 'disk'} ${rowName(row, '')} (${disk ?? volume})${status ? `, ${status}` : ''}`;
}

const configRule = rule('configs', undefined, ['servers']);
const diskRule = rule('disks', undefined, ['servers']);
const backupRule = rule('backups', backupWords, ['servers']);

const serverOf = ({ serverId }: Params, view: CacheView) =>
  rowName(view.row('servers', serverId) ?? { id: serverId }, 'server');

/** A disk is ready within minutes, a backup made within hours. */
const maxDuration = { disk: hour, backup: 6 * hour };

const disksIn = (configs: readonly Row[]) =>
  configs.flatMap((config) => Object.values(at(config, 'devices') ?? {}).map((device) => idAt(device, 'disk_id')));

/** A backup as it is called in a sentence, with its server and when it was begun. */
function backupWords(backup: Row, view: CacheView, params: Params): string {
  const label = textAt(backup, 'label');
  const kind = at(backup, 'type') === 'snapshot' ? 'snapshot' : 'backup';
  const created = timeAt(backup, 'created');
  const called = label === undefined ? kind : `${kind} ${label}`;
  return `The ${called} of ${serverOf(params, view)}${created === undefined ? '' : ` from ${dayText(created)}`}`;
}

const unfinished = ['pending', 'running', 'needs_post_processing'];

/** Rules for servers' configs, disks and backups (document 2, 2.2 to 2.4). */
export const serverPartRules: readonly Rule[] = [
  configRule({
    name: 'config-kernel-deprecated',
    several: '{} configs boot a deprecated kernel',
    severity: 'notice',
    reads: ['kernels'],
    remedy: { action: 'edit' },
    find: (config, view, params) => {
      const kernel = view.row('kernels', config.kernel);
      if (kernel?.deprecated !== true) return;
      const name = rowName(config, 'config');
      return `${name} of ${serverOf(params, view)} boots ${rowName(kernel, 'kernel')}, a deprecated kernel`;
    },
  }),
  configRule({
    name: 'config-without-root',
    several: '{} configs have no root device that boots',
    reads: ['disks', 'volumes'],
    shows: ['disks'],
    remedy: { action: 'edit' },
    find: (config, view, params) => {
      const fault = rootFault(config, view, params);
      if (fault === undefined) return;
      const [name, server] = [rowName(config, 'config'), serverOf(params, view)];
      return `${server} cannot boot with ${name}: its root device ${config.root_device} ${fault}`;
    },
  }),
  diskRule({
    name: 'disk-not-ready',
    several: '{} disks have not been ready for a long time',
    find: lasting(['not_ready', 'deleting'], maxDuration.disk, (span, disk, view, params) => {
      const state = statusOf(disk) === 'deleting' ? 'has been deleting' : 'has not been ready';
      return `${rowName(disk, 'disk')} of ${serverOf(params, view)} ${state} for ${span}`;
    }),
  }),
  diskRule({
    name: 'disk-unused',
    several: '{} disks are in no config of their server',
    severity: 'notice',
    reads: ['configs'],
    find: (disk, view, params) => {
      const size = numberAt(disk, 'size');
      if (statusOf(disk) !== 'ready' || size === undefined || !view.isRead('configs', under(params))) return;
      const configs = view.rows('configs', under(params));
      if (configs.length === 0 || disksIn(configs).includes(idAt(disk, 'id'))) return;
      const taken = `${sizeText(size, 2)} of ${serverOf(params, view)}`;
      return `${rowName(disk, 'disk')} takes ${taken} and is in none of its configs`;
    },
  }),
  backupRule({
    name: 'backup-failed',
    several: '{} backups failed',
    find: (backup, view, params) => {
      if (statusOf(backup) !== 'failed') return;
      const since = timeAt(backup, 'created');
      const isMended = view
        .rows('backups', under(params))
        .filter((other) => statusOf(other) === 'successful' && other.type === backup.type)
        .some((other) => (timeAt(other, 'created') ?? 0) > (since ?? 0));
      return isMended ? undefined : { says: 'failed', since };
    },
  }),
  backupRule({
    name: 'backup-unfinished',
    several: '{} backups have not finished after a long time',
    find: lasting(unfinished, maxDuration.backup, (span) => `has not finished after ${span}`, ['created']),
  }),
];
