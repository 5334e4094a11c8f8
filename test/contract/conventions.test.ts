import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Cloud, openCloud } from './cloud.ts';
import { names } from './limits.ts';
import type { Event, Server, Volume } from './nouns.ts';
import { errorBody } from './shapes.ts';
import { serversOf } from './subjects.ts';

describe('conventions (document 1, 5, 7, 8)', () => {
  let cloud: Cloud;
  beforeAll(async () => {
    cloud = await openCloud();
  });
  afterAll(() => cloud.close());

  const filtered = (path: string, filter: unknown) =>
    cloud.ask('GET', path, { headers: { 'x-filter': typeof filter === 'string' ? filter : JSON.stringify(filter) } });
  const rows = async <T>(path: string, filter: unknown) => {
    const { status, body } = await filtered(path, filter);
    expect(status, JSON.stringify(body)).toBe(200);
    return (body as { data: T[] }).data;
  };

  test('a path that is none is not found, with an error body', async () => {
    for (const path of ['/v4/no-such-thing', '/v4/volumes/1/no-such-thing']) {
      const answer = await cloud.ask('GET', path);
      expect([path, answer.status]).toEqual([path, 404]);
      expect(errorBody(answer.body)).toEqual([]);
    }
  });

  test('an id that is no number is not found', async () => {
    for (const path of ['/v4/volumes/many', '/v4/server/instances/12x'])
      expect([path, (await cloud.ask('GET', path)).status]).toEqual([path, 404]);
  });

  test('a token is told what it has and what the operation takes', async () => {
    const { headers } = await cloud.ask('GET', '/v4/volumes', { as: 'readOnly' });
    expect(headers.get('x-oauth-scopes')).toContain('volumes:read_only');
    expect(headers.get('x-accepted-oauth-scopes')).toContain('volumes:read_only');
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(await cloud.scopes('full')).toEqual(['*']);
    expect((await cloud.scopes('readOnly')).every((scope) => scope.endsWith(':read_only'))).toBe(true);
  });

  test('an authorization of another kind is none', async () => {
    for (const authorization of ['Basic YTpi', 'Bearer', 'Bearer ', 'no-such-token']) {
      const { status } = await cloud.ask('GET', '/v4/volumes', { as: 'nobody', headers: { authorization } });
      expect([authorization, status]).toEqual([authorization, 401]);
    }
  });

  test('a filter picks by one field, by several, and by either', async () => {
    const [first, second] = await serversOf(cloud);
    const path = '/v4/server/instances';
    const ids = async (filter: unknown) => (await rows<Server>(path, filter)).map(({ id }) => id).sort();
    expect(await ids({ label: first?.label })).toEqual([first?.id]);
    expect(await ids({ label: first?.label, id: second?.id })).toEqual([]);
    expect(await ids({ '+or': [{ id: first?.id }, { id: second?.id }] })).toEqual([first?.id, second?.id].sort());
    expect(await ids({ '+and': [{ id: first?.id }, { region: first?.region }] })).toEqual([first?.id]);
    expect(await ids({ label: { '+contains': first?.label.slice(1) } })).toContain(first?.id);
    expect(await ids({ id: { '+neq': first?.id } })).not.toContain(first?.id);
  });

  test('a filter picks and orders by time', async () => {
    const events = await cloud.all<Event>('/v4/account/events');
    const middle = events[40];
    const since = { created: { '+gte': middle?.created } };
    expect(await rows<Event>('/v4/account/events', since)).toHaveLength(
      events.filter(({ created }) => created >= (middle?.created ?? '')).length,
    );
    const above = await rows<Event>('/v4/account/events', { id: { '+gt': middle?.id } });
    expect(above.every(({ id }) => id > (middle?.id ?? 0))).toBe(true);
    const labels = async (order: string) =>
      (await rows<Volume>('/v4/volumes', { '+order_by': 'label', '+order': order })).map(({ label }) => label);
    expect(await labels('asc')).toEqual((await labels('asc')).toSorted());
    expect(await labels('desc')).toEqual((await labels('asc')).toReversed());
  });

  test.each([{ hypervisor: 'kvm' }, { no_such_field: 1 }, '{"label":', '[]', { label: { '+like': 'x' } }])(
    'a filter %j is refused, with the header as its field',
    async (filter) => {
      const { status, body } = await filtered('/v4/server/instances', filter);
      expect(status).toBe(400);
      expect(names('X-Filter', (body as { errors: { field?: string; reason: string }[] }).errors)).toBe(true);
    },
  );
});
