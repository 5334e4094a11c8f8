import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Cloud, openCloud } from './cloud.ts';
import { names, word } from './limits.ts';
import type { Volume } from './nouns.ts';
import {
  configsOf,
  emptyServer,
  newConfig,
  newServer,
  newVolume,
  placeFor,
  serversOf,
  settled,
  volumeNow,
  volumesIn,
} from './subjects.ts';

describe('attaching volumes (document 2, 4.4, rules 3 and 4)', () => {
  let cloud: Cloud;
  beforeAll(async () => {
    cloud = await openCloud();
  });
  afterAll(() => cloud.close());

  const attach = (volume: Volume, body: object) => cloud.ask('POST', `/v4/volumes/${volume.id}/attach`, { body });
  const idsOn = async (serverId: number) =>
    (await cloud.all<Volume>(`/v4/server/instances/${serverId}/volumes`)).map(({ id }) => id);

  test('created with a server it is attached, in its region and its only config', async () => {
    const server = await newServer(cloud);
    const volume = await newVolume(cloud, { server_id: server.id });
    expect(volume).toMatchObject({ server_id: server.id, server_label: server.label, region: server.region });
    expect(await idsOn(server.id)).toEqual([volume.id]);
    expect((await configsOf(cloud, server.id)).flatMap(volumesIn)).toEqual([volume.id]);
  });

  test('a config must not be named without its server, nor one of another server', async () => {
    const [mine, other] = [await newServer(cloud), await newServer(cloud)];
    const [config] = await configsOf(cloud, other.id);
    const without = { label: word(9), region: mine.region, config_id: config?.id };
    expect(names('config_id', await cloud.refused('POST', '/v4/volumes', without))).toBe(true);
    const wrong = { label: word(9), server_id: mine.id, config_id: config?.id };
    expect(names('config_id', await cloud.refused('POST', '/v4/volumes', wrong))).toBe(true);
  });

  test('without a config to go to it is an error', async () => {
    const server = await emptyServer(cloud);
    await cloud.refused('POST', '/v4/volumes', { label: word(9), server_id: server.id });
    const volume = await newVolume(cloud, { region: server.region });
    await cloud.refused('POST', `/v4/volumes/${volume.id}/attach`, { server_id: server.id });
  });

  test('with several configs and none ever booted it is an error; a named one takes it', async () => {
    const server = await emptyServer(cloud);
    const [first, second] = [await newConfig(cloud, server.id), await newConfig(cloud, server.id)];
    await cloud.refused('POST', '/v4/volumes', { label: word(9), server_id: server.id });
    const volume = await newVolume(cloud, { server_id: server.id, config_id: second.id });
    const configs = await configsOf(cloud, server.id);
    expect(configs.find(({ id }) => id === second.id)).toSatisfy((config) => volumesIn(config).includes(volume.id));
    expect(configs.find(({ id }) => id === first.id)).toSatisfy((config) => volumesIn(config).length === 0);
  });

  test('with several configs the last booted one takes it', async () => {
    const server = await newServer(cloud);
    const [booted] = await configsOf(cloud, server.id);
    await newConfig(cloud, server.id);
    const volume = await newVolume(cloud, { region: server.region });
    expect((await attach(volume, { server_id: server.id })).status).toBe(200);
    const after = (await configsOf(cloud, server.id)).find(({ id }) => id === booted?.id);
    expect(after && volumesIn(after)).toEqual([volume.id]);
  });

  test('volume and server must be in one region', async () => {
    const [server] = await serversOf(cloud);
    const elsewhere = (await serversOf(cloud)).find(({ region }) => region !== server?.region);
    const volume = await newVolume(cloud, { region: elsewhere?.region });
    await cloud.refused('POST', `/v4/volumes/${volume.id}/attach`, { server_id: server?.id });
    const both = { label: word(9), server_id: server?.id, region: elsewhere?.region };
    await cloud.refused('POST', '/v4/volumes', both);
  });

  test('an attached volume is not attached again; a detached one leaves the config', async () => {
    const server = await newServer(cloud);
    const volume = await newVolume(cloud, { server_id: server.id });
    await cloud.refused('POST', `/v4/volumes/${volume.id}/attach`, { server_id: server.id });
    expect(await cloud.post(`/v4/volumes/${volume.id}/detach`)).toEqual({});
    await cloud.until('it is detached', async () => (await volumeNow(cloud, volume.id)).server_id === null);
    expect((await configsOf(cloud, server.id)).flatMap(volumesIn)).toEqual([]);
    expect(await idsOn(server.id)).toEqual([]);
    await cloud.refused('POST', `/v4/volumes/${volume.id}/detach`);
  });

  describe('with persist_across_boots false', () => {
    const passing = { persist_across_boots: false };

    test('it is in no config, and a config must not be named', async () => {
      const server = await newServer(cloud);
      const volume = await newVolume(cloud, { region: server.region });
      const [config] = await configsOf(cloud, server.id);
      const named = { ...passing, server_id: server.id, config_id: config?.id };
      expect(names('config_id', await cloud.refused('POST', `/v4/volumes/${volume.id}/attach`, named))).toBe(true);
      expect((await attach(volume, { ...passing, server_id: server.id })).status).toBe(200);
      expect((await configsOf(cloud, server.id)).flatMap(volumesIn)).toEqual([]);
      expect(await idsOn(server.id)).toEqual([volume.id]);
    });

    test('the server must be running', async () => {
      const server = await newServer(cloud);
      await cloud.post(`/v4/server/instances/${server.id}/shutdown`);
      await settled(cloud, server.id, 'offline');
      const volume = await newVolume(cloud, { region: server.region });
      await cloud.refused('POST', `/v4/volumes/${volume.id}/attach`, { ...passing, server_id: server.id });
    });

    test.each([2, 4])('a server of %i GB takes as many volumes and no more', async (gigabytes) => {
      const server = await newServer(cloud, await placeFor(cloud, gigabytes * 1024));
      for (let n = 1; n <= gigabytes; n++) {
        const volume = await newVolume(cloud, { region: server.region });
        expect((await attach(volume, { ...passing, server_id: server.id })).status, `volume ${n}`).toBe(200);
      }
      const one = await newVolume(cloud, { region: server.region });
      await cloud.refused('POST', `/v4/volumes/${one.id}/attach`, { ...passing, server_id: server.id });
    });

    test('a server of more than 64 GB takes 64', async () => {
      interface Type {
        id: string;
        memory: number;
      }
      const types = await cloud.all<Type>('/v4/server/types');
      const large = types.find(({ memory }) => memory > 64 * 1024);
      const server = await newServer(cloud, { type: large?.id });
      for (let n = 1; n <= 64; n++) {
        const { id } = await cloud.post<Volume>('/v4/volumes', { label: word(9), region: server.region });
        await cloud.until('it is active', async () => (await volumeNow(cloud, id)).status === 'active');
        await cloud.post(`/v4/volumes/${id}/attach`, { ...passing, server_id: server.id });
      }
      const one = await newVolume(cloud, { region: server.region });
      await cloud.refused('POST', `/v4/volumes/${one.id}/attach`, { ...passing, server_id: server.id });
    });
  });

  test('a config takes 8 and no more', async () => {
    const server = await emptyServer(cloud);
    const config = await newConfig(cloud, server.id);
    const into = { server_id: server.id, config_id: config.id };
    for (let n = 1; n <= 8; n++) expect((await newVolume(cloud, into)).server_id, `volume ${n}`).toBe(server.id);
    const one = await newVolume(cloud, { region: server.region });
    await cloud.refused('POST', `/v4/volumes/${one.id}/attach`, into);
  });
});
