import { describe, expect, it } from 'vitest';
import type { Row } from '../../src/resources/resource.ts';
import { rules } from '../../src/resources/rules/index.ts';
import { foundBy, present } from './foundBy.ts';
import { knowing } from './known.ts';

const hour = 3_600_000;
const stamp = (ago: number) => new Date(present - ago).toISOString().slice(0, 19);

const ticket = {
  id: 12,
  summary: 'Disk latency',
  status: 'open',
  closable: true,
  opened: stamp(100 * hour),
  opened_by: 'operator',
  updated: stamp(50 * hour),
  updated_by: 'support',
};
const byUs = { updated_by: 'operator' };
const events = [{ id: 1, action: 'server_boot', username: 'operator' }];
const replies = (from_server: boolean) => [
  { params: { ticketId: '12' }, rows: [{ id: 1, created_by: 'somebody', from_server }], whole: true },
];

describe('tickets', () => {
  const found = (
    name: string,
    change: object,
    { lists, ...more }: { lists?: object; events?: readonly Row[] } = { events },
  ) => foundBy(name, { ...more, lists: { tickets: [{ ...ticket, ...change }], ...lists } });
  const waits = 'ticket-waits-for-answer';
  const unanswered = 'ticket-unanswered';

  it('that wait for an answer of the account', () => {
    expect(found(waits, {})).toMatchObject([
      {
        severity: 'notice',
        says: 'support wrote last in ticket 12 (Disk latency); it waits for your answer',
        since: present - 50 * hour,
      },
    ]);
  });

  it('that wait for an answer of the platform', () => {
    expect(found(unanswered, byUs)).toMatchObject([
      {
        severity: 'notice',
        says: 'The platform has not answered ticket 12 (Disk latency) for 2 days',
        since: present - 50 * hour,
      },
    ]);
    expect(found(unanswered, { ...byUs, updated: stamp(24 * hour) })).toHaveLength(1);
    expect(found(unanswered, { ...byUs, updated: stamp(24 * hour - 1000) })).toEqual([]);
  });

  const colleague = { events: [...events, { id: 2, action: 'server_boot', username: 'night-shift' }] };
  const answered = { events: [{ id: 3, action: 'ticket_update', username: 'support' }, ...events] };

  it.each([
    ['somebody else than who opened it wrote last', {}, {}, 'us'],
    ['a colleague wrote last', { updated_by: 'night-shift' }, colleague, 'platform'],
    ['staff shows up in events, but of tickets only', {}, answered, 'us'],
    ['who opened it wrote last, and has done other things', byUs, { events }, 'platform'],
    ['it is new and nobody has answered', { status: 'new', ...byUs }, {}, 'platform'],
    ['the platform opened it', { closable: false, opened_by: 'support' }, {}, 'us'],
    ['nothing tells who is who', byUs, {}, undefined],
    ['its last reply is from staff', byUs, { events, lists: { replies: replies(true) } }, 'us'],
    ['its last reply is from the account', {}, { events, lists: { replies: replies(false) } }, 'platform'],
    ['it is closed', { status: 'closed' }, {}, undefined],
    ['it is closed by us', { status: 'closed', ...byUs }, { events }, undefined],
  ])('when %s', (_when, change, more, waitsFor) => {
    expect(found(waits, change, more)).toHaveLength(waitsFor === 'us' ? 1 : 0);
    expect(found(unanswered, change, more)).toHaveLength(waitsFor === 'platform' ? 1 : 0);
  });

  it('know staff by the replies to other tickets', () => {
    const other = {
      params: { ticketId: '9' },
      rows: [{ id: 1, created_by: 'support', from_server: true }],
      whole: true,
    };
    const opened = { opened_by: 'support' };
    expect(found(waits, opened, { lists: { replies: [other] } })).toHaveLength(1);
    expect(found(waits, opened, {})).toEqual([]);
  });
});

describe('event-failed', () => {
  const failed = {
    id: 40,
    action: 'server_boot',
    status: 'failed',
    created: stamp(hour),
    entity: { id: 3, type: 'server', label: 'web-3' },
    read: false,
    message: '',
  };
  const saysOf = (...events: readonly object[]) =>
    foundBy('event-failed', { lists: { events: events as never }, events: events as never }).map(({ says }) => says);

  it('names what failed, why and when', () => {
    expect(foundBy('event-failed', { lists: { events: [{ ...failed, message: 'The host is full.' }] } })).toMatchObject(
      [{ severity: 'warning', says: 'Server boot of web-3 failed: The host is full.', since: present - hour }],
    );
  });

  it('reads the time only where something failed, as what reads it is examined each minute', () => {
    const readsTime = (event: object) => {
      let isRead = false;
      const view = {
        ...knowing({}),
        get now() {
          isRead = true;
          return present;
        },
      };
      rules.find(({ name }) => name === 'event-failed')?.find(event as Row, view, {});
      return isRead;
    };
    expect([failed, { ...failed, status: 'finished' }, { ...failed, read: true }].map(readsTime)).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('tells several failures of one entity as one, the last', () => {
    const resize = { ...failed, id: 41, action: 'server_resize' };
    const other = { ...failed, id: 39, entity: { id: 4, type: 'server', label: 'web-4' } };
    expect(saysOf(resize, failed, other)).toEqual([
      'Server resize of web-3 failed, as did 1 more of its events in the last day',
      'Server boot of web-4 failed',
    ]);
  });

  it('counts events about nothing each for itself', () => {
    const nothing = { ...failed, entity: null, action: 'payment_submitted' };
    expect(saysOf(nothing, { ...nothing, id: 39 })).toEqual(['Payment submitted failed', 'Payment submitted failed']);
  });

  it.each([
    ['read', [{ ...failed, read: true }]],
    ['a day old', [{ ...failed, created: stamp(24 * hour) }]],
    ['finished', [{ ...failed, status: 'finished' }]],
    ['followed by a success', [{ ...failed, id: 41, status: 'finished' }, failed]],
  ])('says nothing of one that is %s', (_what, events) => {
    expect(saysOf(...events)).toEqual([]);
  });

  it('is not silenced by the success of something else, or before', () => {
    expect(saysOf({ ...failed, id: 41, action: 'server_update', status: 'finished' }, failed)).toHaveLength(1);
    expect(saysOf(failed, { ...failed, id: 39, status: 'finished' })).toHaveLength(1);
  });
});
