import { dollars, monthlyWords } from '../../text/money.ts';
import { counted, wordsOf } from '../../text/words.ts';
import { isInProgress } from '../account/events.ts';
import { at, type CacheView, type Complaint, type Draft, type Row } from '../resource.ts';
import { textsOf } from '../row.ts';
import { inState, statusOf } from '../wording.ts';
import { type Backup, isSnapshot } from './backups.ts';
import type { Server } from './server.ts';
import { sizeOf } from './serverCreateRules.ts';
import { resizePrice, serverPrice } from './serverPrice.ts';

const busy = new Set([
  'booting',
  'rebooting',
  'shutting_down',
  'provisioning',
  'deleting',
  'migrating',
  'rebuilding',
  'cloning',
  'restoring',
  'resizing',
]);

/** Whether something is being done to a server, by its status. */
export const isBusy = (status: string): boolean => busy.has(status);

/** Whether a server is off: by a user, or by the platform's maintenance. */
const isOff = (server: Server) => ['offline', 'stopped'].includes(statusOf(server));

/** Why a server cannot be shut down. */
export function refuseShutdown(server: Server): string | undefined {
  if (isOff(server)) return `${server.label} ${inState(server)} already`;
  if (statusOf(server) === 'shutting_down') return `${server.label} is shutting down already`;
  return undefined;
}

/** Why a server cannot be resized: a running or queued action, or a balance due (document 2, 4.2). */
export function refuseResize(server: Server, view: CacheView): string | undefined {
  const under = view.rows('events').find((event) => isInProgress(event) && isAbout(event, server));
  if (under)
    return `${server.label} has an action under way or queued (${wordsOf(String(under.action))}); wait until it has finished`;
  if (isBusy(statusOf(server))) return `${server.label} ${inState(server)}; wait until that has finished`;
  const due = Number(view.rows('account')[0]?.balance ?? 0);
  return due > 0 ? `The account has a balance of ${dollars(due)} due; pay it before resizing` : undefined;
}

/** Tells the needs of a resize and how they stand; it opens only where nothing is known to be under way or due (document 2, 4.2). */
export function resizeNote(server: Server, view: CacheView, draft: Draft): string {
  const taken = sizeOf(view.rows('disks', { serverId: String(server.id) }));
  return [
    draft.type
      ? `${resizePrice(server, view, draft)}.`
      : `It is of type ${server.type} now, for ${monthlyWords(serverPrice(server, view))}.`,
    'It is refused while another action or a migration is under way or queued, and while a balance is due; none is known.',
    `Its disks, which take ${taken > 0 ? `${taken} MiB` : 'an unknown amount'}, must fit into the new type.`,
  ].join(' ');
}

/** Asked before a resize. */
export function resizeWarning(server: Server, view: CacheView, draft: Draft): string {
  const price = resizePrice(server, view, draft);
  return `Resizes ${server.label} from ${server.type} to ${draft.type}: ${price}. It is off meanwhile, and charged for by its new type.`;
}

/** Asked where a new snapshot replaces one; nothing where the backups are read and there is none. */
export function snapshotWarning(server: Server, view: CacheView): string | undefined {
  const under = { serverId: String(server.id) };
  const present = (view.rows('backups', under) as readonly Backup[]).find(isSnapshot);
  if (present) {
    const made = String(present.created ?? '')
      .replace('T', ' ')
      .slice(0, 16);
    const called = `${present.label ? `${present.label} ` : ''}${made ? `of ${made} UTC` : ''}`.trim();
    return `Takes a snapshot of ${server.label}. It replaces the present snapshot${called ? `, ${called},` : ''} which cannot be brought back.`;
  }
  return view.isRead?.('backups', under)
    ? undefined
    : `Takes a snapshot of ${server.label}. Its backups could not be read: if it has a snapshot, that is replaced and cannot be brought back.`;
}

const isAbout = (event: Row, server: Server) =>
  at(event, 'entity.type') === 'server' && at(event, 'entity.id') === server.id;

/** Complains about a type that the server has already, or on which its disks have no room (document 2, 4.2). */
export function resizeComplaint(draft: Draft, view: CacheView, server: Server | undefined): Complaint | undefined {
  if (!server) return undefined;
  if (draft.type === server.type) return { field: 'type', says: `${server.label} is of this type already` };
  const allowed = view.row('server-types', draft.type)?.disk;
  const taken = sizeOf(view.rows('disks', { serverId: String(server.id) }));
  if (typeof allowed !== 'number' || taken <= allowed) return undefined;
  return {
    field: 'type',
    says: `the disks of ${server.label} take ${taken} MiB and this type allows ${allowed} MiB; delete or shrink disks first`,
  };
}

/** Tells the losses by deleting a server, as far as they are loaded (document 2, 4.2). */
export function whatIsLost(server: Server, view: CacheView): string {
  const under = { serverId: String(server.id) };
  const things = [
    ownedWords(view.rows('disks', under).length, 'disk'),
    ownedWords(view.rows('configs', under).length, 'config'),
    ownedWords(view.rows('backups', under).length, 'backup'),
  ];
  const addresses = [...textsOf(server.ipv4), ...(server.ipv6 ? [server.ipv6] : [])].join(', ');
  return [
    `Deletes ${server.label} with its ${things.slice(0, -1).join(', ')} and ${things.at(-1)}.`,
    `Its addresses${addresses ? ` ${addresses}` : ''} are given up.`,
    'This cannot be undone. Billing for it stops with the period after the deletion.',
  ].join(' ');
}

/** Tells the losses by deleting several servers. */
export const whatIsLostTogether = (servers: readonly Server[]): string =>
  `Deletes ${counted(servers.length, 'server')}, each with all its disks, configs and backups, and gives up their addresses. This cannot be undone. Billing for them stops with the period after the deletion.`;

/** "3 disks", "1 disk", or "disks" where none is loaded, since that is not to say there are none. */
const ownedWords = (count: number, noun: string) => (count === 0 ? `${noun}s` : counted(count, noun));
