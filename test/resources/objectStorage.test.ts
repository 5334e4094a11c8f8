import { describe, expect, test } from 'vitest';
import { bodyOf } from '../../src/resources/body.ts';
import { idIn, idOf, paramsFrom, paramsOf } from '../../src/resources/identity.ts';
import type { Draft, Row } from '../../src/resources/resource.ts';
import { buckets } from '../../src/resources/storage/buckets.ts';
import { objectKeys } from '../../src/resources/storage/objectKeys.ts';
import { objectStorage } from '../../src/resources/storage/objectStorage.ts';
import { contentTypeOf, isPrefix, objects } from '../../src/resources/storage/objects.ts';
import { complaintsOf } from '../../src/resources/verdict.ts';
import { actionOf, saidBy } from './actionOf.ts';
import { knowing } from './known.ts';

const nothing = knowing();

const bucket: Row = { label: 'files', cluster: 'us-east-1', hostname: 'files.example.com', objects: 0, size: 0 };

describe('a row that several fields identify', () => {
  test('has an id of parts, which its parameters are taken from and put into', () => {
    expect(idOf(buckets, bucket)).toBe('us-east-1/files');
    const params = { clusterId: 'us-east-1', bucket: 'files' };
    expect(paramsOf(buckets, bucket, { prefix: 'a/' })).toEqual({ ...params, prefix: 'a/' });
    expect(paramsFrom(buckets, 'us-east-1/files')).toEqual(params);
    expect(idIn(buckets, { ...params, prefix: 'a/' })).toBe('us-east-1/files');
    expect(idIn(buckets, { clusterId: 'us-east-1' })).toBeUndefined();
  });

  test('names a region where its deployment has no clusters', () => {
    expect(idOf(buckets, { ...bucket, cluster: '', region: 'us-ord' })).toBe('us-ord/files');
  });

  test('others have one part, whatever it holds', () => {
    expect(idOf(objects, { name: 'a/b/c' })).toBe('a/b/c');
    expect(paramsFrom(objects, 'a/b/c')).toEqual({ name: 'a/b/c' });
    expect(idIn(objects, { name: 'a/b' })).toBe('a/b');
  });
});

describe('buckets', () => {
  const complaints = (name: string, draft: Draft, view = nothing) =>
    complaintsOf(buckets, actionOf(buckets, name), draft, view).map(({ field }) => field);

  test.each(['Files', '-files', 'my_files', 'my.files', ''])('refuses the label %j', (label) => {
    expect(complaints('create', { label, cluster: 'us-east-1' })).toEqual(['label']);
  });

  test('tells that nothing new would be made where there is one already', () => {
    const draft = { label: 'files', cluster: 'us-east-1' };
    expect(complaints('create', draft)).toEqual([]);
    expect(complaints('create', draft, knowing({ buckets: [bucket] }))).toEqual(['label']);
    expect(complaints('create', { ...draft, cluster: 'eu-central-1' }, knowing({ buckets: [bucket] }))).toEqual([]);
  });

  test('only an empty one is deleted', () => {
    const refuse = buckets.remove?.refuse;
    expect(refuse?.(bucket, nothing)).toBeUndefined();
    expect(refuse?.({ ...bucket, objects: 3 }, nothing)).toMatch(/holds 3 objects/);
  });

  test('a new one cannot be custom, and a change must change something', () => {
    expect(complaints('create', { label: 'a', cluster: 'b', acl: 'custom' })).toEqual(['acl']);
    expect(complaints('edit', { acl: 'custom', cors_enabled: true })).toEqual([]);
    expect(complaints('modify-access', {})).toEqual(['acl']);
    expect(complaints('modify-access', { cors_enabled: false })).toEqual([]);
  });

  test('a certificate and its key must be PEM', () => {
    expect(complaints('upload-certificate', { certificate: 'x', private_key: 'y' })).toEqual([
      'certificate',
      'private_key',
    ]);
  });

  test('replacing a certificate deletes the present one first', () => {
    const { first, path } = actionOf(buckets, 'replace-certificate');
    expect(first).toMatchObject({ method: 'DELETE', path });
  });
});

describe('objects', () => {
  const upload = (draft: Draft) => bodyOf(objects, actionOf(objects, 'upload'), draft);

  test.each([
    ['photo.JPG', 'image/jpeg'],
    ['a/b.tar', 'application/x-tar'],
    ['nothing', 'application/octet-stream'],
    ['strange.zzz', 'application/octet-stream'],
  ])('%s is %s', (name, type) => expect(contentTypeOf(name)).toBe(type));

  test('a file keeps its own name where none is given, and goes below what ends in a slash', () => {
    const file = '/home/me/report.pdf';
    expect(upload({ file })).toEqual({ name: 'report.pdf', method: 'PUT', content_type: 'application/pdf' });
    expect(upload({ file, name: 'docs/' })).toMatchObject({ name: 'docs/report.pdf' });
    expect(upload({ file, name: 'docs/final.txt' })).toMatchObject({
      name: 'docs/final.txt',
      content_type: 'text/plain',
    });
    expect(upload({ file, content_type: 'x/y' })).toMatchObject({ content_type: 'x/y' });
  });

  test('a prefix is no object, so nothing is done to it', () => {
    const prefix = { name: 'docs/', size: null, etag: null, last_modified: null };
    const object = { name: 'docs/a', size: 0, etag: 'x', last_modified: '2024-01-01T00:00:00.000Z' };
    expect([isPrefix(prefix), isPrefix(object)]).toEqual([true, false]);
    for (const name of ['edit', 'download', 'url', 'delete']) {
      const { refuse } = actionOf(objects, name);
      expect(refuse?.(prefix, nothing)).toMatch(/docs\/ is a prefix, not an object/);
      expect(refuse?.(object, nothing)).toBeUndefined();
    }
  });

  test('a URL needs a content type to write, and lives from six minutes to nineteen hours', () => {
    const url = actionOf(objects, 'url');
    const wrong = (draft: Draft) => complaintsOf(objects, url, draft, nothing).map(({ field }) => field);
    expect(wrong({ method: 'GET' })).toEqual([]);
    expect(wrong({ method: 'PUT' })).toEqual(['content_type']);
    for (const [seconds, fields] of [
      ['359', ['expires_in']],
      ['360', []],
      ['68400', []],
      ['68401', ['expires_in']],
    ] as const)
      expect(wrong({ method: 'GET', expires_in: seconds })).toEqual(fields);
    expect(bodyOf(objects, url, { method: 'GET' }, { name: 'a/b' })).toEqual({ method: 'GET', name: 'a/b' });
  });
});

describe('keys', () => {
  const create = actionOf(objectKeys, 'create');
  const sent = (draft: Draft) => bodyOf(objectKeys, create, draft);
  const wrong = (draft: Draft) => complaintsOf(objectKeys, create, draft, nothing).map(({ field }) => field);

  test('are unrestricted without bucket_access, limited with it, and useless with none of it', () => {
    expect(sent({ label: 'a', reach: 'unrestricted' })).toEqual({ label: 'a' });
    expect(sent({ label: 'a', reach: 'nothing' })).toEqual({ label: 'a', bucket_access: [] });
    expect(sent({ reach: 'limited', read_write: ['us-east-1/files'], read_only: ['eu-central-1/logs'] })).toEqual({
      bucket_access: [
        { bucket_name: 'files', cluster: 'us-east-1', permissions: 'read_write' },
        { bucket_name: 'logs', cluster: 'eu-central-1', permissions: 'read_only' },
      ],
    });
  });

  test('what they may use must be chosen; each bucket once', () => {
    expect(wrong({})).toEqual(['reach']);
    expect(wrong({ reach: 'limited' })).toEqual(['read_write']);
    expect(wrong({ reach: 'limited', read_only: ['a/b'] })).toEqual([]);
    expect(wrong({ reach: 'limited', read_write: ['a/b'], read_only: ['a/b'] })).toEqual(['read_only']);
    expect(wrong({ reach: 'nothing' })).toEqual([]);
  });

  test('show their reach in words that cannot be mistaken', () => {
    const grant = { bucket_name: 'files', cluster: 'us-east-1', permissions: 'read_only' };
    const shown = (key: Row) =>
      ['Limited', 'Buckets'].map((title) => {
        const value = objectKeys.columns.find((column) => column.title === title)?.value;
        return typeof value === 'function' ? value(key, nothing) : undefined;
      });
    expect(shown({ limited: false, bucket_access: null })).toEqual(['NO: all buckets', 'all, read and write']);
    expect(shown({ limited: true, bucket_access: [] })).toEqual(['yes: no bucket', 'none']);
    expect(shown({ limited: true, bucket_access: [grant] })).toEqual(['yes: those listed', '0 rw / 1 ro']);
  });
});

test('cancelling says what is lost, and wants its name typed', () => {
  const cancel = actionOf(objectStorage, 'cancel');
  expect(cancel.ask).toHaveProperty('typeLabel', true);
  const held = [
    { ...bucket, objects: 2, size: 2 ** 30 },
    { ...bucket, label: 'logs', objects: 5, size: 2 ** 30 },
  ];
  expect(saidBy(cancel, 'warning', {}, knowing({ buckets: held }))).toMatch(
    /^All 2 buckets with 7 objects \(2 GiB\) will be deleted and cannot be recovered/,
  );
});

test('a cancellation speaks of all buckets only where all are read', () => {
  const rows = [{ ...bucket, objects: 3 }];
  const said = (partly: readonly string[] = []) =>
    saidBy(actionOf(objectStorage, 'cancel'), 'warning', {}, knowing({ buckets: rows }, { partly }));
  expect(said()).toMatch(/^The only bucket with 3 objects .* Buckets: us-east-1\/files\.$/);
  expect(said(['buckets'])).toMatch(/^All buckets and everything in them .* Among the buckets: us-east-1\/files\.$/);
});

test('an upload is not said to have replaced an object, as there may have been none', () => {
  expect(objects.create?.inverse).toBe(
    'An object of this name, if there was one, is gone; delete the new one by hand.',
  );
});
