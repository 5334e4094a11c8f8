import { timeOf } from '../../text/times.ts';
import { at, type Dated, type Resource, type Row, resource, statusColumn } from '../resource.ts';
import { toDeploy } from '../shortcuts.ts';
import { inState, statusOf } from '../wording.ts';
import { backupName, sizeOf } from './serverCreateRules.ts';

/** A backup of a server (document 2, 2.4), with the part of the answer that it was in. */
export type Backup = Dated & {
  id: number;
  slot: 'automatic' | 'current snapshot' | 'snapshot in progress';
  label: string | null;
  status: string;
  finished: string | null;
  configs?: readonly string[];
  disks?: readonly { label: string; size: number; filesystem: string }[];
  region: string;
  type: string;
};

/** The backups of an answer in one list: the automatic ones, then the snapshots. */
function rowsOf(body: Row): readonly Row[] {
  const automatic = Array.isArray(body.automatic) ? body.automatic : [];
  const inSlot = (slot: string, backups: readonly unknown[]) =>
    backups.flatMap((backup) => (backup !== null && typeof backup === 'object' ? [{ ...backup, slot }] : []));
  return [
    ...inSlot('automatic', automatic),
    ...inSlot('current snapshot', [at(body, 'snapshot.current')]),
    ...inSlot('snapshot in progress', [at(body, 'snapshot.in_progress')]),
  ];
}

/** Backups of a server (document 2, 2.4 and 4.1). */
export const backups: Resource = resource<Backup>()({
  name: 'backups',
  area: 'Compute',
  path: '/v4/server/instances/{serverId}/backups',
  scope: 'servers',
  under: 'servers',
  label: backupName,
  entity: 'backups',
  events: ['backups_', 'server_snapshot'],
  sort: '-Created',
  empty: 'Backups are daily and weekly copies of all disks of a server, plus one snapshot that you take yourself.',
  columns: [
    { title: 'Slot', value: 'slot', keep: 1 },
    {
      ...statusColumn,
      words: ['paused', 'pending', 'running', 'needsPostProcessing', 'successful', 'failed', 'userAborted'],
    },
    { title: 'Created', value: 'created', format: 'age', keep: 1 },
    {
      title: 'Duration',
      value: ({ created, finished }) => (finished ? (timeOf(finished) - timeOf(created)) / 1000 : undefined),
      format: 'duration',
    },
    { title: 'Label', value: 'label' },
    { title: 'Disks', value: ({ disks = [] }) => disks.map(({ label }) => label), format: 'list' },
    { title: 'Space', value: ({ disks }) => sizeOf(disks), format: 'megabytes' },
    { title: 'Configs', value: 'configs', format: 'list', keep: 3 },
    { title: 'ID', value: 'id', format: 'id', keep: 3 },
    { title: 'Region', value: 'region', keep: 3 },
  ],
  card: [
    { title: 'Finished', value: 'finished', format: 'date' },
    { title: 'Type', value: 'type' },
    { title: 'Updated', value: 'updated', format: 'date' },
  ],
  list: { pages: 'whole', rows: rowsOf },
  view: false,
  shortcuts: [
    toDeploy({
      key: 'o',
      start: (backup, view, { serverId }) => {
        const server = view.row('servers', serverId);
        return {
          mode: 'backup',
          backup_of: serverId,
          backup_id: String(backup.id),
          region: server && String(server.region),
          type: server && String(server.type),
        };
      },
      refuse: (backup) =>
        statusOf(backup) === 'successful'
          ? undefined
          : `${backupName(backup)} ${inState(backup)}; only a successful backup can be deployed`,
    }),
  ],
});
