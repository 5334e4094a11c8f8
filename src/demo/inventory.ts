import { type Server, seedServers } from './compute/servers.seed.ts';
import { type Call, idIn } from './engine/answer.ts';
import type { Cloud } from './engine/cloud.ts';
import { type Entity, entityOf } from './engine/entity.ts';
import { notFound } from './engine/refusal.ts';
import { day, timestamp } from './engine/time.ts';
import { type Image, ownImages, publicImages } from './storage/images.seed.ts';
import { seedVolumes, type Volume } from './storage/volumes.seed.ts';

/** The servers by id, oldest first. */
export const serversOf = ({ options }: Cloud): Map<number, Server> =>
  seedServers(options.seed, options.servers, options.time);

/** The volumes by id, oldest first. */
export const volumesOf = (cloud: Cloud): Map<number, Volume> =>
  seedVolumes(cloud.options.seed, cloud.of(serversOf).values(), cloud.options.time);

/** The account's own images by id, after the public ones. */
export const imagesOf = ({ options }: Cloud): Map<string, Image> =>
  new Map(
    [...publicImages, ...ownImages((days) => timestamp(options.time - days * day))].map((image) => [
      image.id,
      { ...image },
    ]),
  );

/** The balance due of the account, in US dollars. */
export const balanceOf = (): { due: number } => ({ due: 0 });

/** The volumes attached to a server. */
export const attachedTo = (cloud: Cloud, serverId: number): Volume[] =>
  [...cloud.of(volumesOf).values()].filter(({ server_id }) => server_id === serverId);

/** The server that a call is about. @throws 404 */
export function serverIn(call: Call, cloud: Cloud): Server {
  const server = cloud.of(serversOf).get(idIn(call, 'serverId'));
  if (!server) throw notFound();
  return server;
}

/** The label of a system disk made from an image. */
export function diskLabel(cloud: Cloud, imageId: string | null): string {
  const image = cloud.of(imagesOf).get(imageId ?? '');
  return `${image?.is_public ? image.label : 'System'} Disk`;
}

/** A server as an event names it. */
export const serverEntity = (server: Server): Entity => entityOf('servers', 'server', server);

/** A volume as an event names it. */
export const volumeEntity = (volume: Volume): Entity => entityOf('volumes', 'volume', volume);

/** An image as an event names it. */
export const imageEntity = (image: Image): Entity => entityOf('images', 'image', image);
