import { expect, test } from 'vitest';
import { describeArea } from './area.ts';
import type { Cloud } from './cloud.ts';
import { accepts, range, refuses, word, yesOrNo } from './limits.ts';
import { serverSettings, statistics } from './managedNouns.ts';
import { emptyServer, serversOf } from './subjects.ts';

const path = '/v4/managed/server-settings';
const aServer = async (cloud: Cloud) => ({ serverId: (await serversOf(cloud))[0]?.id ?? 0 });

describeArea(
  'managed server settings and statistics (document 3, 4.4)',
  {
    'GET /v4/managed/server-settings': { answers: serverSettings },
    'GET /v4/managed/server-settings/{serverId}': { answers: serverSettings, params: aServer },
    'PUT /v4/managed/server-settings/{serverId}': {
      answers: serverSettings,
      params: aServer,
      body: () => ({ ssh: {} }),
      limits: [
        yesOrNo('ssh.access'),
        range('ssh.port', 1, 65535),
        accepts('ssh.user', word(31), word(32)),
        refuses('ssh.user', word(33), 5),
        accepts('ssh.ip', '192.0.2.7', '2001:db8::7'),
        refuses('ssh.ip', 'web.example.com', '192.0.2', 5),
        refuses('ssh', 'yes'),
      ],
    },
    'GET /v4/managed/stats': { answers: statistics },
  },
  (cloud) => {
    test('there is one for each server, under its id and label', async () => {
      const { id, label } = await emptyServer(cloud());
      const all = await cloud().all<{ id: number; label: string }>(path);
      const servers = await serversOf(cloud());
      expect(all.map((one) => one.id).sort()).toEqual(servers.map((one) => one.id).sort());
      expect(all.find((one) => one.id === id)?.label).toBe(label);
    });

    test('what is left out stays', async () => {
      const { serverId } = await aServer(cloud());
      await cloud().put(`${path}/${serverId}`, { ssh: { access: true, ip: '192.0.2.7', port: 2222, user: 'watch' } });
      const after = await cloud().put(`${path}/${serverId}`, { ssh: { access: false } });
      expect(after).toMatchObject({ ssh: { access: false, ip: '192.0.2.7', port: 2222, user: 'watch' } });
    });

    test('statistics are of the last 24 hours, in order', async () => {
      interface Statistics {
        data: Record<string, { x: number; y: number }[]>;
      }
      const { data } = await cloud().get<Statistics>('/v4/managed/stats');
      const day = 86_400_000;
      for (const [name, points] of Object.entries(data)) {
        const times = points.map(({ x }) => x);
        expect(times.length, name).toBeGreaterThan(200);
        expect(times).toEqual(times.toSorted((one, other) => one - other));
        expect(times.at(-1)).toBeLessThanOrEqual(cloud().now);
        expect(times[0]).toBeGreaterThanOrEqual(cloud().now - day);
      }
      expect(Math.max(...(data.cpu ?? []).map(({ y }) => y))).toBeGreaterThan(100);
    });
  },
);
