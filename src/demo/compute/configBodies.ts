import { at, type Row } from '../../resources/resource.ts';
import type { Cloud } from '../engine/cloud.ts';
import { type FieldError, HttpError, invalid } from '../engine/errors.ts';
import { volumesOf } from '../inventory.ts';
import { regions } from './catalogue.ts';
import { type Config, type Device, hardwareOf, type Interface } from './hardware.ts';
import type { Server } from './servers.seed.ts';

/**
 * The devices of a body: disks of this server, and volumes in its region that no other server has.
 * @param available the slots that may be used
 * @throws 400 with every complaint
 */
export function devicesIn(body: Row, server: Server, cloud: Cloud, available: readonly string[]): Config['devices'] {
  const sent = body.devices ?? {};
  if (typeof sent !== 'object' || Array.isArray(sent)) throw invalid('devices', 'Must be of type Object');
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
  if (errors.length > 0) throw new HttpError(400, errors);
  return devices;
}

/** A device; undefined for an empty slot. */
function deviceOf(value: unknown): Device | undefined {
  const disk_id = at(value, 'disk_id') ?? null;
  const volume_id = at(value, 'volume_id') ?? null;
  return disk_id === null && volume_id === null ? undefined : ({ disk_id, volume_id } as Device);
}

function wrongWith({ disk_id, volume_id }: Device, server: Server, cloud: Cloud): string | undefined {
  if (disk_id !== null && volume_id !== null) return 'Send either disk_id or volume_id';
  if (disk_id !== null)
    return hardwareOf(cloud, server).disks.some(({ id }) => id === disk_id) ? undefined : 'disk_id is not valid';
  const volume = volume_id === null ? undefined : volumesOf(cloud).get(volume_id);
  if (!volume) return 'volume_id is not valid';
  if (volume.region !== server.region) return 'The volume is in another region';
  return volume.server_id === null || volume.server_id === server.id ? undefined : 'The volume is attached elsewhere';
}

/**
 * The network interfaces of a body (document 2, 2.1): up to three, one of them public, VLANs with a label
 * and only in a region that has them.
 * @throws 400 with every complaint
 */
export function interfacesIn(body: Row, region: string): readonly Interface[] | undefined {
  const { interfaces } = body;
  if (interfaces === undefined || interfaces === null) return undefined;
  if (!Array.isArray(interfaces)) throw invalid('interfaces', 'Must be of type Array');
  if (interfaces.length > 3) throw invalid('interfaces', 'Must have at most 3 entries');
  const errors = interfaces.flatMap((one, place) => complaintsAbout(one, `interfaces[${place}]`));
  if (errors.length > 0) throw new HttpError(400, errors);
  const read = interfaces.map(interfaceOf);
  const spanning = spanningComplaint(read, region);
  if (spanning) throw new HttpError(400, [spanning]);
  return read;
}

const interfaceOf = ({ purpose, label, ipam_address }: Row): Interface => ({
  purpose: String(purpose),
  label: typeof label === 'string' ? label : '',
  ipam_address: typeof ipam_address === 'string' ? ipam_address : '',
});

function complaintsAbout(one: unknown, field: string): readonly FieldError[] {
  if (one === null || typeof one !== 'object') return [{ field, reason: 'Must be of type Object' }];
  const { purpose, label, ipam_address } = one as Row;
  if (purpose !== 'public' && purpose !== 'vlan')
    return [{ field: `${field}.purpose`, reason: 'Must be one of public, vlan' }];
  const errors: FieldError[] = [];
  const text = typeof label === 'string' ? label : '';
  if (purpose === 'public' && text !== '') errors.push({ field: `${field}.label`, reason: 'Must be empty for public' });
  if (purpose === 'vlan' && !/^[a-z0-9-]{1,64}$/.test(text))
    errors.push({ field: `${field}.label`, reason: 'Must be 1-64 lower case letters, digits or dashes' });
  const address = typeof ipam_address === 'string' ? ipam_address : '';
  if (address !== '' && (purpose === 'public' || !isCidr(address)))
    errors.push({ field: `${field}.ipam_address`, reason: 'Must be an address of a VLAN with its prefix length' });
  return errors;
}

const isCidr = (text: string) =>
  /^(\d{1,3}\.){3}\d{1,3}\/\d{1,2}$/.test(text)
    ? text.split(/[./]/).every((part, place) => Number(part) <= (place === 4 ? 32 : 255))
    : /^[0-9a-f:]+:[0-9a-f:]*\/\d{1,3}$/i.test(text) && Number(text.split('/')[1]) <= 128;

function spanningComplaint(interfaces: readonly Interface[], region: string): FieldError | undefined {
  const open = interfaces.filter(({ purpose }) => purpose === 'public');
  if (open.length > 1) return { field: 'interfaces', reason: 'Only one interface may be public' };
  const labels = interfaces.flatMap(({ purpose, label }) => (purpose === 'vlan' ? [label] : []));
  if (new Set(labels).size < labels.length) return { field: 'interfaces', reason: 'A VLAN may be given only once' };
  const able = regions.find(({ id }) => id === region)?.capabilities.includes('Vlans');
  return labels.length > 0 && !able
    ? { field: 'interfaces', reason: `VLANs are not available in ${region}` }
    : undefined;
}
