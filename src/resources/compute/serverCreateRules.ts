import { sizeText } from '../../text/numbers.ts';
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
