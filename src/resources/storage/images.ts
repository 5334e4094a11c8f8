import { type Row, resource } from '../resource.ts';

/** An image to deploy disks from: public, or private to the account (document 1, 2.11). */
export type Image = Row & { id: string; label: string; status: string | null; is_public: boolean };

/** Images (document 1, 2.11 and 4.7). */
export const images = resource<Image>()({
  name: 'images',
  one: 'image',
  many: 'Images',
  area: 'Storage',
  aliases: ['img'],
  id: 'id',
  param: 'imageId',
  label: (image) => image.label ?? image.id,
  status: (image) => image.status ?? undefined,
  entity: 'image',
  events: ['image_', 'disk_imagize'],
  sort: 'Label',
  empty: 'An image is a system to deploy servers from. Public ones are there for all; yours are captured from a disk.',
  fields: {},
  columns: [
    { title: 'Label', value: 'label', keep: 1 },
    { title: 'Status', value: 'status', look: 'status', keep: 1 },
    { title: 'Vendor', value: 'vendor', keep: 1 },
    { title: 'Size', value: 'size', look: 'megabytes' },
    { title: 'Created', value: 'created', look: 'age' },
    { title: 'Expires', value: 'expiry', look: 'age' },
    { title: 'End of life', value: 'eol', look: 'date' },
    { title: 'Deprecated', value: 'deprecated', look: 'boolean', keep: 3 },
    { title: 'ID', value: 'id' },
    { title: 'Public', value: 'is_public', look: 'boolean', keep: 3 },
    { title: 'Made', value: 'type', keep: 3 },
  ],
  card: [
    { title: 'Description', value: 'description' },
    { title: 'Created by', value: 'created_by' },
    { title: 'Updated', value: 'updated', look: 'date' },
  ],
  list: { method: 'GET', path: '/v4/images', scope: 'images:read_only', pages: 'numbered' },
  view: { method: 'GET', path: '/v4/images/{imageId}', scope: 'images:read_only' },
  copies: { id: (image) => image.id },
});
