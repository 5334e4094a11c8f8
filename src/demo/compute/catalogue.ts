import { perCloud } from '../engine/cloud.ts';
import { collection } from '../engine/handler.ts';
import { kernels as allKernels, type Kernel } from './kernels.seed.ts';
import { regions as allRegions, type Region } from './regions.seed.ts';
import { serverTypes as allTypes, type ServerType } from './serverTypes.seed.ts';

/** Kernels (document 2, 2.6). */
export const kernels = collection<Kernel>('kernels', {
  rows: () => allKernels,
  filters: ['architecture', 'deprecated', 'kvm', 'label', 'pvops', 'version', 'xen'],
}).handlers();

/** The regions where something is wrong now; one has been for long. */
export const outagesOf = perCloud(() => new Set(['ap-northeast']));

/** Regions (document 1, 2.10). */
export const regions = collection<Region>('regions', {
  rows: (cloud) =>
    allRegions.map((region) => ({ ...region, status: outagesOf(cloud).has(region.id) ? 'outage' : 'ok' })),
}).handlers();

/** Server types, which the documents only mention. */
export const serverTypes = collection<ServerType>('server-types', {
  rows: () => allTypes,
  filters: ['class', 'label', 'vcpus', 'memory', 'disk'],
}).handlers();
