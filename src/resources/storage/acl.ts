import type { Entry, Field } from '../resource.ts';

const meanings = {
  private: 'only you',
  'public-read': 'everyone can read',
  'authenticated-read': 'every object storage user can read',
  'public-read-write': 'EVERYONE can read and write',
  custom: 'set by another tool',
};

/** The canned access lists (document 3, 2.6); `custom` is not there for new buckets. */
export const newBucketAcls = Object.keys(meanings).filter((acl) => acl !== 'custom');

/** Warns before a bucket or an object becomes public; undefined for other access lists. */
export function openingWarning(acl: Entry, called: string): string | undefined {
  if (acl === 'public-read') return `Everyone who knows its address can read ${called} from then on.`;
  return acl === 'public-read-write'
    ? `EVERYONE can read ${called} from then on, and also change and delete what is in it.`
    : undefined;
}

/** The condition under which `openingWarning` warns. */
export const opening = 'it makes it public';

/** The canned access list of a bucket or an object. */
export const aclField: Field = {
  label: 'Access',
  kind: 'choice',
  options: Object.keys(meanings),
  optionHelp: meanings,
};
