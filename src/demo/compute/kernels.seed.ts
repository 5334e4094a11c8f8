import type { Kernel as KernelRow } from '../../resources/compute/kernels.ts';
import type { Stored } from '../engine/cloud.ts';

/** A kernel (document 2, 2.6). */
export type Kernel = Stored<KernelRow> & {
  version: string;
  architecture: 'x86_64' | 'i386';
  built: string;
  kvm: boolean;
  pvops: boolean;
  xen: boolean;
};

/** Loaders and the newest kernels, which configs name. */
const named: readonly (readonly [id: string, label: string, version: string])[] = [
  ['latest-64bit', 'Latest 64 bit (6.9.7-x86_64-server165)', '6.9.7'],
  ['latest-32bit', 'Latest 32 bit (6.9.7-x86-server183)', '6.9.7'],
  ['grub2', 'GRUB 2', '2.06'],
  ['grub-legacy', 'GRUB (Legacy)', '2.0.0'],
  ['direct-disk', 'Direct Disk', ''],
];

/** The series of kernels that were built, oldest first, each with its last patch level and the year of the first. */
const series: readonly (readonly [version: string, patches: number, year: number])[] = [
  ['2.6.39', 4, 2011],
  ['3.0', 18, 2011],
  ['3.4', 10, 2012],
  ['3.9', 8, 2013],
  ['3.14', 17, 2014],
  ['4.1', 13, 2015],
  ['4.4', 11, 2016],
  ['4.9', 20, 2016],
  ['4.14', 19, 2017],
  ['5.1', 17, 2019],
  ['5.10', 17, 2020],
  ['6.1', 10, 2022],
  ['6.9', 7, 2024],
];

const architectures = ['x86_64', 'i386'] as const;

/** Several hundred kernels, newest first, most of them deprecated. */
export const kernels: readonly Kernel[] = [...named.map(namedKernel), ...numbered().reverse()];

function namedKernel([name, label, version]: (typeof named)[number]): Kernel {
  const architecture = name.endsWith('32bit') ? 'i386' : 'x86_64';
  const rest = { deprecated: name === 'grub-legacy', kvm: true, pvops: !name.startsWith('grub'), xen: false };
  return { id: `server/${name}`, label, version, architecture, built: '2024-07-02T13:14:15', ...rest };
}

function numbered(): Kernel[] {
  let build = 10;
  return series.flatMap(([minor, patches, year]) =>
    Array.from({ length: patches }, (_, patch) => {
      build += 1;
      const built = new Date(Date.UTC(year, 1, 3 + patch * 23, 9, 30)).toISOString().slice(0, 19);
      return architectures.map((architecture) => numberedKernel(`${minor}.${patch}`, architecture, build, built, year));
    }).flat(),
  );
}

function numberedKernel(
  version: string,
  architecture: Kernel['architecture'],
  build: number,
  built: string,
  year: number,
): Kernel {
  const name = `${version}-${architecture === 'i386' ? 'x86' : architecture}-server${build}`;
  return {
    id: `server/${name}`,
    label: name,
    version,
    architecture,
    built,
    deprecated: year < 2020,
    kvm: year > 2012,
    pvops: true,
    xen: year < 2019,
  };
}
