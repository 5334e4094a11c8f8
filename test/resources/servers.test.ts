import { describe, expect, test } from 'vitest';
import { bodyOf, draftOf, formFields } from '../../src/resources/body.ts';
import { summaryOf } from '../../src/resources/compute/load.ts';
import { servers } from '../../src/resources/compute/servers.ts';
import type { CacheView, Draft, Entry, Row } from '../../src/resources/resource.ts';
import { complaintsOf } from '../../src/resources/verdict.ts';
import { actionOf, saidBy } from './actionOf.ts';
import { knowing } from './known.ts';

const server = {
  id: 12,
  label: 'web-1',
  status: 'running',
  type: 'small',
  group: '',
  tags: ['web'],
  ipv4: ['192.168.1.2', '192.0.2.10'],
  ipv6: '2001:db8::1/128',
  specs: { disk: 80_000, memory: 4096, transfer: 4000, vcpus: 2 },
  alerts: { cpu: 180, io: 10_000, network_in: 10, network_out: 10, transfer_quota: 80 },
  backups: { enabled: true, last_successful: null, schedule: { day: 'Sunday', window: 'W10' } },
  watchdog_enabled: true,
};
const bare = { ...server, backups: { enabled: false, last_successful: null, schedule: { day: null, window: null } } };

const actionNamed = (name: string) => actionOf(servers, name);
const wrongFields = (name: string, draft: Draft, row: Row = server, view = knowing()) =>
  complaintsOf(servers, actionNamed(name), draft, view, row).map(({ field }) => field);

describe('edit', () => {
  const edit = actionNamed('edit');
  const draft = draftOf(servers, edit, server);

  test('starts right and sends only what differs, nested', () => {
    expect(wrongFields('edit', draft)).toEqual([]);
    expect(bodyOf(servers, edit, draft, server)).toEqual({});
    const change = { 'alerts.cpu': '150', 'backups.schedule.window': 'W12', watchdog_enabled: false };
    expect(bodyOf(servers, edit, { ...draft, ...change }, server)).toEqual({
      alerts: { cpu: 150 },
      backups: { schedule: { window: 'W12' } },
      watchdog_enabled: false,
    });
  });

  test('takes away all tags and the group', () => {
    expect(bodyOf(servers, edit, { ...draft, tags: [] }, server)).toEqual({ tags: [] });
    const grouped = { ...server, group: 'old' };
    expect(bodyOf(servers, edit, { ...draft, group: '' }, grouped)).toEqual({ group: '' });
  });

  test.each([
    ['W10', '10:00 to 12:00 UTC'],
    ['W22', '22:00 to 0:00 UTC'],
    ['Scheduling', 'Scheduling'],
    [null, null],
  ])('tells the backup window %s as %s', (window, wanted) => {
    const told = servers.card?.find(({ title }) => title === 'Backup window')?.value;
    const row = { ...server, backups: { ...server.backups, schedule: { day: 'Sunday', window } } };
    expect(typeof told === 'function' && told(row, knowing())).toBe(wanted);
  });

  test('offers the backup schedule only where backups are on', () => {
    const names = (row: Row) => formFields(servers, edit, {}, row).map(({ name }) => name);
    expect(names(server)).toContain('backups.schedule.day');
    expect(names(bare)).not.toContain('backups.schedule.day');
  });

  test.each<[string, Entry, boolean]>([
    ['label', '', false],
    ['alerts.cpu', '-1', false],
    ['alerts.cpu', '0', true],
    ['alerts.cpu', '200', true],
    ['alerts.cpu', '201', false],
    ['alerts.cpu', '', false],
    ['alerts.io', '-1', false],
    ['alerts.io', '0', true],
    ['alerts.network_in', '-1', false],
    ['alerts.network_out', '0', true],
    ['alerts.transfer_quota', '1.5', false],
    ['backups.schedule.day', 'Someday', false],
    ['backups.schedule.day', 'Scheduling', true],
    ['backups.schedule.window', 'W22', true],
    ['backups.schedule.window', 'W24', false],
    ['backups.schedule.window', 'W1', false],
  ])('with %s %j is right: %j', (field, entry, right) => {
    expect(wrongFields('edit', { ...draft, [field]: entry })).toEqual(right ? [] : [field]);
  });
});

describe('alerts and schedule', () => {
  test('start from the row and send only what differs from it', () => {
    const alerts = actionNamed('alerts');
    const draft = alerts.start?.(server, knowing(), {}) ?? {};
    expect(draft).toMatchObject({ 'alerts.cpu': '180', 'alerts.io': '10000' });
    expect(bodyOf(servers, alerts, draft, server)).toEqual({});
    expect(bodyOf(servers, alerts, { ...draft, 'alerts.io': '0' }, server)).toEqual({ alerts: { io: 0 } });
    const schedule = actionNamed('schedule');
    const start = schedule.start?.(server, knowing(), {}) ?? {};
    expect(bodyOf(servers, schedule, { ...start, 'backups.schedule.window': 'W8' }, server)).toEqual({
      backups: { schedule: { window: 'W8' } },
    });
  });

  test('cannot be set where backups are off', () => {
    expect(actionNamed('schedule').refuse?.(bare, knowing())).toMatch(/^Backups are off for web-1;/);
    expect(actionNamed('schedule').refuse?.(server, knowing())).toBeUndefined();
  });
});

describe('a snapshot', () => {
  test.each([
    ['', false],
    ['a', true],
    ['with spaces, and more than 64 characters: '.padEnd(255, '.'), true],
    ['a'.repeat(256), false],
  ])('labelled %j is right: %j', (label, right) => {
    expect(wrongFields('snapshot', { label })).toEqual(right ? [] : ['label']);
  });

  test('needs backups, and warns only where it replaces the one before', () => {
    expect(actionNamed('snapshot').refuse?.(bare, knowing())).toMatch(/^Backups are off/);
    const says = (known: CacheView) => saidBy(actionNamed('snapshot'), 'warning', server, known);
    const slot = { id: 1, slot: 'automatic', label: null, created: '2024-04-01T03:00:00' };
    const present = { ...slot, id: 2, slot: 'current snapshot', label: 'before 3.1' };
    expect(says(knowing({ backups: [slot] }))).toBeUndefined();
    expect(says(knowing({ backups: [] }))).toBeUndefined();
    expect(says(knowing({ backups: [slot, present] }))).toBe(
      'Takes a snapshot of web-1. It replaces the current snapshot, before 3.1 of 2024-04-01 03:00 UTC, which cannot be recovered.',
    );
    expect(says(knowing())).toContain('could not be read: if it has a snapshot');
  });
});

test.each([
  ['running', undefined],
  ['booting', undefined],
  ['offline', 'web-1 is offline already'],
  ['stopped', 'web-1 is stopped already'],
  ['shutting_down', 'web-1 is shutting down already'],
])('shutting down a server that is %s is refused with %j', (status, refusal) => {
  expect(actionNamed('shutdown').refuse?.({ ...server, status }, knowing())).toBe(refusal);
});

describe('a resize', () => {
  const refusal = (row: Row, { events = [], ...loaded }: Record<string, readonly Row[]>) =>
    actionNamed('resize').refuse?.(row, knowing(loaded, { events }));
  const event = { id: 1, action: 'server_migrate', status: 'scheduled', entity: { type: 'server', id: 12 } };

  test('is refused while an action runs or waits', () => {
    expect(refusal(server, {})).toBeUndefined();
    expect(refusal({ ...server, status: 'a_new_status' }, {})).toBeUndefined();
    expect(refusal({ ...server, status: 'shutting_down' }, {})).toContain('web-1 is shutting down');
    expect(refusal(server, { events: [event] })).toContain('server migrate');
    expect(refusal(server, { events: [{ ...event, status: 'finished' }] })).toBeUndefined();
    expect(refusal(server, { events: [{ ...event, entity: { type: 'server', id: 13 } }] })).toBeUndefined();
    expect(refusal(server, { events: [{ ...event, entity: { type: 'volume', id: 12 } }] })).toBeUndefined();
    expect(refusal(server, { events: [{ ...event, entity: null }] })).toBeUndefined();
  });

  test('is refused while a balance is due', () => {
    expect(refusal(server, { account: [{ balance: 12.5 }] })).toContain('outstanding balance of $12.50');
    expect(refusal(server, { account: [{ balance: 0 }] })).toBeUndefined();
    expect(refusal(server, { account: [{ balance: -5 }] })).toBeUndefined();
  });

  test('needs another type that holds the disks', () => {
    const types = [
      { id: 'small', disk: 50_000 },
      { id: 'medium', disk: 49_999 },
      { id: 'other', disk: 50_000 },
    ];
    const disks = [
      {
        params: { serverId: '12' },
        rows: [
          { id: 1, size: 49_488 },
          { id: 2, size: 512 },
        ],
        whole: true,
      },
      { params: { serverId: '13' }, rows: [{ id: 3, size: 512 }], whole: true },
    ];
    const view = knowing({ 'server-types': types, disks });
    expect(wrongFields('resize', {}, server, view)).toEqual(['type']);
    expect(wrongFields('resize', { type: 'small' }, server, view)).toEqual(['type']);
    expect(wrongFields('resize', { type: 'medium' }, server, view)).toEqual(['type']);
    expect(wrongFields('resize', { type: 'other' }, server, view)).toEqual([]);
    expect(wrongFields('resize', { type: 'unheard-of' }, server, view)).toEqual([]);
  });
});

describe('rescue', () => {
  const rescue = actionNamed('rescue');

  test('starts with the disks and volumes of the server in order, and has no sdh', () => {
    const view = knowing({
      disks: [{ id: 5 }, { id: 6 }],
      volumes: [
        { id: 7, server_id: 12 },
        { id: 8, server_id: 13 },
        { id: 9, server_id: null },
      ],
    });
    const draft = rescue.start?.(server, view, {}) ?? {};
    expect(bodyOf(servers, rescue, draft, server)).toEqual({
      devices: {
        sda: { disk_id: 5, volume_id: null },
        sdb: { disk_id: 6, volume_id: null },
        sdc: { disk_id: null, volume_id: 7 },
      },
    });
    expect(rescue.body).toHaveLength(7);
    expect(rescue.body).not.toContain('devices.sdh');
  });

  test('takes a disk once', () => {
    expect(wrongFields('rescue', { 'devices.sda': 'disks/5', 'devices.sdg': 'disks/5' })).toEqual(['devices.sdg']);
  });

  test('offers the disks of the server and the volumes attached to it', () => {
    const offers = servers.fields['devices.sda']?.offers;
    const offered = (row: Row) => offers?.(row, {}, knowing(), server, { serverId: '12' });
    expect(offered({ id: 1, filesystem: 'ext4' })).toBe(true);
    expect(offered({ id: 1, filesystem_path: '/dev', server_id: 12 })).toBe(true);
    expect(offered({ id: 1, filesystem_path: '/dev', server_id: 13 })).toBe(false);
    expect(offered({ id: 1, filesystem_path: '/dev', server_id: null })).toBe(false);
  });
});

test('deleting says what is lost, and no number where none is loaded', () => {
  const view = knowing({ disks: [{ id: 5 }, { id: 6 }], configs: [{ id: 1 }] });
  const warning = saidBy(servers.remove, 'warning', server, view);
  expect(warning).toContain('Deletes web-1 with its 2 disks, 1 config and backups.');
  expect(warning).toContain('192.168.1.2, 192.0.2.10, 2001:db8::1/128');
  expect(servers.remove?.ask).toHaveProperty('typeLabel', true);
});

describe('what is shown and copied of a server', () => {
  const shownIn = (title: string, row: Row, view = knowing()) => {
    const value = servers.columns.find((column) => column.title === title)?.value;
    return typeof value === 'function' ? value(row, view) : undefined;
  };

  test('is its public address', () => {
    expect(shownIn('IPv4', server)).toBe('192.0.2.10');
    expect(shownIn('IPv4', { ...server, ipv4: ['10.0.0.1'] })).toBe('10.0.0.1');
    expect(servers.copies?.['ssh command']?.(server, knowing())).toBe('ssh root@192.0.2.10');
    expect(servers.copies?.['ssh command']?.({ ...server, ipv4: [] }, knowing())).toBeUndefined();
    expect(servers.copies?.IPv6?.(server, knowing())).toBe('2001:db8::1');
  });

  test('is the age of its backup, or why there is none', () => {
    expect(shownIn('Backup', bare)).toBe('off');
    expect(shownIn('Backup', server)).toBe('none yet');
    const backups = { ...server.backups, last_successful: '2024-04-30T22:00:00' };
    expect(shownIn('Backup', { ...server, backups })).toBe('2024-04-30T22:00:00');
  });

  test('is its newest load, of CPU in percent of all its CPUs', () => {
    const body = {
      cpu: [
        [1, 42],
        [2, 84],
      ],
      netv4: { in: [[2, 1e6]], out: [[2, 3e6]] },
      netv6: { out: [[2, 1e6]] },
      io: { io: [[2, 7]] },
    };
    const { day } = summaryOf(body, 2) ?? {};
    const id = String(server.id);
    const view = knowing({}, { days: day && { [id]: day }, transfers: { [id]: 25 } });
    const shown = (title: string) => shownIn(title, { ...server, specs: { vcpus: 4 } }, view);
    expect(['CPU', 'Net in', 'Net out', 'I/O', 'Transfer'].map(shown)).toEqual([21, 1e6, 4e6, 7, 25]);
    expect(['CPU', 'Net in', 'Net out', 'I/O', 'Transfer'].map((title) => shownIn(title, server))).toEqual(
      Array(5).fill(undefined),
    );
    const curve = servers.columns
      .find(({ title }) => title === 'CPU')
      ?.curve?.({ ...server, specs: { vcpus: 4 } }, view);
    expect(curve?.at(-1)).toBe(15.75);
  });
});
