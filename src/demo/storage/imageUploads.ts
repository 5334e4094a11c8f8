import { type Cloud, perCloud } from '../engine/cloud.ts';
import { noise } from '../engine/random.ts';
import { type SignedCall, type SignedRoute, storageError } from '../engine/signed.ts';
import { imageEntity, imagesOf } from '../inventory.ts';
import type { Image } from './images.seed.ts';

/** The largest file that is taken, in bytes (document 1, 4.7). */
const maxBytes = 5 * 2 ** 30;

interface Upload {
  image: Image;
  signature: string;
  username: string;
}

/** The images whose data is awaited, by the number in their address. */
const uploadsOf = perCloud(() => new Map<string, Upload>());

/** The address to which the data of an image is sent; it expires after 24 hours, and the image with it. */
export function awaitUpload(cloud: Cloud, image: Image, username: string, origin: string): string {
  const number = image.id.replace(/^private\//, '');
  const signature = noise(cloud.options.seed, Number(number)).toString(36).slice(2);
  uploadsOf(cloud).set(number, { image, signature, username });
  cloud.after(86_400, () => {
    if (!uploadsOf(cloud).delete(number) || !imagesOf(cloud).delete(image.id)) return;
    cloud.log.note({ action: 'image_delete', entity: imageEntity(image), username: 'system' });
  });
  return `${origin}/uploads/${number}?signature=${signature}`;
}

/** The address to which the data of images is sent. */
export const imageUpload: SignedRoute = { method: 'PUT', path: '/uploads/:number', handler: receive };

async function receive(call: SignedCall, cloud: Cloud): Promise<Response> {
  const { params, query, request } = call;
  const number = params.number ?? '';
  const upload = uploadsOf(cloud).get(number);
  if (!upload || query.get('signature') !== upload.signature || !imagesOf(cloud).has(upload.image.id)) {
    return storageError(403, 'AccessDenied', 'The address has expired');
  }
  if (request.headers.get('Content-Type') !== 'application/octet-stream') {
    return storageError(400, 'InvalidArgument', 'The Content-Type must be application/octet-stream');
  }
  if (Number(request.headers.get('Content-Length') ?? 0) > maxBytes) return tooLarge();
  const read = await readGzip(request.body);
  if (read instanceof Response) return read;
  call.advance();
  uploadsOf(cloud).delete(number);
  take(cloud, upload, read);
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

/** The data is looked through; then the image is available. */
function take(cloud: Cloud, { image, username }: Upload, bytes: number): void {
  cloud.begin(20, { action: 'image_upload', entity: imageEntity(image), username }, () => {
    image.size = Math.max(1, Math.ceil(bytes / 2 ** 20));
    image.status = 'available';
    image.updated = cloud.timestamp;
  });
}
