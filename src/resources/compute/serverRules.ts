import { at, type Complaint, type Draft, type Known, type Row } from '../resource.ts';
import { statusOf } from '../wording.ts';
import { sizeOf } from './serverCreate.ts';
import type { Server } from './servers.ts';

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

/** A status or action as it is spoken: `shutting_down` is "shutting down". */
export const spoken = (status: string): string => status.replaceAll('_', ' ');

/** Whether a server is off: by a user, or by the platform's maintenance. */
const isOff = (server: Server) => ['offline', 'stopped'].includes(statusOf(server));

/** Why a server cannot be shut down. */
export function refuseShutdown(server: Server): string | undefined {
  if (isOff(server)) return `${server.label} is ${server.status} already`;
  if (statusOf(server) === 'shutting_down') return `${server.label} is shutting down already`;
  return undefined;
}

/** Why a server cannot be resized: a running or queued action, or a balance due (document 2, 4.2). */
export function refuseResize(server: Server, known: Known): string | undefined {
  const under = known.rows('events').find((event) => isUnderWay(event) && isAbout(event, server));
  if (under)
    return `${server.label} has an action under way or queued (${spoken(String(under.action))}); wait until it has finished`;
  if (isBusy(statusOf(server))) return `${server.label} is ${spoken(server.status)}; wait until that has finished`;
  const due = Number(known.rows('account')[0]?.balance ?? 0);
  return due > 0 ? `The account has a balance of $${due.toFixed(2)} due; pay it before resizing` : undefined;
}

/** What a resize needs and how that stands; it opens only where nothing is known to be under way or due (document 2, 4.2). */
export function resizeNote(server: Server, known: Known): string {
  const taken = sizeOf(known.rows('disks', { serverId: String(server.id) }));
  return [
    'It needs four things.',
    'No running or queued action: none is known.',
    'No pending migration: none is known.',
    'No balance due on the account: none is known.',
    `Disks that fit the new type: ${taken > 0 ? `they take ${taken} MB` : 'how much they take is not known'}.`,
  ].join(' ');
}

/** What a resize does, as it is asked before it. */
export function resizeQuestion(server: Server, known: Known, { type }: Draft): string {
  const price = known.row('serverTypes', type)?.price;
  const monthly = at(price, 'monthly');
  const cost = typeof monthly === 'number' ? `, $${monthly.toFixed(2)} a month` : '';
  return `Resizes ${server.label} from ${server.type} to ${type}${cost}. It is off meanwhile, and charged for by its new type.`;
}

/** Whether what an event tells has not ended yet. */
export const isUnderWay = (event: Row): boolean => ['started', 'scheduled'].includes(statusOf(event));
const isAbout = (event: Row, server: Server) =>
  at(event, 'entity.type') === 'server' && at(event, 'entity.id') === server.id;

/** Complains about a type that the server has already, or on which its disks have no room (document 2, 4.2). */
export function resizeComplaint(draft: Draft, known: Known, server: Server | undefined): Complaint | undefined {
  if (!server) return undefined;
  if (draft.type === server.type) return { field: 'type', says: `${server.label} is of this type already` };
  const allowed = known.row('serverTypes', draft.type)?.disk;
  const taken = sizeOf(known.rows('disks', { serverId: String(server.id) }));
  if (typeof allowed !== 'number' || taken <= allowed) return undefined;
  return {
    field: 'type',
    says: `the disks of ${server.label} take ${taken} MB and this type allows ${allowed} MB; delete or shrink disks first`,
  };
}

/** What is lost when a server is deleted, as far as it is loaded (document 2, 4.2). */
export function whatIsLost(server: Server, known: Known): string {
  const under = { serverId: String(server.id) };
  const things = [
    counted(known.rows('disks', under).length, 'disk'),
    counted(known.rows('configs', under).length, 'config'),
    counted(known.rows('backups', under).length, 'backup'),
  ];
  const addresses = [...(server.ipv4 ?? []), ...(server.ipv6 ? [server.ipv6] : [])].join(', ');
  return [
    `Deletes ${server.label} with its ${things.slice(0, -1).join(', ')} and ${things.at(-1)}.`,
    `Its addresses${addresses ? ` ${addresses}` : ''} are given up.`,
    'This cannot be undone. Billing for it stops with the period after the deletion.',
  ].join(' ');
}

/** "3 disks", "1 disk", or "disks" where none is loaded, since that is not to say there are none. */
const counted = (count: number, noun: string) =>
  count === 0 ? `${noun}s` : `${count} ${noun}${count === 1 ? '' : 's'}`;
