import { ApiError } from '../../api/error.ts';
import { idOf, keptId, liesUnder, paramsIn } from '../../resources/identity.ts';
import type { ListOperation } from '../../resources/resource.ts';
import { operationNamed } from '../queries.ts';
import { pagesOf } from '../reading.ts';
import type { Stores } from '../stores.ts';
import { type Change, kindOf } from './change.ts';
import { isNamed, listsOf, matchesBody } from './lostCreations.ts';
import type { Baseline, RowsBefore } from './pendingChanges.ts';
import { doubtfullyBack, takenBack, wholeName } from './undoable.ts';

/** A list of more rows is not read before a creation; its rows are told apart by their times. */
const maxRowsRead = 500;

/**
 * Notes the state before a change is sent, by which what it does is recognised later. Before a creation the lists are read
 * in which the new row will be, but where its time and a name that the API keeps unique tell it from others. Never rejects
 * for a refusal of the API.
 */
export function baselineOf(stores: Stores, change: Change): Baseline | Promise<Baseline> {
  const { api, events } = stores;
  const kind = kindOf(change);
  const { time, isUnique } = change.action.shownBy ?? {};
  const isTold = isUnique && time !== undefined && isNamed(change) && api.time() !== undefined;
  if (kind === 'creation' && !isTold) return rowsBefore(stores, change).then((there) => noted(stores, there));
  // An event of just now must not be taken for its own.
  const isPolled = kind === 'action' && events.getState().polledAt !== undefined;
  return isPolled ? events.poll().then(() => noted(stores)) : noted(stores);
}

function noted({ api, events, now }: Stores, { ids, ...there }: RowsBefore = { ids: [], whole: [] }): Baseline {
  const sent = api.time();
  const { events: known, error } = events.getState();
  // Where they could not be read, others may have come since.
  const event = error ? undefined : known[0]?.id;
  return { at: now(), ids: [...new Set(ids)], ...there, event, ...(sent && { sent }) };
}

/** The rows that are known or read of the lists that a creation adds to. */
async function rowsBefore({ api, cache }: Stores, change: Change): Promise<RowsBefore> {
  const { resource, params, body, takesBack } = change;
  const isOnce = change.isEach ?? takesBack?.isRedo;
  let hasSame = false;
  const ids = Object.values(cache.getState().collections)
    .filter(
      ({ resource: name, query, rows }) =>
        name === resource.name && liesUnder(params, query.params) && rows.length <= maxRowsRead,
    )
    .flatMap(({ rows }) => rows.map((row) => keptId(resource, idOf(resource, row))));
  const whole: string[] = [];
  for (const operation of listsOf(change)) {
    const list = operationNamed(resource, operation) as ListOperation;
    const there = new Set<string>();
    let results = 0;
    try {
      for await (const page of pagesOf(api, list, { params: paramsIn(list.path, params) })) {
        for (const row of page.rows) there.add(keptId(resource, idOf(resource, row)));
        hasSame ||= isOnce === true && page.rows.some((row) => matchesBody(resource, row, body));
        results = Math.max(page.results ?? 0, there.size);
        if (results > maxRowsRead) break;
      }
      if (there.size === results && results <= maxRowsRead) whole.push(operation);
    } catch (error) {
      // It is sent all the same; if its answer is lost, it is not known what was there.
      if (!(error instanceof ApiError)) throw error;
    }
    ids.push(...there);
  }
  return { ids, whole, ...(hasSame && { hasSame }) };
}

/**
 * Reads what other sessions have sent while it was asked whether to take changes back: what one of them has taken back, or may
 * have, is not taken back once more. Resolves with a function that says why a change is not; undefined where it is.
 * @param isBusy another session is taking some of them back
 */
export async function takenElsewhere({ audit, view, changes }: Stores, isBusy: boolean) {
  const told = doubtfullyBack(view);
  await audit.refresh();
  const [taken, doubtful] = [takenBack(view), doubtfullyBack(view, changes.keys)];
  return (change: Change): string | undefined => {
    const { of = '', isRedo } = change.takesBack ?? {};
    const name = wholeName(of);
    if (taken.has(name)) return `it was ${isRedo ? 'done again' : 'taken back'} already`;
    if (isBusy) return `another session is ${isRedo ? 'doing it again' : 'taking it back'} now: wait for it`;
    if (!doubtful.has(name) || told.has(name)) return undefined;
    return `another session may have ${isRedo ? 'done it again' : 'taken it back'}, and its answer is not known: look first`;
  };
}
