import { expect, test } from 'vitest';
import { describeArea } from './area.ts';
import { kernel, region } from './nouns.ts';

describeArea(
  'regions and kernels (documents 1, 4.6 and 2, 4.1)',
  {
    'GET /v4/regions': { answers: region },
    'GET /v4/regions/{regionId}': { answers: region, params: () => ({ regionId: 'us-east' }) },
    'GET /v4/server/kernels': { answers: kernel },
    'GET /v4/server/kernels/{kernelId}': { answers: kernel, params: () => ({ kernelId: 'server/latest-64bit' }) },
  },
  (cloud) => {
    test('each of a catalogue can be viewed by its id, with or without its slash encoded', async () => {
      const kernels = await cloud().all<{ id: string }>('/v4/server/kernels');
      expect(kernels.length).toBeGreaterThan(100);
      for (const kernel of kernels.slice(0, 5)) {
        expect(await cloud().get(`/v4/server/kernels/${kernel.id}`)).toEqual(kernel);
        expect(await cloud().get(`/v4/server/kernels/${encodeURIComponent(kernel.id)}`)).toEqual(kernel);
      }
      for (const region of await cloud().all<{ id: string }>('/v4/regions'))
        expect(await cloud().get(`/v4/regions/${region.id}`)).toEqual(region);
    });

    test('resolvers are addresses with commas between', async () => {
      for (const { resolvers } of await cloud().all<{ resolvers: { ipv4: string; ipv6: string } }>('/v4/regions')) {
        expect(resolvers.ipv4.split(',').every((address) => /^\d+(\.\d+){3}$/.test(address.trim()))).toBe(true);
        expect(resolvers.ipv6.split(',').every((address) => /^[0-9a-f:]+$/i.test(address.trim()))).toBe(true);
      }
    });
  },
);
