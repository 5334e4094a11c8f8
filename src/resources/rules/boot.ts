import { idAt, rowName, textAt } from '../problems/reading.ts';
import { findIn, idIndex } from '../problems/rowIndex.ts';
import type { CacheView, Params, Row } from '../resource.ts';
import { at } from '../resource.ts';
import { statusOf } from '../wording.ts';

/** The parameters of the lists below the server of a row. */
export const under = ({ serverId = '' }: Params): Params => ({ serverId });

/** The slot of the device that a config boots from; undefined where it names none. */
const rootSlot = (config: Row) => /^\/dev\/(sd[a-h])\d*$/.exec(textAt(config, 'root_device') ?? '')?.[1];

/** Names the fault of the device that a config boots from; undefined where that cannot be told. */
export function rootFault(config: Row, view: CacheView, params: Params): string | undefined {
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
