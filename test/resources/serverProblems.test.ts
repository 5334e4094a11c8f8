import { describe, expect, it } from 'vitest';
import type { Usage } from '../../src/resources/resource.ts';
import { foundBy, present } from './foundBy.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** A time before the present as the API writes it. */
const ago = (ms: number) => new Date(present - ms).toISOString().slice(0, 19);

const server = {
  id: 7,
  label: 'web-1',
  status: 'running',
  region: 'us-east',
  type: 'g6-standard-2',
  alerts: { cpu: 180, io: 10_000, network_in: 10, network_out: 10, transfer_quota: 80 },
  backups: { enabled: true, last_successful: ago(hour), schedule: { day: 'Sunday', window: 'W2' } },
  watchdog_enabled: true,
  created: ago(90 * day),
  updated: ago(30 * day),
};

const event = (action: string, before: number, change: object = {}) => ({
  id: before,
  action,
  status: 'finished',
  username: 'operator',
  created: ago(before),
  duration: 30,
  entity: { type: 'server', id: 7, label: 'web-1' },
  ...change,
});

/** The findings of a rule about one server; the newest of the events comes first. */
const found = (rule: string, change: object, events: readonly object[] = [], more: object = {}) =>
  foundBy(rule, { lists: { servers: [{ ...server, ...change }] }, events: events as never, ...more });

const offline = { status: 'offline' };
const unasked = { username: null };
const boots = (count: number, every: number) =>
  Array.from({ length: count }, (_, index) => event('watchdog_reboot', (index + 1) * every, unasked));

describe('a server that is off', () => {
  it.each([
    [
      'a boot',
      [event('server_boot', 3 * day)],
      'web-1 is offline, and no user shut it down after its boot on 2024-04-28',
    ],
    [
      'a shutdown by nobody',
      [event('server_shutdown', hour, unasked)],
      'web-1 is offline; the platform shut it down, not a user',
      present - hour,
    ],
    [
      'a boot that failed',
      [event('server_reboot', hour, { status: 'failed' }), event('server_shutdown', 2 * hour)],
      'web-1 is offline; its last reboot failed',
      present - hour,
    ],
  ])('is down after %s', (_, events, says, since?: number) => {
    expect(found('server-down', offline, events)).toMatchObject([{ severity: 'critical', says, since }]);
  });

  it.each([
    ['a user shut it down', offline, [event('server_shutdown', hour), event('server_boot', day)]],
    ['something is under way', offline, [event('server_boot', minute, { status: 'started' })]],
    ['no event tells of it', offline, [event('server_update', hour)]],
    ['the event is about a volume', offline, [event('server_boot', hour, { entity: { type: 'volume', id: 7 } })]],
    ['it runs', {}, [event('server_boot', hour)]],
  ])('is not down when %s', (_, change, events) => {
    expect(found('server-down', change, events)).toEqual([]);
  });

  it('is stopped by the platform', () => {
    expect(found('server-stopped', { status: 'stopped' })).toMatchObject([
      { severity: 'critical', says: 'web-1 is stopped; the platform does this for maintenance' },
    ]);
    expect(found('server-stopped', offline)).toEqual([]);
  });

  it('is idle after a week, at its price', () => {
    const types = [{ id: 'g6-standard-2', price: { monthly: 24 } }];
    const lists = { servers: [{ ...server, ...offline }], 'server-types': types };
    expect(foundBy('server-idle', { lists, events: [event('server_shutdown', 7 * day)] })).toMatchObject([
      {
        severity: 'notice',
        says: 'web-1 is offline and still charged for: at least $24.00 a month',
        since: present - 7 * day,
      },
    ]);
    expect(found('server-idle', offline)).toMatchObject([{ says: 'web-1 is offline and still charged for' }]);
  });

  it.each([
    ['off for less than a week', offline, [event('server_shutdown', 7 * day - minute)]],
    ['down', offline, [event('server_boot', 9 * day)]],
    ['running', {}, [event('server_shutdown', 9 * day)]],
  ])('is not idle when it is %s', (_, change, events) => {
    expect(found('server-idle', change, events)).toEqual([]);
  });
});

describe('a server that is busy', () => {
  const busy = { status: 'shutting_down', updated: ago(2 * day) };
  const ended = (before: number) => [event('server_shutdown', before, { duration: 0 })];

  it('without an action under way is told of after a quarter of an hour', () => {
    const since = present - 15 * minute - 1000;
    expect(found('server-busy-too-long', busy, ended(15 * minute + 1000))).toMatchObject([
      { severity: 'warning', says: 'web-1 is shutting down, but no action on it is in progress', since },
    ]);
  });

  it.each([
    ['for a quarter of an hour', busy, ended(15 * minute)],
    ['with an action under way', busy, [event('server_shutdown', hour, { status: 'started' })]],
    ['and no event is loaded', busy, []],
    ['no more', {}, ended(hour)],
  ])('is not told of when it is so %s', (_, change, events) => {
    expect(found('server-busy-too-long', change, events)).toEqual([]);
  });

  const resize = (before: number, percent: number | null) => [
    event('server_resize', before, { status: 'started', percent_complete: percent }),
  ];

  it.each([
    [resize(6 * hour + 1000, 34), 'web-1 has not finished its resize after 6 hours; it is at 34%'],
    [resize(hour + 1000, 0), 'web-1 has not finished its resize after 60 minutes; it is at 0%'],
    [resize(7 * hour, null), 'web-1 has not finished its resize after 7 hours'],
  ])('is stuck: %#', (events, says) => {
    const since = present - Number(events[0]?.id);
    expect(found('server-action-stuck', busy, events)).toMatchObject([{ severity: 'warning', says, since }]);
  });

  it.each([
    [resize(6 * hour, 34)],
    [resize(hour, 0)],
    [[event('server_resize', day, { status: 'finished' })]],
    [[event('server_migrate', day, { status: 'scheduled' })]],
  ])('is not stuck: %#', (events) => {
    expect(found('server-action-stuck', busy, events)).toEqual([]);
  });
});

describe('server-reboot-loop', () => {
  const says = (count: number) => `web-1 was booted again ${count} times within 24 hours without a user asking for it`;

  it.each([
    [boots(3, 7 * hour), 3, 'warning', present - 21 * hour],
    [boots(4, 10 * minute), 4, 'critical', present - 40 * minute],
    [[...boots(2, hour), event('server_boot', 3 * hour, unasked)], 3, 'warning', present - 3 * hour],
  ])('counts the boots that nobody asked for: %#', (events, count, severity, since) => {
    expect(found('server-reboot-loop', {}, events)).toMatchObject([{ severity, says: says(count), since }]);
  });

  it.each([
    [boots(2, hour)],
    [boots(3, 8 * hour)],
    [[1, 2, 3, 4].map((hours) => event('server_reboot', hours * hour))],
  ])('lets the others be: %#', (events) => {
    expect(found('server-reboot-loop', {}, events)).toEqual([]);
  });
});

describe('a server above its alerts', () => {
  const loaded = (usage: Usage) => ({ usage: { 7: usage } });

  it.each([
    [
      'server-cpu-high',
      { cpu: 185 },
      'used 185% CPU (its CPUs added up) on average over the last 2 hours; its alert is at 180%',
    ],
    [
      'server-cpu-high',
      { cpu: 180.04 },
      'used 180.04% CPU (its CPUs added up) on average over the last 2 hours; its alert is at 180%',
    ],
    [
      'server-disk-io-high',
      { io: 12_345 },
      'did 12 345 disk operations a second on average over the last 2 hours; its alert is at 10 000',
    ],
    [
      'server-network-in-high',
      { networkIn: 10.4e6 },
      'received 10.4 Mbit/s on average over the last 2 hours; its alert is at 10 Mbit/s',
    ],
    [
      'server-network-out-high',
      { networkOut: 25e6 },
      'sent 25 Mbit/s on average over the last 2 hours; its alert is at 10 Mbit/s',
    ],
  ])('%s tells of %o', (rule, usage, says) => {
    expect(found(rule, {}, [], loaded(usage))).toMatchObject([{ severity: 'warning', says: `web-1 ${says}` }]);
  });

  it.each([
    ['server-cpu-high', { cpu: 180 }, {}],
    ['server-cpu-high', { cpu: 900 }, { alerts: { cpu: 0 } }],
    ['server-disk-io-high', { io: 10_000 }, {}],
    ['server-network-in-high', { networkIn: 10e6, networkOut: 90e6 }, {}],
    ['server-network-out-high', { networkIn: 90e6, networkOut: 10e6 }, {}],
  ])('%s lets %o be', (rule, usage, change) => {
    expect(found(rule, change, [], loaded(usage))).toEqual([]);
  });

  it('is not told of where its statistics were not read', () => {
    expect(found('server-cpu-high', {})).toEqual([]);
  });

  const transferred = (used: number, change: object = {}, billable = 0) =>
    found('server-transfer-quota', change, [], {
      answers: { 'servers transfer 7': { used: used * 2 ** 30, quota: 4000, billable } },
    });

  it('tells of transfer above its alert, and of what is charged for', () => {
    expect(transferred(3300)).toMatchObject([
      { severity: 'warning', says: 'web-1 used 83% of its transfer quota of 3.9 TiB this month; its alert is at 80%' },
    ]);
    expect(transferred(4200, { alerts: { transfer_quota: 0 } }, 200)).toMatchObject([
      { says: 'web-1 has used 200 GiB more than its transfer quota of 3.9 TiB this month; the excess is charged for' },
    ]);
  });

  it('lets transfer be at the alert, with the alert off, and where it was not read', () => {
    expect(transferred(3200)).toEqual([]);
    expect(transferred(3900, { alerts: { transfer_quota: 0 } })).toEqual([]);
    expect(found('server-transfer-quota', {})).toEqual([]);
  });
});

describe('what would save a server', () => {
  const backups = (last_successful: string | null, enabled = true) => ({ backups: { enabled, last_successful } });
  const noAlerts = { cpu: 0, io: 0, network_in: 0, network_out: 0, transfer_quota: 0 };

  it.each([
    [
      backups(ago(7 * day + 1000)),
      'web-1 has backups, but the last successful one is from 2024-04-24, 7 days ago',
      present - 7 * day - 1000,
    ],
    [backups(null), 'web-1 has backups turned on, but none has ever succeeded', present - 90 * day],
  ])('are backups, and these are stale: %#', (change, says, since) => {
    expect(found('server-backups-stale', change)).toMatchObject([{ severity: 'warning', says, since }]);
  });

  it.each([
    [backups(ago(7 * day)), []],
    [backups(ago(30 * day), false), []],
    [{ ...backups(null), created: ago(2 * day) }, []],
    [backups(null), [event('backups_enable', day)]],
  ])('are backups, and these are not stale: %#', (change, events) => {
    expect(found('server-backups-stale', change, events)).toEqual([]);
  });

  it.each([
    ['server-backups-off', backups(null, false), 'web-1 has no backups'],
    [
      'server-watchdog-off',
      { watchdog_enabled: false },
      'web-1 has its watchdog off: it is not booted again if it powers off',
    ],
    ['server-alerts-off', { alerts: noAlerts }, 'web-1 has all of its alerts off'],
  ])('%s tells that it is missing', (rule, change, says) => {
    expect(found(rule, change)).toMatchObject([{ severity: 'notice', says }]);
  });

  it.each([
    ['server-backups-off', {}],
    ['server-backups-off', { ...backups(null, false), ...offline }],
    ['server-watchdog-off', {}],
    ['server-alerts-off', { alerts: { ...noAlerts, io: 1 } }],
    ['server-alerts-off', { alerts: { cpu: 0 } }],
  ])('%s lets %o be', (rule, change) => {
    expect(found(rule, change)).toEqual([]);
  });

  const typed = (serverTypes: readonly object[], more: object = {}) =>
    foundBy('server-type-retired', { lists: { servers: [server], 'server-types': serverTypes as never }, ...more });

  it('is not a type that has gone', () => {
    expect(typed([{ id: 'g6-standard-2', successor: 'g7-standard-2' }])).toMatchObject([
      { severity: 'notice', says: 'web-1 is of the type g6-standard-2, which g7-standard-2 replaces' },
    ]);
    expect(typed([{ id: 'g7-standard-2' }])).toMatchObject([
      { says: 'web-1 is of the type g6-standard-2, which is no longer offered' },
    ]);
  });

  it('is a type on offer, or one of which nothing is known', () => {
    expect(typed([{ id: 'g6-standard-2', successor: null }])).toEqual([]);
    expect(typed([{ id: 'g7-standard-2' }], { partly: ['server-types'] })).toEqual([]);
    expect(typed([])).toEqual([]);
  });
});
