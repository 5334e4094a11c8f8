import { grouped, untoldPrice } from '../../text/numbers.ts';
import { type Resource, resource, statusColumn } from '../resource.ts';
import { type Dated, type Draft, type Entry, idAt, type Labelled, type Row } from '../row.ts';
import { ticketShortcut } from '../shortcuts.ts';
import { tagActions, tagsField } from '../tagging.ts';
import { inState, statusOf } from '../wording.ts';
import { attachedAgain, isDetached, neededConfig, refuseAttached, serverName } from './volumeAttachment.ts';

/** A block storage volume (document 2, 2.7). */
export type Volume = Labelled &
  Dated & {
    status: string;
    size: number;
    region: string;
    server_id: number | null;
    server_label: string | null;
    filesystem_path: string;
    hardware_type: string;
    tags: readonly string[];
  };

const size = { kind: 'integer', unit: 'GiB', min: 10, max: 10240 } as const;

const refuseUnlessActive = (volume: Volume) =>
  statusOf(volume) === 'active'
    ? undefined
    : `${volume.label} ${inState(volume)}; only an active volume can be resized or cloned`;

const detachAgain = (body: Row | undefined) => ({ action: 'detach', made: { server_id: body?.server_id as Entry } });

/** Block storage volumes (document 2, 4.4). */
export const volumes: Resource = resource<Volume>()({
  name: 'volumes',
  area: 'Storage',
  aliases: ['vol'],
  finds: [{ title: 'Unattached volumes', aliases: ['unattached', 'orphaned'], filter: 'attached:none' }],
  path: '/v4/volumes',
  scope: 'volumes',
  entity: 'volume',
  sort: 'Label',
  empty: 'A volume is block storage that outlives a server and can move between servers.',
  fields: {
    label: {
      min: 1,
      max: 32,
      pattern: {
        test: /^[A-Za-z](?:(?!--|__)[A-Za-z0-9_-])*$/,
        says: 'a letter first, then letters, digits, - and _, never -- or __',
      },
      help: 'Also part of the path under /dev/disk/by-id.',
      unique: true,
    },
    size,
    server_id: {
      to: 'servers',
      offers: (server, draft, _view, volume) =>
        volume ? server.region === volume.region : !draft.region || server.region === draft.region,
      help: 'Attached at once; it must be in the same region.',
    },
    config_id: {
      to: 'configs',
      under: (draft) => (draft.server_id ? { serverId: String(draft.server_id) } : undefined),
      shown: (draft) => Boolean(draft.server_id) && draft.persist_across_boots !== false,
      writeOnly: true,
      help: 'If empty, the only config, else the one last booted.',
    },
    region: { to: 'regions', needed: (draft) => !draft.server_id, shown: (draft) => !draft.server_id },
    persist_across_boots: {
      kind: 'boolean',
      fallback: true,
      help: 'Off: attached only until the server next boots; the server must be running.',
    },
    tags: tagsField,
  },
  columns: [
    { ...statusColumn, words: ['creating', 'active', 'resizing'] },
    { title: 'Label', value: 'label', keep: 1 },
    { title: 'Size', value: 'size', format: 'gigabytes', keep: 1 },
    { title: 'Region', value: 'region' },
    { title: 'Attached to', value: (volume) => volume.server_label ?? volume.server_id, keep: 1 },
    { title: 'Tags', value: 'tags', format: 'tags' },
    { title: 'ID', value: 'id', format: 'id', keep: 3 },
    { title: 'Hardware', value: 'hardware_type', keep: 3 },
    { title: 'Created', value: 'created', format: 'age', keep: 3 },
  ],
  card: [
    { title: 'Path', value: 'filesystem_path' },
    { title: 'Updated', value: 'updated', format: 'date' },
  ],
  overview: {
    summary: [
      { value: 'status', format: 'status' },
      { value: 'label' },
      { value: 'size', format: 'gigabytes' },
      { value: 'region' },
      {
        value: ({ server_label, server_id }) => server_label ?? server_id ?? undefined,
        says: 'attached to {}',
        tells: 'Attached to',
      },
      { value: 'created', format: 'age', says: '{} old' },
    ],
    commands: { title: 'How to mount it', names: ['mount line', 'fstab line'] },
  },
  create: {
    shownBy: { events: ['volume_create'], names: ['label'], time: 'created', isUnique: true },
    body: ['label!', 'size', 'server_id', 'config_id', 'region', 'tags'],
    needs: neededConfig('make the volume in a region and attach it later'),
    fields: { size: { ...size, fallback: 20 } },
    inverse: ({ body }) =>
      body?.server_id
        ? { action: 'delete', first: { ...detachAgain(body), says: 'it is deleted after it is detached' } }
        : undefined,
    ask: {
      question: (_volume, _view, { label, size }) =>
        `Creates the volume ${label} of ${sizeOf({ size: size ?? 20 })} GiB. It is billed by its size as soon as it is created.`,
      note: 'A volume is billed by its size as soon as it is created.',
      cost: (_volumes, _view, { size }) => sizeCost(`${sizeOf({ size: size || 20 })} GiB`),
    },
  },
  edit: { body: ['label', 'tags'] },
  remove: {
    refuse: refuseAttached,
    staysOut: 'attached to a server',
    ask: {
      warning: (volume) =>
        `Deletes ${volume.label} and ${typeof volume.size === 'number' ? `its ${sizeOf(volume)} GiB of` : 'all its'} data. This cannot be undone; billing for it stops.`,
      typeLabel: true,
      together: 'Deletes them with all their data. This cannot be undone; billing for them stops.',
    },
    inverse: 'Its data are gone.',
  },
  actions: [
    {
      name: 'attach',
      leaves: {},
      shownBy: {
        events: ['volume_attach'],
        isJob: true,
        state: (volume, body) => idAt(volume, 'server_id') === idAt(body, 'server_id'),
      },
      key: 'a',
      on: 'Attach {} to a server',
      scope: ['volumes:read_write', 'servers:read_write'],
      body: ['server_id!', 'persist_across_boots', 'config_id'],
      needs: neededConfig('attach it while the server runs, without persisting across boots'),
      refuse: refuseAttached,
      staysOut: 'attached to a server',
      check: (draft, view, volume) => {
        const server = view.row('servers', draft.server_id);
        if (!server) return undefined;
        const isOff = draft.persist_across_boots === false && statusOf(server) !== 'running';
        const off = `${server.label} ${inState(server)}; unless the attachment persists across boots, the server must be running`;
        const away = `${server.label} is in ${server.region} and ${volume?.label} in ${volume?.region}`;
        const isAway = volume !== undefined && server.region !== volume.region;
        return isAway || isOff ? { field: 'server_id', says: isAway ? away : off } : undefined;
      },
      inverse: ({ body }) => detachAgain(body),
      invalidates: ['configs'],
    },
    {
      name: 'detach',
      leaves: { server_id: null },
      shownBy: { events: ['volume_detach'], isJob: true, state: ({ server_id }) => server_id === null },
      key: 'x',
      help: 'Detach',
      scope: ['volumes:read_write', 'servers:read_write'],
      refuse: (volume) => (isDetached(volume) ? `${volume.label} is not attached to a server` : undefined),
      ask: {
        warning: (volume) =>
          `Detaches ${volume.label} from ${serverName(volume)}. Unmount it there first; unwritten data is lost.`,
        together: 'Detaches them from their servers. Unmount them there first; unwritten data is lost.',
      },
      inverse: attachedAgain,
      staysOut: 'not attached',
      invalidates: ['configs'],
    },
    {
      name: 'resize',
      leaves: {},
      shownBy: { events: ['volume_resize'], isJob: true, state: ({ size }, body) => size === body.size },
      key: 'z',
      help: 'Resize',
      body: ['size!'],
      refuse: refuseUnlessActive,
      start: (volume) => ({ size: volume ? String(volume.size) : undefined }),
      check: (draft, _view, volume) =>
        volume && Number(draft.size) <= volume.size
          ? { field: 'size', says: `a volume can only grow; it has ${sizeOf(volume)} GiB` }
          : undefined,
      ask: {
        warning: (volume, _view, { size }) =>
          `Resizes ${volume.label}: ${sizeOf(volume)} → ${sizeOf({ size })} GiB. It can never be made smaller; the new size is billed at once.`,
        together: (volumes, _view, { size }) =>
          `Resizes each of them to ${sizeOf({ size })} GiB, in total ${grouped(totalOf(volumes))} → ${grouped(volumes.length * Number(size))} GiB. They can never be made smaller; the new size is billed at once.`,
        note: 'It can never be made smaller; the new size is billed at once.',
        cost: resizeCost,
      },
      inverse: 'A volume cannot be made smaller.',
    },
    {
      name: 'clone',
      makes: true,
      shownBy: { events: ['volume_clone', 'volume_create'], names: ['label'], time: 'created', isUnique: true },
      key: 'c',
      help: 'Clone',
      body: ['label!'],
      row: (answer) => answer,
      refuse: refuseUnlessActive,
      single: true,
      ask: {
        question: (volume, _view, { label }) =>
          `Copies ${volume.label} into the new volume ${label} of ${sizeOf(volume)} GiB, which is billed as soon as it is created.`,
        note: (volume) => `Copies ${sizeOf(volume)} GiB into a new volume, which is billed separately.`,
        cost: ([volume]) => sizeCost(`${volume ? sizeOf(volume) : 'unknown'} GiB more`),
      },
      inverse: () => ({ action: 'delete' }),
    },
    ...tagActions,
  ],
  shortcuts: [ticketShortcut('volume_id')],
  copies: {
    'filesystem path': (volume) => volume.filesystem_path,
    'mkfs line': (volume) => `mkfs.ext4 ${volume.filesystem_path}`,
    'mount line': (volume) => `mkdir -p /mnt/${volume.label} && mount ${volume.filesystem_path} /mnt/${volume.label}`,
    'fstab line': (volume) => `${volume.filesystem_path} /mnt/${volume.label} ext4 defaults,noatime,nofail 0 2`,
  },
});

/** A volume, or all that is asked of one here: its size in GiB. */
interface Sized {
  readonly size: number;
}

/** In GiB; unknown where the API leaves it out. */
const sizeOf = ({ size }: Row) => (typeof size === 'number' || typeof size === 'string' ? grouped(size) : 'unknown');

/** The documents say that volumes are billed by their size; none of their operations reports a price. */
const sizeCost = (size: string): string => `${size}; ${untoldPrice}`;

/** The size of all together in GiB. */
const totalOf = (volumes: readonly Sized[]) => volumes.reduce((sum, { size }) => sum + Number(size ?? 0), 0);

/** The cost of making volumes larger, with what they have now. */
function resizeCost(volumes: readonly Sized[], _view: unknown, { size }: Draft): string {
  const [before, after] = [totalOf(volumes), volumes.length * Number(size || Number.NaN)];
  if (!(after > before)) return sizeCost(`${grouped(before)} GiB now`);
  return sizeCost(`${grouped(before)} → ${grouped(after)} GiB (+${grouped(after - before)} GiB)`);
}
