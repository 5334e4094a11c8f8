import type { Kernel as KernelRow } from '../../resources/compute/kernels.ts';
import type { Region as RegionRow } from '../../resources/compute/regions.ts';
import type { ServerType as ServerTypeRow } from '../../resources/compute/serverTypes.ts';
import { perCloud, type Stored } from '../engine/cloud.ts';
import { collection } from '../engine/handler.ts';

/** A data centre (document 1, 2.10), with the place its label names. */
export type Region = Stored<RegionRow> & { label: string; resolvers: { ipv4: string; ipv6: string } };

const everywhere = ['Servers', 'Block Storage', 'NodeBalancers'];

const places: readonly (readonly [id: string, label: string, country: string, more: readonly string[]])[] = [
  ['us-east', 'Newark, NJ', 'us', ['Object Storage', 'Vlans', 'GPU Servers']],
  ['us-west', 'Fremont, CA', 'us', []],
  ['us-central', 'Dallas, TX', 'us', ['Vlans']],
  ['us-southeast', 'Atlanta, GA', 'us', ['Object Storage', 'Vlans']],
  ['us-ord', 'Chicago, IL', 'us', ['Object Storage', 'Vlans']],
  ['ca-central', 'Toronto, CA', 'ca', ['Vlans']],
  ['eu-west', 'London, UK', 'gb', ['Vlans']],
  ['eu-central', 'Frankfurt, DE', 'de', ['Object Storage', 'Vlans']],
  ['fr-par', 'Paris, FR', 'fr', ['Object Storage', 'Vlans']],
  ['ap-west', 'Mumbai, IN', 'in', []],
  ['ap-south', 'Singapore, SG', 'sg', ['Object Storage', 'GPU Servers']],
  ['ap-northeast', 'Tokyo 2, JP', 'jp', []],
  ['ap-southeast', 'Sydney, AU', 'au', ['Vlans']],
];

/** Every region, as it is when all is well. */
export const regions: readonly Region[] = places.map(([id, label, country, more], place) => ({
  id,
  label,
  country,
  capabilities: [...everywhere, ...more],
  status: 'ok',
  resolvers: {
    ipv4: [2, 3, 4].map((host) => `198.51.100.${place * 8 + host}`).join(','),
    ipv6: [2, 3, 4].map((host) => `3fff:100:53:${(place + 1).toString(16)}::${host}`).join(','),
  },
}));

/** A kernel (document 2, 2.6). */
export type Kernel = Stored<KernelRow> & { architecture: 'x86_64' | 'i386' };

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
      const version = `${minor}.${patch}`;
      const rest = { version, built, deprecated: year < 2020, kvm: year > 2012, pvops: true, xen: year < 2019 };
      return architectures.map((architecture) => {
        const label = `${version}-${architecture === 'i386' ? 'x86' : architecture}-server${build}`;
        return { id: `server/${label}`, label, architecture, ...rest };
      });
    }).flat(),
  );
}

/** A size of server with its price. */
export type ServerType = Required<Stored<ServerTypeRow>> & {
  addons: { backups: { price: { hourly: number; monthly: number } } };
};

/** Memory and disk in GB, prices in US dollars a month; the last is that of backups. */
const sizes = [
  ['g6-nanode-1', 'Nanode 1 GB', 1, 1, 25, 1000, 1000, 5, 2],
  ['g6-standard-1', 'Standard 2 GB', 2, 1, 50, 2000, 2000, 12, 2.5],
  ['g6-standard-2', 'Standard 4 GB', 4, 2, 80, 4000, 4000, 24, 5],
  ['g6-standard-4', 'Standard 8 GB', 8, 4, 160, 5000, 5000, 48, 10],
  ['g6-standard-6', 'Standard 16 GB', 16, 6, 320, 8000, 6000, 96, 20],
  ['g6-standard-8', 'Standard 32 GB', 32, 8, 640, 16000, 7000, 192, 40],
  ['g6-standard-16', 'Standard 64 GB', 64, 16, 1280, 20000, 9000, 384, 80],
  ['g6-dedicated-2', 'Dedicated 4 GB', 4, 2, 80, 4000, 4000, 36, 5],
  ['g6-dedicated-4', 'Dedicated 8 GB', 8, 4, 160, 5000, 5000, 72, 10],
  ['g6-dedicated-8', 'Dedicated 16 GB', 16, 8, 320, 6000, 6000, 144, 20],
  ['g6-dedicated-16', 'Dedicated 32 GB', 32, 16, 640, 7000, 7000, 288, 40],
  ['g7-highmem-1', 'High Memory 24 GB', 24, 2, 20, 5000, 5000, 60, 5],
  ['g7-highmem-2', 'High Memory 48 GB', 48, 2, 40, 6000, 6000, 120, 10],
  ['g7-highmem-4', 'High Memory 90 GB', 90, 4, 90, 7000, 7000, 240, 20],
  ['g1-gpu-rtx6000-1', 'Dedicated 32 GB + RTX6000 GPU x1', 32, 8, 640, 16000, 10000, 1000, 40],
] as const;

const classes = ['nanode', 'dedicated', 'highmem', 'gpu'];

const priceOf = (monthly: number) => ({ hourly: Math.round((monthly / 666) * 10_000) / 10_000, monthly });

/** Every server type on offer, by class and then by size. */
export const serverTypes: readonly ServerType[] = sizes.map(
  ([id, label, gigabytes, vcpus, disk, transfer, network_out, monthly, backups]) => ({
    id,
    label,
    class: classes.find((one) => id.includes(one)) ?? 'standard',
    disk: disk * 1024,
    memory: gigabytes * 1024,
    vcpus,
    gpus: id.includes('gpu') ? 1 : 0,
    transfer,
    network_out,
    price: priceOf(monthly),
    addons: { backups: { price: priceOf(backups) } },
    successor: null,
  }),
);

/** Kernels (document 2, 2.6). */
export const kernelHandlers = collection<Kernel>('kernels', {
  rows: () => kernels,
  filters: ['architecture', 'deprecated', 'kvm', 'label', 'pvops', 'version', 'xen'],
}).handlers();

/** The regions where something is wrong now; one has been for long. */
export const outagesOf = perCloud(() => new Set(['ap-northeast']));

/** Regions (document 1, 2.10). */
export const regionHandlers = collection<Region>('regions', {
  rows: (cloud) => regions.map((region) => ({ ...region, status: outagesOf(cloud).has(region.id) ? 'outage' : 'ok' })),
}).handlers();

/** Server types, which the documents only mention. */
export const serverTypeHandlers = collection<ServerType>('server-types', {
  rows: () => serverTypes,
  filters: ['class', 'label', 'vcpus', 'memory', 'disk'],
}).handlers();
