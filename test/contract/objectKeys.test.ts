import { expect, test } from 'vitest';
import { describeArea } from './area.ts';
import type { Cloud } from './cloud.ts';
import { refuses, word } from './limits.ts';
import { type Key, key, newBucket, storage } from './objectNouns.ts';
import { nothing } from './shapes.ts';

const aKey = async (cloud: Cloud) => ({ keyId: (await cloud.post<Key>(`${storage}/keys`, { label: word(8) })).id });

const grant = async (cloud: Cloud, permissions: unknown = 'read_only') => {
  const { clusterId, bucket } = await newBucket(cloud);
  return { bucket_name: bucket, cluster: clusterId, permissions };
};

describeArea(
  'object storage keys (document 3, 4.3)',
  {
    'GET /v4/object-storage/keys': { answers: key },
    'POST /v4/object-storage/keys': {
      answers: key,
      body: async (cloud) => ({ label: word(8), bucket_access: [await grant(cloud)] }),
      limits: [refuses('label', 5), refuses('bucket_access', 'all', [5], { bucket_name: 'x' })],
    },
    'GET /v4/object-storage/keys/{keyId}': { answers: key, params: aKey },
    'PUT /v4/object-storage/keys/{keyId}': {
      answers: key,
      params: aKey,
      body: () => ({ label: word(8) }),
      limits: [refuses('label', 5)],
    },
    'DELETE /v4/object-storage/keys/{keyId}': { answers: nothing, params: aKey },
  },
  (cloud) => {
    const make = (body: object) => cloud().post<Key>(`${storage}/keys`, body);

    test('without bucket_access a key is unrestricted, with it limited to those buckets, with none to none', async () => {
      expect(await make({ label: 'a' })).toMatchObject({ limited: false, bucket_access: null });
      const one = await grant(cloud(), 'read_write');
      expect(await make({ label: 'b', bucket_access: [one] })).toMatchObject({ limited: true, bucket_access: [one] });
      expect(await make({ label: 'c', bucket_access: [] })).toMatchObject({ limited: true, bucket_access: [] });
    });

    test.each([
      ['permissions', 'all'],
      ['permissions', undefined],
      ['cluster', 'no-such-cluster'],
      ['cluster', undefined],
      ['bucket_name', 'no-such-bucket'],
      ['bucket_name', undefined],
    ])('refuses a %s of %s in bucket_access', async (field, value) => {
      const complaints = await cloud().refused('POST', `${storage}/keys`, {
        bucket_access: [{ ...(await grant(cloud())), [field]: value }],
      });
      expect(complaints[0]?.field).toMatch(/^bucket_access\[0\]\./);
    });

    test('the secret is told once', async () => {
      const made = await make({ label: 'once' });
      expect(made.secret_key).toMatch(/^[A-Za-z0-9]{40}$/);
      const later = await cloud().get<Key>(`${storage}/keys/${made.id}`);
      expect(later).toMatchObject({ access_key: made.access_key, secret_key: '[REDACTED]' });
      expect(JSON.stringify(await cloud().all<Key>(`${storage}/keys`))).not.toContain(made.secret_key);
      expect(await cloud().put<Key>(`${storage}/keys/${made.id}`, { label: 'twice' })).toMatchObject({
        label: 'twice',
        secret_key: '[REDACTED]',
      });
    });

    test('a revoked key is gone', async () => {
      const { id } = await make({ label: 'gone' });
      await cloud().remove(`${storage}/keys/${id}`);
      expect((await cloud().ask('GET', `${storage}/keys/${id}`)).status).toBe(404);
    });
  },
);
