import { createHash, createHmac } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Cloud } from '../engine/cloud.ts';
import { type SignedCall, type SignedRoute, storageError } from '../engine/signed.ts';
import { type Bucket, bucketsOf } from './buckets.seed.ts';
import type { StoredObject } from './objectStore.ts';

/** The content of objects up to so many bytes is kept; of larger ones only their size and ETag. */
const keptBytes = 8 * 2 ** 20;

interface ObjectTarget {
  bucket: Bucket;
  name: string;
}

/** The bucket and name that a signed address is about, or the answer that refuses it. */
function placeOf({ params, query, request }: SignedCall, cloud: Cloud): ObjectTarget | Response {
  const { cluster = '', bucket: label = '', name = '' } = params;
  const grant = {
    method: query.get('method') ?? '',
    type: query.get('type') ?? '',
    expires: query.get('expires') ?? '',
  };
  if (query.get('signature') !== signatureOf(cloud, `${cluster}/${label}/${name}`, grant)) {
    return storageError(403, 'SignatureDoesNotMatch', 'The signature does not match the address');
  }
  if (Number(grant.expires) * 1000 < cloud.time) return storageError(403, 'AccessDenied', 'The address has expired');
  if (request.method !== grant.method || (grant.type !== '' && request.headers.get('Content-Type') !== grant.type)) {
    return storageError(403, 'SignatureDoesNotMatch', 'The method or the content type is not the one that was signed');
  }
  const bucket = bucketsOf(cloud).get(`${cluster}/${label}`);
  return bucket ? { bucket, name } : storageError(404, 'NoSuchBucket', 'There is no such bucket');
}

const onPlace =
  (handler: (place: ObjectTarget, call: SignedCall, cloud: Cloud) => Response | Promise<Response>) =>
  (call: SignedCall, cloud: Cloud) => {
    const place = placeOf(call, cloud);
    return place instanceof Response ? place : handler(place, call, cloud);
  };

function read({ bucket, name }: ObjectTarget): Response {
  const object = bucket.objects.get(name);
  if (!object) return storageError(404, 'NoSuchKey', 'There is no such object');
  const headers = { 'Content-Length': String(object.size), ETag: `"${object.etag}"` };
  const body = object.data ?? (Readable.toWeb(Readable.from(madeUp(object))) as ReadableStream);
  return new Response(body, { headers: { 'Content-Type': 'application/octet-stream', ...headers } });
}

/** As many bytes as an object has, a line after the other, none of them held. */
function* madeUp({ name, size }: StoredObject): Generator<Buffer> {
  const line = `${name} of the demo API\n`;
  const chunk = Buffer.from(line.repeat(Math.ceil(65_536 / line.length)));
  for (let left = size; left > 0; left -= chunk.length) yield left < chunk.length ? chunk.subarray(0, left) : chunk;
}

/** Takes an object in, without holding a large one. */
async function write(
  { bucket, name }: ObjectTarget,
  { request, advance }: SignedCall,
  cloud: Cloud,
): Promise<Response> {
  const hash = createHash('md5');
  let chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.length;
    hash.update(chunk);
    if (size <= keptBytes) chunks.push(chunk);
    else chunks = [];
  }
  advance();
  const etag = hash.digest('hex');
  const data = size <= keptBytes ? Buffer.concat(chunks) : undefined;
  bucket.objects.put({ name, size, modified: cloud.time, etag, data });
  return new Response(null, { status: 200, headers: { ETag: `"${etag}"` } });
}

function erase({ bucket, name }: ObjectTarget): Response {
  bucket.objects.delete(name);
  bucket.objectAcls.delete(name);
  return new Response(null, { status: 204 });
}

const path = '/objects/:cluster/:bucket/:name{.+}';

/** Reading, writing and deleting objects at signed addresses. */
export const signedObjects: readonly SignedRoute[] = [
  { method: 'GET', path, handler: onPlace(read) },
  { method: 'PUT', path, handler: onPlace(write) },
  { method: 'DELETE', path, handler: onPlace(erase) },
];

/** The one request that a signed address permits. */
interface Grant {
  method: string;
  /** The content type that must be sent. */
  type: string;
  /** Seconds since the epoch. */
  expires: string;
}

/** The signature of a grant for one object, named by its cluster, bucket and name. */
export const signatureOf = ({ options }: Cloud, object: string, { method, type, expires }: Grant): string =>
  createHmac('sha256', `demo ${options.seed}`).update(`${object}\n${method}\n${type}\n${expires}`).digest('hex');
