import { requests } from '../resources/account/requests.ts';
import { paramsOf } from '../resources/identity.ts';
import { resourceNamed } from '../resources/index.ts';
import type { Resource } from '../resources/resource.ts';
import { allOf } from './listeners.ts';
import { listsUnder, type Query, viewQuery } from './queries.ts';
import type { Stores } from './stores.ts';

/** Rows are made again at most this often as answers come in, in milliseconds. */
const settleMs = 500;

/** Reads what the rows of a list are made of, and makes them again as it changes; returns a function that ends this. */
export function keepMade(stores: Omit<Stores, 'close'>, resource: Resource): () => void {
  const { cache, scheduler, fleet, view, events, now } = stores;
  const { made } = resource;
  if (resource.name === requests.name) return keepRequests(stores);
  if (!made) return () => {};
  const { rows, reads, single, about } = made;
  const of = resourceNamed(about.of);
  const inputs = () => [
    ...[...reads, ...single].map((name) => view.rows(name)),
    events.getState().events,
    fleet.getState().version,
  ];
  let timer: NodeJS.Timeout | undefined;
  let last: readonly unknown[] = [];
  let release: (() => void) | undefined;

  /** The lists of the account, and those below its rows. */
  const listsOf = (isBelow: boolean) =>
    reads
      .filter((name) => (resourceNamed(name).under !== undefined) === isBelow)
      .flatMap((name) =>
        (listsUnder(name, {}, view) ?? []).map((params): Query => ({ resource: name, operation: 'list', params })),
      );
  const isTried = ({ resource: name }: Query) =>
    Object.values(cache.getState().collections).some((one) => one.resource === name && one.triedAt !== undefined);

  function put(): void {
    timer = undefined;
    const next = inputs();
    if (next.every((one, index) => one === last[index])) return;
    last = next;
    const before = release;
    const rowsOf = view.rows(of.name).map((row) => paramsOf(of, row));
    release = cache.retain([
      ...listsOf(true),
      ...about.keeps.flatMap((operation) => rowsOf.map((params) => ({ resource: of.name, operation, params }))),
    ]);
    before?.();
    cache.putLocal(resource, rows(view), listsOf(false).every(isTried) ? now() : undefined);
  }

  const renew = () => {
    timer ??= setTimeout(put, settleMs);
  };

  const leave = allOf([
    scheduler.subscribe([...listsOf(false), ...single.map((name) => viewQuery(resourceNamed(name), {}))]),
    scheduler.subscribe(() => listsOf(true), 'next'),
    ...about.fetches.map((operation) =>
      scheduler.subscribe(() => fleet.queries(operation, of, view.rows(of.name)), 'next'),
    ),
    cache.subscribe(renew),
    fleet.subscribe(renew),
  ]);
  put();
  return () => {
    clearTimeout(timer);
    leave();
    release?.();
  };
}

/** Keeps the list of requests in the cache: nothing else tells of each of them. */
function keepRequests({ cache, session, now }: Pick<Stores, 'cache' | 'session' | 'now'>): () => void {
  const put = () => cache.putLocal(requests, session.getState().calls.toReversed(), now());
  put();
  return session.subscribe((after, before) => {
    if (after.calls !== before.calls) put();
  });
}
