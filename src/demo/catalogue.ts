import { answers, type Call } from './engine/answer.ts';
import { collection } from './engine/collection.ts';
import { notFound } from './engine/refusal.ts';
import { kernels as allKernels } from './seed/kernels.ts';
import { regions as allRegions } from './seed/regions.ts';
import { serverTypes as allTypes } from './seed/serverTypes.ts';

/** The answers about things that are the same for everybody. */
function catalogue<T extends { id: string }>(resource: string, param: string, rows: readonly T[], fields: string[]) {
  return answers(resource, {
    list: (call: Call) => collection(rows, call, fields),
    view: ({ params }) => {
      const found = rows.find(({ id }) => id === params[param]);
      if (!found) throw notFound();
      return found;
    },
  });
}

const kernelFilters = ['architecture', 'deprecated', 'kvm', 'label', 'pvops', 'version', 'xen'];

/** Kernels (document 2, 2.6). */
export const kernels = catalogue('kernels', 'kernelId', allKernels, kernelFilters);

/** Regions (document 1, 2.10). */
export const regions = catalogue('regions', 'regionId', allRegions, []);

/** Server types, which the documents only mention. */
export const serverTypes = catalogue('serverTypes', 'typeId', allTypes, ['class', 'label', 'vcpus', 'memory', 'disk']);
