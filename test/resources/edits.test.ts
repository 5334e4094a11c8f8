import { describe, expect, test } from 'vitest';
import { draftOf } from '../../src/resources/body.ts';
import {
  changedElsewhere,
  changeOf,
  changesOf,
  conflictsOf,
  type Edits,
  isUnchanged,
  resolveConflicts,
} from '../../src/resources/edits.ts';
import { resourceNamed } from '../../src/resources/index.ts';
import type { Draft, Resource, Row } from '../../src/resources/resource.ts';
import { complaintsOf } from '../../src/resources/verdict.ts';
import { actionOf } from './actionOf.ts';
import { knowing } from './known.ts';

const opened: Row = { id: 1, label: 'data', tags: ['web', 'on call'], size: 20, region: 'us-east' };
const volumes = resourceNamed('volumes');
const edit = actionOf(volumes, 'edit');
const entriesOf = (row: Row) => draftOf(volumes, edit, row);
const editing = (mine: Draft): Edits => ({ opened: entriesOf(opened), mine });
const sent = (mine: Draft, now: Row) => changeOf(volumes, edit, editing(mine), now, knowing(), {});

describe('a change of a row', () => {
  test('holds only what was touched, whatever else has become of the row', () => {
    const now = { ...opened, label: 'renamed elsewhere', tags: [] };
    expect(sent({ label: 'mine' }, now)).toEqual({ label: 'mine' });
    expect(sent({ label: 'mine' }, opened)).toEqual({ label: 'mine' });
  });

  test('adds tags to those that the row has now, and takes tags from those', () => {
    const now = { ...opened, tags: ['web', 'on call', 'blue'] };
    expect(sent({ tags: ['web', 'green'] }, now)).toEqual({ tags: ['web', 'blue', 'green'] });
    expect(sent({ tags: [] }, now)).toEqual({ tags: ['blue'] });
    // Somebody else has done the same already.
    expect(changesOf(volumes, edit, editing({ tags: ['web', 'on call', 'blue'], label: 'x' }), entriesOf(now))).toEqual(
      { label: 'x' },
    );
  });

  test('leaves tags alone that differ from what was typed by blanks around them', () => {
    const padded = { ...opened, tags: [' web', 'on call'] };
    const edits = { opened: entriesOf(padded), mine: { tags: ['web', 'on call', 'new'] } };
    expect(changeOf(volumes, edit, edits, padded, knowing(), {})).toEqual({ tags: [' web', 'on call', 'new'] });
  });

  test('of several rows is what was touched, added to the tags of each', () => {
    const blank = { opened: { label: undefined, tags: undefined }, mine: { tags: ['new'] } };
    const change = (row: Row) => changeOf(volumes, edit, blank, row, knowing(), {});
    expect(change(opened)).toEqual({ tags: ['web', 'on call', 'new'] });
    expect(change({ ...opened, tags: ['new'] })).toEqual({ tags: ['new'] });
  });
});

test('there is nothing to send where the row is already as it is to be', () => {
  const unchanged = (mine: Draft, now: Row = opened) => isUnchanged(volumes, edit, editing(mine), entriesOf(now));
  expect(unchanged({})).toBe(true);
  expect(unchanged({ label: 'other' })).toBe(false);
  expect(unchanged({ label: 'other' }, { ...opened, label: 'other' })).toBe(true);
  expect(unchanged({ tags: ['on call'] }, { ...opened, tags: ['on call'] })).toBe(true);
});

describe('what was changed elsewhere', () => {
  const now = entriesOf({ ...opened, label: 'theirs', tags: ['web'] });

  test('is told by field, and asked about where it was touched too, but for tags', () => {
    expect(changedElsewhere(volumes, edit, editing({}), now)).toEqual(['label', 'tags']);
    expect(conflictsOf(volumes, edit, editing({}), now)).toEqual([]);
    expect(conflictsOf(volumes, edit, editing({ label: 'theirs', tags: ['x'] }), now)).toEqual([]);
    expect(conflictsOf(volumes, edit, editing({ label: 'mine', tags: ['x'] }), now)).toMatchObject([
      { name: 'label', opened: 'data', mine: 'mine', theirs: 'theirs' },
    ]);
  });

  test('is not told where the platform itself changes it all the time', () => {
    const balancers = resourceNamed('nodebalancers');
    const entries = (total: number) => draftOf(balancers, actionOf(balancers, 'edit'), { transfer: { total } });
    const edits = { opened: entries(1), mine: {} };
    expect(changedElsewhere(balancers, actionOf(balancers, 'edit'), edits, entries(2))).toEqual([]);
  });

  test('is asked once for each value', () => {
    const edits = editing({ label: 'mine', tags: ['x'] });
    const mine = resolveConflicts(edits, now, new Map([['label', 'mine']]));
    expect(conflictsOf(volumes, edit, mine, now)).toEqual([]);
    expect(changesOf(volumes, edit, mine, now)).toMatchObject({ label: 'mine' });
    expect(conflictsOf(volumes, edit, mine, { ...now, label: 'theirs again' })).toHaveLength(1);
    const theirs = resolveConflicts(edits, now, new Map([['label', 'theirs']]));
    expect(theirs.mine).toEqual({ tags: ['x'] });
  });
});

describe('only what was touched is checked', () => {
  const wrong = (name: string, row: Row, change: Draft, view = knowing()) => {
    const resource: Resource = resourceNamed(name);
    const action = actionOf(resource, 'edit');
    const now = draftOf(resource, action, row);
    return complaintsOf(resource, action, { ...now, ...change }, view, row, {}, now).map(({ says }) => says);
  };
  const domain = { id: 1, domain: 'example.com', type: 'master', soa_email: 'a@example.com', status: 'edit_mode' };
  const device = (disk_id: number) => ({ disk_id, volume_id: null });

  test.each<[string, Row, Draft]>([
    ['domains', domain, { ttl_sec: '300' }],
    ['domains', { ...domain, type: 'slave', master_ips: [], soa_email: null }, { status: 'disabled' }],
    ['configs', { label: 'boot', devices: { sda: device(1), sdb: device(1) } }, { comments: 'twice' }],
    ['servers', { label: 'a..b', tags: ['x'] }, { tags: ['x', 'prod'] }],
  ])('of %s %j', (name, row, change) => {
    expect(wrong(name, row, change)).toEqual([]);
  });

  test('and what the change makes wrong', () => {
    expect(wrong('domains', domain, { type: 'slave' })).toEqual(['Masters: at least one is required.']);
    expect(wrong('servers', { label: 'a..b', tags: ['x'] }, { label: 'a..c' })).toHaveLength(1);
    expect(wrong('servers', { label: 'web', tags: ['x'] }, { tags: ['x', 'y'] })).toHaveLength(1);
    const devices = { sda: device(1), sdb: device(2) };
    expect(wrong('configs', { label: 'boot', devices }, { 'devices.sdb': 'disks/1' })).toHaveLength(1);
  });
});

describe('a value that is taken away', () => {
  const emptied = (name: string, row: Row, field: string) => {
    const resource = resourceNamed(name);
    const action = actionOf(resource, 'edit');
    const now = draftOf(resource, action, row);
    const edits = { opened: now, mine: { [field]: Array.isArray(now[field]) ? [] : '' } };
    const draft = { ...now, ...edits.mine };
    const [complaint] = complaintsOf(resource, action, draft, knowing(), row, {}, now);
    return complaint?.says ?? changeOf(resource, action, edits, row, knowing(), {});
  };

  test.each<[string, Row, string, string | RegExp | object]>([
    ['volumes', { label: 'data' }, 'label', 'Label cannot be emptied; it takes 1–32 characters.'],
    ['nodebalancers', { label: 'lb-1' }, 'label', 'Label cannot be emptied; it takes 3–32 characters.'],
    [
      'nodebalancers',
      { client_conn_throttle: 5 },
      'client_conn_throttle',
      /^Throttle cannot be emptied; it takes 0–20/,
    ],
    ['images', { label: 'golden' }, 'label', 'Label cannot be emptied; it takes at least 1 character.'],
    ['images', { description: 'x' }, 'description', { description: null }],
    ['domains', { description: 'x' }, 'description', 'Description cannot be emptied; it takes 1–255 characters.'],
    ['domains', { group: 'x' }, 'group', 'Group cannot be emptied; it takes 1–50 characters.'],
    ['domains', { axfr_ips: ['192.0.2.1'] }, 'axfr_ips', { axfr_ips: [] }],
    ['records', { type: 'A', name: 'www' }, 'name', { name: '' }],
    ['records', { type: 'MX', priority: 5 }, 'priority', 'Priority cannot be emptied; it takes 0–255.'],
    ['records', { type: 'SRV', protocol: 'tcp', service: 'sip' }, 'protocol', { protocol: null }],
    [
      'managed-contacts',
      { name: 'On call', email: 'a@example.com' },
      'email',
      'Email cannot be emptied; enter another value.',
    ],
    ['managed-contacts', { name: 'On call', group: 'ops' }, 'group', { group: null }],
    ['managed-contacts', { phone: { primary: '1' } }, 'phone.primary', { phone: { primary: null } }],
    ['managed-services', { consultation_group: 'ops' }, 'consultation_group', { consultation_group: '' }],
    ['managed-services', { body: 'ok' }, 'body', { body: null }],
    ['managed-server-settings', { ssh: { port: 22 } }, 'ssh.port', 'Port cannot be emptied; it takes 1–65535.'],
    ['object-keys', { label: 'backup' }, 'label', 'Label cannot be emptied; enter another value.'],
    ['nodebalancer-nodes', { weight: 100 }, 'weight', 'Weight cannot be emptied; it takes 1–255.'],
    [
      'configs',
      { kernel: 'server/latest-64bit', devices: { sda: { disk_id: 1 } } },
      'kernel',
      'Kernel cannot be emptied; choose another one.',
    ],
    [
      'configs',
      { memory_limit: 512, devices: { sda: { disk_id: 1 } } },
      'memory_limit',
      /^Memory limit cannot be emptied/,
    ],
    ['account', { tax_id: 'DE1' }, 'tax_id', { tax_id: '' }],
    ['account', { country: 'DE' }, 'country', /^Country cannot be emptied/],
    ['servers', { group: 'old' }, 'group', { group: '' }],
    ['servers', { tags: ['web'] }, 'tags', { tags: [] }],
    ['stackscripts', { description: 'x' }, 'description', { description: '' }],
  ])('from %s %j is what %s documents', (name, row, field, expected) => {
    const told = emptied(name, row, field);
    if (expected instanceof RegExp) expect(told).toMatch(expected);
    else expect(told).toEqual(expected);
  });
});

test('devices go as a whole, mine over those of now; interfaces keep what the form does not know', () => {
  const configs = resourceNamed('configs');
  const action = actionOf(configs, 'edit');
  const disk = (disk_id: number | null) => ({ disk_id, volume_id: null });
  const was = {
    label: 'boot',
    devices: { sda: disk(1), sdb: disk(2) },
    interfaces: [
      { purpose: 'vpc', label: '', ipam_address: '', subnet_id: 7 },
      { purpose: 'vlan', label: 'a', ipam_address: '' },
    ],
  };
  const now = { ...was, label: 'renamed', devices: { sda: disk(1), sdb: disk(9) } };
  const edits = (mine: Draft) => ({ opened: draftOf(configs, action, was), mine });
  const devices = changeOf(configs, action, edits({ 'devices.sdc': 'volumes/5' }), now, knowing(), {});
  expect(devices).toEqual({
    devices: expect.objectContaining({ sda: disk(1), sdb: disk(9), sdc: { disk_id: null, volume_id: 5 } }),
  });
  const interfaces = changeOf(configs, action, edits({ 'interfaces.1.label': 'b' }), now, knowing(), {});
  expect(interfaces).toEqual({
    interfaces: [
      { purpose: 'vpc', label: '', ipam_address: '', subnet_id: 7 },
      { purpose: 'vlan', label: 'b', ipam_address: '' },
    ],
  });
});

test('a region goes from a service only with the private address beside which it stood', () => {
  const services = resourceNamed('managed-services');
  const action = actionOf(services, 'edit');
  const service = { label: 'site', address: 'https://example.com', region: 'us-east', notes: null };
  const edits = (mine: Draft) => ({ opened: draftOf(services, action, service), mine });
  const sent = (mine: Draft) => changeOf(services, action, edits(mine), service, knowing(), {});
  expect(sent({ notes: 'call first' })).toEqual({ notes: 'call first' });
  expect(sent({ address: 'https://example.org' })).toEqual({ address: 'https://example.org', region: null });
});
