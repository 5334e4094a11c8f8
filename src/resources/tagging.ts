import type { Field } from './resource.ts';

/** The tags of a server, volume, domain or NodeBalancer (document 1, 2.9). */
export const tagsField: Field = {
  label: 'Tags',
  kind: 'strings',
  pattern: { test: /^.{3,50}$/u, says: '3–50 characters each' },
  help: 'Only unrestricted users may change tags.',
};
