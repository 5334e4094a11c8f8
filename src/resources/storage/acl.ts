import type { Entry, Field } from '../resource.ts';

const meanings = {
  private: 'only you',
  'public-read': 'everyone may read',
  'authenticated-read': 'every user of object storage may read',
  'public-read-write': 'EVERYONE may read and write',
  custom: 'as set by another tool',
};

/** The canned access lists (document 3, 2.6); `custom` is not there for new buckets. */
export const newBucketAcls = Object.keys(meanings).filter((acl) => acl !== 'custom');

/** The question before a bucket or an object is opened to everybody; what was read meanwhile nobody takes back. */
export function openingWarning(acl: Entry, called: string): string | undefined {
  if (acl === 'public-read') return `Everyone who knows its address may read ${called} from then on.`;
  return acl === 'public-read-write'
    ? `EVERYONE may read ${called} from then on, and also change and delete what is in it.`
    : undefined;
}

/** When `openingWarning` warns. */
export const opening = 'it opens it to everybody';

/** Who may do what with a bucket or an object. */
export const aclField: Field = {
  label: 'Access',
  kind: 'choice',
  options: Object.keys(meanings),
  optionHelp: meanings,
};
