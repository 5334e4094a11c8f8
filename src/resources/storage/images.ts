import { day, dayText, isoText, timeOf } from '../../text/times.ts';
import { textIn } from '../../text/words.ts';
import { memoize } from '../memoize.ts';
import { at, type Dated, type Resource, type Row, resource, statusColumn, timeAt } from '../resource.ts';
import { toDeploy } from '../shortcuts.ts';
import { inState, statusOf } from '../wording.ts';

/** An image to deploy disks from: public, or private to the account (document 1, 2.11). */
export type Image = Dated & {
  id: string;
  label: string;
  description: string | null;
  status: string | null;
  is_public: boolean;
  type: string;
  expiry: string | null;
  eol: string | null;
  created_by: string;
  deprecated: boolean;
  vendor: string | null;
};

/** Whether a disk can be deployed from it: only available ones can, and public ones may leave the status out. */
export const isDeployable = (image: Row): boolean => !['creating', 'pending_upload'].includes(statusOf(image));

/** When the life of a public image ends. */
export const endOfLife = (image: Row): number | undefined =>
  image.is_public === true ? timeAt(image, 'eol') : undefined;

const refusePublic = (image: Image) =>
  image.is_public ? `${image.label} is a public image; only your own can be changed` : undefined;

const refuseUnavailable = (image: Image) =>
  isDeployable(image) ? undefined : `${image.label} ${inState(image)}; only available images can be deployed`;

/** When the data of an upload must have arrived: 24 hours after the image was created. */
function uploadEnd({ status, created }: Image): string | undefined {
  const made = statusOf({ status }) === 'pending_upload' ? timeOf(created) : Number.NaN;
  return isoText(made + day);
}

/** The servers from whose disks images were captured, by image: the events of the capture name both. */
const sourcesIn = memoize((events): ReadonlyMap<unknown, readonly unknown[]> => {
  const captures = events.filter(({ action }) => action === 'disk_imagize');
  const byImage = Map.groupBy(captures, (event) => at(event, 'secondary_entity.id'));
  return new Map([...byImage].map(([image, events]) => [image, events.map((event) => at(event, 'entity.id'))]));
});

const ownColumns = ['Label', 'Status', 'Size', 'Created', 'Expires', 'ID', 'Updated'];

/** Images (document 1, 2.11 and 4.7). */
export const images: Resource = resource<Image>()({
  name: 'images',
  area: 'Storage',
  aliases: ['img'],
  path: '/v4/images',
  scope: 'images',
  entity: 'image',
  events: ['image_', 'disk_imagize'],
  relations: [{ to: 'servers', by: ({ id }, loaded) => sourcesIn(loaded('events')).get(id) ?? [] }],
  sort: 'Label',
  ids: /^[a-z][a-z0-9]*\/[\w.-]+$/,
  empty: 'An image is a copy of a disk that servers can be deployed from.',
  fields: {
    label: { min: 1 },
    description: { kind: 'paragraph', min: 1, max: 65_000, emptied: null },
    status: {
      options: ['creating', 'pending_upload', 'available'],
      help: 'The platform sets it by itself; only available images can be deployed.',
    },
  },
  sections: [
    {
      title: 'Mine',
      only: (image) => !image.is_public && image.type !== 'automatic',
      columns: ownColumns,
      empty: 'You have no images of your own. n captures one from a disk or uploads a file; tab shows the public ones.',
    },
    {
      title: 'Automatic',
      only: (image) => !image.is_public && image.type === 'automatic',
      columns: ownColumns,
      empty: 'None is kept now. When a server is deleted an image of it may be kept for a while.',
    },
    {
      title: 'Public',
      only: (image) => image.is_public,
      columns: ['Label', 'Vendor', 'Size', 'End of life', 'Deprecated', 'ID'],
    },
  ],
  columns: [
    { title: 'Label', value: 'label', keep: 1 },
    statusColumn,
    { title: 'Vendor', value: 'vendor', keep: 1 },
    { title: 'Size', value: ({ size }) => size || undefined, format: 'megabytes' },
    { title: 'Created', value: 'created', format: 'age' },
    { title: 'Expires', value: (image) => image.expiry ?? uploadEnd(image), format: 'expiry' },
    { title: 'End of life', value: ({ eol }) => textIn(eol)?.slice(0, 10), format: 'date' },
    { title: 'Deprecated', value: 'deprecated', format: 'mark' },
    { title: 'ID', value: 'id' },
    { title: 'Updated', value: 'updated', format: 'age', keep: 3 },
  ],
  card: [
    { title: 'Created by', value: 'created_by' },
    { title: 'Type', value: 'type' },
    { title: 'Public', value: 'is_public', format: 'boolean' },
    { title: 'Upload due', value: uploadEnd, format: 'expiry' },
    { title: 'Description', value: 'description', format: 'paragraph' },
  ],
  offeredLast: (image, { now }) => {
    const end = endOfLife(image);
    if (end !== undefined && end <= now) return `past its end of life since ${dayText(end)}`;
    return image.deprecated === true ? 'deprecated' : undefined;
  },
  overview: { related: [{ list: 'servers' }] },
  // Captures a private image from a disk.
  create: {
    shownBy: { events: ['disk_imagize'], names: ['label'], time: 'created', author: 'created_by' },
    help: 'Capture from a disk',
    scope: ['images:read_write', 'servers:read_only'],
    body: ['server', 'disk_id!', 'label', 'description'],
    fields: {
      server: { to: 'servers', local: true, needed: true, help: 'The server that has the disk.' },
      disk_id: {
        to: 'disks',
        under: (draft) => (draft.server ? { serverId: String(draft.server) } : undefined),
        offers: ({ filesystem }) => filesystem !== 'swap',
        shown: (draft) => Boolean(draft.server),
        needed: true,
        writeOnly: true,
      },
      label: { help: 'If empty, the label of the disk.' },
    },
    check: (draft, view) => {
      const disks = view.rows('disks', { serverId: String(draft.server) });
      const isElsewhere = disks.length > 0 && !disks.some(({ id }) => String(id) === draft.disk_id);
      return isElsewhere
        ? { field: 'disk_id', says: 'it belongs to another server; choose one of this server' }
        : undefined;
    },
    ask: { note: 'The image is captured in the background and becomes available shortly.' },
  },
  creates: [
    {
      name: 'upload',
      shownBy: { events: ['image_upload'], names: ['label'], time: 'created', author: 'created_by' },
      key: 'u',
      help: 'Upload an image file',
      body: ['file!', 'label!', 'region!', 'description'],
      fields: {
        file: {
          kind: 'file',
          local: true,
          max: 5 * 2 ** 30,
          begins: { bytes: [0x1f, 0x8b], says: 'a gzip file (.gz) around a raw disk image (.img)' },
        },
        region: {
          to: 'regions',
          writeOnly: true,
          help: 'Where it is uploaded to; afterwards it can be used in any region.',
        },
      },
      fileTransfer: {
        way: 'upload',
        file: 'file',
        address: 'upload_to',
        arrived: 'The image is available as soon as it is processed.',
        missed: 'Its image has no data and is deleted within 24 hours; delete it and upload again.',
      },
      row: (answer) => answer.image as Row,
      ask: {
        note: 'The data must arrive within 24 hours, otherwise the image is deleted. You can keep working during the upload.',
      },
    },
  ],
  edit: { body: ['label', 'description', 'status'], refuse: refusePublic },
  remove: {
    refuse: refusePublic,
    ask: {
      warning: (image) =>
        `Deletes ${image.label}. This cannot be undone. Servers deployed from it stay; no further one can be deployed from it.`,
      typeLabel: true,
      together:
        'Deletes these images. This cannot be undone. Servers deployed from them stay; no further one can be deployed from them.',
    },
    inverse: 'Its data are gone.',
    staysOut: 'public',
  },
  shortcuts: [toDeploy({ key: 's', start: ({ id }) => ({ mode: 'image', image: id }), refuse: refuseUnavailable })],
});
