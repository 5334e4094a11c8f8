import { rateText } from '../../text/numbers.ts';
import { durationText } from '../../text/times.ts';
import { textOf } from '../../text/words.ts';
import type { Relation } from '../description.ts';
import { memoizeText } from '../memoize.ts';
import type { ResourceName } from '../names.ts';
import { at, type CacheView, type Resource, type Row, resource, statusColumn, textAt } from '../resource.ts';

/** The subject of an event: most often a row of another resource. */
export type Entity = { id?: number | string; label?: string; type?: string; url?: string };

/** The subject of an event as a text: `volume 12`. */
export const entityName = (entity: unknown): string => `${at(entity, 'type')} ${at(entity, 'id')}`;

/** Something that happened on the account in the last 90 days (document 1, 2.5). */
export type EventRow = Row & {
  id: number | string;
  action: string;
  status: string | null;
  created: string;
  entity: Entity | null;
  secondary_entity: Entity | null;
  percent_complete: number | null;
  time_remaining: string | null;
  read: boolean;
  seen: boolean;
  username: string | null;
  /** In seconds. */
  duration: number | null;
  rate: string | null;
  message: string | null;
};

/** The spelling of parts of action names. */
const words: Readonly<Record<string, string>> = {
  addip: 'add IP',
  deleteip: 'delete IP',
  dns: 'DNS',
  ipaddress: 'IP address',
  mutate: 'upgrade',
  monitorclient: 'monitor client',
  nodebalancer: 'NodeBalancer',
  oauth: 'OAuth',
  ssh: 'SSH',
  stackscript: 'StackScript',
  tfa: 'two-factor login',
  vlan: 'VLAN',
};

/** Thousands of events have some dozens of actions. */
const spoken = memoizeText((action) => {
  const parts = action.split('_').map((part) => (Object.hasOwn(words, part) ? words[part] : part));
  return parts.join(' ').trim();
});

/** An event's action in words, unknown ones too: `server_boot` is "server boot". */
export const actionWords = (action: unknown): string => spoken(String(action ?? ''));

/** The subject of an event or ticket in words: its label, else its type and id; undefined where it says neither. */
export function entityWords(entity: unknown): string | undefined {
  const parts = [textAt(entity, 'type')?.replaceAll('_', ' '), at(entity, 'id')];
  const known = parts.filter((part) => typeof part === 'string' || typeof part === 'number');
  return textAt(entity, 'label') ?? (known.join(' ') || undefined);
}

/** Whether an event is still going on. A snapshot may be at 100 percent and still be processed. */
export const isInProgress = ({ status }: Row): boolean => status === 'started' || status === 'scheduled';

/** Whether an event tells that its job is over: by a status that the documents have, or without one by its share. */
export const hasEnded = ({ status, percent_complete: percent }: Row): boolean =>
  typeof status === 'string' ? /^(?:finished|failed|notification)$/.test(status) : Number(percent ?? 100) >= 100;

/** Whether a job goes on no more: by its status, or as it is gone and has none. */
export const isOver = (event: Row): boolean => typeof event.status !== 'string' || hasEnded(event);

/** The event of a job that goes on about a row of this kind. */
export const jobAbout = (type: string, { id }: Row, view: CacheView): Row | undefined =>
  view.events.find((one) => isInProgress(one) && at(one, 'entity.type') === type && at(one, 'entity.id') === id);

/** The actions that take a while, among those of the documents (document 1, 2.5). */
export const jobActions: readonly string[] = `backups_restore disk_create disk_delete disk_duplicate disk_imagize
  disk_resize dns_zone_import host_reboot image_upload watchdog_reboot console_boot server_boot server_clone
  server_create server_delete server_migrate server_migrate_datacenter server_migrate_datacenter_create server_mutate
  server_mutate_create server_reboot server_rebuild server_resize server_resize_create server_shutdown server_snapshot
  kube_node_create nodebalancer_create volume_attach volume_clone volume_create volume_delete volume_detach
  volume_resize`.split(/\s+/);

/** The remaining time of an event, else the share that is not done; undefined once it has ended. */
function leftOf(event: EventRow): string | undefined {
  if (!isInProgress(event)) return undefined;
  const { percent_complete: done, time_remaining: time } = event;
  const seconds = secondsLeft(time);
  if (seconds !== undefined) return durationText(seconds);
  return time || (typeof done === 'number' ? `${Math.max(0, 100 - done)}%` : undefined);
}

const doneOf = (event: EventRow): string | undefined =>
  isInProgress(event) && typeof event.percent_complete === 'number' ? `${event.percent_complete}%` : undefined;

/** Seconds from a remaining time `h:m:s`; undefined for any other text. */
export function secondsLeft(remaining: unknown): number | undefined {
  const [, hours, minutes, seconds] = /^(\d+):(\d+):(\d+)$/.exec(String(remaining ?? '')) ?? [];
  return hours === undefined ? undefined : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}

/** Relates events to the rows that they name as their secondary entity. */
const second = (to: ResourceName, type: string): Relation<EventRow> => ({
  to,
  by: ({ secondary_entity }) => (secondary_entity?.type === type ? [secondary_entity.id] : []),
});

/** Events (document 1, 2.5, 4.3 and 6). */
export const events: Resource = resource<EventRow>()({
  name: 'events',
  area: 'Account',
  aliases: ['activity', 'history'],
  path: '/v4/account/events',
  scope: 'events',
  label: (event) => [actionWords(event.action), entityWords(event.entity)].filter(Boolean).join(' '),
  sort: '-When',
  about: 'entity',
  relations: [
    second('servers', 'server'),
    second('volumes', 'volume'),
    second('images', 'image'),
    second('disks', 'disk'),
    second('configs', 'server_config'),
  ],
  empty: 'Nothing has happened on this account in the last 90 days.',
  columns: [
    { title: 'New', value: (event) => event.read === false, format: 'mark', keep: 2, width: 3 },
    { ...statusColumn, words: ['scheduled', 'started', 'finished', 'failed', 'notification'] },
    { title: 'When', value: 'created', format: 'age', keep: 1 },
    { title: 'Action', value: (event) => actionWords(event.action), keep: 1 },
    { title: 'Entity', value: (event) => entityWords(event.entity), keep: 1 },
    { title: 'User', value: 'username' },
    { title: 'Remaining', value: leftOf },
    { title: 'Duration', value: 'duration', format: 'duration' },
    { title: 'ID', value: 'id', format: 'id', keep: 3 },
    { title: 'Secondary entity', value: (event) => entityWords(event.secondary_entity), keep: 3 },
    { title: 'Rate', value: ({ rate }) => rateText(textOf(rate)), keep: 3 },
    { title: 'Message', value: 'message', keep: 3 },
  ],
  card: [
    { title: 'Done', value: doneOf },
    { title: 'Created', value: 'created', format: 'date' },
    { title: 'Seen', value: 'seen', format: 'boolean' },
    { title: 'Read', value: 'read', format: 'boolean' },
  ],
  operations: {
    about: {
      path: '/v4/account/events',
      pages: 'numbered',
      filter: ({ entityType = '', entityId }) => ({
        'entity.type': entityType,
        ...(entityId !== undefined && { 'entity.id': /^\d{1,15}$/.test(entityId) ? Number(entityId) : entityId }),
      }),
      gradual: true,
    },
  },
  actions: [
    {
      name: 'read',
      shownBy: { state: ({ read }) => read },
      key: 'm',
      on: 'Mark {} as read',
      scope: 'events:read_only',
      refuse: (event) => (event.read ? 'This event is already read' : undefined),
      inverse: 'The API marks no event as unread.',
      ask: false,
    },
    {
      name: 'seen',
      shownBy: { state: ({ seen }) => seen },
      key: 'u',
      help: 'Mark all up to here as seen',
      on: 'Mark all up to {} as seen',
      scope: 'events:read_only',
      refuse: (event) => (event.seen ? 'This event and all before it are already seen' : undefined),
      ask: { question: 'Marks this event and all before it as seen. This cannot be undone.' },
      inverse: 'The API marks no event as unseen.',
      single: true,
    },
  ],
});
