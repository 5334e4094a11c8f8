import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Cloud, openCloud } from './cloud.ts';
import { names, password, word } from './limits.ts';
import type { Backups, Server } from './nouns.ts';
import {
  configsOf,
  disksIn,
  disksOf,
  emptyServer,
  imageBody,
  newServer,
  placeFor,
  serverNow,
  settled,
} from './subjects.ts';

const servers = '/v4/server/instances';

describe('the ways to create a server (document 2, 4.2)', () => {
  let cloud: Cloud;
  beforeAll(async () => {
    cloud = await openCloud();
  });
  afterAll(() => cloud.close());

  test('from an image: provisioning, then running, with a config of two disks, one of them swap of 512', async () => {
    const body = await imageBody(cloud, { tags: ['web'] });
    const created = await cloud.post<Server>(servers, body);
    expect(created).toMatchObject({ status: 'provisioning', region: body.region, type: body.type, image: body.image });
    expect(created.tags).toEqual(['web']);
    expect(created.label).toMatch(/^.{3,64}$/);
    const { id, specs } = await settled(cloud, created.id, 'running');
    const [disks, configs] = [await disksOf(cloud, id), await configsOf(cloud, id)];
    expect(disks.map(({ filesystem, size }) => [filesystem, size])).toEqual([
      ['ext4', specs.disk - 512],
      ['swap', 512],
    ]);
    expect(configs.map(disksIn)).toEqual([disks.map((disk) => disk.id)]);
  });

  test.each([1024, 0])('a swap disk of %i', async (size) => {
    const { id } = await newServer(cloud, { swap_size: size });
    const swaps = (await disksOf(cloud, id)).filter(({ filesystem }) => filesystem === 'swap');
    expect(swaps.map((disk) => disk.size)).toEqual(size === 0 ? [] : [size]);
  });

  test('not booted it stays offline', async () => {
    const { id } = await cloud.post<Server>(servers, await imageBody(cloud, { booted: false }));
    const server = await settled(cloud, id, 'offline');
    cloud.pass(3600);
    expect((await serverNow(cloud, server.id)).status).toBe('offline');
  });

  test('without image, StackScript and backup: empty and offline', async () => {
    const created = await cloud.post<Server>(servers, await placeFor(cloud));
    expect(created).toMatchObject({ image: null });
    const { id } = await settled(cloud, created.id, 'offline');
    cloud.pass(3600);
    expect((await serverNow(cloud, id)).status).toBe('offline');
    expect([await disksOf(cloud, id), await configsOf(cloud, id)]).toEqual([[], []]);
  });

  test('a StackScript needs an image', async () => {
    const body = { ...(await placeFor(cloud)), root_pass: password(20), stackscript_id: 1 };
    await cloud.refused('POST', servers, body);
  });

  test('from a backup: its disks and configs, on a server that is large enough', async () => {
    const source = await newServer(cloud, { ...(await placeFor(cloud, 4096)), backups_enabled: true });
    await cloud.post(`${servers}/${source.id}/backups`, { label: word(8) });
    const backup = await cloud.until('the snapshot is taken', async () => {
      const { snapshot } = await cloud.get<Backups>(`${servers}/${source.id}/backups`);
      return snapshot.current ?? undefined;
    });
    const small = { ...(await placeFor(cloud)), backup_id: backup.id };
    await cloud.refused('POST', servers, { ...small, region: source.region });
    const created = await cloud.post<Server>(servers, {
      type: source.type,
      region: source.region,
      backup_id: backup.id,
    });
    const { id } = await settled(cloud, created.id, 'running');
    const sizes = async (of: number) =>
      (await disksOf(cloud, of)).map(({ size, filesystem }) => ({ size, filesystem }));
    expect(await sizes(id)).toEqual(await sizes(source.id));
    expect((await configsOf(cloud, id)).length).toBe((await configsOf(cloud, source.id)).length);
  });

  test('one public address, and a private one when asked for', async () => {
    const [without, having] = [await emptyServer(cloud), await emptyServer(cloud, { private_ip: true })];
    const privates = ({ ipv4 }: Server) => ipv4.filter((address) => address.startsWith('192.168.'));
    expect([without.ipv4.length, privates(without).length]).toEqual([1, 0]);
    expect([having.ipv4.length, privates(having).length]).toEqual([2, 1]);
  });

  test('with backups enabled', async () => {
    expect((await newServer(cloud, { backups_enabled: true })).backups.enabled).toBe(true);
    expect((await newServer(cloud)).backups.enabled).toBe(false);
  });

  test('several mistakes are told at once, each with its field', async () => {
    const complaints = await cloud.refused('POST', servers, { label: 'x', root_pass: '1' });
    for (const field of ['region', 'type', 'label']) expect(names(field, complaints), field).toBe(true);
  });
});
