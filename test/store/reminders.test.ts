import { expect, test, vi } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { resourceNamed } from '../../src/resources/index.ts';
import type { Problem } from '../../src/resources/problems/rule.ts';
import type { Event, EventsState } from '../../src/store/events.ts';
import { createNotices } from '../../src/store/notices.ts';
import type { ProblemsState } from '../../src/store/problems/problems.ts';
import { createReminders } from '../../src/store/problems/reminders.ts';
import { eventOf } from './openStores.ts';

const servers = resourceNamed('servers');
const problem: Problem = {
  id: 'server-down 1',
  severity: 'critical',
  rule: 'server-down',
  resource: 'servers',
  params: { serverId: '1' },
  label: 'web-1',
  says: 'web-1 is offline',
};
const entity = { type: 'server', id: 1, label: 'web-1' };
const boot = (status: string) => eventOf(9, 'server_boot', status, entity) as Event;
const about = { resource: servers, row: { id: 1, label: 'web-1' }, params: { serverId: '1' } };

function open() {
  const release = vi.fn();
  const problems = createStore<ProblemsState>(() => ({ problems: [], acknowledged: [], news: [], examinedAt: 1 }));
  const events = createStore<EventsState>(() => ({ events: [], polledAt: 1 }));
  const notices = createNotices(Date.now);
  const watched = { ...problems, watch: () => release, regroup: () => {}, replaceRules: () => {}, stop: () => {} };
  const reminders = createReminders({ problems: watched, events, notices });
  const heard: string[] = [];
  reminders.onDue((says) => heard.push(says));
  const said = () => notices.getState().notices.map(({ text }) => text);
  return { problems, events, reminders, heard, said, release };
}

test('a problem that is acknowledged is still there; once it is gone, that is told once', () => {
  const { problems, reminders, heard, said, release } = open();
  problems.setState({ problems: [problem] });
  expect(reminders.endOf(about)).toBe('when it is solved');
  reminders.toggle({ ...about, row: undefined, problem });
  problems.setState({ problems: [], acknowledged: [problem] });
  expect(heard).toEqual([]);
  problems.setState({ acknowledged: [] });
  problems.setState({ problems: [problem] });
  problems.setState({ problems: [] });
  expect(heard).toEqual(['This is a problem no more: web-1 is offline.']);
  expect(said().at(-1)).toBe(heard[0]);
  expect(release).toHaveBeenCalledTimes(1);
});

test('a job that fails is told so; one that was taken back is not told', () => {
  const { events, reminders, heard, said } = open();
  reminders.toggle(about);
  expect(said()).toEqual(['web-1 has no job in progress and no known problem.']);
  events.setState({ events: [boot('started')] });
  reminders.toggle(about);
  reminders.toggle(about);
  expect(reminders.isSet(about)).toBe(false);
  events.setState({ events: [boot('failed')] });
  expect(heard).toEqual([]);
  events.setState({ events: [boot('started')] });
  reminders.toggle({ resource: resourceNamed('events'), row: boot('started'), params: { eventId: '9' } });
  events.setState({ events: [boot('paused')] });
  expect(heard).toEqual([]);
  events.setState({ events: [boot('failed')] });
  expect(heard).toEqual(['Server boot of web-1 has failed.']);
});
