import { listed } from '../../text/words.ts';
import { resourceNamed } from '../index.ts';
import { idIndex } from '../problems/rowIndex.ts';
import { type Rule, rule } from '../problems/rule.ts';
import { idAt, rowName } from '../row.ts';
import { countedRows, statusOf } from '../wording.ts';

const regionRule = rule('regions');
const clusterRule = rule('object-clusters');

const kinds = ['servers', 'volumes', 'nodebalancers'] as const;

/** Outages that reach us: of regions (document 1, 2.10) and of clusters of object storage (document 3, 2.6). */
export const outageRules: readonly Rule[] = [
  regionRule({
    name: 'region-outage',
    several: '{} regions have an outage',
    severity: 'critical',
    reads: kinds,
    find: (region, view) => {
      const id = idAt(region, 'id');
      if (statusOf(region) !== 'outage' || id === undefined) return;
      const ours = kinds.flatMap((kind) => {
        const count = view.find(kind, idIndex('region'), id).length;
        return count === 0 ? [] : [countedRows(resourceNamed(kind), count)];
      });
      return ours.length === 0 ? undefined : `${id} has an outage; it affects ${listed(ours)}`;
    },
  }),
  clusterRule({
    name: 'cluster-unavailable',
    several: '{} clusters of object storage are unavailable',
    severity: 'critical',
    reads: ['buckets'],
    find: (cluster, view) => {
      const id = idAt(cluster, 'id');
      if (statusOf(cluster) !== 'unavailable' || id === undefined) return;
      const buckets = view.find('buckets', idIndex('cluster'), id).map((bucket) => rowName(bucket, 'bucket'));
      return buckets.length === 0 ? undefined : `${id} is unavailable, and with it ${listed(buckets)}`;
    },
  }),
];
