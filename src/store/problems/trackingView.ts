import { resourceNamed } from '../../resources/index.ts';
import type { CacheView, Params, RowIndex } from '../../resources/resource.ts';

/** Data that were read: when they change, a result computed from them may change. */
export type Dependency =
  | { kind: 'rows' | 'deleted'; resource: string }
  | { kind: 'row'; resource: string; id: string }
  | { kind: 'below' | 'whole'; resource: string; under: Params }
  | { kind: 'found'; resource: string; index: RowIndex; value: string }
  | { kind: 'answer'; resource: string; operation: string; params: Params }
  | { kind: 'usage'; serverId: string }
  | { kind: 'now' };

/** Called with a dependency, its value, and a function that reads it again. */
type Track = <T>(dependency: Dependency, value: T, again: (view: CacheView) => T) => void;

const events: Dependency = { kind: 'rows', resource: resourceNamed('events').name };

/** The same view, tracking what is read; `loaded`, which relations use, and `measured` are not tracked. */
export function trackingView(view: CacheView, track: Track): CacheView {
  function read<T>(dependency: Dependency, again: (view: CacheView) => T): T {
    const value = again(view);
    track(dependency, value, again);
    return value;
  }
  return {
    rows: (resource, under) =>
      read(under ? { kind: 'below', resource, under } : { kind: 'rows', resource }, ({ rows }) =>
        rows(resource, under),
      ),
    row: (resource, id, params) =>
      read({ kind: 'row', resource, id: String(id) }, ({ row }) => row(resource, id, params)),
    find: (resource, index, value) =>
      read({ kind: 'found', resource, index, value }, ({ find }) => find(resource, index, value)),
    deleted: (resource) => read({ kind: 'deleted', resource }, ({ deleted }) => deleted(resource)),
    lists: (resource) => read({ kind: 'rows', resource }, ({ lists }) => lists(resource)),
    loaded: view.loaded,
    isRead: (resource, under = {}) => read({ kind: 'whole', resource, under }, ({ isRead }) => isRead(resource, under)),
    answer: (resource, operation, params) =>
      read({ kind: 'answer', resource, operation, params }, ({ answer }) => answer(resource, operation, params)),
    get events() {
      return read(events, (view) => view.events);
    },
    usage: (serverId) => read({ kind: 'usage', serverId }, ({ usage }) => usage(serverId)),
    day: (serverId) => read({ kind: 'usage', serverId }, ({ day }) => day(serverId)),
    transferShare: (serverId) => read({ kind: 'usage', serverId }, ({ transferShare }) => transferShare(serverId)),
    measured: view.measured,
    get now() {
      return read({ kind: 'now' }, ({ now }) => now);
    },
  };
}
