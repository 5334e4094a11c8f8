import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Row } from '../../src/resources/resource.ts';
import { causesOf, usersOf } from '../../src/store/history/causes.ts';

const noon = Date.UTC(2025, 5, 10, 12);
const text = (ms: number) => new Date(ms).toISOString().slice(0, 19);
const entity = { id: 7, label: 'data', type: 'volume' };
const event = (id: number, ms: number, username = 'operator', given: Row = {}): Row => ({
  id,
  action: 'volume_update',
  status: 'notification',
  created: text(noon + ms),
  entity,
  username,
  ...given,
});
const change = (id: string, ms: number, given: Row = {}): Row => ({
  id,
  at: noon + ms,
  endedAt: noon + ms + 200,
  profile: 'work',
  resource: 'volumes',
  action: 'edit',
  params: { volumeId: '7' },
  method: 'PUT',
  path: '/volumes/7',
  outcome: 'done',
  ...given,
});
const refused = { outcome: 'failed', status: 400 };
const joined = (sent: readonly Row[], events: readonly Row[], options = {}) =>
  [...causesOf(sent, events, options)].map(([one, other]) => [one.id, other.id]).sort();

describe('an event belongs to the change', () => {
  test('that was done, and not to one that was refused just after', () => {
    const sent = [change('refused', 37_800, refused), change('tag', 34_557, { action: 'tag' })];
    expect(joined(sent, [event(1, 34_557)])).toEqual([['tag', 1]]);
  });

  test('of about that time only where both are of one user', () => {
    const sent = [change('edit', 6_000)];
    expect(joined(sent, [event(1, 0)])).toEqual([]);
    expect(joined(sent, [event(1, 0)], { users: new Map([['work', 'operator']]) })).toEqual([['edit', 1]]);
  });

  test('of a part that it names: events of one second tell records of a domain apart', () => {
    const record = (label: string, given: Row = {}) =>
      change(label, 0, {
        resource: 'records',
        action: 'delete',
        method: 'DELETE',
        path: '/domains/1/records/2',
        label,
        ...given,
      });
    const about = { entity: { id: 1, type: 'domain' } };
    const gone = (id: number, message?: string) =>
      event(id, 0, 'operator', { ...about, action: 'dns_record_delete', ...(message && { message }) });
    expect(joined([record('A www'), record('A mail')], [gone(1, 'A mail'), gone(2, 'A www')])).toEqual([
      ['A mail', 1],
      ['A www', 2],
    ]);
    expect(joined([record('A www')], [gone(1)])).toEqual([['A www', 1]]);
    expect(joined([record('A www')], [gone(1, 'A api')])).toEqual([]);
    expect(joined([record('A www')], [event(1, 0, 'operator', { ...about, action: 'dns_zone_delete' })])).toEqual([]);
    const zone = change('zone', 0, { resource: 'domains', params: { domainId: '1' }, path: '/domains/1' });
    const updated = (action: string) => event(1, 0, 'operator', { ...about, action });
    expect(joined([zone], [updated('dns_record_update')])).toEqual([]);
    expect(joined([zone], [updated('dns_zone_update')])).toEqual([['zone', 1]]);
  });

  test('of its own user: that of a colleague is theirs, be it right after', () => {
    const sent = [change('first', 0), change('second', 10_000), change('third', 22_000)];
    const events = [event(1, 100), event(2, 10_100), event(3, 22_000, 'night-shift'), event(4, 12_500, 'night-shift')];
    const users = usersOf(sent, events);
    expect([...users]).toEqual([['work', 'operator']]);
    expect(joined(sent, events, { users })).toEqual([
      ['first', 1],
      ['second', 2],
    ]);
  });

  test('of no user where two did the same in one second and neither name is known', () => {
    const events = [event(1, 0), event(2, 0, 'night-shift')];
    expect(joined([change('edit', 500)], events)).toEqual([]);
    expect(joined([change('edit', 500)], [...events, event(3, -9000)])).toEqual([]);
    expect(joined([change('edit', 500)], events, { users: new Map([['work', 'night-shift']]) })).toEqual([['edit', 2]]);
  });

  test('of its kind: a config of the server is another thing than the server', () => {
    const about = { entity: { id: 7, type: 'server' } };
    const sent = change('edit', 0, { resource: 'servers', params: { serverId: '7' } });
    const [config, own] = [
      event(1, 0, 'operator', { ...about, action: 'server_config_update' }),
      event(2, 900, 'operator', { ...about, action: 'server_update' }),
    ];
    expect(joined([sent], [config])).toEqual([]);
    expect(joined([sent], [config, own])).toEqual([['edit', 2]]);
    const zone = { entity: { id: 7, type: 'domain' }, action: 'dns_zone_update' };
    expect(joined([change('zone', 0, { resource: 'domains' })], [event(3, 0, 'operator', zone)])).toEqual([
      ['zone', 3],
    ]);
  });

  test('by the clock of the API, as far as that is known', () => {
    const events = [event(1, 180_000), event(2, 190_000)];
    const sent = [change('one', 0), change('other', 10_000)];
    expect(joined(sent, events)).toEqual([]);
    expect(joined(sent, events, { ahead: 180_000 })).toEqual([
      ['one', 1],
      ['other', 2],
    ]);
  });

  test('whose answer was lost, or is still to come, but not to one that never left', () => {
    const users = new Map([['work', 'operator']]);
    const lost = ['answer lost', 'answer unknown', 'aborted', 'pending'].map((outcome) => ({ outcome }));
    for (const given of [...lost, { outcome: 'failed', status: 502 }]) {
      const sent = [change('one', 0, given)];
      expect(joined(sent, [event(1, 0)], { users })).toEqual([['one', 1]]);
      // It may not have been done, and then the event is of somebody else.
      expect(joined(sent, [event(1, 0, 'night-shift')], { users })).toEqual([]);
      expect(joined(sent, [event(1, 0)])).toEqual([]);
      expect([...usersOf(sent, [event(1, 0)])]).toEqual([]);
    }
    expect(joined([change('one', 0, { outcome: 'failed', status: 503 })], [event(1, 0)], { users })).toEqual([]);
    expect(joined([change('one', 0, { outcome: 'not sent' })], [event(1, 0)])).toEqual([]);
  });
});

/** Edits of one row in their order: done or refused from here, or done by a colleague; each some time after the last. */
const steps = fc.array(
  fc.record({
    kind: fc.constantFrom('own', 'refused', 'colleague'),
    afterMs: fc.integer({ min: 250, max: 6_000 }),
    tookMs: fc.integer({ min: 10, max: 240 }),
  }),
  { maxLength: 40 },
);

/** The rows and events that they leave behind, and the event of each change. */
function madeBy(those: readonly { kind: string; afterMs: number; tookMs: number }[], isSameUser: boolean) {
  const [sent, events]: [Row[], Row[]] = [[], []];
  const truth = new Map<unknown, unknown>();
  let time = 0;
  for (const [id, { kind, afterMs, tookMs }] of those.entries()) {
    time += afterMs;
    const own = kind === 'own';
    if (kind !== 'refused') events.push(event(id, time + tookMs / 2, own || isSameUser ? 'operator' : 'night-shift'));
    if (kind === 'colleague') continue;
    sent.push(change(String(id), time, { endedAt: noon + time + tookMs, ...(own ? {} : refused) }));
    if (own) truth.set(String(id), id);
  }
  return { sent, events, truth };
}

describe('whatever the order of own, refused and foreign changes', () => {
  test('each event is the right one’s, where users are known', () => {
    fc.assert(
      fc.property(steps, (those) => {
        const { sent, events, truth } = madeBy(those, false);
        const users = new Map([['work', 'operator']]);
        const found = causesOf(sent.toReversed(), events.toReversed(), { users });
        expect(new Set([...found.keys()].map(({ id }) => id))).toEqual(new Set(truth.keys()));
        expect(new Set([...found.values()].map(({ id }) => id))).toEqual(new Set(truth.values()));
        for (const [one, other] of found) {
          const right = events.find(({ id }) => id === truth.get(one.id));
          // Those of one second are alike.
          expect(other.created).toBe(right?.created);
        }
      }),
    );
  });

  test('each event is that of one change, each done change has one, and a refused one none, where users are alike', () => {
    fc.assert(
      fc.property(steps, (those) => {
        const { sent, events, truth } = madeBy(those, true);
        const found = causesOf(sent, events);
        expect([...found.keys()].map(({ id }) => id).sort()).toEqual([...truth.keys()].sort());
        expect(new Set(found.values()).size).toBe(found.size);
      }),
    );
  });
});
