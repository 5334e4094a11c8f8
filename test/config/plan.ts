import type { PlanFile } from '../../src/config/planSchema.ts';

/** A plan of four steps on the demo: two changes of rows, a new volume, and a record that leads to it. */
export const samplePlan = (): PlanFile => ({
  version: 2,
  madeAt: '2026-11-23T18:04:00.000Z',
  program: '0.1.0',
  host: 'api.example.com',
  euuid: '1B2D3F4A-0000-4000-8000-000000000001',
  profile: 'work',
  steps: [
    {
      id: 1,
      uid: '5f3a9c02e171',
      record: {
        resource: 'servers',
        action: 'edit',
        params: { serverId: '48200101' },
        label: 'web-1',
        changes: { set: { label: 'web-one', 'alerts.cpu': 90 }, add: { tags: ['api'] }, remove: { tags: ['old'] } },
        before: { label: 'web-1', alerts: { cpu: 180 }, tags: ['old', 'prod'] },
      },
    },
    {
      id: 2,
      uid: '5f3a9c02e172',
      record: {
        resource: 'servers',
        action: 'resize',
        params: { serverId: '48200101' },
        label: 'web-1',
        body: { type: 'standard-2' },
        before: { id: 48_200_101, label: 'web-1', type: 'standard-1' },
      },
    },
    {
      id: 3,
      uid: '5f3a9c02e173',
      record: {
        resource: 'volumes',
        action: 'create',
        params: {},
        label: 'archive',
        body: { label: 'archive', size: 20, region: 'us-east' },
      },
    },
    {
      id: 4,
      uid: '5f3a9c02e174',
      record: {
        resource: 'volumes',
        action: 'attach',
        params: { volumeId: { $step: 3 } },
        label: 'archive',
        body: { server_id: 48_200_101 },
      },
    },
  ],
});
