import type { Cloud } from './cloud.ts';
import { word } from './limits.ts';
import { boolean, date, integer, list, nullable, object, oneOf, optional, type Shape, text } from './shapes.ts';

export const storage = '/v4/object-storage';

export interface Bucket {
  label: string;
  cluster: string;
  objects: number;
  size: number;
}

export interface Key {
  id: number;
  access_key: string;
  secret_key: string;
  limited: boolean;
  bucket_access: { bucket_name: string; cluster: string; permissions: string }[] | null;
}

/** One element of an object list; a prefix has nothing but its name. */
export interface Element {
  name: string;
  size: number | null;
  last_modified: string | null;
}

export interface Listed {
  data: Element[];
  next_marker: string | null;
  is_truncated: boolean;
}

export const acls = ['private', 'public-read', 'authenticated-read', 'public-read-write', 'custom'];

/** Document 3, 2.6 shows no fields; these are known from elsewhere. */
export const bucket: Shape = object({
  label: text,
  cluster: text,
  hostname: text,
  created: date,
  size: integer,
  objects: integer,
});

export const cluster: Shape = object({
  id: text,
  region: text,
  status: oneOf('available', 'unavailable'),
  domain: text,
});

export const key: Shape = object({
  id: integer,
  label: text,
  access_key: text,
  secret_key: text,
  limited: boolean,
  bucket_access: nullable(
    list(object({ bucket_name: text, cluster: text, permissions: oneOf('read_write', 'read_only') })),
  ),
});

/** A page that a marker leads on from (document 3, 4.3, rule 3). */
export const objectList: Shape = object({
  data: list(object({ name: text, size: nullable(integer), last_modified: nullable(date), etag: nullable(text) })),
  next_marker: nullable(text),
  is_truncated: optional(boolean),
});

/** The id of a cluster in which buckets can be made. */
export const cluster1 = 'us-east-1';

/** A new bucket without objects, by its path parameters. */
export async function newBucket(cloud: Cloud): Promise<{ clusterId: string; bucket: string }> {
  const { label } = await cloud.post<Bucket>(`${storage}/buckets`, { cluster: cluster1, label: word(12) });
  return { clusterId: cluster1, bucket: label };
}

export const pathOfBucket = ({ clusterId, bucket: label }: { clusterId: string; bucket: string }) =>
  `${storage}/buckets/${clusterId}/${label}`;

/** A URL by which an object may be read, written or deleted. */
export const signedUrl = async (cloud: Cloud, path: string, body: object): Promise<string> =>
  (await cloud.post<{ url: string }>(`${path}/object-url`, body)).url;

/** Writes an object by a pre-signed URL. */
export async function putObject(cloud: Cloud, path: string, name: string, content = 'content'): Promise<void> {
  const type = 'text/plain';
  const url = await signedUrl(cloud, path, { name, method: 'PUT', content_type: type });
  const answer = await fetch(url, { method: 'PUT', headers: { 'content-type': type }, body: content });
  if (answer.status !== 200) throw new Error(`writing ${name} answered ${answer.status}: ${await answer.text()}`);
}
