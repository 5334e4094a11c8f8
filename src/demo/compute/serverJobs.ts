import type { Cloud } from '../engine/cloud.ts';
import { badRequest } from '../engine/errors.ts';
import { serverEntity, serversOf } from '../inventory.ts';
import { automaticBackup, type Backup, hardwareOf, savedOf } from './hardware.ts';
import { type Server, serverType, specsOf } from './servers.seed.ts';

/** @throws 400 where a job runs or waits on a server (document 2, 4.2) */
export function needIdle(cloud: Cloud, server: Server): void {
  if (cloud.log.busy('server', server.id)) throw badRequest('Server busy.');
}

/** Whether a server still exists; jobs outlive those that were deleted meanwhile. */
const exists = (cloud: Cloud, { id }: Server) => serversOf(cloud).has(id);

/** Sets the status of a server that still exists. */
function setStatus(cloud: Cloud, server: Server, status: string): void {
  if (exists(cloud, server)) cloud.setStatus(server, status);
}

/** A server boots: booting, then running. */
export function boot(cloud: Cloud, server: Server, username: string): void {
  if (!exists(cloud, server)) return;
  setStatus(cloud, server, 'booting');
  const hardware = hardwareOf(cloud, server);
  hardware.lastBooted ??= hardware.configs[0]?.id;
  const config = hardware.configs.find(({ id }) => id === hardware.lastBooted);
  const secondary = config ? { id: config.id, label: config.label, type: 'server_config', url: null } : null;
  const job = { action: 'server_boot', entity: serverEntity(server), secondary, username };
  cloud.begin(14, job, () => setStatus(cloud, server, 'running'));
}

/** Leaves a server as it is after a job: booting, or offline. */
export function comeBack(cloud: Cloud, server: Server, username: string, boots: boolean): void {
  if (boots) boot(cloud, server, username);
  else setStatus(cloud, server, 'offline');
}

/** A server reboots: rebooting, then running. */
export function reboot(cloud: Cloud, server: Server, username: string, action = 'server_reboot'): void {
  setStatus(cloud, server, 'rebooting');
  cloud.begin(18, { action, entity: serverEntity(server), username }, () => setStatus(cloud, server, 'running'));
}

/** A server shuts down: shutting_down, then offline. */
export function shutDown(cloud: Cloud, server: Server, username: string): void {
  setStatus(cloud, server, 'shutting_down');
  const job = { action: 'server_shutdown', entity: serverEntity(server), username };
  cloud.begin(9, job, () => setStatus(cloud, server, 'offline'));
}

/** A new server gets its disks: provisioning, then offline or booting. */
export function provision(cloud: Cloud, server: Server, username: string, booted: boolean): void {
  server.status = 'provisioning';
  cloud.begin(26, { action: 'server_create', entity: serverEntity(server), username }, () => {
    if (!exists(cloud, server)) return;
    for (const disk of hardwareOf(cloud, server).disks) cloud.setStatus(disk, 'ready');
    comeBack(cloud, server, username, booted);
  });
}

/**
 * A server moves to another type: migrating, then as it was before, by a boot where it ran.
 * @param seconds how long it takes; undefined asks for what its disks take
 */
export function resize(
  cloud: Cloud,
  server: Server,
  typeId: string,
  autoDisk: boolean,
  username: string,
  seconds?: number,
): void {
  const ran = server.status === 'running';
  const megabytes = hardwareOf(cloud, server).disks.reduce((sum, { size }) => sum + size, 0);
  const duration = seconds ?? Math.min(240, Math.max(45, megabytes / 464));
  const job = { action: 'server_resize', entity: serverEntity(server), username, megabytes };
  setStatus(cloud, server, 'migrating');
  cloud.begin(duration, job, () => {
    if (!exists(cloud, server)) return;
    const type = serverType(typeId);
    if (autoDisk) fitDisk(cloud, server, type.disk);
    server.type = type.id;
    server.specs = specsOf(type);
    comeBack(cloud, server, username, ran);
  });
}

/** The one big disk of a server takes up the space its type gives; several disks are left alone. */
function fitDisk(cloud: Cloud, server: Server, space: number): void {
  const { disks } = hardwareOf(cloud, server);
  const big = disks.filter(({ filesystem }) => filesystem === 'ext3' || filesystem === 'ext4');
  const [only] = big;
  if (!only || big.length > 1) return;
  only.size = space - disks.reduce((sum, disk) => (disk === only ? sum : sum + disk.size), 0);
  cloud.touch(only);
}

/** Takes a snapshot: pending, running, and after the event has finished still for a while needsPostProcessing. */
export function snapshot(cloud: Cloud, server: Server, label: string, username: string): Backup {
  const hardware = hardwareOf(cloud, server);
  const { backups } = hardware;
  const { configs } = savedOf(hardware);
  const row = { ...cloud.newRow(), label, type: 'snapshot', status: 'pending' };
  const backup: Backup = { ...row, finished: null, configs, disks: [] };
  backups.inProgress = backup;
  cloud.after(3, () => cloud.setStatus(backup, 'running'));
  cloud.begin(40, { action: 'server_snapshot', entity: serverEntity(server), username }, () => {
    cloud.setStatus(backup, 'needsPostProcessing');
    backup.disks = savedOf(hardware).disks;
    cloud.after(8, () => {
      cloud.setStatus(backup, 'successful');
      backup.finished = cloud.timestamp;
      backups.current = backup;
      backups.inProgress = null;
    });
  });
  return backup;
}

/** Takes the daily backup, which takes the place of the oldest automatic one. */
export function backUp(cloud: Cloud, server: Server): void {
  const hardware = hardwareOf(cloud, server);
  const created = cloud.timestamp;
  cloud.begin(30, { action: 'server_snapshot', entity: serverEntity(server), username: 'scheduler' }, () => {
    const backup = automaticBackup(hardware, cloud.nextId(), created, cloud.timestamp);
    hardware.backups.automatic = [backup, ...hardware.backups.automatic].slice(0, 3);
    server.backups.last_successful = cloud.timestamp;
  });
}
