import { dollars, sizeText } from '../../text/numbers.ts';
import { counted, listed, wordsOf } from '../../text/words.ts';
import { jobAbout } from '../account/events.ts';
import type { CacheView, Complaint, DescribedAction, Draft, Entry } from '../resource.ts';
import { idAt, textsOf } from '../row.ts';
import { inState, ownedWords, statusOf } from '../wording.ts';
import type { Backup } from './backups.ts';
import { deviceComplaint, deviceName, devicesInOrder, slots } from './devices.ts';
import { isOff } from './load.ts';
import { sizeOf } from './serverCreateRules.ts';
import { alertNames, type Server, scheduleNames } from './serverSettings.ts';
import { resizeCost, resizedPrice, typeWords } from './serverTypes.ts';

const busy = new Set(
  'booting rebooting shutting_down provisioning deleting migrating rebuilding cloning restoring resizing'.split(' '),
);

/** The statuses of servers (document 2, 1.1). */
export const serverStatuses: readonly string[] = ['running', 'offline', 'stopped', ...busy];

/** Whether something is being done to a server, by its status. */
export const isBusy = (status: string): boolean => busy.has(status);

/** Why a server cannot be shut down. */
export function refuseShutdown(server: Server): string | undefined {
  if (isOff(server)) return `${server.label} ${inState(server)} already`;
  if (statusOf(server) === 'shutting_down') return `${server.label} is shutting down already`;
  return undefined;
}

/** Why a server cannot be resized: a running or queued action, or a balance due (document 2, 4.2). */
function refuseResize(server: Server, view: CacheView): string | undefined {
  const under = jobAbout('server', server, view);
  if (under)
    return `${server.label} has a running or queued action (${wordsOf(String(under.action))}); wait until it has finished`;
  if (isBusy(statusOf(server))) return `${server.label} ${inState(server)}; wait until that has finished`;
  const due = Number(view.rows('account')[0]?.balance ?? 0);
  return due > 0 ? `The account has an outstanding balance of ${dollars(due)}; pay it before resizing` : undefined;
}

/** The type and the disks before a resize, whose form opens only where no running action or due balance is known (document 2, 4.2). */
export function resizeNote(server: Server, view: CacheView): string {
  const taken = sizeOf(view.rows('disks', { serverId: String(server.id) }));
  const size = taken > 0 ? sizeText(taken, 2) : 'an unknown amount';
  return `The type is now ${typeWords(server.type, view)}; the disks, which take ${size}, must fit into the new one.`;
}

/** Asked where a new snapshot replaces one; undefined where the backups are loaded and there is none. */
function snapshotWarning(server: Server, view: CacheView): string | undefined {
  const under = { serverId: String(server.id) };
  const present = (view.rows('backups', under) as readonly Backup[]).find(({ slot }) => slot === 'current snapshot');
  if (present) {
    const made = String(present.created ?? '')
      .replace('T', ' ')
      .slice(0, 16);
    const called = `${present.label ? `${present.label} ` : ''}${made ? `of ${made} UTC` : ''}`.trim();
    return `Takes a snapshot of ${server.label}. It replaces the current snapshot${called ? `, ${called},` : ''} which cannot be recovered.`;
  }
  return view.isRead?.('backups', under)
    ? undefined
    : `Takes a snapshot of ${server.label}. Its backups could not be read: if it has a snapshot, that is replaced and cannot be recovered.`;
}

/** Whether a type is known to allow larger disks than another one. */
function hasLargerDisk(type: unknown, than: unknown, view: CacheView): boolean {
  const [one, other] = [type, than].map((id) => view.row('server-types', id)?.disk);
  return typeof one === 'number' && typeof other === 'number' && one > other;
}

/** Complains about a type that the server has already, or on which its disks have no room (document 2, 4.2). */
function resizeComplaint(draft: Draft, view: CacheView, server: Server | undefined): Complaint | undefined {
  if (!server) return undefined;
  if (draft.type === server.type) return { field: 'type', says: `${server.label} already has this type` };
  const allowed = view.row('server-types', draft.type)?.disk;
  const taken = sizeOf(view.rows('disks', { serverId: String(server.id) }));
  if (typeof allowed !== 'number' || taken <= allowed) return undefined;
  return {
    field: 'type',
    says: `the disks of ${server.label} take ${sizeText(taken, 2)}, ${sizeText(taken - allowed, 2)} more than this type allows; delete or shrink disks first`,
  };
}

/** Everything that is lost with a server, as far as it is loaded (document 2, 4.2). */
export function whatIsLost(server: Server, view: CacheView): string {
  const under = { serverId: String(server.id) };
  const things = ['disk', 'config', 'backup'].map((noun) => ownedWords(view.rows(`${noun}s`, under).length, noun));
  const addresses = [...textsOf(server.ipv4), ...(server.ipv6 ? [server.ipv6] : [])].join(', ');
  return [
    `Deletes ${server.label} with its ${listed(things)}.`,
    `Its addresses${addresses ? ` ${addresses}` : ''} are released.`,
    volumesText(server, view),
    'This cannot be undone. Billing stops with the period after the deletion.',
  ]
    .filter(Boolean)
    .join(' ');
}

/** Says of the volumes that are attached to a server that they are none of what is deleted (document 2, 4.2). */
function volumesText(server: Server, view: CacheView): string {
  const attached = view.rows('volumes').filter((volume) => idAt(volume, 'server_id') === String(server.id));
  const labels = attached.map(({ label }) => String(label));
  if (labels.length === 0) return 'Volumes that are attached to it are kept.';
  return labels.length === 1 ? `Its volume ${labels[0]} is kept.` : `Its volumes ${listed(labels, 8)} are kept.`;
}

/** Everything that is lost with several servers. */
export const whatIsLostTogether = (servers: readonly Server[]): string =>
  `Deletes ${counted(servers.length, 'server')}, each with all its disks, configs and backups, and releases their addresses. This cannot be undone. Billing stops with the period after the deletion.`;

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
    on: 'Set alerts for {}',
    method: 'PUT',
    body: alertNames,
    start: (server) =>
      Object.fromEntries(Object.entries(server?.alerts ?? {}).map(([name, value]) => [`alerts.${name}`, `${value}`])),
  },
  {
    name: 'schedule',
    key: 'b',
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
    on: 'Take a snapshot of {}',
    path: '/v4/server/instances/{serverId}/backups',
    body: ['label!'],
    fields: { label: { min: 1, max: 255 } },
    refuse: refuseWithoutBackups,
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
    refuse: refuseResize,
    check: resizeComplaint,
    ask: {
      warning: (server, view, { type }) =>
        `Resizes ${server.label} from ${typeWords(server.type, view)} to ${typeWords(type, view)}. It is down during the resize, and billed by its new type from then on.`,
      together: (_servers, view, { type }) =>
        `Resizes them to ${typeWords(type, view)}. Each is down during the resize, and billed by its new type from then on.`,
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
        made: { type: body?.type as Entry },
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
