import { expect, test } from 'vitest';
import { describeArea } from './area.ts';
import type { Cloud } from './cloud.ts';
import { accepts, lengths, range, refuses, required, word } from './limits.ts';
import { type Server, type Volume, volume } from './nouns.ts';
import { nothing } from './shapes.ts';
import { idleServer, newServer, newVolume, placeFor, volumeNow } from './subjects.ts';

const aVolume = async (cloud: Cloud) => ({ volumeId: (await newVolume(cloud)).id });

const attached = async (cloud: Cloud) => {
  const server = await newServer(cloud);
  return { volumeId: (await newVolume(cloud, { server_id: server.id })).id };
};

const somewhere = async (cloud: Cloud) => ({ region: (await placeFor(cloud)).region });

let host: Promise<Server> | undefined;

describeArea(
  'volumes (document 2, 4.4)',
  {
    'GET /v4/volumes': { answers: volume },
    'POST /v4/volumes': {
      answers: volume,
      body: async (cloud) => ({ label: word(10), ...(await somewhere(cloud)) }),
      limits: [
        required('label'),
        required('region'),
        lengths('label', 1, 32),
        { field: 'size', accepts: [10239, 10240], refuses: [10241, 0, -1, 'many', 20.5] },
        accepts('label', `${word(8)}-_x`, `${word(8)}_-x`),
        refuses('label', '1abc', 'a--b', 'a__b', 'a b', 'a.b', 5),
        refuses('region', 'no-such-region', 5),
        refuses('server_id', 987654321, 'many'),
        refuses('config_id', 1),
        refuses('tags', 'web', [5]),
      ],
    },
    'GET /v4/volumes/{volumeId}': { answers: volume, params: aVolume },
    'PUT /v4/volumes/{volumeId}': {
      answers: volume,
      params: aVolume,
      body: () => ({ label: word(10), tags: ['web'] }),
      limits: [lengths('label', 1, 32), refuses('label', 'a--b', '1abc', 5), refuses('tags', 'web')],
    },
    'DELETE /v4/volumes/{volumeId}': { answers: nothing, params: aVolume },
    'POST /v4/volumes/{volumeId}/attach': {
      answers: volume,
      params: aVolume,
      body: async (cloud) => {
        const { region } = await somewhere(cloud);
        const { type } = await placeFor(cloud, 4096);
        host ??= newServer(cloud, { region, type });
        const { id } = await host;
        const volumes = () => cloud.all<Volume>(`/v4/server/instances/${id}/volumes`);
        for (const { id: old } of await volumes()) await cloud.post(`/v4/volumes/${old}/detach`);
        await cloud.until('the host has no volumes', async () => (await volumes()).length === 0);
        return { server_id: id };
      },
      limits: [
        required('server_id'),
        refuses('server_id', 987654321, 'many'),
        refuses('config_id', 987654321, 'many'),
        { field: 'persist_across_boots', accepts: [true, false], refuses: ['yes'] },
      ],
    },
    'POST /v4/volumes/{volumeId}/clone': {
      answers: volume,
      params: aVolume,
      body: () => ({ label: word(10) }),
      limits: [required('label'), lengths('label', 1, 32), refuses('label', 'a--b', 5)],
    },
    'POST /v4/volumes/{volumeId}/detach': { answers: nothing, params: attached },
    'POST /v4/volumes/{volumeId}/resize': {
      answers: volume,
      params: aVolume,
      body: () => ({ size: 30 }),
      limits: [required('size'), { ...range('size', 21, 10240), refuses: [20, 19, 10241, 'many', 25.5] }],
    },
  },
  (cloud) => {
    test('a volume has 20 GB when nothing is said, and its label in its path', async () => {
      const created = await newVolume(cloud());
      expect(created.size).toBe(20);
      expect(created.filesystem_path).toMatch(new RegExp(`_Volume_${created.label}$`));
      expect([created.server_id, created.server_label]).toEqual([null, null]);
    });

    test('a new one is creating, then active', async () => {
      const created = await cloud().post<Volume>('/v4/volumes', { label: word(9), ...(await somewhere(cloud())) });
      expect(created.status).toBe('creating');
      await cloud().until('it is active', async () => (await volumeNow(cloud(), created.id)).status === 'active');
    });

    test('what is edited stays edited, and only that', async () => {
      const before = await newVolume(cloud(), { tags: ['old'] });
      const label = word(8);
      await cloud().put(`/v4/volumes/${before.id}`, { label });
      expect(await volumeNow(cloud(), before.id)).toMatchObject({ label, tags: ['old'], size: before.size });
      await cloud().put(`/v4/volumes/${before.id}`, { tags: [] });
      expect(await volumeNow(cloud(), before.id)).toMatchObject({ label, tags: [] });
    });

    test('a deleted one is gone', async () => {
      const { id } = await newVolume(cloud());
      await cloud().remove(`/v4/volumes/${id}`);
      expect((await cloud().ask('GET', `/v4/volumes/${id}`)).status).toBe(404);
      expect((await cloud().all<Volume>('/v4/volumes')).some((volume) => volume.id === id)).toBe(false);
    });

    test('resizing only goes up, only when active, and ends active with the new size', async () => {
      const { id } = await newVolume(cloud());
      await cloud().post(`/v4/volumes/${id}/resize`, { size: 40 });
      expect(await volumeNow(cloud(), id)).toMatchObject({ status: 'resizing' });
      await cloud().refused('POST', `/v4/volumes/${id}/resize`, { size: 50 });
      await cloud().refused('POST', `/v4/volumes/${id}/clone`, { label: word(9) });
      const after = await cloud().until('it is active', async () => {
        const now = await volumeNow(cloud(), id);
        return now.status === 'active' && now;
      });
      expect(after.size).toBe(40);
      await cloud().refused('POST', `/v4/volumes/${id}/resize`, { size: 40 });
      await cloud().refused('POST', `/v4/volumes/${id}/resize`, { size: 39 });
    });

    test('a volume that is creating, resizing or attached is not deleted', async () => {
      const { id } = await cloud().post<Volume>('/v4/volumes', { label: word(9), ...(await somewhere(cloud())) });
      const active = () =>
        cloud().until('it is active', async () => (await volumeNow(cloud(), id)).status === 'active');
      await cloud().refused('DELETE', `/v4/volumes/${id}`);
      await active();
      await cloud().post(`/v4/volumes/${id}/resize`, { size: 40 });
      await cloud().refused('DELETE', `/v4/volumes/${id}`);
      expect(await volumeNow(cloud(), id)).toMatchObject({ status: 'resizing', size: 40 });
      const attached = (await cloud().all<Volume>('/v4/volumes')).find(({ server_id }) => server_id !== null);
      await cloud().refused('DELETE', `/v4/volumes/${attached?.id}`);
      await active();
      await cloud().remove(`/v4/volumes/${id}`);
    });

    test('a volume that is creating is neither cloned nor resized', async () => {
      const { id } = await cloud().post<Volume>('/v4/volumes', { label: word(9), ...(await somewhere(cloud())) });
      await cloud().refused('POST', `/v4/volumes/${id}/clone`, { label: word(9) });
      await cloud().refused('POST', `/v4/volumes/${id}/resize`, { size: 50 });
    });

    test('a clone has the size and region of its source, and is attached to nothing', async () => {
      const server = await idleServer(cloud());
      const source = await newVolume(cloud(), { size: 33, server_id: server.id });
      const clone = await cloud().post<Volume>(`/v4/volumes/${source.id}/clone`, { label: word(9) });
      expect(clone).toMatchObject({ size: 33, region: source.region, server_id: null });
      expect(clone.id).not.toBe(source.id);
    });

    test('restricted users neither create nor clone without the grant, nor tag', async () => {
      const { id } = await newVolume(cloud());
      const body = { label: word(9), ...(await somewhere(cloud())) };
      for (const [method, path, sent] of [
        ['POST', '/v4/volumes', body],
        ['POST', `/v4/volumes/${id}/clone`, { label: word(9) }],
        ['PUT', `/v4/volumes/${id}`, { tags: ['mine'] }],
      ] as const)
        expect((await cloud().ask(method, path, { body: sent, as: 'restricted' })).status, path).toBe(403);
    });
  },
);
