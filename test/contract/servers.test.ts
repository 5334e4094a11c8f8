import { expect, test } from 'vitest';
import { describeArea } from './area.ts';
import type { Cloud } from './cloud.ts';
import { accepts, count, lengths, options, password, refuses, required, word, yesOrNo } from './limits.ts';
import { days, type Server, server, type Volume, volume, windows } from './nouns.ts';
import { list, nothing } from './shapes.ts';
import { emptyServer, imageBody, newServer, newVolume, placeFor, serverNow, serversOf } from './subjects.ts';

let shared: Promise<Server> | undefined;
let withVolume: Promise<Volume> | undefined;

/** One server for all that changes only its fields. */
const oneServer = async (cloud: Cloud) => {
  shared ??= newServer(cloud, { backups_enabled: true });
  return { serverId: (await shared).id };
};

const anEmptyServer = async (cloud: Cloud) => ({ serverId: (await emptyServer(cloud)).id });
const aRunningServer = async (cloud: Cloud) => ({ serverId: (await newServer(cloud)).id });

const badLabels = refuses('label', '-abc', 'abc-', '_abc', 'abc.', 'a--b', 'a__b', 'a..b', 'a b c', 'a/b', 'wëb', 123);
const goodLabels = () => [
  lengths('label', 3, 64),
  accepts('label', `a-${word(6)}`, `a_b.c-${word(6)}`, `9${word(6)}`, `${word(6)}9`),
];

const threshold = (field: string) => ({ field, accepts: [0, 1, 90], refuses: [-1, 'many', 1.5] });

const publicOnly = { purpose: 'public', label: '', ipam_address: '' };
const vlan = (n: number) => ({ purpose: 'vlan', label: `private-${n}`, ipam_address: `10.0.${n}.1/24` });

const shape = server;

describeArea(
  'servers (document 2, 4.1 and 4.2)',
  {
    'GET /v4/server/instances': { answers: server },
    'POST /v4/server/instances': {
      answers: server,
      body: (cloud) => imageBody(cloud),
      limits: [
        required('region'),
        required('type'),
        required('root_pass'),
        badLabels,
        ...goodLabels(),
        lengths('root_pass', 7, 128, password),
        refuses('region', 'no-such-region', 5),
        refuses('type', 'no-such-type', 5),
        refuses('image', 'server/no-such-image', 5),
        refuses('backup_id', 987654321, 'many'),
        refuses('stackscript_id', 'many'),
        refuses('stackscript_data', 'text', [1]),
        refuses('authorized_keys', 'ssh-ed25519 AAAA', [5]),
        refuses('authorized_users', 'operator', [5]),
        refuses('swap_size', 'many', -1, 1.5),
        refuses('tags', 'web', [5]),
        yesOrNo('backups_enabled'),
        yesOrNo('booted'),
        yesOrNo('private_ip'),
      ],
    },
    'GET /v4/server/instances/{serverId}': { answers: server, params: oneServer },
    'PUT /v4/server/instances/{serverId}': {
      answers: server,
      params: oneServer,
      body: () => ({ watchdog_enabled: true }),
      limits: [
        badLabels,
        ...goodLabels(),
        threshold('alerts.cpu'),
        threshold('alerts.io'),
        threshold('alerts.network_in'),
        threshold('alerts.network_out'),
        threshold('alerts.transfer_quota'),
        options('backups.schedule.day', ...days),
        options('backups.schedule.window', ...windows),
        refuses('backups.schedule.window', 'W1', 'W24'),
        accepts('tags', [], ['web', 'prod']),
        refuses('tags', 'web', [5]),
        yesOrNo('watchdog_enabled'),
        accepts('group', '', 'old'),
      ],
    },
    'DELETE /v4/server/instances/{serverId}': { answers: nothing, params: anEmptyServer },
    'POST /v4/server/instances/{serverId}/resize': {
      answers: nothing,
      params: aRunningServer,
      body: async (cloud) => ({ type: (await placeFor(cloud, 4096)).type }),
      limits: [required('type'), refuses('type', 'no-such-type', 5), yesOrNo('allow_auto_disk_resize')],
    },
    'POST /v4/server/instances/{serverId}/shutdown': { answers: nothing, params: aRunningServer },
    'GET /v4/server/instances/{serverId}/volumes': {
      answers: volume,
      params: async (cloud) => {
        withVolume ??= newVolume(cloud, { server_id: (await newServer(cloud)).id });
        return { serverId: (await withVolume).server_id ?? 0 };
      },
    },
  },
  (cloud) => {
    const create = (more: object) => cloud().refused('POST', '/v4/server/instances', more);

    test('there are 40 servers of believable shape', async () => {
      const all = await serversOf(cloud());
      expect(all.length).toBeGreaterThanOrEqual(40);
      expect(list(shape)(all)).toEqual([]);
      expect(new Set(all.map(({ status }) => status)).size).toBeGreaterThan(1);
    });

    test('up to three interfaces, one of them public', async () => {
      const regions = await cloud().all<{ id: string; capabilities: string[] }>('/v4/regions');
      const vlans = regions.find(({ capabilities }) => capabilities.includes('Vlans'))?.id;
      const body = await imageBody(cloud(), { region: vlans });
      const { accepts: fit = [], refuses: excess = [] } = count('interfaces', 3, (n) =>
        n === 0 ? publicOnly : vlan(n),
      );
      for (const interfaces of fit) await cloud().post('/v4/server/instances', { ...body, interfaces });
      for (const interfaces of excess) await create({ ...body, interfaces });
      await create({ ...body, interfaces: [publicOnly, publicOnly] });
      await create({ ...body, interfaces: [{ ...vlan(1), purpose: 'no-such-purpose' }] });
      await create({ ...body, interfaces: [{ ...vlan(1), ipam_address: 'not an address' }] });
    });

    test('a VLAN only where the data center has them', async () => {
      const regions = await cloud().all<{ id: string; capabilities: string[] }>('/v4/regions');
      const without = regions.find(({ capabilities }) => !capabilities.includes('Vlans'))?.id;
      expect(without).toBeDefined();
      const body = await imageBody(cloud(), { region: without });
      await create({ ...body, interfaces: [publicOnly, vlan(1)] });
      await cloud().post('/v4/server/instances', { ...body, interfaces: [publicOnly] });
    });

    test('what is edited stays edited, and only that', async () => {
      const before = await newServer(cloud(), { tags: ['old'], backups_enabled: true });
      const path = `/v4/server/instances/${before.id}`;
      await cloud().put(path, { alerts: { cpu: 0 } });
      await cloud().put(path, { backups: { schedule: { day: 'Monday', window: 'W10' } } });
      await cloud().put(path, { watchdog_enabled: !before.watchdog_enabled });
      const after = await serverNow(cloud(), before.id);
      expect(after.alerts).toEqual({ ...before.alerts, cpu: 0 });
      expect(after.backups.schedule).toEqual({ day: 'Monday', window: 'W10' });
      expect(after).toMatchObject({ label: before.label, tags: ['old'], watchdog_enabled: !before.watchdog_enabled });
    });

    test('an alert of CPU stands at 90 for each core when nothing is said', async () => {
      const { alerts, specs } = await emptyServer(cloud());
      expect(alerts.cpu).toBe(90 * specs.vcpus);
    });

    test('restricted users without the grant create no servers, and tag none', async () => {
      const { serverId } = await oneServer(cloud());
      const created = { body: await imageBody(cloud()), as: 'restricted' } as const;
      expect((await cloud().ask('POST', '/v4/server/instances', created)).status).toBe(403);
      const tagged = { body: { tags: ['mine'] }, as: 'restricted' } as const;
      expect((await cloud().ask('PUT', `/v4/server/instances/${serverId}`, tagged)).status).toBe(403);
    });
  },
);
