import { resourceNamed } from '../../resources/index.ts';
import type { CacheView, Params, RowIndex } from '../../resources/resource.ts';

/** Something that was looked at: when that changes, what was made of it may be another. */
export type Dependency =
  | { kind: 'rows' | 'deleted'; resource: string }
  | { kind: 'row'; resource: string; id: string }
  | { kind: 'below' | 'whole'; resource: string; under: Params }
  | { kind: 'found'; resource: string; index: RowIndex; value: string }
  | { kind: 'answer'; resource: string; operation: string; params: Params }
  | { kind: 'usage'; serverId: string }
  | { kind: 'now' };

/** Told what was looked at, its value, and how to look again. */
type Tell = <T>(looked: Dependency, value: T, again: (view: CacheView) => T) => void;

const events: Dependency = { kind: 'rows', resource: resourceNamed('events').name };

/** The same view, telling what is looked at; relations alone look at all that is loaded. */
export function trackingView(view: CacheView, tell: Tell): CacheView {
  function look<T>(looked: Dependency, again: (view: CacheView) => T): T {
    const value = again(view);
    tell(looked, value, again);
    return value;
  }
  return {
    rows: (resource, under) =>
      look(under ? { kind: 'below', resource, under } : { kind: 'rows', resource }, ({ rows }) =>
        rows(resource, under),
      ),
    row: (resource, id, params) =>
      look({ kind: 'row', resource, id: String(id) }, ({ row }) => row(resource, id, params)),
    find: (resource, index, value) =>
      look({ kind: 'found', resource, index, value }, ({ find }) => find(resource, index, value)),
    deleted: (resource) => look({ kind: 'deleted', resource }, ({ deleted }) => deleted(resource)),
    lists: (resource) => look({ kind: 'rows', resource }, ({ lists }) => lists(resource)),
    loaded: view.loaded,
    isRead: (resource, under = {}) => look({ kind: 'whole', resource, under }, ({ isRead }) => isRead(resource, under)),
    answer: (resource, operation, params) =>
      look({ kind: 'answer', resource, operation, params }, ({ answer }) => answer(resource, operation, params)),
    get events() {
      return look(events, (view) => view.events);
    },
    usage: (serverId) => look({ kind: 'usage', serverId }, ({ usage }) => usage(serverId)),
    measured: view.measured,
    get now() {
      return look({ kind: 'now' }, ({ now }) => now);
    },
  };
}
