import type { Volume } from '../storage/volumes.ts';
import { timeOf } from '../time.ts';
import { type Rule, rule } from './rule.ts';

const volumeRule = rule<Volume>();

/** What can be wrong with volumes (document 2, 2.7). */
export const volumeRules: readonly Rule[] = [
  volumeRule({
    name: 'volume-attached-to-nothing',
    severity: 'notice',
    of: 'volumes',
    remedy: { action: 'attach' },
    find: ({ label, status, size, server_id, updated }) =>
      status === 'active' && server_id === null
        ? { says: `${label} (${size} GB) is charged for and attached to no server`, since: timeOf(updated) }
        : undefined,
  }),
];
