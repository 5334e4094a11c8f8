import { describe, expect, test } from 'vitest';
import { bodyOf, formFields } from '../../src/resources/body.ts';
import { servers } from '../../src/resources/compute/servers.ts';
import type { Action, Draft, Entry } from '../../src/resources/resource.ts';
import { complaintsOf } from '../../src/resources/verdict.ts';
import { knowing } from './known.ts';

const createServer = servers.create as Action;

const loaded = knowing({
  'server-types': [
    { id: 'small', label: 'Small', disk: 20_000 },
    { id: 'large', label: 'Large', disk: 80_000 },
  ],
  images: [
    { id: 'server/debian12', label: 'Debian 12', size: 20_000 },
    { id: 'private/1', label: 'big', size: 20_001 },
  ],
  backups: [{ id: 9, disks: [{ size: 50_000 }, { size: 512 }] }],
  regions: [
    { id: 'us-east', capabilities: ['Servers', 'Vlans'] },
    { id: 'eu-west', capabilities: ['Servers'] },
  ],
});

const where = { region: 'us-east', type: 'large' };
const fromImage = { ...where, mode: 'image', image: 'server/debian12', root_pass: 'seven77' };
const complaints = (draft: Draft, view = loaded) => complaintsOf(servers, createServer, draft, view);
const fieldsOf = (draft: Draft) => complaints(draft).map(({ field }) => field);
const body = (draft: Draft) => bodyOf(servers, createServer, draft);
const started = (draft: Draft) => ({ ...createServer.start?.(undefined, loaded, {}), ...draft });

const publicKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFkBUQLflMMfLTFbrLVz3Xo5Jlaw345T4MHeQvUP+hOz operator';

describe('a new server', () => {
  test.each([
    ['image', ['image', 'region', 'type', 'root_pass']],
    ['stackscript', ['stackscript_id', 'image', 'region', 'type', 'root_pass']],
    ['backup', ['backup_id', 'region', 'type']],
    ['vlan', ['image', 'region', 'type', 'root_pass', 'interfaces.1.label']],
    ['empty', ['region', 'type']],
  ])('from %s needs %j', (mode, needed) => {
    expect(fieldsOf(started({ mode }))).toEqual(needed);
  });

  test.each([
    [fromImage, { ...where, image: 'server/debian12', root_pass: 'seven77' }],
    [
      { ...fromImage, mode: 'stackscript', stackscript_id: '10', stackscript_data: '{"a":"b"}' },
      { ...where, image: 'server/debian12', root_pass: 'seven77', stackscript_id: 10, stackscript_data: { a: 'b' } },
    ],
    [
      { ...fromImage, mode: 'backup', backup_id: '9' },
      { ...where, backup_id: 9 },
    ],
    [{ ...fromImage, mode: 'empty', booted: true }, where],
    [
      { ...fromImage, mode: 'vlan', 'interfaces.1.label': 'web', 'interfaces.1.ipam_address': '10.0.0.5/24' },
      {
        ...where,
        image: 'server/debian12',
        root_pass: 'seven77',
        interfaces: [
          { purpose: 'public', label: '', ipam_address: '' },
          { purpose: 'vlan', label: 'web', ipam_address: '10.0.0.5/24' },
        ],
      },
    ],
  ])('of %j is sent as %j', (draft, sent) => {
    expect(complaints(started(draft))).toEqual([]);
    expect(body(started(draft))).toEqual(sent);
  });

  test('sends every further field', () => {
    const further = {
      label: 'web-1',
      tags: ['web'],
      authorized_keys: [publicKey],
      authorized_users: ['operator'],
      private_ip: true,
      backups_enabled: true,
      booted: false,
    };
    expect(body({ ...fromImage, ...further, swap_size: '0', group: 'old' })).toMatchObject({
      ...further,
      swap_size: 0,
      group: 'old',
    });
  });

  test('offers what is sent to nobody but the form only there', () => {
    const names = (mode: string) => formFields(servers, createServer, { mode }).map(({ name }) => name);
    expect(names('empty')).not.toContain('booted');
    expect(names('backup')).not.toContain('root_pass');
    expect(names('image')).not.toContain('interfaces.0.purpose');
  });
});

const wrong = (field: string, entry: Entry) => fieldsOf({ ...fromImage, [field]: entry }).includes(field);

test.each<[string, Entry, Entry]>([
  ['label', 'ab', 'abc'],
  ['label', 'a'.repeat(65), 'a'.repeat(64)],
  ['label', '-ab', 'a-b'],
  ['label', 'ab.', 'a.b'],
  ['label', 'a--b', 'a-b-c'],
  ['label', 'a__b', 'a_b_c'],
  ['label', 'a..b', 'a.b.c'],
  ['label', 'a b', 'a_b'],
  ['label', 'äbc', 'abc'],
  ['root_pass', '123456', '1234567'],
  ['root_pass', 'a'.repeat(129), 'a'.repeat(128)],
  ['swap_size', '-1', '0'],
  ['tags', ['ab'], ['abc']],
  ['tags', ['a'.repeat(51)], ['a'.repeat(50)]],
  ['authorized_keys', ['S3cretPass!x'], [publicKey]],
  ['authorized_keys', ['-----BEGIN OPENSSH PRIVATE KEY-----'], [publicKey]],
])('%s refuses %j and takes %j', (field, refused, taken) => {
  expect(wrong(field, refused)).toBe(true);
  expect(wrong(field, taken)).toBe(false);
});

describe('the room of a type', () => {
  test('must hold the image', () => {
    expect(complaints({ ...fromImage, type: 'small' })).toEqual([]);
    expect(complaints({ ...fromImage, type: 'small', image: 'private/1' })).toEqual([
      { field: 'type', says: 'Type: big needs 1 MiB more disk than Small has.' },
    ]);
  });

  test('must hold the disks of the backup', () => {
    const draft = { ...where, mode: 'backup', backup_id: '9' };
    expect(complaints(draft)).toEqual([]);
    expect(complaints({ ...draft, type: 'small' })[0]?.says).toContain(
      'the backup needs 29.8 GiB more disk than Small has',
    );
  });

  test('is not judged where it is not known', () => {
    expect(complaints({ ...fromImage, type: 'small', image: 'private/1' }, knowing())).toEqual([]);
  });
});

describe('the interfaces of a new server', () => {
  const vlan = started({ ...fromImage, mode: 'vlan', 'interfaces.1.label': 'web' });

  test('include a VLAN', () => {
    expect(fieldsOf({ ...vlan, 'interfaces.1.purpose': '' })).toEqual(['interfaces.0.purpose']);
  });

  test('are public once at most', () => {
    expect(complaints({ ...vlan, 'interfaces.2.purpose': 'public' })).toEqual([
      { field: 'interfaces.2.purpose', says: 'eth2: only one interface can be public, and eth0 already is.' },
    ]);
  });

  test('need a region that has VLANs, where any is known to have them', () => {
    expect(fieldsOf({ ...vlan, region: 'eu-west' })).toEqual(['region']);
    expect(
      complaints({ ...vlan, region: 'eu-west' }, knowing({ regions: [{ id: 'eu-west', capabilities: [] }] })),
    ).toEqual([]);
  });
});
