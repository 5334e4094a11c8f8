import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Cloud, openCloud } from './cloud.ts';
import { names } from './limits.ts';
import type { Event } from './nouns.ts';
import { disksOf, newServer, newVolume, placeFor, serverNow, serversOf, settled, volumeNow } from './subjects.ts';

const servers = '/v4/server/instances';

describe('resizing, shutting down and deleting servers (document 2, 4.2)', () => {
  let cloud: Cloud;
  beforeAll(async () => {
    cloud = await openCloud();
  });
  afterAll(() => cloud.close());

  const larger = async () => (await placeFor(cloud, 4096)).type;

  test('a resized server has the new type in the end, and tells how far it is', async () => {
    const server = await newServer(cloud);
    const type = await larger();
    expect(await cloud.post(`${servers}/${server.id}/resize`, { type })).toEqual({});
    const percents = new Set<number>();
    await cloud.until('it has the new type', async () => {
      const { data } = await cloud.get<{ data: Event[] }>('/v4/account/events');
      const job = data.find(({ action, entity }) => action === 'server_resize' && entity?.id === server.id);
      percents.add(job?.percent_complete ?? -1);
      return job?.status === 'finished';
    });
    expect(percents.size).toBeGreaterThan(3);
    const after = await settled(cloud, server.id, 'running');
    expect(after.type).toBe(type);
    expect(after.specs.memory).toBe(4096);
  });

  test('not while an action is running or queued', async () => {
    const server = await newServer(cloud);
    const type = await larger();
    await cloud.post(`${servers}/${server.id}/resize`, { type });
    await cloud.refused('POST', `${servers}/${server.id}/resize`, { type });
    const other = await newServer(cloud);
    await cloud.post(`${servers}/${other.id}/shutdown`);
    await cloud.refused('POST', `${servers}/${other.id}/resize`, { type });
  });

  test('not to a type that the disks do not fit', async () => {
    const server = await newServer(cloud, await placeFor(cloud, 4096));
    const { type } = await placeFor(cloud);
    expect((await disksOf(cloud, server.id)).reduce((sum, { size }) => sum + size, 0)).toBe(server.specs.disk);
    const complaints = await cloud.refused('POST', `${servers}/${server.id}/resize`, { type });
    expect(complaints[0]?.reason).toMatch(/disk/i);
    expect((await serverNow(cloud, server.id)).type).toBe(server.type);
  });

  test.each([true, false])('with allow_auto_disk_resize %s the disk grows along or not', async (allowed) => {
    const server = await newServer(cloud);
    const size = async () =>
      (await disksOf(cloud, server.id)).find(({ filesystem }) => filesystem === 'ext4')?.size ?? 0;
    const before = await size();
    await cloud.post(`${servers}/${server.id}/resize`, { type: await larger(), allow_auto_disk_resize: allowed });
    const { specs } = await cloud.until('it has grown', async () => {
      const now = await serverNow(cloud, server.id);
      return now.specs.memory === 4096 && now.status === 'running' && now;
    });
    expect(await size()).toBe(allowed ? specs.disk - 512 : before);
  });

  test('a server that is shut down is shutting down, then offline', async () => {
    const server = await newServer(cloud);
    await cloud.post(`${servers}/${server.id}/shutdown`);
    expect((await serverNow(cloud, server.id)).status).toBe('shutting_down');
    await settled(cloud, server.id, 'offline');
    cloud.pass(3600);
    expect((await serverNow(cloud, server.id)).status).toBe('offline');
  });

  test('a deleted server is gone with its disks, configs and backups; its volume stays', async () => {
    const server = await newServer(cloud, { backups_enabled: true });
    const volume = await newVolume(cloud, { server_id: server.id });
    await cloud.remove(`${servers}/${server.id}`);
    await cloud.until('it is gone', async () => (await cloud.ask('GET', `${servers}/${server.id}`)).status === 404);
    for (const part of ['disks', 'configs', 'backups', 'volumes', 'stats', 'transfer'])
      expect((await cloud.ask('GET', `${servers}/${server.id}/${part}`)).status, part).toBe(404);
    expect(await volumeNow(cloud, volume.id)).toMatchObject({ server_id: null, server_label: null });
    expect((await serversOf(cloud)).some(({ id }) => id === server.id)).toBe(false);
  });

  test('what is refused changes nothing', async () => {
    const before = await newServer(cloud);
    const body = { label: 'fine-label', tags: ['new'], alerts: { cpu: 'many' } };
    expect(names('alerts.cpu', await cloud.refused('PUT', `${servers}/${before.id}`, body))).toBe(true);
    expect(await serverNow(cloud, before.id)).toMatchObject({ label: before.label, tags: before.tags });
  });
});
