import { type Server, seedServers } from './compute/servers.seed.ts';
import { addressOf } from './engine/address.ts';
import type { Cloud } from './engine/cloud.ts';
import type { Entity } from './engine/eventLog.ts';
import { notFound } from './engine/refusal.ts';
import { day, stamp } from './engine/stamp.ts';
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
    [...publicImages, ...ownImages((days) => stamp(options.time - days * day))].map((image) => [
      image.id,
      { ...image },
    ]),
  );

/** What the account owes, in US dollars. */
export const balanceOf = (): { due: number } => ({ due: 0 });

/** The volumes attached to a server. */
export const attachedTo = (cloud: Cloud, serverId: number): Volume[] =>
  [...cloud.of(volumesOf).values()].filter(({ server_id }) => server_id === serverId);

/** The server of this id. @throws 404 */
export function serverAt(cloud: Cloud, id: number): Server {
  const server = cloud.of(serversOf).get(id);
  if (!server) throw notFound();
  return server;
}

/** The volume of this id. @throws 404 */
export function volumeAt(cloud: Cloud, id: number): Volume {
  const volume = cloud.of(volumesOf).get(id);
  if (!volume) throw notFound();
  return volume;
}

/** The label of a system disk made from an image. */
export function diskLabel(cloud: Cloud, imageId: string | null): string {
  const image = cloud.of(imagesOf).get(imageId ?? '');
  return `${image?.is_public ? image.label : 'System'} Disk`;
}

/** A server as an event names it. */
export const serverEntity = ({ id, label }: Server): Entity => ({
  id,
  label,
  type: 'server',
  url: addressOf('servers', id) ?? null,
});

/** A volume as an event names it. */
export const volumeEntity = ({ id, label }: Volume): Entity => ({
  id,
  label,
  type: 'volume',
  url: addressOf('volumes', id) ?? null,
});
