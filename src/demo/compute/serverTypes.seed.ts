import type { ServerType as ServerTypeRow } from '../../resources/compute/serverTypes.ts';
import type { Stored } from '../engine/cloud.ts';

/** A size of server with its price. */
export type ServerType = Required<Stored<ServerTypeRow>> & {
  class: string;
  disk: number;
  memory: number;
  vcpus: number;
  gpus: number;
  transfer: number;
  network_out: number;
  addons: { backups: { price: { hourly: number; monthly: number } } };
  successor: string | null;
};

type Size = readonly [
  id: string,
  label: string,
  gigabytes: number,
  cores: number,
  disk: number,
  transfer: number,
  out: number,
  monthly: number,
  backups: number,
];

const sizes: readonly Size[] = [
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
];

const classes: readonly (readonly [part: string, name: string])[] = [
  ['nanode', 'nanode'],
  ['standard', 'standard'],
  ['dedicated', 'dedicated'],
  ['highmem', 'highmem'],
  ['gpu', 'gpu'],
];

const priceOf = (monthly: number) => ({ hourly: Math.round((monthly / 666) * 10_000) / 10_000, monthly });

/** Every server type on offer, by class and then by size. */
export const serverTypes: readonly ServerType[] = sizes.map(
  ([id, label, gigabytes, vcpus, disk, transfer, network_out, monthly, backups]) => ({
    id,
    label,
    class: classes.find(([part]) => id.includes(part))?.[1] ?? 'standard',
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
