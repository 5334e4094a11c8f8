import { describe, expect, test } from 'vitest';
import { bodyOf, draftOf } from '../../src/resources/body.ts';
import type { Draft, Row } from '../../src/resources/resource.ts';
import { images } from '../../src/resources/storage/images.ts';
import { complaintsOf, ruleOf } from '../../src/resources/verdict.ts';
import { actionOf } from './actionOf.ts';
import { knowing } from './known.ts';

const own = {
  id: 'private/7',
  label: 'golden',
  description: '',
  status: 'available',
  type: 'manual',
  is_public: false,
};
const automatic = { ...own, id: 'private/8', type: 'automatic', expiry: '2024-06-01T00:00:00' };
const shared = { ...own, id: 'server/debian12', label: 'Debian 12', is_public: true };

const actionNamed = (name: string) => actionOf(images, name);
const disks = knowing({
  disks: [
    { params: { serverId: '1' }, rows: [{ id: 51 }], whole: true },
    { params: { serverId: '2' }, rows: [{ id: 61 }], whole: true },
  ],
});
const wrong = (name: string, draft: Draft, row?: Row) =>
  complaintsOf(images, actionNamed(name), draft, disks, row).map(({ field }) => field);

test('the list falls apart into mine, automatic and public, each image in one of them', () => {
  const views = (images.sections ?? []).map(({ title, only }) => [title, [own, automatic, shared].filter(only)]);
  expect(views).toEqual([
    ['Mine', [own]],
    ['Automatic', [automatic]],
    ['Public', [shared]],
  ]);
});

describe('capturing a disk', () => {
  test('needs a server, then one of its disks', () => {
    expect(wrong('create', {})).toEqual(['server']);
    expect(wrong('create', { server: '1' })).toEqual(['disk_id']);
    expect(wrong('create', { server: '1', disk_id: '51' })).toEqual([]);
    expect(wrong('create', { server: '2', disk_id: '51' })).toEqual(['disk_id']);
  });

  test('sends the disk and what was said about the image, never the server', () => {
    const draft = { server: '1', disk_id: '51', label: 'golden' };
    expect(bodyOf(images, actionNamed('create'), draft)).toEqual({ disk_id: 51, label: 'golden' });
  });
});

describe('an upload', () => {
  const draft = { file: '/tmp/disk.img.gz', label: 'golden', region: 'us-east' };

  test('needs a file, a label and a region', () => {
    expect(wrong('upload', {})).toEqual(['file', 'label', 'region']);
    expect(wrong('upload', draft)).toEqual([]);
  });

  test('sends no word of the file, which goes to the address in the answer', () => {
    const upload = actionNamed('upload');
    expect(bodyOf(images, upload, draft)).toEqual({ label: 'golden', region: 'us-east' });
    expect(upload.fileTransfer).toMatchObject({ way: 'upload', file: 'file', address: 'upload_to' });
    expect(upload.row?.({ image: own, upload_to: 'https://192.0.2.1/' })).toBe(own);
  });

  test('takes gzip files of at most 5 GiB', () => {
    const { file } = actionNamed('upload').fields ?? {};
    expect(file && ruleOf(file, true)).toBe(
      'required, at most 5 GiB, a gzip file (.gz) around a raw disk image (.img)',
    );
    expect(file?.begins?.bytes).toEqual([0x1f, 0x8b]);
  });
});

test.each([
  ['description', 'a'.repeat(65_000), 'a'.repeat(65_001)],
  ['status', 'pending_upload', 'ready'],
])('%s has its limits in an edit', (field, taken, refused) => {
  const draft = draftOf(images, actionNamed('edit'), own);
  expect(wrong('edit', { ...draft, [field]: taken }, own)).toEqual([]);
  expect(wrong('edit', { ...draft, [field]: refused }, own)).toEqual([field]);
});

test('a cleared description is sent as null', () => {
  const row = { ...own, description: 'old' };
  const draft = { ...draftOf(images, actionNamed('edit'), row), description: '' };
  expect(bodyOf(images, actionNamed('edit'), draft, row)).toEqual({ description: null });
});

test('the data of an upload must come within 24 hours', () => {
  const due = images.card?.find(({ title }) => title === 'Upload due')?.value;
  const dueOf = (row: Row) => (typeof due === 'function' ? due(row, disks) : due);
  const created = '2024-05-01T12:00:00';
  expect(dueOf({ ...own, created, status: 'pending_upload' })).toBe('2024-05-02T12:00:00.000Z');
  expect(dueOf({ ...own, created })).toBeUndefined();
});

test.each(['edit', 'delete'])('%s is for own images only', (name) => {
  const { refuse } = actionNamed(name);
  expect(refuse?.(own, disks)).toBeUndefined();
  expect(refuse?.(shared, disks)).toContain('Debian 12 is a public image');
});

test.each([
  ['available', undefined],
  [null, undefined],
  ['creating', 'golden is being created; only available images can be deployed'],
  ['pending_upload', 'golden waits for its file; only available images can be deployed'],
])('a server from an image that is %s', (status, says) => {
  const deploy = images.shortcuts?.find(({ name }) => name === 'deploy');
  expect(deploy?.refuse?.({ ...own, status }, disks)).toBe(says);
  expect(deploy?.start(own, disks, {})).toEqual({ mode: 'image', image: 'private/7' });
});
