import { type Area, answers } from '../engine/answer.ts';
import type { Cloud } from '../engine/cloud.ts';
import { collectionRoutes } from '../engine/collection.ts';
import { kernels as allKernels } from './kernels.seed.ts';
import { regions as allRegions } from './regions.seed.ts';
import { serverTypes as allTypes } from './serverTypes.seed.ts';

/** The answers about things that are the same for everybody. */
function catalogue<T extends { id: string }>(
  resource: string,
  param: string,
  rows: (cloud: Cloud) => readonly T[],
  filters: string[],
): Area {
  return answers(resource, collectionRoutes<T>({ rows, id: ({ params }) => params[param] ?? '', filters }).routes);
}

const kernelFilters = ['architecture', 'deprecated', 'kvm', 'label', 'pvops', 'version', 'xen'];

/** Kernels (document 2, 2.6). */
export const kernels = catalogue('kernels', 'kernelId', () => allKernels, kernelFilters);

/** The regions where something is wrong now; one has been for long. */
export const outagesOf = (_cloud: Cloud): Set<string> => new Set(['ap-northeast']);

const regionsOf = (cloud: Cloud) =>
  allRegions.map((region) => ({ ...region, status: cloud.of(outagesOf).has(region.id) ? 'outage' : 'ok' }));

/** Regions (document 1, 2.10). */
export const regions = catalogue('regions', 'regionId', regionsOf, []);

/** Server types, which the documents only mention. */
export const serverTypes = catalogue('server-types', 'typeId', () => allTypes, [
  'class',
  'label',
  'vcpus',
  'memory',
  'disk',
]);
