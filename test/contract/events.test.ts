import { expect, test } from 'vitest';
import { describeArea } from './area.ts';
import type { Cloud } from './cloud.ts';
import { type Event, event } from './nouns.ts';
import { nothing } from './shapes.ts';
import { idleServer, newVolume } from './subjects.ts';

const events = '/v4/account/events';

const eventAt = (index: number) => async (cloud: Cloud) => {
  const all = await cloud.all<Event>(events);
  return { eventId: all.at(index)?.id ?? 0 };
};

describeArea(
  'events (document 1, 4.3)',
  {
    'GET /v4/account/events': { answers: event },
    'GET /v4/account/events/{eventId}': { answers: event, params: eventAt(3) },
    'POST /v4/account/events/{eventId}/read': { answers: nothing, params: eventAt(-1) },
    'POST /v4/account/events/{eventId}/seen': { answers: nothing, params: eventAt(-1) },
  },
  (cloud) => {
    test('read marks that event and no other', async () => {
      const before = await cloud().all<Event>(events);
      const [first, second] = before.filter(({ read }) => !read);
      if (!first || !second) throw new Error('two unread events are needed');
      await cloud().post(`${events}/${second.id}/read`);
      const after = await cloud().all<Event>(events);
      const changed = after.filter(({ id, read }) => read !== before.find((event) => event.id === id)?.read);
      expect(changed.map(({ id }) => id)).toEqual([second.id]);
      expect(after.find(({ id }) => id === first.id)?.read).toBe(false);
    });

    test('seen marks that event and every one with a lower id, and none above', async () => {
      await newVolume(cloud());
      const before = await cloud().all<Event>(events);
      const unseen = before.filter(({ seen }) => !seen).toSorted((a, b) => a.id - b.id);
      const middle = unseen.at(-2);
      if (!middle) throw new Error('two unseen events are needed');
      await cloud().post(`${events}/${middle.id}/seen`);
      const after = await cloud().all<Event>(events);
      expect(after.filter(({ id }) => id <= middle.id).every(({ seen }) => seen)).toBe(true);
      expect(after.find(({ id }) => id === unseen.at(-1)?.id)?.seen).toBe(false);
    });

    test('the newest comes first, none is older than 90 days, ids grow with time', async () => {
      const all = await cloud().all<Event>(events);
      const times = all.map(({ created }) => Date.parse(`${created}Z`));
      expect(times).toEqual(times.toSorted((a, b) => b - a));
      expect(times.at(-1)).toBeGreaterThanOrEqual(cloud().now - 90 * 86_400_000);
      expect(times[0]).toBeLessThanOrEqual(cloud().now);
      expect(all.map(({ id }) => id)).toEqual(all.map(({ id }) => id).toSorted((a, b) => b - a));
    });

    test('a notification has neither percent nor duration; what is finished has 100', async () => {
      for (const { status, percent_complete, duration } of await cloud().all<Event>(events)) {
        if (status === 'notification') expect([percent_complete, duration]).toEqual([null, null]);
        if (status === 'finished') expect(percent_complete).toBe(100);
        if (status === 'scheduled') expect([percent_complete, duration]).toEqual([0, null]);
      }
    });

    test('a change is told by an event that names its entity', async () => {
      const volume = await newVolume(cloud());
      const { data } = await cloud().get<{ data: Event[] }>(events);
      const told = data.find(({ action, entity }) => action === 'volume_create' && entity?.id === volume.id);
      expect(told?.entity).toMatchObject({ type: 'volume', label: volume.label, url: `/v4/volumes/${volume.id}` });
    });

    test('a long job goes from 0 to 100 and never back', async () => {
      const server = await idleServer(cloud());
      await cloud().post(`/v4/server/instances/${server.id}/shutdown`);
      const seen: number[] = [];
      await cloud().until('the shutdown is finished', async () => {
        const { data } = await cloud().get<{ data: Event[] }>(events);
        const job = data.find(({ action, entity }) => action === 'server_shutdown' && entity?.id === server.id);
        seen.push(job?.percent_complete ?? 0);
        return job?.status === 'finished';
      });
      expect(seen).toEqual(seen.toSorted((a, b) => a - b));
      expect(seen.at(-1)).toBe(100);
    });
  },
);
