import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { Problem } from '../../src/resources/problems/rule.ts';
import type { Row } from '../../src/resources/resource.ts';
import type { Event, EventsState } from '../../src/store/events.ts';
import { createNotices } from '../../src/store/notices.ts';
import { createNotifications } from '../../src/store/problems/notifications.ts';
import type { ProblemsState } from '../../src/store/problems/problems.ts';
import { createTransitions } from '../../src/store/problems/transitions.ts';
import { eventOf } from './openStores.ts';

beforeEach(() => void vi.useFakeTimers({ now: Date.parse('2025-06-10T10:00:00Z') }));
afterEach(() => void vi.useRealTimers());

const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1000);

const problemOf = (label: string, rule = 'server-no-backups', severity: Problem['severity'] = 'warning'): Problem => ({
  id: `${rule} ${label}`,
  severity,
  rule,
  resource: 'servers',
  params: { serverId: label },
  label,
  says: `${label} has ${rule.split('-').slice(1).join(' ')}`,
});

function open(examined: Partial<ProblemsState> = { examinedAt: 1 }) {
  const problems = createStore<ProblemsState>(() => ({ problems: [], acknowledged: [], news: [], ...examined }));
  const events = createStore<EventsState>(() => ({ events: [], polledAt: 1 }));
  const notices = createNotices(Date.now);
  const release = vi.fn();
  const watch = vi.fn(() => release);
  const notifications = createNotifications({
    problems: { ...problems, watch, regroup: () => {}, replaceRules: () => {}, stop: () => {} },
    transitions: createTransitions({ problems, events, now: Date.now }),
    events,
    notices,
    now: Date.now,
  });
  notifications.start();
  return {
    notifications,
    watch,
    release,
    examine: () => problems.setState({ examinedAt: Date.now() }),
    said: () => notices.getState().notices.map(({ tone, text }) => `${tone}: ${text}`),
    current: () => notices.getState().current,
    find: (...news: Problem[]) => problems.setState(({ problems }) => ({ news, problems: [...problems, ...news] })),
    mend: () => problems.setState({ problems: [] }),
    become: (...all: Problem[]) => problems.setState({ problems: all }),
    /** The oldest first. */
    see: (...rows: Row[]) => events.setState({ events: rows.toReversed() as Event[] }),
  };
}

describe('a new problem', () => {
  test('is said in its tone, and leads to its object', () => {
    const { find, said, current } = open();
    find(problemOf('web-1', 'server-offline', 'critical'));
    expect(said()).toEqual(['bad: web-1 has offline.']);
    expect(current()?.about).toEqual({ resource: 'servers', params: { serverId: 'web-1' } });
  });

  test('of which there are many is one notice, also when they come one after the other', async () => {
    const { find, said, current } = open();
    find(...Array.from({ length: 12 }, (_, index) => problemOf(`web-${index + 1}`)));
    expect(said()).toEqual(['warn: web-1 has no backups; the same for web-2, web-3 and 9 more.']);
    expect(current()?.about).toEqual({ resource: 'problems' });
    await seconds(59);
    find(problemOf('web-13'));
    expect(said()).toEqual(['warn: web-1 has no backups; the same for web-2, web-3 and 10 more.']);
    await seconds(60);
    find(problemOf('web-14'));
    expect(said()).toHaveLength(2);
    expect(said()[1]).toBe('warn: web-14 has no backups.');
  });

  test('of several kinds are said each, the worst first; of many kinds together', () => {
    const { find, said, current } = open();
    find(problemOf('a', 'x-1', 'critical'), problemOf('b', 'x-2', 'warning'), problemOf('c', 'x-3', 'notice'));
    expect(said()).toEqual(['bad: a has 1.', 'warn: b has 2.', 'plain: c has 3.']);
    expect(current()?.tone).toBe('bad');
    find(...['4', '5', '6', '7'].map((name) => problemOf('d', `x-${name}`, 'warning')));
    expect(said().slice(3)).toEqual(['warn: 4 new problems; the worst: d has 4.']);
  });

  test('of many kinds are told by the worst, also where it has come back and stayed', async () => {
    const { find, mend, said } = open();
    const critical = problemOf('a', 'server-down', 'critical');
    find(critical);
    mend();
    find(critical);
    await seconds(601);
    find(...['4', '5', '6', '7'].map((name) => problemOf('d', `x-${name}`, 'warning')));
    expect(said()).toEqual(['bad: a has down.', 'bad: 5 new problems; the worst: a has down.']);
  });

  test('that was there lately is none when it comes back, unless it stays', async () => {
    const { find, mend, said, see } = open();
    const off = problemOf('web-2', 'server-backups-off');
    const down = { ...problemOf('web-1', 'server-down'), since: 1 };
    find(off, down);
    expect(said()).toHaveLength(2);
    await seconds(1800);
    mend();
    await seconds(599);
    find(off, down);
    expect(said()).toHaveLength(2);
    mend();
    find({ ...down, since: 2 });
    await seconds(599);
    see();
    expect(said()).toHaveLength(2);
    await seconds(1);
    see();
    see();
    expect(said()).toHaveLength(3);
    mend();
    await seconds(600);
    mend();
    find(off);
    expect(said()).toHaveLength(4);
  });

  test('that becomes worse is said anew, and better is not', () => {
    const { find, become, said } = open();
    const down = problemOf('web-1', 'server-down');
    find(down);
    become({ ...down, severity: 'critical', says: 'web-1 is gone' });
    become(down);
    expect(said()).toEqual(['bad: web-1 is gone.']);
  });

  test('is wanted once somebody has had them examined, until it is stopped', () => {
    const { notifications, watch, release, examine, find, said } = open({});
    expect(watch).not.toHaveBeenCalled();
    examine();
    examine();
    expect(watch).toHaveBeenCalledOnce();
    notifications.stop();
    expect(release).toHaveBeenCalledOnce();
    find(problemOf('web-1'));
    expect(said()).toEqual([]);
  });
});

describe('the end of an action', () => {
  const server = (id: number) => ({ type: 'server', id, label: `web-${id}` });
  const resize = (status: string, id = 1, further: Row = {}) =>
    eventOf(id, 'server_resize', status, server(id), further);

  test('that took long while we looked is said', async () => {
    const { see, said, current } = open();
    see(resize('started'));
    await seconds(30);
    see(resize('finished', 1, { duration: 242 }));
    expect(said()).toEqual(['good: Server resize of web-1 finished after 4 min 2 s.']);
    expect(current()?.about).toEqual({ resource: 'servers', params: { serverId: '1' } });
    see(resize('finished', 1, { duration: 242 }));
    expect(said()).toHaveLength(1);
  });

  test('that was over soon, or failed, or was never seen to begin, is not', async () => {
    const { see, said } = open();
    see(resize('started'));
    await seconds(29);
    see(resize('finished'), resize('started', 2));
    await seconds(60);
    see(resize('failed', 2), resize('finished', 3));
    expect(said()).toEqual([]);
  });

  test('that this session began is said however short it was, also when its event came before the answer', async () => {
    const { notifications, see, said } = open();
    see(resize('scheduled'));
    await seconds(2);
    notifications.noteChange({ serverId: '1', diskId: '7' });
    await seconds(5);
    see(resize('finished', 1, { duration: 7 }));
    expect(said()).toEqual(['good: Server resize of web-1 finished after 7 s.']);
  });

  test('that others began long before our change is not ours', async () => {
    const { notifications, see, said } = open();
    see(resize('started', 1), resize('started', 2));
    await seconds(10);
    notifications.noteChange({ serverId: '1' });
    see(resize('finished', 1), resize('finished', 2));
    expect(said()).toEqual([]);
  });

  test('of which there are many is one notice', async () => {
    const { see, said, current } = open();
    const ids = [1, 2, 3, 4, 5];
    see(...ids.map((id) => resize('started', id)));
    await seconds(40);
    see(...ids.map((id) => resize(id < 4 ? 'finished' : 'started', id)));
    await seconds(2);
    see(...ids.map((id) => resize('finished', id)));
    expect(said()).toEqual(['good: Server resize of web-1, web-2 and 3 more finished.']);
    expect(current()?.about).toEqual({ resource: 'events' });
  });

  test('is said of entities that nobody knows, without a way there', async () => {
    const { see, said, current } = open();
    see(eventOf(1, 'cluster_upgrade', 'started', null), eventOf(2, 'odd', 'started', { type: 'odd', id: 5 }));
    await seconds(31);
    see(eventOf(1, 'cluster_upgrade', 'finished', null), eventOf(2, 'odd', 'finished', { type: 'odd', id: 5 }));
    expect(said()).toEqual(['good: Cluster upgrade finished after 31 s.', 'good: Odd of 5 finished after 31 s.']);
    expect(current()?.about).toBeUndefined();
  });
});
