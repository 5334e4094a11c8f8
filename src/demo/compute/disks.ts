import type { Cloud } from '../engine/cloud.ts';
import { type FieldError, HttpError, invalid } from '../engine/errors.ts';
import { type Call, handlersFor, page, userIn } from '../engine/handler.ts';
import { diskLabel, imagesOf, serverEntity } from '../inventory.ts';
import { type Disk, hardwareOf } from './hardware.ts';
import { imageComplaints, newDisk } from './serverCreate.ts';
import { serverIn } from './servers.ts';
import { noteDeployment } from './stackscripts.ts';

/** Disk Create (document 2, 4.3): from an image, or empty with a label. */
function create(call: Call, cloud: Cloud): Disk {
  const server = serverIn(call, cloud);
  const { body } = call;
  const image = typeof body.image === 'string' && body.image !== '' ? body.image : null;
  const errors: FieldError[] = [...imageComplaints(body, image, cloud)];
  if (!image && !body.label) errors.push({ field: 'label', reason: 'label is required without an image' });
  if (errors.length > 0) throw new HttpError(400, errors);
  const { disks } = hardwareOf(cloud, server);
  const size = Number(body.size);
  const free = server.specs.disk - disks.reduce((sum, disk) => sum + disk.size, 0);
  if (size > free) throw invalid('size', `Insufficient space: ${free} MB of this server are not allocated`);
  const needed = image ? (imagesOf(cloud).get(image)?.size ?? 0) : 0;
  if (size < needed) throw invalid('size', `The image needs at least ${needed} MB`);
  const label = body.label ? String(body.label) : diskLabel(cloud, image);
  const disk = newDisk(cloud, label, size, typeof body.filesystem === 'string' ? body.filesystem : 'ext4');
  disks.push(disk);
  noteDeployment(body, cloud);
  const secondary = { id: disk.id, label, type: 'disk', url: null };
  const job = { action: 'disk_create', entity: serverEntity(server), secondary, username: userIn(call).name };
  cloud.begin(12, job, () => cloud.setStatus(disk, 'ready'));
  return disk;
}

/** Disks (document 2, 4.1 and 4.3). */
export const disks = handlersFor('disks', {
  list: (call, cloud) => page(hardwareOf(cloud, serverIn(call, cloud)).disks, call, ['label', 'size']),
  create,
});

/** Backups (document 2, 2.4); a snapshot is made by an action of the server. */
export const backups = handlersFor('backups', {
  list: (call, cloud) => {
    const { automatic, current, inProgress } = hardwareOf(cloud, serverIn(call, cloud)).backups;
    return { automatic, snapshot: { current, in_progress: inProgress } };
  },
});
