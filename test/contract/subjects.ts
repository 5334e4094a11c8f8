import type { Cloud } from './cloud.ts';
import { password, word } from './limits.ts';
import type { Config, Disk, Event, Server, Volume } from './nouns.ts';

const servers = '/v4/server/instances';

/** Every server of the cloud. */
export const serversOf = (cloud: Cloud): Promise<readonly Server[]> => cloud.all<Server>(servers);

/** An existing server on which nothing is going on; `where` narrows the choice. */
export async function idleServer(cloud: Cloud, where: (server: Server) => boolean = () => true): Promise<Server> {
  return cloud.until('an idle server', async () => {
    const [all, events] = [await serversOf(cloud), await cloud.get<{ data: Event[] }>('/v4/account/events')];
    const busy = new Set(
      events.data
        .filter(({ entity, status }) => entity?.type === 'server' && (status === 'started' || status === 'scheduled'))
        .map(({ entity }) => entity?.id),
    );
    return all.find((server) => server.status === 'running' && !busy.has(server.id) && where(server));
  });
}

/** The type of this much memory (MB) and a region, as some existing server has them. */
export async function placeFor(cloud: Cloud, memory?: number): Promise<{ type: string; region: string }> {
  const all = await serversOf(cloud);
  const sorted = all.toSorted((a, b) => a.specs.memory - b.specs.memory);
  const like = memory === undefined ? sorted[0] : sorted.find(({ specs }) => specs.memory === memory);
  if (!like) throw new Error(`no server has ${memory} MB`);
  return { type: like.type, region: like.region };
}

/** The id of a public image that may be deployed. */
export async function publicImage(cloud: Cloud): Promise<string> {
  interface Image {
    id: string;
    is_public: boolean;
    deprecated: boolean;
    status: string | null;
    size: number;
  }
  const images = await cloud.all<Image>('/v4/images');
  const fit = images.filter(
    (image) => image.is_public && !image.deprecated && (image.status ?? 'available') === 'available',
  );
  const [smallest] = fit.toSorted((a, b) => a.size - b.size);
  if (!smallest) throw new Error('no public image is offered');
  return smallest.id;
}

/** The body with which a server is created from an image. */
export async function imageBody(cloud: Cloud, more: object = {}): Promise<Record<string, unknown>> {
  const { type, region } = await placeFor(cloud);
  return { type, region, image: await publicImage(cloud), root_pass: password(20), ...more };
}

/** A server as it is now. */
export const serverNow = (cloud: Cloud, id: number): Promise<Server> => cloud.get<Server>(`${servers}/${id}`);

/** Waits until a server is in this status and nothing is going on with it. */
export async function settled(cloud: Cloud, id: number, status: string): Promise<Server> {
  return cloud.until(`server ${id} is ${status}`, async () => {
    const server = await serverNow(cloud, id);
    const { data } = await cloud.get<{ data: Event[] }>('/v4/account/events');
    const busy = data.some(
      ({ entity, status: of }) =>
        entity?.type === 'server' && entity.id === id && (of === 'started' || of === 'scheduled'),
    );
    return server.status === status && !busy && server;
  });
}

/** A new server from an image, running. */
export async function newServer(cloud: Cloud, more: object = {}): Promise<Server> {
  const { id } = await cloud.post<Server>(servers, await imageBody(cloud, more));
  return settled(cloud, id, 'running');
}

/** A new server without image, disks and configs. */
export async function emptyServer(cloud: Cloud, more: object = {}): Promise<Server> {
  const { id } = await cloud.post<Server>(servers, { ...(await placeFor(cloud)), ...more });
  return settled(cloud, id, 'offline');
}

/** The disks of a server. */
export const disksOf = (cloud: Cloud, serverId: number): Promise<readonly Disk[]> =>
  cloud.all<Disk>(`${servers}/${serverId}/disks`);

/** The configs of a server. */
export const configsOf = (cloud: Cloud, serverId: number): Promise<readonly Config[]> =>
  cloud.all<Config>(`${servers}/${serverId}/configs`);

/** A new config without devices, on this server. */
export const newConfig = (cloud: Cloud, serverId: number, more: object = {}): Promise<Config> =>
  cloud.post<Config>(`${servers}/${serverId}/configs`, { label: word(12), devices: {}, ...more });

/** A volume as it is now. */
export const volumeNow = (cloud: Cloud, id: number): Promise<Volume> => cloud.get<Volume>(`/v4/volumes/${id}`);

/** A new volume, active, attached to nothing unless `more` says so. */
export async function newVolume(cloud: Cloud, more: object = {}): Promise<Volume> {
  const place = 'server_id' in more ? {} : { region: (await placeFor(cloud)).region };
  const { id } = await cloud.post<Volume>('/v4/volumes', { label: word(12), ...place, ...more });
  return cloud.until(`volume ${id} is active`, async () => {
    const volume = await volumeNow(cloud, id);
    return volume.status === 'active' && volume;
  });
}

/** The ids of the volumes in the devices of a config. */
export const volumesIn = ({ devices }: Config): readonly number[] =>
  Object.values(devices).flatMap((device) => (device?.volume_id == null ? [] : [device.volume_id]));

/** The ids of the disks in the devices of a config. */
export const disksIn = ({ devices }: Config): readonly number[] =>
  Object.values(devices).flatMap((device) => (device?.disk_id == null ? [] : [device.disk_id]));
