import { byAddress } from '../ipAddress.ts';
import type { Lead } from '../overview.ts';
import type { CacheView, Row } from '../resource.ts';
import type { DomainRecord } from './recordRules.ts';
import { leadsTo } from './records.ts';
import { zoneName } from './zoneLine.ts';

const leadable = ['servers', 'nodebalancers'] as const;

/** The loaded servers and NodeBalancers to whose addresses records lead, each with its first record. */
export function leadsOf(records: readonly Row[], view: CacheView): readonly Lead[] {
  const found = new Map<Row, Lead>();
  for (const record of records as readonly DomainRecord[]) {
    for (const address of leadsTo(record)) {
      for (const to of leadable) {
        const row = view.find(to, byAddress, address).at(-1);
        if (row && !found.has(row)) found.set(row, { to, row, by: `${record.type} ${zoneName(record)}` });
      }
    }
  }
  return [...found.values()];
}
