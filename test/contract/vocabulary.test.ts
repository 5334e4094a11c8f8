import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Cloud, openCloud } from './cloud.ts';
import { password, word } from './limits.ts';

type Thing = Record<string, unknown> & { id: number | string };

describe('a cloud with words of its own', () => {
  let cloud: Cloud;
  beforeAll(async () => {
    cloud = await openCloud({ server: 'acme', servers: 'acmes', kube: 'ake', monitor: 'view', watchdog: 'lassie' });
  });
  afterAll(() => cloud.close());

  test('paths are in its words only', async () => {
    expect((await cloud.all<Thing>('/v4/acme/instances')).length).toBeGreaterThan(0);
    expect((await cloud.ask('GET', '/v4/server/instances')).status).toBe(404);
  });

  test('keys and ids too, a watchdog of a server excepted', async () => {
    const [server] = await cloud.all<Thing>('/v4/acme/instances');
    expect(server).toHaveProperty('watchdog_enabled');
    const volumes = await cloud.all<Thing>('/v4/volumes');
    expect(volumes.some(({ acme_id }) => Number.isInteger(acme_id))).toBe(true);
    for (const volume of volumes) {
      expect(volume).toHaveProperty('acme_label');
      expect(Object.keys(volume).filter((key) => key.startsWith('server_'))).toEqual([]);
    }
    const kernel = await cloud.get<Thing>('/v4/acme/kernels/acme/latest-64bit');
    expect(kernel.id).toBe('acme/latest-64bit');
    const images = await cloud.all<Thing>('/v4/images');
    expect(images.some(({ id }) => String(id).startsWith('acme/'))).toBe(true);
    expect(images.filter(({ id }) => String(id).startsWith('server/'))).toEqual([]);
  });

  test('scopes and events too', async () => {
    const scopes = await cloud.scopes('readOnly');
    expect(scopes).toContain('acmes:read_only');
    expect(scopes.filter((scope) => scope.startsWith('servers:'))).toEqual([]);
    interface Event {
      action: string;
      entity: { type: string; url: string } | null;
    }
    const events = await cloud.all<Event>('/v4/account/events');
    const about = events.filter(({ action }) => action.startsWith('acme_'));
    expect(about.length).toBeGreaterThan(0);
    expect(about.some(({ entity }) => entity?.type === 'acme' && entity.url.startsWith('/v4/acme/instances/'))).toBe(
      true,
    );
    expect(events.filter(({ action }) => action.startsWith('server_'))).toEqual([]);
  });

  test('a body is understood in its words, and what a user wrote stays as it is', async () => {
    const all = await cloud.all<Thing>('/v4/acme/instances');
    const [like] = all;
    const images = await cloud.all<Thing>('/v4/images');
    const image = images.find(({ is_public, deprecated }) => is_public && !deprecated)?.id;
    const label = `server-${word(6)}`;
    const body = { region: like?.region, type: like?.type, image, root_pass: password(20), label, tags: ['server'] };
    const server = await cloud.post<Thing>('/v4/acme/instances', body);
    expect(server).toMatchObject({ label, image, tags: ['server'] });
    await cloud.until('it is running', async () => {
      const { status } = await cloud.get<Thing>(`/v4/acme/instances/${server.id}`);
      return status === 'running';
    });
    const volume = await cloud.post<Thing>('/v4/volumes', { label: 'server_id', acme_id: server.id });
    expect(volume).toMatchObject({ acme_id: server.id, acme_label: label, label: 'server_id' });
    const complaints = await cloud.refused('POST', '/v4/volumes', { label: word(8), acme_id: 987654321 });
    expect(complaints.map(({ field }) => field)).toEqual(['acme_id']);
  });
});
