import { expect, test } from 'vitest';
import { describeArea } from './area.ts';
import type { Cloud } from './cloud.ts';
import { lengths, refuses, required, word } from './limits.ts';
import { type Backup, type Backups, backup } from './nouns.ts';
import { list, nullable, object } from './shapes.ts';
import { newServer, serversOf } from './subjects.ts';

const path = (serverId: number) => `/v4/server/instances/${serverId}/backups`;

const backedUp = async (cloud: Cloud) => {
  const server = (await serversOf(cloud)).find(({ backups }) => backups.enabled);
  return { serverId: server?.id ?? 0 };
};

const fresh = async (cloud: Cloud) => ({ serverId: (await newServer(cloud, { backups_enabled: true })).id });

const backups = object({
  automatic: list(backup),
  snapshot: object({ current: nullable(backup), in_progress: nullable(backup) }),
});

describeArea(
  'backups (document 2, 4.1)',
  {
    'GET /v4/server/instances/{serverId}/backups': { answers: backups, params: backedUp },
    'POST /v4/server/instances/{serverId}/backups': {
      answers: backup,
      params: fresh,
      body: () => ({ label: word(10) }),
      limits: [required('label'), lengths('label', 1, 255), refuses('label', 5)],
    },
  },
  (cloud) => {
    const taken = (serverId: number, label: string) =>
      cloud().until(`the snapshot ${label} is taken`, async () => {
        const { snapshot } = await cloud().get<Backups>(path(serverId));
        return snapshot.in_progress === null && snapshot.current?.label === label && snapshot.current;
      });

    test('a snapshot is pending, under way, then the current one', async () => {
      const { serverId } = await fresh(cloud());
      const created = await cloud().post<Backup>(path(serverId), { label: 'first' });
      expect(created).toMatchObject({ label: 'first', type: 'snapshot', status: 'pending', finished: null });
      expect((await cloud().get<Backups>(path(serverId))).snapshot.in_progress).toMatchObject({ id: created.id });
      const current = await taken(serverId, 'first');
      expect(current).toMatchObject({ id: created.id, status: 'successful' });
      expect(current.disks.length).toBeGreaterThan(0);
    });

    test('a further one replaces it', async () => {
      const { serverId } = await fresh(cloud());
      await cloud().post(path(serverId), { label: 'first' });
      const first = await taken(serverId, 'first');
      await cloud().post(path(serverId), { label: 'second' });
      const second = await taken(serverId, 'second');
      expect(second.id).not.toBe(first.id);
      const all = await cloud().get<Backups>(path(serverId));
      expect(JSON.stringify(all)).not.toContain('"first"');
    });

    test('automatic ones have no label', async () => {
      const { serverId } = await backedUp(cloud());
      const { automatic } = await cloud().get<Backups>(path(serverId));
      expect(automatic.length).toBeGreaterThan(0);
      expect(automatic.every(({ type, label }) => type === 'auto' && label === null)).toBe(true);
    });
  },
);
