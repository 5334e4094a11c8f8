import { at, type Row } from '../../resources/resource.ts';
import type { Cloud } from '../engine/cloud.ts';
import { type FieldError, HttpError } from '../engine/errors.ts';
import { volumesOf } from '../inventory.ts';
import { type Config, type Device, hardwareOf } from './hardware.ts';
import type { Server } from './servers.seed.ts';

/**
 * The devices of a body: disks of this server, and volumes in its region that no other server has.
 * @param available the slots that may be used
 * @throws 400 with every complaint
 */
export function devicesIn(body: Row, server: Server, cloud: Cloud, available: readonly string[]): Config['devices'] {
  const sent = body.devices ?? {};
  if (typeof sent !== 'object' || Array.isArray(sent))
    throw complaint([{ field: 'devices', reason: 'Must be of type Object' }]);
  const errors: FieldError[] = [];
  const devices: Record<string, Device | null> = {};
  const taken = new Set<string>();
  for (const [slot, value] of Object.entries(sent)) {
    const device = deviceOf(value);
    const field = `devices.${slot}`;
    if (!device) {
      devices[slot] = null;
      continue;
    }
    const name = `${device.disk_id}/${device.volume_id}`;
    const reason = available.includes(slot) ? wrongWith(device, server, cloud) : `${slot} is not available`;
    if (reason) errors.push({ field, reason });
    else if (taken.has(name)) errors.push({ field, reason: 'This device has another slot already' });
    taken.add(name);
    devices[slot] = device;
  }
  if (errors.length > 0) throw complaint(errors);
  return devices;
}

const complaint = (errors: readonly FieldError[]) => new HttpError(400, errors);

/** A device; undefined for an empty slot. */
function deviceOf(value: unknown): Device | undefined {
  const disk_id = at(value, 'disk_id') ?? null;
  const volume_id = at(value, 'volume_id') ?? null;
  return disk_id === null && volume_id === null ? undefined : ({ disk_id, volume_id } as Device);
}

function wrongWith({ disk_id, volume_id }: Device, server: Server, cloud: Cloud): string | undefined {
  if (disk_id !== null && volume_id !== null) return 'Send either disk_id or volume_id';
  if (disk_id !== null) {
    return hardwareOf(cloud, server).disks.some(({ id }) => id === disk_id) ? undefined : 'disk_id is not valid';
  }
  const volume = volume_id === null ? undefined : volumesOf(cloud).get(volume_id);
  if (!volume) return 'volume_id is not valid';
  if (volume.region !== server.region) return 'The volume is in another region';
  return volume.server_id === null || volume.server_id === server.id ? undefined : 'The volume is attached elsewhere';
}
