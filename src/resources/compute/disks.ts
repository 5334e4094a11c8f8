import { sizeText } from '../../text/numbers.ts';
import { capitalized } from '../../text/words.ts';
import { type Complaint, type Resource, resource } from '../resource.ts';
import type { CacheView, Dated, Draft, Labelled, Params } from '../row.ts';
import { toNew } from '../shortcuts.ts';
import { withAnswers } from './scriptQuestions.ts';
import { accessFields, imageField, stackscriptData, stackscriptId } from './serverCreate.ts';
import { sizeOf } from './serverCreateRules.ts';

/** A disk of a server (document 2, 2.3); its size is in MiB. */
export type Disk = Labelled & Dated & { status: string; filesystem: string; size: number };

const fromImage = (draft: Draft) => Boolean(draft.image);

/** The disk space of a server that is left, in MiB; undefined where it is not known. */
function freeSpace(serverId: unknown, view: CacheView): number | undefined {
  const specs = view.row('servers', serverId)?.specs as { disk?: number } | undefined;
  if (typeof specs?.disk !== 'number') return undefined;
  return Math.max(0, specs.disk - sizeOf(view.rows('disks', { serverId: String(serverId) })));
}

function spaceComplaint(draft: Draft, view: CacheView, { serverId }: Params): Complaint | undefined {
  const free = freeSpace(serverId, view);
  if (free === undefined || Number(draft.size) <= free) return undefined;
  return { field: 'size', says: free === 0 ? noSpace : `the server has only ${sizeText(free, 2)} left` };
}

const noSpace = 'the server has no space left; delete or shrink a disk, or resize the server';

function imageComplaint(draft: Draft, view: CacheView): Complaint | undefined {
  const image = view.row('images', draft.image);
  if (typeof image?.size !== 'number' || Number(draft.size) >= image.size) return undefined;
  return { field: 'size', says: `${image.label} needs at least ${sizeText(image.size, 2)}` };
}

/** Disks of a server (document 2, 2.3, 4.1 and 4.3). */
export const disks: Resource = resource<Disk>()({
  name: 'disks',
  area: 'Compute',
  path: '/v4/server/instances/{serverId}/disks',
  scope: 'servers',
  under: 'servers',
  entity: 'disks',
  events: ['disk_'],
  sort: 'Label',
  empty: 'A disk holds the system and data of a server. Create one from an image, or an empty one.',
  fields: {
    label: {
      min: 1,
      max: 48,
      needed: (draft) => !fromImage(draft),
      help: (draft) => (fromImage(draft) ? 'If empty, named after the image.' : undefined),
      section: 'Disk',
    },
    size: {
      kind: 'integer',
      unit: 'MiB',
      min: 1,
      help: (_draft, _disk, view, params) => {
        const free = view && freeSpace(params?.serverId, view);
        if (free === undefined) return undefined;
        return free === 0 ? `${capitalized(noSpace)}.` : `The server has ${sizeText(free, 2)} left.`;
      },
      section: 'Disk',
    },
    filesystem: {
      options: ['raw', 'swap', 'ext3', 'ext4', 'initrd'],
      help: 'If empty, ext4, or the filesystem of the image.',
      section: 'Disk',
    },
    image: { ...imageField, help: 'If empty, the disk is empty too.', writeOnly: true },
    ...accessFields(fromImage),
    stackscript_id: { ...stackscriptId, shown: fromImage },
    stackscript_data: { ...stackscriptData, shown: (draft) => fromImage(draft) && Boolean(draft.stackscript_id) },
  },
  columns: [
    { title: 'Label', value: 'label', keep: 1 },
    { title: 'Filesystem', value: 'filesystem', keep: 1 },
    { title: 'Size', value: 'size', format: 'megabytes', keep: 1 },
    { title: 'Status', value: 'status', format: 'status', words: ['ready', 'not ready', 'deleting'] },
    { title: 'Created', value: 'created', format: 'age' },
    { title: 'ID', value: 'id', format: 'id', keep: 3 },
    { title: 'Updated', value: 'updated', format: 'age', keep: 3 },
  ],
  view: false,
  create: {
    shownBy: { events: ['disk_create'], names: ['label'], time: 'created' },
    reads: ['disks'],
    body: [
      'label',
      'size!',
      'filesystem',
      'image',
      'stackscript_id',
      'stackscript_data',
      'root_pass',
      'authorized_keys',
      'authorized_users',
    ],
    start: (_disk, view, { serverId }) => {
      const free = freeSpace(serverId, view);
      return free ? { size: String(free) } : {};
    },
    check: (draft, view, _disk, params) => spaceComplaint(draft, view, params) ?? imageComplaint(draft, view),
    send: withAnswers,
    inverse: "Deleting a disk is not in this API's documents; the provider's console or your own command does it.",
  },
  shortcuts: [
    toNew({
      name: 'capture',
      key: 'c',
      help: 'Capture an image',
      to: 'images',
      start: (disk, _view, { serverId }) => ({ server: serverId, disk_id: String(disk.id), label: disk.label }),
      refuse: (disk) =>
        disk.filesystem === 'swap' ? `${disk.label} is swap space; choose a disk with data` : undefined,
    }),
  ],
});
