import type { Params, Resource, Row } from '../../resources/resource.ts';
import type { Stores } from '../../store/stores.ts';
import { counted } from '../../text/words.ts';
import { leadsTo, type RowsOf } from '../leadsTo.ts';

/** The most rows that are compared: statistics may be read a hundred times a minute. */
const maxCompared = 32;

/** Whether the rows of a resource can be compared by their statistics. */
export const isComparable = ({ statistics, list }: Resource): boolean =>
  statistics?.loads !== undefined && list !== undefined;

/** Goes to the comparison of rows; of too many to the first of them, and says so. */
export function compare({ navigation, notices }: Stores, { resource, ids }: RowsOf): void {
  if (ids.length > maxCompared) {
    notices.say(
      'plain',
      `At most ${maxCompared} can be compared; these are the first of ${ids.length} ${resource.many}.`,
    );
  }
  navigation.go({ screen: 'compare', resource: resource.name, ids: ids.slice(0, maxCompared) });
}

/** Compares what rows lead to, or says that there is nothing. */
export function compareRelated(stores: Stores, resource: Resource, rows: readonly Row[], params: Params): void {
  const found = leadsTo(stores, resource, rows, params, isComparable);
  if (found) {
    compare(stores, found);
    return;
  }
  const what = rows.length > 1 ? `these ${counted(rows.length, resource.one)}` : `this ${resource.one}`;
  stores.notices.say('plain', `Nothing loaded to compare: ${what} leads to no server or NodeBalancer.`);
}
