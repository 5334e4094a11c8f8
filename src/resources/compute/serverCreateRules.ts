import { sizeText } from '../../text/numbers.ts';
import { dateText, isTime, timeOf } from '../../text/times.ts';
import type { CacheView, Complaint, Draft, Row } from '../resource.ts';
import { interfaceComplaint, interfacesOf } from './interfaces.ts';

/** The creation mode of a draft (document 2, 4.2); from an image where none is chosen. */
export const modeOf = (draft: Draft) => draft.mode ?? 'image';

export const fromImage = (draft: Draft) => ['image', 'stackscript', 'vlan'].includes(String(modeOf(draft)));
export const withStackScript = (draft: Draft) => modeOf(draft) === 'stackscript';
export const fromBackup = (draft: Draft) => modeOf(draft) === 'backup';
export const onVlan = (draft: Draft) => modeOf(draft) === 'vlan';

/** Complains when the type has less room than the image or the backup needs. */
export function roomComplaint(draft: Draft, view: CacheView): Complaint | undefined {
  const type = view.row('server-types', draft.type);
  const [source, needed] = roomNeeded(draft, view);
  if (typeof type?.disk !== 'number' || needed <= type.disk) return undefined;
  return { field: 'type', says: `${source} needs ${sizeText(needed - type.disk, 2)} more disk than ${type.label} has` };
}

/** The kind and the date of a backup: `automatic backup of 2026-05-13 04:10`; by its id where no date is told. */
function backupKind({ id, slot, created }: Row): string {
  const time = timeOf(created);
  return isTime(time) ? `${slot === 'automatic' ? 'automatic backup' : slot} of ${dateText(time)}` : `backup ${id}`;
}

/** A backup by its label, else by its kind and date. */
export const backupName = (backup: Row): string => (backup.label ? String(backup.label) : backupKind(backup));

/** Tells of what a server is made: an image by its name, or a backup with its kind, date and server. */
export function sourceWords({ image, backup_id, backup_of }: Draft, view: CacheView): string | undefined {
  if (image) return `from ${view.row('images', image)?.label ?? image}`;
  if (!backup_id) return undefined;
  const backup = view.row('backups', backup_id) ?? { id: backup_id };
  const words = [...new Set([backupName(backup), backupKind(backup)])].join(', ');
  return `from ${words}${backup_of ? ` of ${view.row('servers', backup_of)?.label ?? `server ${backup_of}`}` : ''}`;
}

function roomNeeded(draft: Draft, view: CacheView): readonly [string, number] {
  if (fromBackup(draft)) return ['the backup', sizeOf(view.row('backups', draft.backup_id)?.disks)];
  const image = fromImage(draft) ? view.row('images', draft.image) : undefined;
  return [String(image?.label), Number(image?.size ?? 0)];
}

/** The sizes of disks added up, in MiB. */
export function sizeOf(disks: unknown): number {
  if (!Array.isArray(disks)) return 0;
  return disks.reduce((sum: number, disk: Row) => sum + Number(disk.size ?? 0), 0);
}

/** Complains where a server on a VLAN has no interface of one. */
export function vlanComplaint(draft: Draft, view: CacheView): Complaint | undefined {
  if (!interfacesOf(draft).some(({ purpose }) => purpose === 'vlan'))
    return {
      field: 'interfaces.0.purpose',
      says: 'one of the interfaces must be a VLAN; for none, choose another mode',
    };
  return interfaceComplaint(draft) ?? regionComplaint(draft, view);
}

/** Only regions with the newer network have VLANs; which those are is known where any region says so. */
function regionComplaint(draft: Draft, view: CacheView): Complaint | undefined {
  const hasVlans = ({ capabilities }: Row) => Array.isArray(capabilities) && capabilities.includes('Vlans');
  const region = view.row('regions', draft.region);
  if (!region || hasVlans(region) || !view.rows('regions').some(hasVlans)) return undefined;
  return { field: 'region', says: `${draft.region} has no VLANs; choose a region that has` };
}
