import { textIn } from '../../text/words.ts';
import type { CacheView, Complaint, Draft, Field } from '../resource.ts';

/** The device slots of a config; rescue has all but the last (document 2, 2.2 and 4.2). */
export const slots = ['sda', 'sdb', 'sdc', 'sdd', 'sde', 'sdf', 'sdg', 'sdh'] as const;

/** The name of a slot's field. */
export const deviceName = (slot: string): string => `devices.${slot}`;

/**
 * One field per slot, each a disk of the server or a volume attached to it.
 * @param shown whether a slot is available in this draft; always by default
 * @param more further properties of these fields
 */
export const deviceFields = (
  available: readonly string[],
  shown?: (slot: string, draft: Draft) => boolean,
  more: Partial<Field> = {},
): Record<string, Field> =>
  Object.fromEntries(available.map((slot) => [deviceName(slot), { ...deviceField(slot, shown), ...more }]));

const deviceField = (slot: string, shown?: (slot: string, draft: Draft) => boolean): Field => ({
  label: `/dev/${slot}`,
  kind: 'device',
  emptied: null,
  to: ['disks', 'volumes'],
  under: (_draft, { serverId }) => (serverId ? { serverId } : undefined),
  offers: (row, _draft, _view, _subject, params) =>
    !('filesystem_path' in row) || params?.serverId === undefined || String(row.server_id) === params.serverId,
  shown: shown && ((draft) => shown(slot, draft)),
  section: 'Devices',
});

/** Complains about a disk or volume that two slots name. */
export function deviceComplaint(draft: Draft, available: readonly string[], view: CacheView): Complaint | undefined {
  const taken = new Map<unknown, string>();
  for (const slot of available) {
    const entry = draft[deviceName(slot)];
    if (!entry) continue;
    const other = taken.get(entry);
    if (other) return { field: deviceName(slot), says: `${called(String(entry), view)} is already /dev/${other}` };
    taken.set(entry, slot);
  }
  return undefined;
}

/** A disk or volume of a form (`disks/12`) by its label, as far as it is loaded: `the disk swap`. */
function called(entry: string, view: CacheView): string {
  const [name = '', id] = entry.split('/');
  const label = textIn(view.row(name, id)?.label);
  return `the ${name.replace(/s$/, '')} ${label ?? id}`;
}

/** A draft that puts the loaded disks of a server, then its volumes, into the slots in order. */
export function devicesInOrder(serverId: unknown, view: CacheView, available: readonly string[]): Draft {
  const disks = view.rows('disks', { serverId: String(serverId) }).map(({ id }) => `disks/${id}`);
  const attached = view.rows('volumes').filter((volume) => String(volume.server_id) === String(serverId));
  const all = [...disks, ...attached.map(({ id }) => `volumes/${id}`)];
  return Object.fromEntries(available.map((slot, place) => [deviceName(slot), all[place]]));
}
