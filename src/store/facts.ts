import { isSingle, resourceNamed } from '../resources/index.ts';
import type { Facts, LoadedList } from '../resources/problems/rule.ts';
import type { Known } from '../resources/resource.ts';
import type { Poller } from './events.ts';
import { isWhole } from './held.ts';
import { keyOf, questionOf } from './questions.ts';
import type { Records, RecordsState } from './records.ts';
import { nameOf } from './versions.ts';

const noLists: readonly LoadedList[] = [];

/** What the rules of problems see: what is loaded now. The events are those of the poller, of which there are more further back. */
export function factsFrom(
  records: Records,
  known: Known,
  events: Pick<Poller, 'getState'>,
  usage: Facts['usage'],
): Facts {
  const eventsName = resourceNamed('events').name;
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
    answer: (resource, operation, params) => records.getState().answers[keyOf({ resource, operation, params })]?.body,
    get events() {
      return events.getState().events;
    },
    usage,
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

/**
 * The same facts, telling what is looked at by the names under which changes are counted; how busy servers are is not
 * among that: these are means of hours.
 * @param measure told the ids of the servers of which that is known
 */
export function noting(facts: Facts, look: (name: string) => void, measure: (serverId: string) => void): Facts {
  return {
    get now() {
      return facts.now;
    },
    rows: (resource, under) => {
      look(resource);
      return facts.rows(resource, under);
    },
    row: (resource, id) => {
      look(resource);
      return facts.row(resource, id);
    },
    gone: (resource) => {
      look(resource);
      return facts.gone(resource);
    },
    lists: (resource) => {
      look(resource);
      return facts.lists(resource);
    },
    answer: (resource, operation, params) => {
      look(nameOf(resource, operation));
      return facts.answer(resource, operation, params);
    },
    get events() {
      look('events');
      return facts.events;
    },
    usage: (serverId) => {
      const usage = facts.usage(serverId);
      if (usage) measure(serverId);
      return usage;
    },
  };
}
