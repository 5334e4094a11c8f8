import type { DescribedAction } from '../resource.ts';
import { deviceComplaint, deviceName, devicesInOrder, slots } from './devices.ts';
import {
  hasLargerDisk,
  refuseResize,
  refuseShutdown,
  resizeComplaint,
  resizeNote,
  resizeWarning,
  snapshotWarning,
} from './serverRules.ts';
import { alertNames, type Server, scheduleNames } from './serverSettings.ts';
import { resizeCost, resizedPrice } from './serverTypes.ts';

/** Said of servers that are off (document 2, 4.1). */
export const noBoot = "Booting is not in this API's documents; the provider's console or your own command does it.";

/** The slots of the rescue system; the last one is its own. */
export const rescueSlots = slots.slice(0, -1);

const refuseWithoutBackups = (server: Server) =>
  server.backups?.enabled
    ? undefined
    : `Backups are off for ${server.label}; they are turned on when a server is created, or in the provider's console`;

/** The actions on a server besides editing, tagging and deleting it (document 2, 4.2). */
export const serverActions: readonly DescribedAction<Server>[] = [
  {
    name: 'alerts',
    key: 'l',
    help: 'Set alerts',
    on: 'Set alerts for {}',
    method: 'PUT',
    body: alertNames,
    start: (server) =>
      Object.fromEntries(Object.entries(server?.alerts ?? {}).map(([name, value]) => [`alerts.${name}`, `${value}`])),
  },
  {
    name: 'schedule',
    key: 'b',
    help: 'Set the backup window',
    on: 'Set the backup window of {}',
    method: 'PUT',
    body: scheduleNames,
    start: (server) => ({
      'backups.schedule.day': server?.backups?.schedule?.day ?? undefined,
      'backups.schedule.window': server?.backups?.schedule?.window ?? undefined,
    }),
    refuse: refuseWithoutBackups,
  },
  {
    name: 'snapshot',
    makes: true,
    shownBy: { events: ['server_snapshot'], isJob: true },
    key: 'p',
    help: 'Take a snapshot',
    on: 'Take a snapshot of {}',
    path: '/v4/server/instances/{serverId}/backups',
    body: ['label!'],
    fields: { label: { label: 'Label', kind: 'text', min: 1, max: 255 } },
    refuse: refuseWithoutBackups,
    start: () => ({}),
    ask: {
      when: 'the server may already have a snapshot',
      warning: snapshotWarning,
      together:
        'Takes a snapshot of each server. It replaces the current snapshot, if there is one, which cannot be recovered.',
      note: 'A server keeps one snapshot: a new one replaces it.',
    },
    inverse: 'A snapshot cannot be deleted, and the one that it replaced is gone.',
    reads: ['backups'],
    invalidates: ['backups'],
  },
  {
    name: 'shutdown',
    disrupts: 'from then on',
    shownBy: {
      events: ['server_shutdown'],
      isJob: true,
      reaches: 'offline',
      state: ({ status }) => status === 'offline' || status === 'shutting_down',
    },
    key: 's',
    help: 'Shut down',
    refuse: refuseShutdown,
    ask: {
      warning: (server) =>
        `Shuts ${server.label} down. Its services stop until it is booted again; it is still billed.`,
      together: 'Shuts them down. Their services stop until they are booted again; they are still billed.',
    },
    inverse: noBoot,
  },
  {
    name: 'resize',
    disrupts: 'for a while',
    leaves: {},
    shownBy: { events: ['server_resize'], isJob: true, state: ({ type }, body) => type === body.type },
    key: 'z',
    help: 'Resize',
    reads: ['disks', 'server-types'],
    body: ['type!', 'allow_auto_disk_resize'],
    start: () => ({}),
    refuse: refuseResize,
    check: resizeComplaint,
    ask: {
      warning: resizeWarning,
      together: (_servers, _view, { type }) =>
        `Resizes them to ${type}. Each is down during the resize, and billed by its new type from then on.`,
      note: resizeNote,
      cost: resizeCost,
    },
    inverse: ({ before, body }, view) => {
      if (!before?.type) return 'The type that it had is not known.';
      const isFitted = body?.allow_auto_disk_resize !== false;
      if (isFitted && hasLargerDisk(body?.type, before.type, view))
        return 'Its disks may grow with the type, and then no longer fit the old one: make them smaller, and resize it by hand.';
      return {
        action: 'resize',
        entries: { type: before.type, ...(!isFitted && { allow_auto_disk_resize: false }) },
        differs: ['it is down once more', 'its disks must fit the old type by then'],
      };
    },
    monthly: resizedPrice,
    invalidates: ['disks'],
  },
  {
    name: 'rescue',
    shownBy: { isJob: true },
    key: 'r',
    help: 'Boot into rescue',
    on: 'Boot {} into rescue',
    reads: ['disks', 'volumes'],
    body: rescueSlots.map(deviceName),
    start: (server, view) => devicesInOrder(server?.id, view, rescueSlots),
    check: (draft, view) => deviceComplaint(draft, rescueSlots, view),
    ask: {
      warning: (server) =>
        `Boots ${server.label} into the rescue system; its services stop. /dev/sdh is reserved for the rescue system.`,
    },
    inverse: noBoot,
    single: true,
  },
];
