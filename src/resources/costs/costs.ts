import { filterText } from '../../text/words.ts';
import { type Resource, resource } from '../resource.ts';
import { type CostRow, costsFoot, costsIn, poolId, wasteful } from './costRows.ts';

const ofRows = [
  'State',
  'Label',
  'What',
  'Cost',
  'Since',
  'What would help',
  'Why',
  'Not told',
  'Region',
  'Tags',
] as const;

const ofSums = ['Label', 'Rows', 'A month', 'Idle or off', 'What would help', 'Not told'] as const;

/** The costs of the account by tag, by area and by row, with what is idle, off or unattached. */
export const costs: Resource = resource<CostRow>()({
  name: 'costs',
  area: 'Account',
  aliases: ['money'],
  local: true,
  named: true,
  standsFor: true,
  empty: 'Nothing that is charged for is read yet.',
  columns: [
    {
      title: 'State',
      value: 'state',
      format: 'status',
      words: ['in_use', 'idle', 'off', 'unattached', 'no_ports', 'empty'],
      keep: 1,
    },
    { title: 'Label', value: 'label', keep: 1, width: 32 },
    { title: 'What', value: 'what', format: 'dim', keep: 2 },
    { title: 'Rows', value: 'count', format: 'number', keep: 2 },
    { title: 'Cost', value: 'cost', format: 'money', keep: 1, total: 'a month' },
    // A row with several tags is in the sum of each, and the foot has the sum of the areas: these are not summed up.
    { title: 'A month', name: 'cost', value: 'cost', format: 'money', keep: 1 },
    { title: 'Idle or off', name: 'idle', value: 'wasted', format: 'money', keep: 1 },
    { title: 'Since', value: 'since', format: 'age', keep: 1 },
    { title: 'What would help', name: 'helps', value: 'helps', keep: 1, width: 48 },
    { title: 'Not told', value: 'untold', format: 'dim', keep: 2, width: 40 },
    { title: 'Why', value: 'why', format: 'dim', keep: 2, width: 64 },
    { title: 'Idle rows', name: 'why', value: 'why', keep: 1, width: 48 },
    { title: 'What is known', name: 'why', value: 'why', keep: 1, width: 48 },
    { title: 'Region', value: 'region', keep: 3 },
    { title: 'Tags', value: 'tags', format: 'tags', keep: 3 },
  ],
  sections: [
    {
      title: 'By tag',
      only: ({ by }) => by === 'tag',
      columns: [...ofSums, 'Idle rows'],
      says: 'A row with several tags is counted under each of them.',
    },
    { title: 'By area', only: ({ by }) => by === 'area', columns: [...ofSums, 'What is known'] },
    { title: 'By row', only: ({ by }) => by === 'row', columns: ofRows },
    {
      title: 'Idle or off',
      only: ({ by, state }) => by === 'row' && wasteful.has(state),
      columns: ofRows,
      empty: 'Nothing is known to be idle, off or unattached.',
    },
  ],
  made: {
    rows: costsIn,
    reads: ['servers', 'server-types', 'volumes', 'nodebalancers', 'nodebalancer-configs', 'buckets'],
    single: ['account', 'object-storage'],
    about: { of: 'servers', fetches: ['stats', 'transfer'], keeps: ['transfer'] },
    foot: costsFoot,
    /** A sum opens as the rows that it is of, the transfer pool as the servers that use most of their part. */
    opens: ({ id, by, tags: [tag] = [], what, label, why }) => {
      if (by === 'row') return undefined;
      if (id === poolId) return { list: 'servers', filter: '', sort: '-Transfer', says: `${label}: ${why}.` };
      const ofTag = tag === undefined ? 'tags:none' : `tags=${filterText(tag)}`;
      return { section: 'By row', filter: by === 'tag' ? ofTag : what ? `what:"${what}"` : '' };
    },
  },
});
