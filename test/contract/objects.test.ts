import { expect, test } from 'vitest';
import { describeArea } from './area.ts';
import type { Cloud } from './cloud.ts';
import { options, range, refuses, required } from './limits.ts';
import {
  acls,
  type Bucket,
  type Listed,
  newBucket,
  objectList,
  pathOfBucket,
  putObject,
  signedUrl,
  storage,
} from './objectNouns.ts';
import { object, text } from './shapes.ts';

/** A new bucket that holds one object. */
const filled = async (cloud: Cloud) => {
  const params = await newBucket(cloud);
  await putObject(cloud, pathOfBucket(params), 'a.txt');
  return params;
};

const listOf = async (cloud: Cloud, path: string, query: Record<string, string> = {}) =>
  cloud.get<Listed>(`${path}/object-list?${new URLSearchParams(query)}`);

/** The seeded bucket that holds the most. */
const largest = async (cloud: Cloud): Promise<{ path: string; bucket: Bucket }> => {
  const [bucket] = (await cloud.all<Bucket>(`${storage}/buckets`)).toSorted(
    (one, other) => other.objects - one.objects,
  );
  if (!bucket) throw new Error('there is no bucket');
  return { path: pathOfBucket({ clusterId: bucket.cluster, bucket: bucket.label }), bucket };
};

describeArea(
  'objects (document 3, 4.3)',
  {
    'GET /v4/object-storage/buckets/{clusterId}/{bucket}/object-list': { answers: objectList, params: filled },
    'GET /v4/object-storage/buckets/{clusterId}/{bucket}/object-acl': {
      answers: object({ acl: text }),
      params: filled,
      query: '?name=a.txt',
    },
    'PUT /v4/object-storage/buckets/{clusterId}/{bucket}/object-acl': {
      answers: object({}),
      params: filled,
      body: () => ({ name: 'a.txt', acl: 'public-read' }),
      limits: [required('acl'), required('name'), options('acl', ...acls)],
    },
    'POST /v4/object-storage/buckets/{clusterId}/{bucket}/object-url': {
      answers: object({ url: text }),
      params: filled,
      body: () => ({ name: 'a.txt', method: 'PUT', content_type: 'text/plain' }),
      limits: [
        required('name'),
        required('method'),
        required('content_type'),
        refuses('name', '', 5),
        range('expires_in', 360, 68_400),
      ],
    },
  },
  (cloud) => {
    test.each(['24', '101', 'many'])('refuses pages of %s', async (page_size) => {
      const path = pathOfBucket(await newBucket(cloud()));
      const complaints = await cloud().refused('GET', `${path}/object-list?page_size=${page_size}`);
      expect(complaints.map(({ field }) => field)).toEqual(['page_size']);
    });

    test.each([25, 100])('pages of %i lead on by their last name, through a million objects', async (size) => {
      const { path, bucket } = await largest(cloud());
      expect(bucket.objects).toBeGreaterThan(1_000_000);
      const names: string[] = [];
      let marker: string | null = '';
      for (let page = 0; page < 5 && marker !== null; page++) {
        const listed: Listed = await listOf(cloud(), path, { page_size: String(size), ...(marker && { marker }) });
        expect(listed.data).toHaveLength(size);
        expect(listed.next_marker).toBe(listed.data.at(-1)?.name);
        expect(listed.is_truncated).toBe(true);
        names.push(...listed.data.map(({ name }) => name));
        marker = listed.next_marker;
      }
      expect(names).toEqual([...new Set(names)].sort());
    });

    test('a page has 100 objects when nothing is said, and the last has no marker', async () => {
      const { path } = await largest(cloud());
      expect((await listOf(cloud(), path)).data).toHaveLength(100);
      const own = pathOfBucket(await filled(cloud()));
      expect(await listOf(cloud(), own)).toMatchObject({ next_marker: null, is_truncated: false });
    });

    test('a delimiter gathers what goes on alike, and a prefix looks into it', async () => {
      const path = pathOfBucket(await newBucket(cloud()));
      for (const name of ['a/1', 'a/2', 'b/c/3', 'top', 'ä/umlaut']) await putObject(cloud(), path, name);
      const level = async (query: Record<string, string>) =>
        (await listOf(cloud(), path, query)).data.map(({ name, size }) => [name, size]);
      expect(await level({ delimiter: '/' })).toEqual([
        ['a/', null],
        ['b/', null],
        ['top', 7],
        ['ä/', null],
      ]);
      expect(await level({ delimiter: '/', prefix: 'a/' })).toEqual([
        ['a/1', 7],
        ['a/2', 7],
      ]);
      expect(await level({ delimiter: '/', prefix: 'b' })).toEqual([['b/', null]]);
      expect(await level({ prefix: 'b' })).toEqual([['b/c/3', 7]]);
      expect(await level({ prefix: 'no such' })).toEqual([]);
    });

    test('a URL lets its bearer do what it was made for, and nothing else', async () => {
      const path = pathOfBucket(await newBucket(cloud()));
      const type = 'text/plain';
      const put = await signedUrl(cloud(), path, { name: 'x/ü y.txt', method: 'PUT', content_type: type });
      const send = (url: string, method: string, headers: Record<string, string> = {}) =>
        fetch(url, { method, headers, body: method === 'PUT' ? 'hello' : undefined });
      expect((await send(put, 'GET')).status).toBe(403);
      expect((await send(put, 'PUT', { 'content-type': 'text/html' })).status).toBe(403);
      expect((await send(put.replace(/.$/, '!'), 'PUT', { 'content-type': type })).status).toBe(403);
      expect((await send(put, 'PUT', { 'content-type': type })).status).toBe(200);
      const get = await signedUrl(cloud(), path, { name: 'x/ü y.txt', method: 'GET' });
      expect(await (await send(get, 'GET')).text()).toBe('hello');
      expect((await listOf(cloud(), path)).data).toMatchObject([{ name: 'x/ü y.txt', size: 5 }]);
      expect(await cloud().get(path)).toMatchObject({ objects: 1, size: 5 });
    });

    test('a request with a URL must not carry the token', async () => {
      const path = pathOfBucket(await filled(cloud()));
      const url = await signedUrl(cloud(), path, { name: 'a.txt', method: 'GET' });
      expect((await fetch(url, { headers: { authorization: 'Bearer demo-full' } })).status).toBe(400);
    });

    test('a URL is good for as long as was asked, an hour when nothing is said', async () => {
      const path = pathOfBucket(await filled(cloud()));
      const short = await signedUrl(cloud(), path, { name: 'a.txt', method: 'GET', expires_in: 360 });
      const plain = await signedUrl(cloud(), path, { name: 'a.txt', method: 'GET' });
      cloud().pass(350);
      expect((await fetch(short)).status).toBe(200);
      cloud().pass(20);
      expect((await fetch(short)).status).toBe(403);
      expect((await fetch(plain)).status).toBe(200);
      cloud().pass(3600);
      expect((await fetch(plain)).status).toBe(403);
    });

    test('a content type is needed but to read and to delete; the object need not exist', async () => {
      const path = pathOfBucket(await newBucket(cloud()));
      for (const method of ['GET', 'DELETE']) await signedUrl(cloud(), path, { name: 'none', method });
      const complaints = await cloud().refused('POST', `${path}/object-url`, { name: 'none', method: 'PUT' });
      expect(complaints.map(({ field }) => field)).toEqual(['content_type']);
    });

    test('the access to an object is its own once it was set', async () => {
      const path = pathOfBucket(await filled(cloud()));
      await putObject(cloud(), path, 'b.txt');
      await cloud().put(`${path}/object-acl`, { name: 'a.txt', acl: 'public-read' });
      expect(await cloud().get(`${path}/object-acl?name=a.txt`)).toMatchObject({ acl: 'public-read' });
      expect(await cloud().get(`${path}/object-acl?name=b.txt`)).toMatchObject({ acl: 'private' });
      expect((await cloud().ask('GET', `${path}/object-acl?name=none`)).status).toBe(404);
      await cloud().refused('GET', `${path}/object-acl`);
    });
  },
);
