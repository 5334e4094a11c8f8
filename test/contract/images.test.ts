import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { describeArea } from './area.ts';
import type { Cloud } from './cloud.ts';
import { accepts, lengths, options, refuses, required, word } from './limits.ts';
import type { Event } from './nouns.ts';
import { boolean, date, integer, matching, nothing, nullable, object, oneOf, optional, text } from './shapes.ts';
import { disksOf, idleServer } from './subjects.ts';

interface Image {
  id: string;
  label: string;
  description: string | null;
  size: number;
  status: string | null;
  type: string;
  is_public: boolean;
  expiry: string | null;
}

interface Upload {
  image: Image;
  upload_to: string;
}

const statuses = ['creating', 'pending_upload', 'available'];

/** Document 1, 2.11. */
const image = object({
  created: date,
  created_by: text,
  deprecated: boolean,
  description: nullable(text),
  eol: optional(date),
  expiry: nullable(date),
  id: matching(/^(server|private)\/.+/),
  is_public: boolean,
  label: text,
  size: integer,
  status: nullable(oneOf(...statuses)),
  type: oneOf('manual', 'automatic'),
  updated: date,
  vendor: nullable(text),
});

const upload = object({ image, upload_to: matching(/^https?:\/\/.+/) });

const uploadBody = () => ({ label: word(10), region: 'us-east' });

const imageNow = (cloud: Cloud, id: string) => cloud.get<Image>(`/v4/images/${id}`);

const newUpload = (cloud: Cloud) => cloud.post<Upload>('/v4/images/upload', uploadBody());

const anImage = async (cloud: Cloud) => ({ imageId: (await newUpload(cloud)).image.id });

/** A disk of an idle server. */
async function aDisk(cloud: Cloud): Promise<{ disk_id: number }> {
  const [disk] = await disksOf(cloud, (await idleServer(cloud)).id);
  if (!disk) throw new Error('the server has no disk');
  return { disk_id: disk.id };
}

const gz = gzipSync(Buffer.alloc(3 * 2 ** 20));

/** Sends data to where an upload is awaited. */
async function put(address: string, body: Uint8Array, headers: Record<string, string> = {}): Promise<number> {
  const sent = new Uint8Array(body);
  const type = { 'content-type': 'application/octet-stream' };
  const answer = await fetch(address, { method: 'PUT', body: sent, headers: { ...type, ...headers } });
  await answer.text();
  return answer.status;
}

describeArea(
  'images (document 1, 4.7)',
  {
    'GET /v4/images': { answers: image },
    'POST /v4/images': {
      answers: image,
      body: aDisk,
      limits: [
        required('disk_id'),
        refuses('disk_id', 987654321, 'many'),
        accepts('label', undefined, word(12)),
        refuses('label', 5),
        { ...lengths('description', 1, 65_000), refuses: [word(65_001), 5] },
      ],
    },
    'POST /v4/images/upload': {
      answers: upload,
      body: uploadBody,
      limits: [
        required('label'),
        refuses('label', 5),
        required('region'),
        refuses('region', 'no-such-region', 5),
        { ...lengths('description', 1, 65_000), refuses: [word(65_001), 5] },
      ],
    },
    'GET /v4/images/{imageId}': { answers: image, params: () => ({ imageId: 'server/debian12' }) },
    'PUT /v4/images/{imageId}': {
      answers: image,
      params: anImage,
      body: () => ({ label: word(10) }),
      limits: [
        accepts('description', null),
        lengths('description', 1, 65_000),
        options('status', ...statuses),
        refuses('label', 5),
      ],
    },
    'DELETE /v4/images/{imageId}': { answers: nothing, params: anImage },
  },
  (cloud) => {
    test('without a token only public images are there', async () => {
      const { body } = await cloud().ask('GET', '/v4/images', { as: 'nobody' });
      const shown = (body as { data: Image[] }).data;
      expect(shown.length).toBeGreaterThan(5);
      expect(shown.filter(({ is_public }) => !is_public)).toEqual([]);
      const own = (await cloud().all<Image>('/v4/images')).find(({ is_public }) => !is_public);
      expect((await cloud().ask('GET', `/v4/images/${own?.id}`, { as: 'nobody' })).status).toBe(404);
    });

    test('the prefix of an id tells public from private; only automatic ones expire', async () => {
      for (const { id, is_public, expiry, type } of await cloud().all<Image>('/v4/images')) {
        expect(id.startsWith(is_public ? 'server/' : 'private/')).toBe(true);
        expect(expiry !== null).toBe(type === 'automatic');
      }
    });

    test('one captured from a disk has its label, is creating, then available and can be deployed', async () => {
      const server = await idleServer(cloud());
      const [disk] = await disksOf(cloud(), server.id);
      const captured = await cloud().post<Image>('/v4/images', { disk_id: disk?.id });
      expect(captured).toMatchObject({ label: disk?.label, status: 'creating', is_public: false, type: 'manual' });
      const body = { region: server.region, type: server.type, image: captured.id, root_pass: 'Ab3!xyZ9-Ab3!' };
      await cloud().refused('POST', '/v4/server/instances', body);
      const { data } = await cloud().get<{ data: Event[] }>('/v4/account/events');
      expect(data.find(({ action }) => action === 'disk_imagize')).toMatchObject({
        entity: { type: 'server', id: server.id },
        secondary_entity: { type: 'image', id: captured.id },
      });
      await cloud().until('it is available', async () => (await imageNow(cloud(), captured.id)).status === 'available');
      await cloud().post('/v4/server/instances', body);
    });

    test('an upload is pending until its data has come, and then becomes available', async () => {
      const { image: made, upload_to } = await newUpload(cloud());
      expect(made).toMatchObject({ status: 'pending_upload', size: 0 });
      expect(await put(upload_to, gz)).toBe(200);
      expect((await imageNow(cloud(), made.id)).status).toBe('pending_upload');
      await cloud().until('it is available', async () => (await imageNow(cloud(), made.id)).status === 'available');
      expect((await imageNow(cloud(), made.id)).size).toBe(3);
      expect(await put(upload_to, gz)).toBe(403);
    });

    test('data is refused with a token, without the signature, as another type, or when it is no gzip', async () => {
      const { image: made, upload_to } = await newUpload(cloud());
      expect(await put(upload_to, gz, { authorization: 'Bearer demo-full' })).toBe(400);
      expect(await put(upload_to.replace(/\?.*/, ''), gz)).toBe(403);
      expect(await put(upload_to, gz, { 'content-type': 'application/json' })).toBe(400);
      expect(await put(upload_to, Buffer.from('MZ no gzip at all'))).toBe(400);
      expect(await put(upload_to, Buffer.alloc(0))).toBe(400);
      cloud().pass(3600);
      expect((await imageNow(cloud(), made.id)).status).toBe('pending_upload');
      expect(await put(upload_to, gz)).toBe(200);
    });

    test('an upload that does not come within 24 hours is deleted with its image', async () => {
      const { image: made, upload_to } = await newUpload(cloud());
      cloud().pass(24 * 3600 - 1);
      expect((await imageNow(cloud(), made.id)).status).toBe('pending_upload');
      cloud().pass(2);
      expect((await cloud().ask('GET', `/v4/images/${made.id}`)).status).toBe(404);
      expect(await put(upload_to, gz)).toBe(403);
    });

    test('what is edited stays edited; a description can be taken away', async () => {
      const { imageId } = await anImage(cloud());
      await cloud().put(`/v4/images/${imageId}`, { label: 'golden', description: 'for all' });
      expect(await imageNow(cloud(), imageId)).toMatchObject({ label: 'golden', description: 'for all' });
      await cloud().put(`/v4/images/${imageId}`, { description: null });
      expect(await imageNow(cloud(), imageId)).toMatchObject({ label: 'golden', description: null });
    });

    test('public images are neither changed nor deleted', async () => {
      const path = '/v4/images/server/debian12';
      expect((await cloud().ask('PUT', path, { body: { label: 'mine' } })).status).toBe(403);
      expect((await cloud().ask('DELETE', path)).status).toBe(403);
      expect((await cloud().get<Image>(path)).label).not.toBe('mine');
    });

    test('a deleted one is gone, with or without its slash encoded', async () => {
      const { imageId } = await anImage(cloud());
      expect((await imageNow(cloud(), encodeURIComponent(imageId))).id).toBe(imageId);
      await cloud().remove(`/v4/images/${imageId}`);
      expect((await cloud().ask('GET', `/v4/images/${imageId}`)).status).toBe(404);
    });
  },
);
