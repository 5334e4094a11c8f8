import type { Row } from '../../resources/resource.ts';
import type { Cloud } from '../engine/cloud.ts';
import { needUniqueLabel } from '../engine/collection.ts';
import { badRequest, invalid } from '../engine/errors.ts';
import { type Call, type Handler, needUnrestricted, userIn } from '../engine/handler.ts';
import { serverEntity, serversOf } from '../inventory.ts';
import { hardwareOf, setHardware } from './hardware.ts';
import { addressesFor, imageComplaints } from './serverCreate.ts';
import { boot, needIdle, reboot } from './serverJobs.ts';
import type { Server } from './servers.seed.ts';

/** The seconds of these jobs. */
const rebuildSeconds = 40;
const cloneSeconds = 60;

/** Operations on servers that the documents leave out; other deployments of the API have them. */
export function beyondDocuments(find: (call: Call, cloud: Cloud) => Server): Readonly<Record<string, Handler>> {
  const idle = (call: Call, cloud: Cloud): Server => {
    const server = find(call, cloud);
    needIdle(cloud, server);
    if (call.body.config_id !== undefined) needConfig(call, cloud, server);
    return server;
  };
  return {
    boot: (call, cloud) => {
      const server = idle(call, cloud);
      if (server.status === 'running') throw badRequest('The server is running already.');
      boot(cloud, server, userIn(call).name);
      return {};
    },
    reboot: (call, cloud) => {
      const server = idle(call, cloud);
      if (server.status !== 'running') throw badRequest('The server is not running.');
      reboot(cloud, server, userIn(call).name);
      return {};
    },
    rebuild,
    clone,
  };

  function rebuild(call: Call, cloud: Cloud): Server {
    const server = idle(call, cloud);
    const { image } = call.body;
    if (typeof image !== 'string') throw invalid('image', 'image is required');
    const [complaint] = imageComplaints(call.body, image, cloud);
    if (complaint) throw invalid(complaint.field ?? 'image', complaint.reason);
    const isBooted = call.body.booted !== false;
    const job = { action: 'server_rebuild', entity: serverEntity(server), username: userIn(call).name };
    Object.assign(server, { status: 'rebuilding', image });
    cloud.touch(server);
    cloud.begin(rebuildSeconds, job, () => {
      if (!serversOf(cloud).has(server.id)) return;
      if (isBooted) return boot(cloud, server, job.username);
      server.status = 'offline';
      cloud.touch(server);
    });
    return server;
  }

  function clone(call: Call, cloud: Cloud): Server {
    needUnrestricted(call);
    const server = idle(call, cloud);
    const id = cloud.nextId();
    const { label = `server${id}`, region = server.region } = call.body;
    if (typeof label !== 'string') throw invalid('label', 'Must be of type String');
    needUniqueLabel(serversOf(cloud).values(), label);
    const made: Server = {
      ...structuredClone(server),
      id,
      label,
      ...addressesFor(cloud),
      region: String(region),
      status: 'cloning',
      created: cloud.timestamp,
      updated: cloud.timestamp,
    };
    const { disks, configs } = structuredClone(hardwareOf(cloud, server));
    const named = <T extends { id: number }>(parts: readonly T[]) =>
      parts.map((part) => ({ ...part, id: cloud.nextId() }));
    setHardware(cloud, made, {
      disks: named(disks),
      configs: named(configs),
      backups: { automatic: [], current: null, inProgress: null },
      lastBooted: undefined,
    });
    serversOf(cloud).set(id, made);
    const job = { action: 'server_clone', entity: serverEntity(made), username: userIn(call).name };
    cloud.begin(cloneSeconds, job, () => {
      made.status = 'offline';
      cloud.touch(made);
    });
    return made;
  }
}

/** @throws 400 where a body names a config that the server does not have */
function needConfig(call: Call, cloud: Cloud, server: Server): void {
  const { config_id: wanted } = call.body as Row;
  if (!hardwareOf(cloud, server).configs.some(({ id }) => id === wanted))
    throw invalid('config_id', 'config_id is not valid');
}
