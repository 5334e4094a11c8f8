import { answers, type Call } from './engine/answer.ts';
import { collection } from './engine/collection.ts';
import { notFound } from './engine/refusal.ts';
import { imagesOf } from './holdings.ts';
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

const imageFilters = ['deprecated', 'is_public', 'label', 'size', 'type', 'vendor'];

/** Images (document 1, 4.7): without a token only the public ones. */
export const images = answers('images', {
  list: {
    optional: true,
    answer: (call, cloud) => {
      const all = [...cloud.of(imagesOf).values()];
      return collection(call.user ? all : all.filter(({ is_public }) => is_public), call, imageFilters);
    },
  },
  view: {
    optional: true,
    answer: ({ params, user }, cloud) => {
      const image = cloud.of(imagesOf).get(params.imageId ?? '');
      if (!image || (!user && !image.is_public)) throw notFound();
      return image;
    },
  },
});
