import { isSingle, resourceNamed } from '../resources/index.ts';
import { findIn, type RowIndex } from '../resources/problems/rowIndex.ts';
import { type Facts, hasWhole, type LoadedList } from '../resources/problems/rule.ts';
import type { CacheView, Params } from '../resources/resource.ts';
import type { Poller } from './events.ts';
import { isWhole } from './held.ts';
import { keyOf, questionOf } from './questions.ts';
import type { Records, RecordsState } from './records.ts';

const noLists: readonly LoadedList[] = [];
const eventsName = resourceNamed('events').name;

/** Shows the rules of problems what is loaded now. The events are the poller's; there are more further back. */
export function factsFrom(
  records: Records,
  known: CacheView,
  events: Pick<Poller, 'getState'>,
  usage: Facts['usage'],
  measured: Facts['measured'] = () => [],
): Facts {
  let listed = listsIn(records.getState());

  function lists(resource: string): readonly LoadedList[] {
    if (resource === eventsName) return [{ params: {}, rows: events.getState().events, whole: false }];
    if (isSingle(resourceNamed(resource))) {
      const rows = known.rows(resource);
      return rows.length > 0 ? [{ params: {}, rows, whole: true }] : noLists;
    }
    const state = records.getState();
    if (listed.of !== state.collections) listed = listsIn(state);
    return listed.byResource.get(resource) ?? noLists;
  }

  return {
    get now() {
      return known.now;
    },
    rows: known.rows,
    row: known.row,
    gone: known.gone,
    lists,
    isWhole: (resource, under) => hasWhole(lists(resource), under),
    find: (resource, index, value) =>
      findIn(resource === eventsName ? events.getState().events : known.rows(resource), index, value),
    answer: (resource, operation, params) => records.getState().answers[keyOf({ resource, operation, params })]?.body,
    get events() {
      return events.getState().events;
    },
    usage,
    measured,
  };
}

/** The lists of each resource, by its own list operation: those of sections and tabs are parts of them. */
function listsIn({ collections }: RecordsState): {
  of: RecordsState['collections'];
  byResource: ReadonlyMap<string, readonly LoadedList[]>;
} {
  const byResource = new Map<string, LoadedList[]>();
  for (const [key, collection] of Object.entries(collections)) {
    const { resource, params, rows } = collection;
    if (questionOf(key).operation !== 'list') continue;
    const found = byResource.get(resource) ?? [];
    byResource.set(resource, found);
    found.push({ params, rows, whole: isWhole(collection) });
  }
  return { of: collections, byResource };
}

/** Something that a rule looked at: when that changes, what it has found may be another. */
export type Looked =
  | { kind: 'rows' | 'gone'; resource: string }
  | { kind: 'row'; resource: string; id: string }
  | { kind: 'below' | 'whole'; resource: string; under: Params }
  | { kind: 'found'; resource: string; index: RowIndex; value: string }
  | { kind: 'answer'; resource: string; operation: string; params: Params }
  | { kind: 'usage'; serverId: string }
  | { kind: 'now' };

/** The same facts, telling what is looked at. */
export function watched(facts: Facts, look: (looked: Looked) => void): Facts {
  return {
    get now() {
      look({ kind: 'now' });
      return facts.now;
    },
    rows: (resource, under) => {
      look(under ? { kind: 'below', resource, under } : { kind: 'rows', resource });
      return facts.rows(resource, under);
    },
    row: (resource, id) => {
      look({ kind: 'row', resource, id: String(id) });
      return facts.row(resource, id);
    },
    gone: (resource) => {
      look({ kind: 'gone', resource });
      return facts.gone(resource);
    },
    lists: (resource) => {
      look({ kind: 'rows', resource });
      return facts.lists(resource);
    },
    isWhole: (resource, under) => {
      look({ kind: 'whole', resource, under });
      return facts.isWhole(resource, under);
    },
    find: (resource, index, value) => {
      look({ kind: 'found', resource, index, value });
      return facts.find(resource, index, value);
    },
    answer: (resource, operation, params) => {
      look({ kind: 'answer', resource, operation, params });
      return facts.answer(resource, operation, params);
    },
    get events() {
      look({ kind: 'rows', resource: eventsName });
      return facts.events;
    },
    usage: (serverId) => {
      look({ kind: 'usage', serverId });
      return facts.usage(serverId);
    },
    measured: facts.measured,
  };
}
