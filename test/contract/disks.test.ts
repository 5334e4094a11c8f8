import { expect, test } from 'vitest';
import { describeArea } from './area.ts';
import type { Cloud } from './cloud.ts';
import { lengths, names, options, password, refuses, required, word } from './limits.ts';
import { type Disk, disk, filesystems, type Server, slots } from './nouns.ts';
import { nothing } from './shapes.ts';
import { disksOf, emptyServer, newServer, newVolume, publicImage } from './subjects.ts';

const path = (serverId: number) => `/v4/server/instances/${serverId}/disks`;

let shared: Promise<Server> | undefined;

/** One empty server, on whose storage many small disks find room. */
const roomy = async (cloud: Cloud) => {
  shared ??= emptyServer(cloud);
  return { serverId: (await shared).id };
};

let running: Promise<Server> | undefined;

const rescued = async (cloud: Cloud) => {
  running ??= newServer(cloud);
  const { id } = await running;
  return { serverId: id };
};

const refusedDevices = slots.map((slot) =>
  refuses(`devices.${slot}`, { disk_id: 987654321, volume_id: null }, { disk_id: null, volume_id: 987654321 }),
);

describeArea(
  'disks and rescue (document 2, 4.1 and 4.3)',
  {
    'GET /v4/server/instances/{serverId}/disks': {
      answers: disk,
      params: async (cloud) => ({ serverId: (await newServer(cloud)).id }),
    },
    'POST /v4/server/instances/{serverId}/disks': {
      answers: disk,
      params: roomy,
      body: () => ({ label: word(10), size: 10 }),
      limits: [
        required('label'),
        required('size'),
        lengths('label', 1, 48),
        options('filesystem', ...filesystems),
        { field: 'size', accepts: [1, 2], refuses: [0, -1, 'many', 1.5, 99_999_999] },
        refuses('image', 'server/no-such-image', 5),
        refuses('authorized_keys', 'ssh-ed25519 AAAA', [5]),
        refuses('authorized_users', 'operator', [5]),
      ],
    },
    'POST /v4/server/instances/{serverId}/rescue': {
      answers: nothing,
      params: rescued,
      body: async (cloud, { serverId }) => {
        const [first] = await disksOf(cloud, Number(serverId));
        return { devices: { sda: { disk_id: first?.id, volume_id: null }, sdb: null } };
      },
      limits: [refuses('devices', 'sda', 5), ...refusedDevices, refuses('devices.sdi', { disk_id: 1 })],
    },
  },
  (cloud) => {
    test('an empty disk is of ext4 when nothing is said, and ready after a while', async () => {
      const { serverId } = await roomy(cloud());
      const created = await cloud().post<Disk>(path(serverId), { label: word(8), size: 10 });
      expect(created).toMatchObject({ filesystem: 'ext4', size: 10 });
      await cloud().until('it is ready', async () => {
        const disk = (await disksOf(cloud(), serverId)).find(({ id }) => id === created.id);
        return disk?.status === 'ready';
      });
    });

    test('a disk from an image needs a password of 7 to 128 characters, but no label', async () => {
      const image = await publicImage(cloud());
      for (const length of [7, 8, 127, 128]) {
        const { id, specs } = await emptyServer(cloud());
        await cloud().post(path(id), { image, size: specs.disk, root_pass: password(length) });
      }
      const { id, specs } = await emptyServer(cloud());
      const body = { image, size: specs.disk };
      expect(names('root_pass', await cloud().refused('POST', path(id), body))).toBe(true);
      for (const length of [6, 129]) {
        const complaints = await cloud().refused('POST', path(id), { ...body, root_pass: password(length) });
        expect(names('root_pass', complaints)).toBe(true);
      }
    });

    test('disks do not take more than the server has', async () => {
      const { id, specs } = await emptyServer(cloud());
      await cloud().refused('POST', path(id), { label: 'large', size: specs.disk + 1 });
      await cloud().post(path(id), { label: 'most', size: specs.disk - 1 });
      await cloud().refused('POST', path(id), { label: 'rest', size: 2 });
      await cloud().post(path(id), { label: 'rest', size: 1 });
    });

    test('rescue reserves sdh, and takes a disk or volume of the server elsewhere', async () => {
      const server = await newServer(cloud());
      const [first] = await disksOf(cloud(), server.id);
      const volume = await newVolume(cloud(), { server_id: server.id });
      const rescue = `/v4/server/instances/${server.id}/rescue`;
      const disk = { disk_id: first?.id, volume_id: null };
      expect(names('devices.sdh', await cloud().refused('POST', rescue, { devices: { sdh: disk } }))).toBe(true);
      const sdg = { disk_id: null, volume_id: volume.id };
      expect(await cloud().post(rescue, { devices: { sda: disk, sdg } })).toEqual({});
    });

    test('rescue needs no devices', async () => {
      const server = await newServer(cloud());
      expect(await cloud().post(`/v4/server/instances/${server.id}/rescue`, {})).toEqual({});
    });
  },
);
