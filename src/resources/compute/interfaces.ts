import { isCidr } from '../ipAddress.ts';
import type { Complaint, DescribedFields, Draft, Row } from '../resource.ts';

const places = [0, 1, 2] as const;

const entryAt = (draft: Draft, place: number, part: string) => draft[`interfaces.${place}.${part}`];

/** The names of the interface fields in the order of a form. */
export const interfaceNames: readonly string[] = places.flatMap((place) =>
  ['purpose', 'label', 'ipam_address'].map((part) => `interfaces.${place}.${part}`),
);

/**
 * The fields of up to three network interfaces (document 2, 2.1); the first is eth0.
 * @param shown whether interfaces are asked for at all in this draft
 */
export const interfaceFields = (shown: (draft: Draft) => boolean): DescribedFields =>
  Object.assign({}, ...places.map((place) => fieldsAt(place, shown)));

function fieldsAt(place: number, shown: (draft: Draft) => boolean): DescribedFields {
  const reached = (draft: Draft) =>
    shown(draft) && places.slice(0, place).every((earlier) => Boolean(entryAt(draft, earlier, 'purpose')));
  const isVlan = (draft: Draft) => reached(draft) && entryAt(draft, place, 'purpose') === 'vlan';
  return {
    [`interfaces.${place}.purpose`]: {
      label: `eth${place}`,
      optionHelp: { public: 'the internet', vlan: 'a private network among servers of one region' },
      shown: reached,
      section: 'Interfaces',
    },
    [`interfaces.${place}.label`]: {
      label: `eth${place} VLAN`,
      min: 1,
      max: 64,
      pattern: { test: /^[a-z0-9-]+$/, says: 'lowercase letters, digits and -' },
      shown: isVlan,
      needed: isVlan,
      help: 'A VLAN that does not exist yet is created.',
      section: 'Interfaces',
    },
    [`interfaces.${place}.ipam_address`]: {
      label: `eth${place} address`,
      emptied: '',
      check: (entry) => (isCidr(entry) ? undefined : 'must be an address with its prefix length, e.g. 10.0.0.5/24'),
      shown: isVlan,
      help: 'The address within the VLAN, e.g. 10.0.0.5/24.',
      section: 'Interfaces',
    },
  };
}

/** The interfaces of a draft as they are sent: every one whole, up to the first that is left out. */
export function interfacesOf(draft: Draft): readonly Row[] {
  const last = places.findIndex((place) => !entryAt(draft, place, 'purpose'));
  return places.slice(0, last < 0 ? places.length : last).map((place) => {
    const purpose = entryAt(draft, place, 'purpose');
    const vlan = purpose === 'vlan';
    return {
      purpose,
      label: (vlan && entryAt(draft, place, 'label')) || '',
      ipam_address: (vlan && entryAt(draft, place, 'ipam_address')) || '',
    };
  });
}

/** Complains about a second public interface. */
export function interfaceComplaint(draft: Draft): Complaint | undefined {
  const open = interfacesOf(draft).flatMap(({ purpose }, place) => (purpose === 'public' ? [place] : []));
  const [first, second] = open;
  if (second === undefined) return undefined;
  return {
    field: `interfaces.${second}.purpose`,
    says: `only one interface can be public, and eth${first} already is`,
  };
}
