import { createHash, createHmac } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Row } from '../../resources/resource.ts';
import type { Cloud } from '../engine/cloud.ts';
import { type FieldError, HttpError, invalid, notFound } from '../engine/errors.ts';
import { type Call, handlersFor, type ResourceHandlers, type SignedCall, storageError } from '../engine/handler.ts';
import { type Bucket, bucketsOf } from './buckets.seed.ts';
import { aclXml, bucketIn } from './buckets.ts';
import type { Element, StoredObject } from './objectStore.ts';

/** The content of objects up to so many bytes is kept; of larger ones only their size and ETag. */
const heldBytes = 8 * 2 ** 20;

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
  if (query.get('signature') !== signatureOf(cloud, `${cluster}/${label}/${name}`, grant))
    return storageError(403, 'SignatureDoesNotMatch', 'The signature does not match the address');
  if (Number(grant.expires) * 1000 < cloud.time) return storageError(403, 'AccessDenied', 'The address has expired');
  if (request.method !== grant.method || (grant.type !== '' && request.headers.get('Content-Type') !== grant.type))
    return storageError(403, 'SignatureDoesNotMatch', 'The method or the content type is not the one that was signed');
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
    if (size <= heldBytes) chunks.push(chunk);
    else chunks = [];
  }
  advance();
  const etag = hash.digest('hex');
  const data = size <= heldBytes ? Buffer.concat(chunks) : undefined;
  bucket.objects.put({ name, size, modified: cloud.time, etag, data });
  return new Response(null, { status: 200, headers: { ETag: `"${etag}"` } });
}

function erase({ bucket, name }: ObjectTarget): Response {
  bucket.objects.delete(name);
  bucket.objectAcls.delete(name);
  return new Response(null, { status: 204 });
}

/**
 * The signature of an address that permits one request for one object, which is named by its cluster, bucket and name: with
 * this method and content type, until a time in seconds since the epoch.
 */
const signatureOf = (
  { options }: Cloud,
  object: string,
  { method, type, expires }: Record<'method' | 'type' | 'expires', string>,
): string =>
  createHmac('sha256', `demo ${options.seed}`).update(`${object}\n${method}\n${type}\n${expires}`).digest('hex');

const signedPath = '/objects/:cluster/:bucket/:name{.+}';

/** Object storage allows 750 requests a second. */
const rateLimit = 750;

/** A page of objects, led on by its last name (document 3, 4.3, rule 3). */
function list(call: Call, cloud: Cloud): Row {
  const { prefix = '', delimiter = '', marker = '', page_size } = call.query;
  const { objects } = bucketIn(call, cloud);
  const pageSize = page_size === undefined ? 100 : /^\d{1,9}$/.test(page_size) ? Number(page_size) : -1;
  if (pageSize < 25 || pageSize > 100) throw invalid('page_size', 'Must be 25-100');
  const { elements, truncated } = objects.list({ prefix, delimiter, marker, pageSize });
  const last = elements.at(-1);
  return {
    data: elements.map(shown),
    next_marker: truncated && last ? ('prefix' in last ? last.prefix : last.object.name) : null,
    is_truncated: truncated,
  };
}

function shown(element: Element): Row {
  const nothing = { size: null, last_modified: null, etag: null, owner: null };
  if ('prefix' in element) return { name: element.prefix, ...nothing };
  const { name, size, modified, etag } = element.object;
  return { name, size, last_modified: new Date(modified).toISOString(), etag, owner: 'demo' };
}

function viewAcl(call: Call, cloud: Cloud): Row {
  const { objects, objectAcls, acl } = bucketIn(call, cloud);
  const { name } = call.query;
  if (!name) throw invalid('name', 'name is required');
  if (!objects.get(name)) throw notFound();
  const own = objectAcls.get(name) ?? acl;
  return { acl: own, acl_xml: aclXml(own) };
}

function setAcl(call: Call, cloud: Cloud): Row {
  const { objects, objectAcls } = bucketIn(call, cloud);
  const { acl, name } = call.body;
  const errors: FieldError[] = [];
  if (typeof name !== 'string' || name === '') errors.push({ field: 'name', reason: 'name is required' });
  if (typeof acl !== 'string') errors.push({ field: 'acl', reason: 'acl is required' });
  if (errors.length > 0) throw new HttpError(400, errors);
  if (!objects.get(String(name))) throw notFound();
  objectAcls.set(String(name), String(acl));
  return { acl, acl_xml: aclXml(String(acl)) };
}

/** A pre-signed URL; the object need not exist (rule 4). */
function sign(call: Call, cloud: Cloud): Row {
  const { objects, cluster, label } = bucketIn(call, cloud);
  const { name, method, content_type, expires_in = 3600 } = call.body;
  const errors: FieldError[] = [];
  if (typeof name !== 'string' || name === '') errors.push({ field: 'name', reason: 'name is required' });
  if (typeof method !== 'string') errors.push({ field: 'method', reason: 'method is required' });
  else if (method !== 'GET' && method !== 'DELETE' && !content_type)
    errors.push({ field: 'content_type', reason: `content_type is required for ${method}` });
  if (errors.length > 0) throw new HttpError(400, errors);
  const { origin } = new URL(call.request.url);
  const path = [cluster.id, label, ...String(name).split('/')].map(encodeURIComponent).join('/');
  const grant = {
    method: String(method),
    type: String(content_type ?? ''),
    expires: String(Math.ceil(cloud.time / 1000) + Number(expires_in)),
  };
  const signature = signatureOf(cloud, `${cluster.id}/${label}/${name}`, grant);
  const query = new URLSearchParams({ ...grant, signature });
  return { url: `${origin}/objects/${path}?${query}`, exists: objects.get(String(name)) !== undefined };
}

/** Objects (document 3, 4.3). */
export const objects: ResourceHandlers = {
  ...handlersFor('objects', {
    list: { handler: list, rateLimit },
    acl: { handler: viewAcl, rateLimit },
    edit: { handler: setAcl, rateLimit },
    upload: { handler: sign, rateLimit },
  }),
  signed: [
    { method: 'GET', path: signedPath, handler: onPlace(read) },
    { method: 'PUT', path: signedPath, handler: onPlace(write) },
    { method: 'DELETE', path: signedPath, handler: onPlace(erase) },
  ],
};
