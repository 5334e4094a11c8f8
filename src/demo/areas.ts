import { images, kernels, regions, serverTypes } from './catalogue.ts';
import { configs } from './configs.ts';
import { backups, disks } from './disks.ts';
import type { Area } from './engine/answer.ts';
import { events } from './events.ts';
import { servers } from './servers.ts';
import { volumes } from './volumes.ts';

/** Every area of the cloud; together they answer every operation that is described. */
export const areas: readonly Area[] = [
  servers,
  disks,
  configs,
  backups,
  serverTypes,
  kernels,
  regions,
  volumes,
  images,
  events,
];
