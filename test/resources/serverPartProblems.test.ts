import { describe, expect, it } from 'vitest';
import type { LoadedList, Row } from '../../src/resources/resource.ts';
import { foundBy, present } from './foundBy.ts';

const hour = 3_600_000;
const ago = (ms: number) => new Date(present - ms).toISOString().slice(0, 19);
const ofServer = (rows: readonly Row[], whole = true): readonly LoadedList[] => [
  { params: { serverId: '7' }, rows, whole },
];

const servers = [{ id: 7, label: 'web-1' }];
const disk = { id: 11, label: 'system', status: 'ready', size: 81_408, updated: ago(hour + 1000) };
const config = {
  id: 21,
  label: 'boot',
  kernel: 'server/latest-64bit',
  root_device: '/dev/sda',
  devices: { sda: { disk_id: 11, volume_id: null }, sdb: null },
};
const volumes = [{ id: 31, label: 'data', server_id: 8 }];

interface Parts {
  config?: object;
  disk?: object;
  disks?: readonly LoadedList[];
  configs?: readonly LoadedList[];
  partly?: readonly string[];
}

/** The findings of a rule about a server with one disk and one config. */
function found(rule: string, { config: setUp = {}, disk: kept = {}, disks, configs, partly }: Parts) {
  const lists = {
    servers,
    volumes,
    kernels: [
      { id: 'server/latest-64bit', label: 'Latest 64 bit', deprecated: false },
      { id: 'server/3.2', label: '3.2 64 bit', deprecated: true },
    ],
    // No list at all is one that is not loaded.
    ...(disks?.length !== 0 && { disks: disks ?? ofServer([{ ...disk, ...kept }]) }),
    configs: configs ?? ofServer([{ ...config, ...setUp }]),
  };
  return foundBy(rule, { lists, partly });
}

const sda = (device: object | null) => ({ config: { devices: { sda: device } } });

describe('configs', () => {
  it('boot a kernel that is not deprecated', () => {
    expect(found('config-kernel-deprecated', { config: { kernel: 'server/3.2' } })).toMatchObject([
      { severity: 'notice', says: 'boot of web-1 boots 3.2 64 bit, a deprecated kernel', params: { serverId: '7' } },
    ]);
    expect(found('config-kernel-deprecated', {})).toEqual([]);
    expect(found('config-kernel-deprecated', { config: { kernel: 'server/unknown' } })).toEqual([]);
  });

  it.each([
    [sda(null), 'holds no disk or volume'],
    [sda({ disk_id: 12, volume_id: null }), 'names disk 12, which does not exist'],
    [sda({ disk_id: null, volume_id: 32 }), 'names volume 32, which does not exist'],
    [sda({ disk_id: null, volume_id: 31 }), 'names data, which is not attached to it'],
  ])('have a root device that is there: %#', (parts, fault) => {
    expect(found('config-without-root', parts)).toMatchObject([
      { severity: 'warning', says: `web-1 cannot boot with boot: its root device /dev/sda ${fault}` },
    ]);
  });

  it.each([
    {},
    { config: { root_device: '/dev/disk/by-label/root', devices: {} } },
    { disks: [] },
    { disks: ofServer([], false) },
    { disks: [{ params: { serverId: '8' }, rows: [], whole: true }] },
    { ...sda({ disk_id: null, volume_id: 32 }), partly: ['volumes'] },
  ])('are not blamed for %o', (parts) => {
    expect(found('config-without-root', parts)).toEqual([]);
  });
});

describe('disks', () => {
  it.each([
    ['not ready', 'has not been ready'],
    ['deleting', 'has been deleting'],
  ])('are not %s for more than an hour', (status, words) => {
    expect(found('disk-not-ready', { disk: { status } })).toMatchObject([
      { severity: 'warning', says: `system of web-1 ${words} for 60 minutes`, since: present - hour - 1000 },
    ]);
    expect(found('disk-not-ready', { disk: { status, updated: ago(hour) } })).toEqual([]);
    expect(found('disk-not-ready', {})).toEqual([]);
  });

  it('are used by a config', () => {
    expect(found('disk-unused', sda(null))).toMatchObject([
      { severity: 'notice', says: 'system takes 79.5 GiB of web-1 and is in none of its configs' },
    ]);
    expect(found('disk-unused', {})).toEqual([]);
    expect(found('disk-unused', { configs: ofServer([]) })).toEqual([]);
    expect(found('disk-unused', { configs: ofServer([{ id: 1, devices: {} }], false) })).toEqual([]);
  });
});

describe('backups', () => {
  const backup = { id: 41, label: null, type: 'auto', status: 'failed', created: ago(24 * hour) };
  const snapshot = { ...backup, label: 'before', type: 'snapshot', status: 'pending', created: ago(6 * hour + 1000) };
  const of = (rule: string, ...rows: readonly Row[]) => foundBy(rule, { lists: { servers, backups: ofServer(rows) } });

  it('do not fail, unless a later one succeeded', () => {
    const later = { ...backup, id: 42, status: 'successful', created: ago(hour) };
    const failure = {
      severity: 'warning',
      says: 'The backup of web-1 from 2024-04-30 failed',
      since: present - 24 * hour,
    };
    expect(of('backup-failed', backup)).toMatchObject([failure]);
    expect(of('backup-failed', backup, { ...later, created: ago(48 * hour) })).toMatchObject([failure]);
    expect(of('backup-failed', backup, { ...later, type: 'snapshot' })).toMatchObject([failure]);
    expect(of('backup-failed', backup, later)).toEqual([]);
  });

  it('finish within hours', () => {
    expect(of('backup-unfinished', snapshot)).toMatchObject([
      {
        severity: 'warning',
        says: 'The snapshot before of web-1 from 2024-05-01 has not finished after 6 hours',
        since: present - 6 * hour - 1000,
      },
    ]);
    expect(of('backup-unfinished', { ...snapshot, created: ago(6 * hour) })).toEqual([]);
    expect(of('backup-unfinished', { ...snapshot, status: 'successful' })).toEqual([]);
  });
});
