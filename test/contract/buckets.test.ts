import { expect, test } from 'vitest';
import { describeArea } from './area.ts';
import type { Cloud } from './cloud.ts';
import { options, refuses, required, word, yesOrNo } from './limits.ts';
import {
  acls,
  type Bucket,
  bucket,
  cluster,
  cluster1,
  newBucket,
  pathOfBucket,
  putObject,
  storage,
} from './objectNouns.ts';
import { boolean, integer, nothing, object } from './shapes.ts';

const certificate = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----';
const private_key = '-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----';

/** A new bucket with a certificate. */
const secured = async (cloud: Cloud) => {
  const params = await newBucket(cloud);
  await cloud.post(`${pathOfBucket(params)}/ssl`, { certificate, private_key });
  return params;
};

describeArea(
  'buckets and clusters (document 3, 4.3)',
  {
    'GET /v4/object-storage/buckets': { answers: bucket },
    'POST /v4/object-storage/buckets': {
      answers: bucket,
      body: () => ({ label: word(10), cluster: cluster1 }),
      limits: [
        required('label'),
        required('cluster'),
        refuses('label', 'Upper', '-a', 'a_b', 'a.b', 'a b', '', 5),
        { field: 'label', accepts: ['a-b', '0a'] },
        refuses('cluster', 'no-such-cluster', 5),
        { field: 'acl', accepts: acls.filter((acl) => acl !== 'custom'), refuses: ['custom', 'no-such-option', 5] },
        yesOrNo('cors_enabled'),
      ],
    },
    'GET /v4/object-storage/buckets/{clusterId}': { answers: bucket, params: () => ({ clusterId: cluster1 }) },
    'GET /v4/object-storage/buckets/{clusterId}/{bucket}': { answers: bucket, params: newBucket },
    'DELETE /v4/object-storage/buckets/{clusterId}/{bucket}': { answers: nothing, params: newBucket },
    'POST /v4/object-storage/buckets/{clusterId}/{bucket}/access': {
      answers: nothing,
      params: newBucket,
      body: () => ({ acl: 'private', cors_enabled: false }),
      limits: [options('acl', ...acls), yesOrNo('cors_enabled')],
    },
    'PUT /v4/object-storage/buckets/{clusterId}/{bucket}/access': {
      answers: nothing,
      params: newBucket,
      body: () => ({ acl: 'private', cors_enabled: false }),
      limits: [options('acl', ...acls), yesOrNo('cors_enabled')],
    },
    'GET /v4/object-storage/buckets/{clusterId}/{bucket}/ssl': { answers: object({ ssl: boolean }), params: newBucket },
    'POST /v4/object-storage/buckets/{clusterId}/{bucket}/ssl': {
      answers: object({ ssl: boolean }),
      params: newBucket,
      body: () => ({ certificate, private_key }),
      limits: [
        required('certificate'),
        required('private_key'),
        refuses('certificate', 'no certificate', 5),
        refuses('private_key', 'no key', 5),
      ],
    },
    'DELETE /v4/object-storage/buckets/{clusterId}/{bucket}/ssl': { answers: nothing, params: secured },
    'GET /v4/object-storage/clusters': { answers: cluster },
    'GET /v4/object-storage/clusters/{clusterId}': { answers: cluster, params: () => ({ clusterId: cluster1 }) },
    'GET /v4/object-storage/transfer': { answers: object({ used: integer }) },
  },
  (cloud) => {
    const ssl = (path: string) => cloud().get(`${path}/ssl`);

    test('a label that is there already is answered with its bucket', async () => {
      const path = pathOfBucket(await newBucket(cloud()));
      await putObject(cloud(), path, 'kept.txt');
      const { label } = await cloud().get<Bucket>(path);
      const again = await cloud().post<Bucket>(`${storage}/buckets`, { cluster: cluster1, label });
      expect(again).toMatchObject({ label, objects: 1 });
      const all = await cloud().all<Bucket>(`${storage}/buckets`);
      expect(all.filter((one) => one.label === label && one.cluster === cluster1)).toHaveLength(1);
    });

    test('the same label may be used in another cluster, and each lists its own', async () => {
      const label = word(9);
      for (const id of ['eu-central-1', cluster1]) await cloud().post(`${storage}/buckets`, { cluster: id, label });
      for (const id of ['eu-central-1', cluster1]) {
        const own = await cloud().all<Bucket>(`${storage}/buckets/${id}`);
        expect(own.filter((one) => one.label === label)).toMatchObject([{ cluster: id }]);
        expect(new Set(own.map((one) => one.cluster))).toEqual(new Set([id]));
      }
    });

    test('only an empty bucket is removed', async () => {
      const path = pathOfBucket(await newBucket(cloud()));
      await putObject(cloud(), path, 'a.txt');
      await cloud().refused('DELETE', path);
      const { url } = await cloud().post<{ url: string }>(`${path}/object-url`, { name: 'a.txt', method: 'DELETE' });
      expect((await fetch(url, { method: 'DELETE' })).status).toBe(204);
      await cloud().remove(path);
      expect((await cloud().ask('GET', path)).status).toBe(404);
    });

    test('access is changed as far as it is told', async () => {
      const path = pathOfBucket(await newBucket(cloud()));
      await cloud().post(`${path}/access`, { acl: 'public-read' });
      expect(await cloud().get(`${path}/access`)).toMatchObject({ acl: 'public-read', cors_enabled: false });
      await cloud().put(`${path}/access`, { cors_enabled: true });
      expect(await cloud().get(`${path}/access`)).toMatchObject({ acl: 'public-read', cors_enabled: true });
    });

    test('to replace a certificate, the current one is deleted first', async () => {
      const path = pathOfBucket(await newBucket(cloud()));
      expect(await ssl(path)).toEqual({ ssl: false });
      await cloud().post(`${path}/ssl`, { certificate, private_key });
      expect(await ssl(path)).toEqual({ ssl: true });
      await cloud().refused('POST', `${path}/ssl`, { certificate, private_key });
      await cloud().remove(`${path}/ssl`);
      expect(await ssl(path)).toEqual({ ssl: false });
      await cloud().post(`${path}/ssl`, { certificate, private_key });
    });

    test('a cluster that is not available takes no buckets', async () => {
      const clusters = await cloud().all<{ id: string; status: string }>(`${storage}/clusters`);
      const closed = clusters.find(({ status }) => status !== 'available');
      const complaints = await cloud().refused('POST', `${storage}/buckets`, { label: word(9), cluster: closed?.id });
      expect(complaints.map(({ field }) => field)).toEqual(['cluster']);
    });
  },
);

describeArea(
  'the end of object storage (document 3, 4.3, rule 7)',
  { 'POST /v4/object-storage/cancel': { answers: nothing } },
  (cloud) => {
    test('removes all buckets and what is in them', async () => {
      await newBucket(cloud());
      await cloud().post(`${storage}/cancel`);
      expect(await cloud().all<Bucket>(`${storage}/buckets`)).toEqual([]);
    });
  },
);
