import { describe, expect, test } from 'vitest';
import { resourceNamed } from '../../src/resources/index.ts';
import { eventMarks, eventsAt } from '../../src/screens/graphs/useGraphBoard.ts';
import type { Event } from '../../src/store/events.ts';

const servers = resourceNamed('servers');
const event = (id: number, action: string, created: string, rest: object = {}): Event => ({
  id,
  action,
  created,
  status: 'finished',
  entity: { type: 'server', id: 7, label: 'web-1' },
  ...rest,
});
const events = [
  event(4, 'server_reboot', '2026-05-13T11:00:00'),
  event(3, 'server_config_update', '2026-05-13T10:30:00', { status: 'failed' }),
  event(2, 'server_resize', '2026-05-13T10:00:00', { entity: { type: 'server', id: 8 } }),
  event(1, 'server_update', '2026-05-13T09:00:00'),
  event(0, 'constructor', '2026-05-13T09:00:00'),
  event(5, 'server_boot', 'yesterday'),
  event(6, 'server_boot', '2026-05-13T10:00:00', { entity: { type: 'volume', id: 7 } }),
  event(7, 'server_boot', '2026-05-13T10:00:00', { entity: null }),
];
const at = (clock: string) => Date.parse(`2026-05-13T${clock}:00Z`);

describe('the events of graphs', () => {
  test('of one row have a letter each, what failed a mark of its own, the oldest first', () => {
    const marks = eventMarks(servers, [{ id: '7', label: 'web-1' }], events, '✗');
    expect(marks).toEqual([
      { at: at('10:30'), letter: '✗', role: 'bad', member: 0, says: '✗ 05-13 10:30 server config update failed' },
      { at: at('11:00'), letter: 'R', role: 'title', member: 0, says: 'R 05-13 11:00 server reboot' },
    ]);
  });

  test('of several rows have the colour and the name of their row', () => {
    const members = [
      { id: '7', label: 'web-1' },
      { id: '8', label: 'web-2' },
    ];
    const marks = eventMarks(servers, members, events, 'x', ['series1', 'series2']);
    expect(marks.map(({ letter, role }) => `${letter} ${role}`)).toEqual(['Z series2', 'x series1', 'R series1']);
    expect(eventsAt(marks, at('10:10'), 20 * 60_000)).toBe(
      'Z 05-13 10:00 web-2: server resize, x 05-13 10:30 web-1: server config update failed',
    );
    expect(eventsAt(marks, at('10:10'), 60_000)).toBe('');
    expect(eventsAt(marks, undefined, 1e12)).toBe('');
  });
});
