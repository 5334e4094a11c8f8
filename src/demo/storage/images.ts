import type { Row } from '../../resources/resource.ts';
import { regions } from '../compute/catalogue.ts';
import { findDisk } from '../compute/hardware.ts';
import { needIdle } from '../compute/serverJobs.ts';
import { type Cloud, perCloud } from '../engine/cloud.ts';
import { forbidden, invalid } from '../engine/errors.ts';
import {
  assignFields,
  type Call,
  collection,
  logEvent,
  type SignedCall,
  storageError,
  userIn,
  visibleTo,
} from '../engine/handler.ts';
import { noise } from '../engine/random.ts';
import { imageEntity, imagesOf, serverEntity } from '../inventory.ts';
import { type Image, newImage } from './images.seed.ts';

/** The largest file that is taken, in bytes (document 1, 4.7). */
const maxBytes = 5 * 2 ** 30;

/** The images whose data is awaited, by the number in their address. */
const uploadsOf = perCloud(() => new Map<string, { image: Image; signature: string; username: string }>());

/** The address to which the data of an image is sent; it expires after 24 hours, and the image with it. */
function awaitUpload(cloud: Cloud, image: Image, username: string, origin: string): string {
  const number = image.id.replace(/^private\//, '');
  const signature = noise(cloud.options.seed, Number(number)).toString(36).slice(2);
  uploadsOf(cloud).set(number, { image, signature, username });
  cloud.after(86_400, () => {
    if (!uploadsOf(cloud).delete(number) || !imagesOf(cloud).delete(image.id)) return;
    cloud.log.note({ action: 'image_delete', entity: imageEntity(image), username: 'system' });
  });
  return `${origin}/uploads/${number}?signature=${signature}`;
}

/** Takes the data of an image; then it is looked through, and the image is available. */
async function receive(call: SignedCall, cloud: Cloud): Promise<Response> {
  const { params, query, request } = call;
  const number = params.number ?? '';
  const upload = uploadsOf(cloud).get(number);
  if (!upload || query.get('signature') !== upload.signature || !imagesOf(cloud).has(upload.image.id))
    return storageError(403, 'AccessDenied', 'The address has expired');
  if (request.headers.get('Content-Type') !== 'application/octet-stream')
    return storageError(400, 'InvalidArgument', 'The Content-Type must be application/octet-stream');
  if (Number(request.headers.get('Content-Length') ?? 0) > maxBytes) return tooLarge();
  const read = await readGzip(request.body);
  if (read instanceof Response) return read;
  call.advance();
  uploadsOf(cloud).delete(number);
  const { image, username } = upload;
  cloud.begin(20, { action: 'image_upload', entity: imageEntity(image), username }, () => {
    image.size = Math.max(1, Math.ceil(read / 2 ** 20));
    cloud.setStatus(image, 'available');
  });
  return new Response(null, { status: 200 });
}

const tooLarge = () => storageError(400, 'EntityTooLarge', 'The file is larger than 5 GB');

/** Reads a gzip file without keeping it; returns the size of its content in bytes, which stands at its end. */
async function readGzip(body: ReadableStream<Uint8Array> | null): Promise<number | Response> {
  let bytes = 0;
  let tail = Buffer.alloc(0);
  let begun = false;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    tail = Buffer.concat([tail, chunk]).subarray(-8);
    if (bytes > maxBytes) return tooLarge();
    if (begun || bytes < 2) continue;
    begun = true;
    const [first, second] = chunk;
    if (first !== 0x1f || second !== 0x8b) return notGzip();
  }
  return begun && tail.length === 8 ? tail.readUInt32LE(4) : notGzip();
}

const notGzip = () => storageError(400, 'InvalidRequest', 'The data is no gzip file');

const { list, view, handlers } = collection<Image>('images', {
  rows: (cloud, call) => visibleTo(call, imagesOf(cloud)),
  filters: ['deprecated', 'is_public', 'label', 'size', 'type', 'vendor'],
  remove: (image, call, cloud) => {
    needPrivate(image);
    logEvent(call, cloud, 'image_delete', imageEntity(image));
  },
  onRow: { edit },
});

/** Update and delete apply to private images only (document 1, 4.7). */
function needPrivate({ is_public }: Image): void {
  if (is_public) throw forbidden();
}

function make(cloud: Cloud, { body, user }: Call, given: Pick<Image, 'label' | 'size' | 'status'>): Image {
  const { id, ...times } = cloud.newRow();
  const description = typeof body.description === 'string' ? body.description : '';
  const image = newImage({ id: `private/${id}`, description, created_by: user?.name ?? '', ...times, ...given });
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
  cloud.begin(Math.min(180, 20 + size / 400), { ...job, username: userIn(call).name }, () =>
    cloud.setStatus(image, 'available'),
  );
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

function edit(image: Image, call: Call, cloud: Cloud): Image {
  needPrivate(image);
  const { description } = call.body;
  assignFields(image, call.body, 'label', 'status');
  if (typeof description === 'string' || description === null) image.description = description;
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
  }),
  signed: [{ method: 'PUT' as const, path: '/uploads/:number', handler: receive }],
};
