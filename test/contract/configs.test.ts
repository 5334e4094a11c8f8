import { expect, test } from 'vitest';
import { describeArea, type Params } from './area.ts';
import type { Cloud } from './cloud.ts';
import { accepts, count, type Limit, lengths, options, refuses, required, word, yesOrNo } from './limits.ts';
import { type Config, config, type Server } from './nouns.ts';
import { nothing } from './shapes.ts';
import { configsOf, disksOf, newConfig, newServer, newVolume } from './subjects.ts';

const path = (serverId: number, id?: number) =>
  `/v4/server/instances/${serverId}/configs${id === undefined ? '' : `/${id}`}`;

let shared: Promise<Server> | undefined;

/** One server, in a region with VLANs, for all configs. */
const oneServer = async (cloud: Cloud) => {
  const regions = await cloud.all<{ id: string; capabilities: string[] }>('/v4/regions');
  const region = regions.find(({ capabilities }) => capabilities.includes('Vlans'))?.id;
  shared ??= newServer(cloud, { region });
  return { serverId: (await shared).id };
};

const aConfig = async (cloud: Cloud) => {
  const { serverId } = await oneServer(cloud);
  return { serverId, configId: (await newConfig(cloud, serverId)).id };
};

const devices = async (cloud: Cloud, { serverId }: Params) => {
  const [disk] = await disksOf(cloud, Number(serverId));
  return { sda: { disk_id: disk?.id, volume_id: null }, sdb: null };
};

const publicOnly = { purpose: 'public', label: '', ipam_address: '' };
const vlan = (n: number) => ({ purpose: 'vlan', label: `private-${n}`, ipam_address: `10.0.${n}.1/24` });

const limits: readonly Limit[] = [
  lengths('label', 1, 48),
  refuses('label', 5),
  refuses('devices', 'sda', 5),
  refuses('devices.sda', { disk_id: 987654321, volume_id: null }, { disk_id: null, volume_id: 987654321 }, 'disk'),
  refuses('devices.sdi', { disk_id: 1, volume_id: null }),
  accepts('devices.sdh', null, { disk_id: null, volume_id: null }),
  accepts('comments', null, '', 'of the old release'),
  refuses('comments', 5),
  yesOrNo('helpers.devtmpfs_automount'),
  yesOrNo('helpers.distro'),
  yesOrNo('helpers.modules_dep'),
  yesOrNo('helpers.network'),
  yesOrNo('helpers.updatedb_disabled'),
  count('interfaces', 3, (n) => (n === 0 ? publicOnly : vlan(n))),
  accepts('interfaces', [], [publicOnly], [vlan(1)]),
  refuses(
    'interfaces',
    [publicOnly, publicOnly],
    [{ ...vlan(1), purpose: 'other' }],
    [{ ...vlan(1), label: 'A b' }],
    'x',
  ),
  accepts('kernel', 'server/latest-64bit'),
  refuses('kernel', 'server/no-such-kernel', 5),
  refuses('memory_limit', 'many', -1, 1.5),
  options('run_level', 'default', 'single', 'binbash'),
  options('virt_mode', 'paravirt', 'fullvirt'),
  accepts('root_device', '/dev/sda', '/dev/sdh', 'a_b-1'),
  refuses('root_device', 'bad dev!', 5),
];

describeArea(
  'configs (document 2, 4.1)',
  {
    'GET /v4/server/instances/{serverId}/configs': { answers: config, params: oneServer },
    'POST /v4/server/instances/{serverId}/configs': {
      answers: config,
      params: oneServer,
      body: async (cloud, params) => ({ label: word(10), devices: await devices(cloud, params) }),
      limits: [required('label'), required('devices'), ...limits],
    },
    'GET /v4/server/instances/{serverId}/configs/{configId}': { answers: config, params: aConfig },
    'PUT /v4/server/instances/{serverId}/configs/{configId}': {
      answers: config,
      params: aConfig,
      body: () => ({ comments: 'edited' }),
      limits,
    },
    'DELETE /v4/server/instances/{serverId}/configs/{configId}': { answers: nothing, params: aConfig },
  },
  (cloud) => {
    const fresh = async (more: object = {}) => {
      const { serverId } = await oneServer(cloud());
      return { serverId, config: await newConfig(cloud(), serverId, more) };
    };

    test('what is left out has its default', async () => {
      const { config, serverId } = await fresh();
      const server = await cloud().get<Server>(`/v4/server/instances/${serverId}`);
      expect(config).toMatchObject({
        kernel: 'server/latest-64bit',
        run_level: 'default',
        virt_mode: 'paravirt',
        root_device: '/dev/sda',
        memory_limit: server.specs.memory,
      });
    });

    test('what is edited stays edited, and only that', async () => {
      const { serverId, config: before } = await fresh({ comments: 'first', run_level: 'single' });
      await cloud().put(path(serverId, before.id), { comments: null, helpers: { distro: false } });
      const after = await cloud().get<Config>(path(serverId, before.id));
      expect(after).toMatchObject({ label: before.label, run_level: 'single', comments: null });
      expect(after.helpers).toEqual({ ...before.helpers, distro: false });
    });

    test('an update defines every interface anew; an empty array leaves a public one only', async () => {
      const { serverId, config } = await fresh({ interfaces: [publicOnly, vlan(1), vlan(2)] });
      expect(config.interfaces.map(({ purpose }) => purpose)).toEqual(['public', 'vlan', 'vlan']);
      const one = await cloud().put<Config>(path(serverId, config.id), { interfaces: [vlan(3)] });
      expect(one.interfaces.map(({ label }) => label)).toEqual(['private-3']);
      const kept = await cloud().put<Config>(path(serverId, config.id), { comments: 'no word of interfaces' });
      expect(kept.interfaces).toEqual(one.interfaces);
      const none = await cloud().put<Config>(path(serverId, config.id), { interfaces: [] });
      expect(none.interfaces.filter(({ purpose }) => purpose !== 'public')).toEqual([]);
    });

    test('a device is a disk of this server or a volume of its region', async () => {
      const other = await newServer(cloud());
      const [foreign] = await disksOf(cloud(), other.id);
      const { serverId } = await oneServer(cloud());
      const body = { label: word(9), devices: { sda: { disk_id: foreign?.id, volume_id: null } } };
      await cloud().refused('POST', path(serverId), body);
      const volume = await newVolume(cloud(), { server_id: serverId, config_id: (await fresh()).config.id });
      const { config } = await fresh({ devices: { sdc: { disk_id: null, volume_id: volume.id } } });
      expect(config.devices.sdc).toMatchObject({ volume_id: volume.id });
      const both = { sda: { disk_id: (await disksOf(cloud(), serverId))[0]?.id, volume_id: volume.id } };
      await cloud().refused('POST', path(serverId), { label: word(9), devices: both });
    });

    test('a deleted one is gone', async () => {
      const { serverId, config } = await fresh();
      await cloud().remove(path(serverId, config.id));
      expect((await cloud().ask('GET', path(serverId, config.id))).status).toBe(404);
      expect((await configsOf(cloud(), serverId)).some(({ id }) => id === config.id)).toBe(false);
    });

    test('a config of another server is not found', async () => {
      const { config } = await fresh();
      const other = await newServer(cloud());
      expect((await cloud().ask('GET', path(other.id, config.id))).status).toBe(404);
    });
  },
);
