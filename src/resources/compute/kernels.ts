import { type Resource, type Row, resource } from '../resource.ts';

/** A kernel that a config can boot (document 2, 2.6). */
export type Kernel = Row & {
  id: string;
  label: string;
  deprecated: boolean;
  architecture: string;
  built: string;
  kvm: boolean;
  pvops: boolean;
  version: string;
  xen: boolean;
};

/** Kernels (document 2, 2.6 and 4.1). */
export const kernels: Resource = resource<Kernel>()({
  name: 'kernels',
  area: 'Compute',
  path: '/v4/server/kernels',
  catalogue: true,
  sort: '-Built',
  sections: [
    { title: 'Current', only: ({ deprecated }) => !deprecated },
    { title: 'Deprecated', only: ({ deprecated }) => deprecated },
  ],
  columns: [
    { title: 'Label', value: 'label', keep: 1 },
    { title: 'Version', value: 'version', keep: 1 },
    { title: 'Architecture', value: 'architecture' },
    { title: 'KVM', value: 'kvm', format: 'boolean' },
    { title: 'Built', value: 'built', format: 'date' },
    { title: 'ID', value: 'id' },
    { title: 'Xen', value: 'xen', format: 'boolean', keep: 3 },
    { title: 'PV-ops', value: 'pvops', format: 'boolean', keep: 3 },
    { title: 'Deprecated', value: 'deprecated', format: 'boolean', keep: 3 },
  ],
});
