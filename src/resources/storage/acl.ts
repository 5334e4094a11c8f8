import type { Field } from '../resource.ts';

const meanings = {
  private: 'only you',
  'public-read': 'everyone may read',
  'authenticated-read': 'every user of object storage may read',
  'public-read-write': 'EVERYONE may read and write',
  custom: 'as set by another tool',
};

/** The canned access lists (document 3, 2.6); `custom` is not there for new buckets. */
export const newBucketAcls = Object.keys(meanings).filter((acl) => acl !== 'custom');

/** Who may do what with a bucket or an object. */
export const aclField: Field = {
  label: 'Access',
  kind: 'choice',
  options: Object.keys(meanings),
  optionHelp: meanings,
};
