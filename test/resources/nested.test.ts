import { describe, expect, test } from 'vitest';
import { actionWords, events } from '../../src/resources/account/events.ts';
import { bodyOf, formFields } from '../../src/resources/body.ts';
import { backups } from '../../src/resources/compute/backups.ts';
import { disks } from '../../src/resources/compute/disks.ts';
import { kernels } from '../../src/resources/compute/kernels.ts';
import { regions } from '../../src/resources/compute/regions.ts';
import { type CacheView, type Draft, type Resource, type Row, viewWith } from '../../src/resources/resource.ts';
import { complaintsOf } from '../../src/resources/verdict.ts';
import { knowing } from './known.ts';

const shownIn = ({ columns, card = [] }: Resource, title: string, row: Row, view = knowing()) => {
  const value = [...columns, ...card].find((column) => column.title === title)?.value;
  return typeof value === 'function' ? value(row, view) : undefined;
};

describe('a new disk', () => {
  const create = disks.create;
  if (!create) throw new Error('disks cannot be made');
  const view = knowing({
    images: [{ id: 'server/debian12', label: 'Debian 12', size: 1500 }],
    servers: [
      { id: 12, specs: { disk: 80_000 } },
      { id: 14, specs: { disk: 50_000 } },
    ],
    disks: [{ id: 1, size: 50_000 }],
  });
  const wrong = (draft: Draft) => complaintsOf(disks, create, draft, view).map(({ field }) => field);
  const fromImage = { size: '1500', image: 'server/debian12', root_pass: 'seven77' };

  test('needs a label when empty, and a root password when from an image', () => {
    expect(wrong({ size: '1' })).toEqual(['label']);
    expect(wrong({ size: '1', label: 'a' })).toEqual([]);
    expect(wrong({ size: '1500', image: 'server/debian12' })).toEqual(['root_pass']);
    expect(wrong(fromImage)).toEqual([]);
  });

  test.each([
    [{ label: 'a'.repeat(48) }, []],
    [{ label: 'a'.repeat(49) }, ['label']],
    [{ size: '0' }, ['size']],
    [{ size: '1499' }, ['size']],
    [{ filesystem: 'ext4' }, []],
    [{ filesystem: 'btrfs' }, ['filesystem']],
    [{ root_pass: '123456' }, ['root_pass']],
    [{ root_pass: 'a'.repeat(129) }, ['root_pass']],
  ])('with %j is wrong in %j', (draft, fields) => {
    expect(wrong({ ...fromImage, ...draft })).toEqual(fields);
  });

  test('takes no more than the server has left, and says how much that is', () => {
    const complaint = (size: string, serverId: string) =>
      complaintsOf(disks, create, { label: 'data', size }, view, undefined, { serverId })[0]?.says;
    expect(complaint('30000', '12')).toBeUndefined();
    expect(complaint('30001', '12')).toBe('Size: the server has only 29.3 GiB left.');
    expect(complaint('30001', '13')).toBeUndefined();
    const help = (serverId: string) => {
      const { field } = formFields(disks, create, {}).find(({ name }) => name === 'size') ?? {};
      return typeof field?.help === 'function' ? field.help({}, undefined, view, { serverId }) : field?.help;
    };
    expect(help('12')).toBe('The server has 29.3 GiB left.');
    expect(help('14')).toMatch(/no space left; delete or shrink a disk/);
    expect(help('13')).toBeUndefined();
  });

  test('is sent without what belongs to an image when it is empty', () => {
    const draft = { ...fromImage, label: 'data', image: '', authorized_users: ['operator'], stackscript_id: '1' };
    expect(bodyOf(disks, create, draft)).toEqual({ label: 'data', size: 1500 });
  });

  test('starts with the space that is left', () => {
    expect(create.start?.(undefined, view, { serverId: '12' })).toEqual({ size: '30000' });
    expect(create.start?.(undefined, view, { serverId: '13' })).toEqual({});
  });
});

describe('the backups of an answer', () => {
  const rowsOf = (body: Row) => backups.list?.rows?.(body);
  const backup = {
    id: 1,
    label: null,
    status: 'successful',
    created: '2024-01-01T00:00:00',
    finished: '2024-01-01T00:02:30',
  };

  test('are one list with their slots', () => {
    const body = { automatic: [backup, null], snapshot: { current: { id: 2 }, in_progress: { id: 3 } } };
    expect(rowsOf(body)).toEqual([
      { ...backup, slot: 'automatic' },
      { id: 2, slot: 'current snapshot' },
      { id: 3, slot: 'snapshot in progress' },
    ]);
  });

  test.each([
    {},
    { automatic: null, snapshot: null },
    { automatic: [], snapshot: { current: null, in_progress: null } },
  ])('of %j are none', (body) => {
    expect(rowsOf(body)).toEqual([]);
  });

  test('take as long as from created to finished, in UTC', () => {
    expect(shownIn(backups, 'Duration', backup)).toBe(150);
    expect(shownIn(backups, 'Duration', { ...backup, finished: null })).toBeUndefined();
    expect(shownIn(backups, 'Duration', { ...backup, created: '2024-01-01T00:00:00Z' })).toBe(150);
    expect(shownIn(backups, 'Space', { disks: [{ size: 1 }, { size: 2 }] })).toBe(3);
  });

  test('become a new server like the one they are of, when successful', () => {
    const deploy = backups.shortcuts?.[0];
    const view = knowing({ servers: [{ id: 12, region: 'us-east', type: 'small' }] });
    expect(deploy?.start(backup, view, { serverId: '12' })).toEqual({
      mode: 'backup',
      backup_of: '12',
      backup_id: '1',
      region: 'us-east',
      type: 'small',
    });
    const row = { ...backup, slot: 'automatic' };
    expect(deploy?.refuse?.(row, view)).toBeUndefined();
    expect(deploy?.refuse?.({ ...row, status: 'pending' }, view)).toMatch(
      /^automatic backup of 2024-01-01 00:00 is pending/,
    );
  });
});

describe('an event', () => {
  test.each([
    ['server_boot', 'server boot'],
    ['dns_zone_create', 'DNS zone create'],
    ['server_addip', 'server add IP'],
    ['something_nobody_knows', 'something nobody knows'],
    ['constructor_toString', 'constructor toString'],
    [undefined, ''],
  ])('action %j reads %j', (action, says) => {
    expect(actionWords(action)).toBe(says);
  });

  test('names its entity, by type and id where it has no label', () => {
    expect(events.label({ action: 'server_boot', entity: { label: 'web-1' } })).toBe('server boot web-1');
    expect(events.label({ action: 'disk_delete', entity: { type: 'disks', id: 5 } })).toBe('disk delete disks 5');
    expect(events.label({ action: 'profile_update', entity: { type: 'profile' } })).toBe('profile update profile');
    expect(events.label({ action: 'account_update', entity: null })).toBe('account update');
  });

  test('tells what is left, and what is done, only while it is under way', () => {
    const left = (event: Row) => shownIn(events, 'Remaining', event);
    expect(left({ status: 'started', percent_complete: 68, time_remaining: '0:0:20' })).toBe('20 s');
    expect(left({ status: 'started', percent_complete: 68, time_remaining: null })).toBe('32%');
    expect(left({ status: 'started', percent_complete: 0, time_remaining: null })).toBe('100%');
    const done = (event: Row) => shownIn(events, 'Done', event);
    expect(done({ status: 'started', percent_complete: 68 })).toBe('68%');
    expect(done({ status: 'finished', percent_complete: 100 })).toBeUndefined();
    expect(left({ status: 'scheduled', percent_complete: null, time_remaining: null })).toBeUndefined();
    expect(left({ status: 'finished', percent_complete: 100 })).toBeUndefined();
  });

  test('that is read or seen cannot be marked again', () => {
    const refusals = (event: Row) => events.actions?.map(({ refuse }) => refuse?.(event, knowing()) !== undefined);
    expect(refusals({ read: true, seen: false })).toEqual([true, false]);
    expect(refusals({ read: false, seen: true })).toEqual([false, true]);
  });
});

test('a region counts what the account has there', () => {
  const known = knowing({ servers: [{ region: 'a' }, { region: 'a' }, { region: 'b' }], volumes: [{ region: 'a' }] });
  const countsIn = (view: CacheView) =>
    ['Servers', 'Volumes', 'NodeBalancers'].map((title) => shownIn(regions, title, { id: 'a' }, view));
  expect(countsIn(viewWith(known, { isRead: () => true }))).toEqual([2, 1, 0]);
  expect(countsIn(known)).toEqual([2, 1, undefined]);
});

test('a kernel names the configs that boot it among what uses it alone, where each has its server', () => {
  const view = knowing({ servers: [{ id: 1, label: 'web-1' }], configs: [{ label: 'one', kernel: 'server/latest' }] });
  const { columns, card = [] } = kernels;
  const shown = [...columns, ...card].map(({ title }) => shownIn(kernels, title, { id: 'server/latest' }, view));
  expect(shown.flat()).not.toContain('one');
});
