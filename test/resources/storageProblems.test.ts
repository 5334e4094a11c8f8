import { describe, expect, it } from 'vitest';
import type { Row } from '../../src/resources/resource.ts';
import { foundBy, present } from './foundBy.ts';

const hour = 3_600_000;
const day = 24 * hour;
const at = (ms: number) => new Date(present + ms).toISOString().slice(0, 19);

const image = {
  id: 'private/5',
  label: 'golden',
  is_public: false,
  type: 'manual',
  status: 'available',
  deprecated: false,
  expiry: null,
  eol: null,
  created: at(-3 * hour),
  updated: at(-2 * hour),
};
const debian = { ...image, id: 'server/debian10', label: 'Debian 10', is_public: true };
const madeOf = (...labels: readonly string[]) => labels.map((label, id) => ({ id, label, image: debian.id }));

/** The findings of a rule about one image, and the servers that were made from the public one. */
const found = (rule: string, row: Row, servers: readonly Row[] = madeOf('mail')) =>
  foundBy(rule, { lists: { images: [row], servers } });

describe('images of the account', () => {
  it.each([
    ['image-expires', { expiry: at(7 * day) }, 'notice', 'golden expires in 7 days and is deleted then', undefined],
    ['image-expires', { expiry: at(day) }, 'warning', 'golden expires in 24 hours and is deleted then', undefined],
    ['image-expires', { expiry: at(-day) }, 'notice', 'golden expired on 2024-04-30', present - day],
    [
      'image-upload-missed',
      { status: 'pending_upload' },
      'warning',
      'golden has waited 3 hours for its data; after 24 hours the upload is cancelled and the image deleted',
      present - 3 * hour,
    ],
    [
      'image-creating-too-long',
      { status: 'creating' },
      'warning',
      'golden is still being created after 3 hours',
      present - 3 * hour,
    ],
    ['image-failed', { status: 'failed' }, 'warning', 'golden failed and cannot be deployed', present - 2 * hour],
  ])('%s: %o', (rule, change, severity, says, since) => {
    expect(found(rule, { ...image, ...change })).toMatchObject([{ severity, says, since }]);
  });

  it.each([
    ['image-expires', { expiry: at(7 * day + 1000) }],
    ['image-expires', {}],
    ['image-upload-missed', { status: 'pending_upload', created: at(-hour) }],
    ['image-upload-missed', {}],
    ['image-creating-too-long', { status: 'creating', created: at(-2 * hour) }],
    ['image-creating-too-long', {}],
    ['image-failed', {}],
    ['image-failed', { status: 'failed', is_public: true }],
  ])('%s lets %o be', (rule, change) => {
    expect(found(rule, { ...image, ...change })).toEqual([]);
  });
});

describe('public images that servers were made from', () => {
  it.each([
    ['image-past-end-of-life', { eol: at(0) }, 'warning', 'which reached its end of life on 2024-05-01', present],
    [
      'image-near-end-of-life',
      { eol: at(90 * day) },
      'notice',
      'which reaches its end of life on 2024-07-30',
      undefined,
    ],
    ['image-deprecated', { deprecated: true, eol: at(91 * day) }, 'notice', 'which is deprecated', undefined],
  ])('%s: %o', (rule, change, severity, says, since) => {
    const row = { ...debian, ...change };
    expect(found(rule, row)).toMatchObject([{ severity, says: `mail was made from Debian 10, ${says}`, since }]);
    expect(found(rule, row, madeOf('a', 'b', 'c', 'd'))).toMatchObject([
      { says: `a, b and 2 more were made from Debian 10, ${says}` },
    ]);
    expect(found(rule, row, [])).toEqual([]);
  });

  it.each([
    ['image-past-end-of-life', { eol: at(1000) }],
    ['image-near-end-of-life', { eol: at(90 * day + 1000) }],
    ['image-near-end-of-life', { eol: at(0) }],
    ['image-deprecated', { deprecated: true, eol: at(-day) }],
    ['image-deprecated', {}],
  ])('%s lets %o be', (rule, change) => {
    expect(found(rule, { ...debian, ...change })).toEqual([]);
  });
});

describe('buckets and keys', () => {
  const bucket = { label: 'assets', cluster: 'eu-central-1' };
  const access = (rule: string, acl: unknown) =>
    foundBy(rule, { lists: { buckets: [bucket] }, answers: { 'buckets access eu-central-1 assets': { acl } } });

  it('may be open to all', () => {
    expect(access('bucket-writable-by-all', 'public-read-write')).toMatchObject([
      { severity: 'critical', says: 'eu-central-1/assets may be written by everyone: its access is public-read-write' },
    ]);
    expect(access('bucket-readable-by-all', 'public-read')).toMatchObject([
      { severity: 'notice', says: 'eu-central-1/assets may be read by everyone: its access is public-read' },
    ]);
    expect(access('bucket-readable-by-all', 'authenticated-read')).toMatchObject([
      {
        says: 'eu-central-1/assets may be read by every user of object storage, of other accounts too, as its access is authenticated-read',
      },
    ]);
  });

  it.each([
    ['bucket-writable-by-all', 'public-read'],
    ['bucket-readable-by-all', 'public-read-write'],
    ['bucket-readable-by-all', 'private'],
    ['bucket-readable-by-all', 'toString'],
    ['bucket-readable-by-all', undefined],
  ])('%s lets %s be', (rule, acl) => {
    expect(access(rule, acl)).toEqual([]);
  });

  const key = { id: 3, label: 'ci', access_key: 'AK', limited: true };
  const to = (...names: readonly string[]) => ({
    bucket_access: names.map((bucket_name) => ({ bucket_name, cluster: 'eu-central-1', permissions: 'read_only' })),
  });
  const keyed = (rule: string, change: object, partly: readonly string[] = []) =>
    foundBy(rule, { lists: { buckets: [bucket], 'object-keys': [{ ...key, ...change }] }, partly });

  it('may reach too far, or what is gone', () => {
    expect(keyed('object-key-unrestricted', { limited: false, bucket_access: null })).toMatchObject([
      { severity: 'notice', says: 'The key ci may read and write all buckets, those made later too' },
    ]);
    expect(keyed('object-key-of-gone-bucket', to('assets', 'old'))).toMatchObject([
      {
        severity: 'warning',
        says: 'The key ci may use eu-central-1/old, which is missing; anybody can create a bucket of that name',
      },
    ]);
  });

  it('are let be within bounds, and while the buckets are not all loaded', () => {
    expect(keyed('object-key-unrestricted', to())).toEqual([]);
    expect(keyed('object-key-of-gone-bucket', to('assets'))).toEqual([]);
    expect(keyed('object-key-of-gone-bucket', { limited: false, bucket_access: null })).toEqual([]);
    expect(keyed('object-key-of-gone-bucket', to('old'), ['buckets'])).toEqual([]);
  });

  it('may send out what the pool holds', () => {
    const sent = (share: number) =>
      foundBy('object-transfer-pool', { lists: { 'object-storage': [{ used: share * 2 ** 40 }] } });
    expect(sent(0.8)).toMatchObject([
      {
        severity: 'warning',
        says: 'The buckets sent out 819 GiB, 80% of the 1 TiB that object storage adds to the transfer pool',
      },
    ]);
    expect(sent(0.799)).toEqual([]);
    // As the storage itself has its share of the pool.
    expect(sent(0.8699)).toMatchObject([{ says: expect.stringContaining('87% of the 1 TiB') }]);
  });
});

describe('outages', () => {
  const region = { id: 'us-east', status: 'outage' };
  const here = (count: number) => Array.from({ length: count }, (_, id) => ({ id, region: 'us-east' }));
  const hit = (lists: object, status = 'outage') =>
    foundBy('region-outage', { lists: { regions: [{ ...region, status }], ...lists } });

  it('of regions count what is there', () => {
    expect(hit({ servers: here(12), volumes: here(3), nodebalancers: here(1) })).toMatchObject([
      { severity: 'critical', says: 'us-east has an outage; it affects 12 servers, 3 volumes and 1 NodeBalancer' },
    ]);
    expect(hit({ volumes: here(1) })).toMatchObject([{ says: 'us-east has an outage; it affects 1 volume' }]);
    expect(hit({ servers: [{ id: 1, region: 'us-west' }] })).toEqual([]);
    expect(hit({ servers: here(12) }, 'ok')).toEqual([]);
  });

  it('of clusters name the buckets', () => {
    const cut = (status: string, cluster = 'us-east-1') =>
      foundBy('cluster-unavailable', {
        lists: { 'object-clusters': [{ id: 'us-east-1', status }], buckets: [{ label: 'dumps', cluster }] },
      });
    expect(cut('unavailable')).toMatchObject([
      { severity: 'critical', says: 'us-east-1 is unavailable, and with it dumps' },
    ]);
    expect(cut('available')).toEqual([]);
    expect(cut('unavailable', 'eu-central-1')).toEqual([]);
  });
});
