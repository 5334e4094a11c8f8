import { describe, expect, test } from 'vitest';
import { bodyOf, draftOf, entriesLike, formFields } from '../../src/resources/body.ts';
import { configs } from '../../src/resources/compute/configs.ts';
import { isCidr } from '../../src/resources/ipAddress.ts';
import type { Draft } from '../../src/resources/resource.ts';
import { complaintsOf } from '../../src/resources/verdict.ts';
import { actionOf } from './actionOf.ts';
import { knowing } from './known.ts';

const actionNamed = (name: string) => actionOf(configs, name);
const create = actionNamed('create');
const edit = actionNamed('edit');

const config = {
  id: 1,
  label: 'Debian',
  comments: null,
  kernel: 'server/latest-64bit',
  root_device: '/dev/sda',
  memory_limit: 0,
  run_level: 'default',
  virt_mode: 'paravirt',
  devices: { sda: { disk_id: 5, volume_id: null }, sdb: { disk_id: null, volume_id: 7 }, sdc: null },
  interfaces: [
    { purpose: 'public', label: '', ipam_address: null },
    { purpose: 'vlan', label: 'web', ipam_address: '10.0.0.5/24' },
  ],
  helpers: { distro: true, network: false },
};
const before = draftOf(configs, edit, config);
const changed = (draft: Draft) => bodyOf(configs, edit, { ...before, ...draft }, config);
const complaints = (draft: Draft, action = create) =>
  complaintsOf(configs, action, draft, knowing({ disks: [{ id: 5, label: 'data' }] }));
const fresh = { label: 'new', 'devices.sda': 'disks/5' };
const unset = { disk_id: null, volume_id: null };

describe('a new config', () => {
  test('sends the filled slots and the interfaces whole', () => {
    const draft = { ...fresh, 'devices.sdh': 'volumes/7', 'interfaces.0.purpose': 'public', 'helpers.distro': false };
    expect(bodyOf(configs, create, draft)).toEqual({
      label: 'new',
      devices: { sda: { disk_id: 5, volume_id: null }, sdh: { disk_id: null, volume_id: 7 } },
      interfaces: [{ purpose: 'public', label: '', ipam_address: '' }],
      helpers: { distro: false },
    });
  });

  test('without interfaces sends none', () => {
    expect(bodyOf(configs, create, fresh)).toEqual({ label: 'new', devices: { sda: { disk_id: 5, volume_id: null } } });
  });

  test('needs a label and a device', () => {
    expect(complaints({})).toEqual([{ field: 'label', says: 'Label is required: 1–48 characters.' }]);
    expect(complaints({ label: 'new' })[0]?.field).toBe('devices.sda');
  });

  test('takes labels of 1 to 48 characters', () => {
    expect(complaints({ ...fresh, label: 'a' })).toEqual([]);
    expect(complaints({ ...fresh, label: 'a'.repeat(48) })).toEqual([]);
    expect(complaints({ ...fresh, label: 'a'.repeat(49) })[0]?.field).toBe('label');
  });

  test('takes a disk or volume once', () => {
    expect(complaints({ ...fresh, 'devices.sdc': 'disks/5' })).toEqual([
      { field: 'devices.sdc', says: '/dev/sdc: the disk data is already /dev/sda.' },
    ]);
    expect(complaints({ ...fresh, 'devices.sdc': 'volumes/5' })).toEqual([]);
  });

  test('has no sde to sdh in fullvirt', () => {
    const names = (draft: Draft) => formFields(configs, create, draft).map(({ name }) => name);
    expect(names({})).toContain('devices.sdh');
    expect(names({ virt_mode: 'fullvirt' })).toContain('devices.sdd');
    expect(names({ virt_mode: 'fullvirt' })).not.toContain('devices.sde');
    const draft = { ...fresh, virt_mode: 'fullvirt', 'devices.sde': 'disks/6' };
    expect(bodyOf(configs, create, draft)).toMatchObject({ devices: { sda: { disk_id: 5 } } });
    expect(JSON.stringify(bodyOf(configs, create, draft))).not.toContain('sde');
  });
});

describe('an edited config', () => {
  test('sends nothing where nothing differs', () => {
    expect(changed({})).toEqual({});
    expect(changed({ label: 'Debian 12' })).toEqual({ label: 'Debian 12' });
  });

  test('defines every interface again when one differs', () => {
    expect(changed({ 'interfaces.1.label': 'db' })).toEqual({
      interfaces: [
        { purpose: 'public', label: '', ipam_address: '' },
        { purpose: 'vlan', label: 'db', ipam_address: '10.0.0.5/24' },
      ],
    });
  });

  test('sends an empty list when the first interface is taken away', () => {
    expect(changed({ 'interfaces.0.purpose': '' })).toEqual({ interfaces: [] });
  });

  test('sends all slots when one differs', () => {
    expect(changed({ 'devices.sdb': '' })).toEqual({
      devices: {
        sda: { disk_id: 5, volume_id: null },
        sdb: unset,
        sdc: unset,
        sdd: unset,
        sde: unset,
        sdf: unset,
        sdg: unset,
        sdh: unset,
      },
    });
  });

  test('drops sde to sdh when it becomes fullvirt', () => {
    const row = { ...config, devices: { ...config.devices, sde: { disk_id: 6, volume_id: null } } };
    const draft = { ...draftOf(configs, edit, row), virt_mode: 'fullvirt' };
    expect(Object.keys((bodyOf(configs, edit, draft, row)?.devices ?? {}) as object)).toEqual([
      'sda',
      'sdb',
      'sdc',
      'sdd',
    ]);
  });

  test('clears its comments with null', () => {
    const row = { ...config, comments: 'old' };
    expect(bodyOf(configs, edit, { ...draftOf(configs, edit, row), comments: '' }, row)).toEqual({ comments: null });
  });
});

test('a new one like another starts from all that the config holds but its label', () => {
  const start = entriesLike(configs, create, config);
  expect(start).toMatchObject({ 'devices.sdb': 'volumes/7', 'interfaces.1.label': 'web', 'helpers.distro': true });
  expect(complaints({ ...start, label: 'another' })).toEqual([]);
  expect(start.label).toBeUndefined();
});

describe('the interfaces of a config', () => {
  const withVlan = { ...fresh, 'interfaces.0.purpose': 'vlan' };

  test('are public once at most', () => {
    const two = { ...fresh, 'interfaces.0.purpose': 'public', 'interfaces.1.purpose': 'public' };
    expect(complaints(two)[0]?.field).toBe('interfaces.1.purpose');
  });

  test.each([
    ['', false],
    ['a', true],
    ['web-2', true],
    ['Web', false],
    ['a_b', false],
    ['a'.repeat(64), true],
    ['a'.repeat(65), false],
  ])('with the VLAN label %j are right: %j', (label, right) => {
    expect(complaints({ ...withVlan, 'interfaces.0.label': label }).length === 0).toBe(right);
  });

  test('are three at most and asked for one after the other', () => {
    const names = (draft: Draft) =>
      formFields(configs, create, draft).flatMap(({ name }) => (name.startsWith('interfaces.') ? [name] : []));
    expect(names({})).toEqual(['interfaces.0.purpose']);
    expect(names({ 'interfaces.0.purpose': 'public' })).toEqual(['interfaces.0.purpose', 'interfaces.1.purpose']);
    const vlans = { 'interfaces.0.purpose': 'vlan', 'interfaces.1.purpose': 'vlan', 'interfaces.2.purpose': 'vlan' };
    expect(names(vlans)).toHaveLength(9);
  });
});

test.each([
  ['10.0.0.5/24', true],
  ['10.0.0.5/32', true],
  ['10.0.0.5/33', false],
  ['10.0.0.256/24', false],
  ['10.0.0/24', false],
  ['10.0.0.5', false],
  ['10.0.0.5/', false],
  ['10.0.0.5/24/1', false],
  ['2001:db8::5/64', true],
  ['2001:db8::5/129', false],
])('%s is an address with a prefix: %j', (text, right) => {
  expect(isCidr(text)).toBe(right);
});
