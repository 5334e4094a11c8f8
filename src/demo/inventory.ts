/** The rows that several areas read. */
import { type Server, seedServers } from './compute/servers.seed.ts';
import { type Cloud, perCloud } from './engine/cloud.ts';
import { type Entity, entityOf } from './engine/eventLog.ts';
import { type Image, seedImages } from './storage/images.seed.ts';
import { seedVolumes, type Volume } from './storage/volumes.seed.ts';

/** The servers by id, oldest first. */
export const serversOf = perCloud(({ options }) => seedServers(options));

/** The volumes by id, oldest first. */
export const volumesOf = perCloud((cloud) => seedVolumes(cloud.options, serversOf(cloud).values()));

/** The images by id, the public ones first. */
export const imagesOf = perCloud(({ options }) => seedImages(options));

/** The balance due of the account, in US dollars. */
export const balanceOf = perCloud(() => ({ due: 0 }));

/** The volumes attached to a server. */
export const attachedTo = (cloud: Cloud, serverId: number): Volume[] =>
  [...volumesOf(cloud).values()].filter(({ server_id }) => server_id === serverId);

/** The label of a system disk made from an image. */
export function diskLabel(cloud: Cloud, imageId: string | null): string {
  const image = imagesOf(cloud).get(imageId ?? '');
  return `${image?.is_public ? image.label : 'System'} Disk`;
}

/** A server as an event names it. */
export const serverEntity = (server: Server): Entity => entityOf('servers', 'server', server);

/** A volume as an event names it. */
export const volumeEntity = (volume: Volume): Entity => entityOf('volumes', 'volume', volume);

/** An image as an event names it. */
export const imageEntity = (image: Image): Entity => entityOf('images', 'image', image);
