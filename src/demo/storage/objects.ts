import type { Row } from '../../resources/resource.ts';
import type { Cloud } from '../engine/cloud.ts';
import { handlersFor } from '../engine/collection.ts';
import { type FieldError, HttpError, invalid, notFound } from '../engine/errors.ts';
import type { Call } from '../engine/handler.ts';
import { aclXml, bucketIn } from './buckets.ts';
import type { Element } from './objectStore.ts';
import { signatureOf, signedObjects } from './signedObjects.ts';

/** Object storage allows 750 requests a second. */
const rateLimit = 750;

const sizeOf = (text: string | undefined) => (text === undefined ? 100 : /^\d{1,9}$/.test(text) ? Number(text) : -1);

/** A page of objects, led on by its last name (document 3, 4.3, rule 3). */
function list(call: Call, cloud: Cloud): Row {
  const { prefix = '', delimiter = '', marker = '', page_size } = call.query;
  const { objects } = bucketIn(call, cloud);
  const pageSize = sizeOf(page_size);
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
  else if (method !== 'GET' && method !== 'DELETE' && !content_type) {
    errors.push({ field: 'content_type', reason: `content_type is required for ${method}` });
  }
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
export const objects = {
  ...handlersFor('objects', {
    list: { handler: list, rateLimit },
    acl: { handler: viewAcl, rateLimit },
    edit: { handler: setAcl, rateLimit },
    upload: { handler: sign, rateLimit },
  }),
  signed: signedObjects,
};
