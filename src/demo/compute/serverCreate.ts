import type { Row } from '../../resources/resource.ts';
import { type Cloud, perCloud } from '../engine/cloud.ts';
import { type FieldError, HttpError, invalid } from '../engine/errors.ts';
import { type Call, logEvent, needUnrestricted, userIn } from '../engine/handler.ts';
import { diskLabel, imagesOf, serverEntity, serversOf } from '../inventory.ts';
import { regions, serverTypes } from './catalogue.ts';
import { interfacesIn } from './configBodies.ts';
import { type Backup, configOf, type Disk, findBackup, type Hardware, hardwareOf, setHardware } from './hardware.ts';
import { provision } from './serverJobs.ts';
import { ipv6Address, newServer, privateAddress, publicAddress, type Server } from './servers.seed.ts';
import { noteDeployment, scriptComplaints } from './stackscripts.ts';

/** The number of the next address to give out. */
const addressesOf = perCloud(({ options }) => ({ next: options.servers }));

/** The type, image or backup that a new server is made from. */
type Source = ReturnType<typeof sourceOf>;

/** Server Create in its modes (document 2, 4.2). It needs the grant add_servers. */
export function createServer(call: Call, cloud: Cloud): Server {
  needUnrestricted(call);
  const { body } = call;
  const source = sourceOf(body, cloud);
  const server = serverFrom(body, source, cloud);
  serversOf(cloud).set(server.id, server);
  setHardware(cloud, server, hardwareFrom(body, server, source, cloud));
  noteDeployment(body, cloud);
  if (source.image || source.backup) provision(cloud, server, userIn(call).name, body.booted !== false);
  else logEvent(call, cloud, 'server_create', serverEntity(server));
  return server;
}

/** Checks everything the limits of single fields do not say. @throws 400 with every complaint */
function sourceOf(body: Row, cloud: Cloud) {
  const type = serverTypes.find(({ id }) => id === body.type);
  const backup = typeof body.backup_id === 'number' ? findBackup(cloud, body.backup_id) : undefined;
  const image = typeof body.image === 'string' && body.image !== '' ? body.image : null;
  const errors: FieldError[] = [];
  if (!regions.some(({ id }) => id === body.region)) errors.push(notValid('region'));
  if (!type) errors.push(notValid('type'));
  if ([...serversOf(cloud).values()].some((server) => server.label === body.label))
    errors.push({ field: 'label', reason: 'Label must be unique' });
  if (typeof body.backup_id === 'number' && !backup) errors.push(notValid('backup_id'));
  errors.push(...imageComplaints(body, image, cloud));
  if (errors.length > 0 || !type) throw new HttpError(400, errors);
  const interfaces = interfacesIn(body, String(body.region)) ?? [];
  const needed = image ? (imagesOf(cloud).get(image)?.size ?? 0) + Number(body.swap_size ?? 512) : 0;
  if (needed > type.disk) throw invalid('type', `${type.label} is too small for the image`);
  const saved = backup?.found.disks.reduce((sum, { size }) => sum + size, 0) ?? 0;
  if (saved > type.disk) throw invalid('type', `${type.label} is too small for the backup`);
  return { type, image, interfaces, backup };
}

const notValid = (field: string): FieldError => ({ field, reason: `${field} is not valid` });

/** Complaints about the image of a new disk, and about fields that must or must not come with one. */
export function imageComplaints(body: Row, image: string | null, cloud: Cloud): readonly FieldError[] {
  const script = scriptComplaints(body, image, cloud);
  if (!image) return script;
  if (typeof body.backup_id === 'number') return [{ field: 'image', reason: 'Send either image or backup_id' }];
  const found = imagesOf(cloud).get(image);
  if (!found) return [notValid('image')];
  if (found.status !== 'available') return [{ field: 'image', reason: 'image is not available yet' }];
  return body.root_pass ? script : [...script, { field: 'root_pass', reason: 'root_pass is required' }];
}

/** The next addresses to give out. */
export function addressesFor(cloud: Cloud, isPrivate = false): Pick<Server, 'ipv4' | 'ipv6'> {
  const addresses = addressesOf(cloud);
  const number = addresses.next;
  addresses.next += 1;
  const own = isPrivate ? [privateAddress(number)] : [];
  return { ipv4: [publicAddress(number), ...own], ipv6: ipv6Address(number) };
}

function serverFrom(body: Row, { type, image, backup }: Source, cloud: Cloud): Server {
  const made = cloud.newRow();
  const schedule = { day: 'Scheduling', window: 'Scheduling' };
  return newServer(type, {
    ...made,
    label: typeof body.label === 'string' && body.label !== '' ? body.label : `server${made.id}`,
    group: typeof body.group === 'string' ? body.group : '',
    status: 'offline',
    ...addressesFor(cloud, body.private_ip === true),
    image: image ?? backup?.server.image ?? null,
    region: String(body.region),
    ...(body.backups_enabled === true && { backups: { enabled: true, last_successful: null, schedule } }),
    tags: Array.isArray(body.tags) ? body.tags.map(String) : [],
  });
}

function hardwareFrom(body: Row, server: Server, source: Source, cloud: Cloud): Hardware {
  const backups = { automatic: [], current: null, inProgress: null };
  const disks = source.backup
    ? savedDisks(source.backup.found, cloud)
    : source.image
      ? newDisks(body, server, cloud)
      : [];
  if (disks.length === 0) return { disks, configs: [], backups, lastBooted: undefined };
  const devices = disks.map(({ id }) => ({ disk_id: id, volume_id: null }));
  const model = source.backup && hardwareOf(cloud, source.backup.server).configs[0];
  const copied = model && { label: model.label, kernel: model.kernel };
  const made = configOf(server, cloud.nextId(), devices, diskLabel(cloud, server.image));
  const config = { ...made, ...copied, interfaces: source.interfaces };
  return { disks, configs: [config], backups, lastBooted: config.id };
}

function newDisks({ swap_size }: Row, server: Server, cloud: Cloud): Disk[] {
  const swap = typeof swap_size === 'number' ? swap_size : 512;
  const system = newDisk(cloud, diskLabel(cloud, server.image), server.specs.disk - swap, 'ext4');
  return swap > 0 ? [system, newDisk(cloud, `${swap} MB Swap Image`, swap, 'swap')] : [system];
}

const savedDisks = ({ disks }: Backup, cloud: Cloud): Disk[] =>
  disks.map(({ label, size, filesystem }) => newDisk(cloud, label, size, filesystem));

/** A disk that is being made. */
export function newDisk(cloud: Cloud, label: string, size: number, filesystem: string): Disk {
  return { ...cloud.newRow(), label, status: 'not ready', size, filesystem };
}
