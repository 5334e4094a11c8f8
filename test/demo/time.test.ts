import { afterEach, describe, expect, test } from 'vitest';
import { type Clockwork, type Event, need, openClockwork, type Page, type Server } from './clock.ts';

let cloud: Clockwork;
afterEach(() => cloud.close());

const servers = async () => (await cloud.ask<Page<Server>>('servers', 'list')).body.data;
const server = async (id: number) => (await cloud.ask<Server>('servers', 'view', { serverId: `${id}` })).body;
const events = async () => (await cloud.ask<Page<Event>>('events', 'list')).body.data;
const about = async (id: number, action: string) =>
  need(
    (await events()).find((event) => event.action === action && event.entity.id === id),
    `${action} of ${id}`,
  );
const idle = async (status: string) => {
  const busy = (await events()).filter(({ status }) => status === 'started' || status === 'scheduled');
  const found = (await servers()).find(
    (one) => one.status === status && !busy.some(({ entity }) => entity.id === one.id),
  );
  return need(found, `${status} server`);
};

describe('state moves with time', () => {
  test('a resize is under way at the start, and ends with a boot', async () => {
    cloud = await openClockwork();
    const moving = need(
      (await servers()).find(({ status }) => status === 'migrating'),
      'migrating server',
    );
    const before = await about(moving.id, 'server_resize');
    expect(before.status).toBe('started');
    expect(before.rate).toMatch(/^\d+\.\d\d MB\/s$/);
    expect(before.time_remaining).toMatch(/^\d+:\d+:\d+$/);
    cloud.pass(60);
    const later = await about(moving.id, 'server_resize');
    expect(later.id).toBe(before.id);
    expect(Number(later.percent_complete)).toBeGreaterThan(Number(before.percent_complete));
    cloud.pass(145);
    expect(await server(moving.id)).toMatchObject({ status: 'booting', type: 'g6-standard-4' });
    expect(await about(moving.id, 'server_resize')).toMatchObject({
      status: 'finished',
      percent_complete: 100,
      time_remaining: null,
    });
    cloud.pass(20);
    expect((await server(moving.id)).status).toBe('running');
  });

  test('a creation goes through provisioning and booting', async () => {
    cloud = await openClockwork();
    const body = { region: 'us-east', type: 'g6-nanode-1', image: 'server/debian12', root_pass: 'a good one' };
    const created = await cloud.ask<Server>('servers', 'create', {}, { body });
    expect(created.body.status).toBe('provisioning');
    const { id } = created.body;
    expect((await about(id, 'server_create')).status).toBe('scheduled');
    const seen: string[] = [];
    for (let second = 0; second < 60; second += 1) {
      const { status } = await server(id);
      if (seen.at(-1) !== status) seen.push(status);
      cloud.pass(1);
    }
    expect(seen).toEqual(['provisioning', 'booting', 'running']);
  });

  test('a job keeps others off its server until it is done', async () => {
    cloud = await openClockwork();
    const { id } = await idle('running');
    const params = { serverId: `${id}` };
    expect((await cloud.ask('servers', 'shutdown', params)).status).toBe(200);
    const busy = { errors: [{ reason: 'Server busy.' }] };
    expect((await cloud.ask('servers', 'delete', params)).body).toEqual(busy);
    expect((await cloud.ask('servers', 'resize', params, { body: { type: 'g6-standard-8' } })).body).toEqual(busy);
    cloud.pass(11);
    expect((await server(id)).status).toBe('offline');
    expect((await cloud.ask('servers', 'delete', params)).status).toBe(200);
    expect((await cloud.ask('servers', 'view', params)).status).toBe(404);
  });

  test('a snapshot is still being processed when its event has finished', async () => {
    cloud = await openClockwork();
    const withBackups = need(
      (await servers()).find((one) => one.backups.enabled && one.status === 'running' && one.label === 'queue-1'),
      'server with backups',
    );
    const params = { serverId: `${withBackups.id}` };
    interface Backups {
      snapshot: { current: { label: string } | null; in_progress: { status: string } | null };
    }
    const slots = async () => (await cloud.ask<Backups>('backups', 'list', params)).body.snapshot;
    await cloud.ask('servers', 'snapshot', params, { body: { label: 'by hand' } });
    expect((await slots()).in_progress?.status).toBe('pending');
    cloud.pass(4);
    expect((await slots()).in_progress?.status).toBe('running');
    cloud.pass(40);
    expect((await about(withBackups.id, 'server_snapshot')).status).toBe('finished');
    expect((await slots()).in_progress?.status).toBe('needsPostProcessing');
    cloud.pass(8);
    expect(await slots()).toMatchObject({ current: { label: 'by hand' }, in_progress: null });
  });

  test('colleagues go on working, and a long pause costs only its last hours', async () => {
    cloud = await openClockwork();
    const first = need((await events())[0], 'event').id;
    cloud.pass(400);
    const told = (await events()).filter(({ id }) => id > first).length;
    expect(told).toBeGreaterThanOrEqual(8);
    cloud.pass(400 * 86_400);
    const { body } = await cloud.ask<Page<Event>>('events', 'list');
    expect(body.results).toBeGreaterThan(200);
    expect(body.results).toBeLessThan(1200);
  });

  test('the pace is how much faster everything goes', async () => {
    cloud = await openClockwork({ pace: 50 });
    const { id } = await idle('running');
    await cloud.ask('servers', 'shutdown', { serverId: `${id}` });
    cloud.pass(0.25);
    expect((await server(id)).status).toBe('offline');
  });
});
