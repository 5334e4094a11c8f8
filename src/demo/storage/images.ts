import type { Row } from '../../resources/resource.ts';
import { findDisk } from '../compute/hardware.ts';
import { regions } from '../compute/regions.seed.ts';
import { needIdle } from '../compute/serverJobs.ts';
import type { Cloud } from '../engine/cloud.ts';
import { collection } from '../engine/collection.ts';
import { forbidden, invalid } from '../engine/errors.ts';
import { type Call, logEvent, userIn } from '../engine/handler.ts';
import { imageEntity, imagesOf, serverEntity } from '../inventory.ts';
import type { Image } from './images.seed.ts';
import { awaitUpload, imageUpload } from './imageUploads.ts';

/** Without a token only the public ones are there. */
const { find, list, view, handlers } = collection<Image>('images', {
  rows: (cloud, { user }) => {
    const all = imagesOf(cloud);
    return user ? all : [...all.values()].filter(({ is_public }) => is_public);
  },
  filters: ['deprecated', 'is_public', 'label', 'size', 'type', 'vendor'],
  remove: (image, call, cloud) => {
    needPrivate(image);
    logEvent(call, cloud, 'image_delete', imageEntity(image));
  },
});

/** Update and delete apply to private images only (document 1, 4.7). */
function needPrivate({ is_public }: Image): void {
  if (is_public) throw forbidden();
}

function make(cloud: Cloud, { body, user }: Call, given: Pick<Image, 'label' | 'size' | 'status'>): Image {
  const image: Image = {
    id: `private/${cloud.nextId()}`,
    description: typeof body.description === 'string' ? body.description : '',
    created: cloud.timestamp,
    created_by: user?.name ?? '',
    updated: cloud.timestamp,
    deprecated: false,
    is_public: false,
    vendor: null,
    type: 'manual',
    eol: null,
    expiry: null,
    ...given,
  };
  imagesOf(cloud).set(image.id, image);
  return image;
}

/** Image Create: captures a disk (document 1, 4.7); its server is busy meanwhile. */
function capture(call: Call, cloud: Cloud): Image {
  const captured = findDisk(cloud, Number(call.body.disk_id));
  if (!captured) throw invalid('disk_id', 'disk_id is not valid');
  const { server, found: disk } = captured;
  if (disk.status !== 'ready') throw invalid('disk_id', `The disk is ${disk.status}.`);
  needIdle(cloud, server);
  const label = typeof call.body.label === 'string' && call.body.label !== '' ? call.body.label : disk.label;
  // Only what is used of a disk is kept.
  const size = Math.min(disk.size, 1200 + Math.round(disk.size / 12));
  const image = make(cloud, call, { label, size, status: 'creating' });
  const job = { action: 'disk_imagize', entity: serverEntity(server), secondary: imageEntity(image) };
  cloud.begin(Math.min(180, 20 + size / 400), { ...job, username: userIn(call).name }, () => {
    image.status = 'available';
    cloud.touch(image);
  });
  return image;
}

/** Image Upload: makes the image and says where its data is to be sent. */
function upload(call: Call, cloud: Cloud): Row {
  const { label, region } = call.body;
  if (!regions.some(({ id }) => id === region)) throw invalid('region', 'region is not valid');
  const image = make(cloud, call, { label: String(label), size: 0, status: 'pending_upload' });
  const { origin } = new URL(call.request.url);
  return { upload_to: awaitUpload(cloud, image, userIn(call).name, origin), image };
}

function edit(call: Call, cloud: Cloud): Image {
  const image = find(call, cloud);
  needPrivate(image);
  const { label, description, status } = call.body;
  if (typeof label === 'string') image.label = label;
  if (typeof description === 'string' || description === null) image.description = description;
  if (typeof status === 'string') image.status = status;
  cloud.touch(image);
  logEvent(call, cloud, 'image_update', imageEntity(image));
  return image;
}

/** Images (document 1, 4.7): without a token only the public ones. */
export const images = {
  ...handlers({
    list: { optional: true, handler: list },
    view: { optional: true, handler: view },
    create: capture,
    upload,
    edit,
  }),
  signed: [imageUpload],
};
