import { resources } from '../resources/index.ts';
import { at, type Params, type Resource } from '../resources/resource.ts';
import { type Event, isInProgress } from './events.ts';
import { keyOf, operationOf, viewOf } from './questions.ts';
import type { Records } from './records.ts';
import type { Refresher } from './refresh.ts';

/** Reads again what events say has changed. */
export interface Following {
  follow(events: readonly Event[]): void;
  stop(): void;
}

/** How long after an event has ended what it names is read once more, in milliseconds: what follows it shows up late. */
const settling = 3_000;
/** How many rows are read at once. */
const atOnce = 4;
/** A list is read instead of more of its rows than it has pages, and these. */
const spareRows = 4;
const pageSize = 100;

/** What an event is about: a row, or a resource where no row is named. */
interface Named {
  resource: Resource;
  id: string | undefined;
}

export function createFollowing(records: Records, refresher: Refresher): Following {
  const later = new Set<NodeJS.Timeout>();
  const waiting = new Map<string, () => Promise<void>>();
  let underWay = 0;

  function follow(events: readonly Event[]): void {
    refresh(events);
    const ended = events.filter((event) => !isInProgress(event) && event.status !== 'notification');
    if (ended.length === 0) return;
    const timer = setTimeout(() => {
      later.delete(timer);
      refresh(ended);
    }, settling);
    timer.unref();
    later.add(timer);
  }

  function refresh(events: readonly Event[]): void {
    const ids = new Map<Resource, Set<string>>();
    for (const event of events) {
      const named = namedBy(event);
      for (const { resource, id } of named) {
        if (id !== undefined) ids.set(resource, (ids.get(resource) ?? new Set()).add(id));
        refreshAround(resource, id);
      }
      refreshByAction(event, named);
    }
    for (const [resource, those] of ids) refreshRows(resource, those);
  }

  /** Reads rows again where they or their list are loaded: new ones come in, deleted ones go. */
  function refreshRows(resource: Resource, ids: ReadonlySet<string>): void {
    if (!canBeRead(resource)) return;
    const { collections, answers } = records.getState();
    const listed = Object.values(collections).filter((entry) => entry.resource === resource.name);
    const pages = Math.ceil((collections[listKey(resource)]?.rows.length ?? Number.POSITIVE_INFINITY) / pageSize);
    if (ids.size > pages + spareRows) {
      refresher.invalidate(
        ({ resource: asked, operation, params }) =>
          asked === resource.name && (operation === 'list' || ids.has(params[resource.param] ?? '')),
      );
      return;
    }
    for (const id of ids) {
      const params = { [resource.param]: id };
      const key = keyOf(viewOf(resource, params));
      if (listed.length > 0 || answers[key]) waiting.set(key, () => records.readRow(resource, params));
    }
    readWaiting();
  }

  function readWaiting(): void {
    for (const [key, read] of waiting) {
      if (underWay >= atOnce) return;
      waiting.delete(key);
      underWay++;
      void read().finally(() => {
        underWay--;
        readWaiting();
      });
    }
  }

  /** What lies under a row or lists it elsewhere is stale, and all of a resource whose row is not named or cannot be read alone. */
  function refreshAround(resource: Resource, id: string | undefined): void {
    refresher.invalidate((question, rowsOf) => {
      if (operationOf(question).freshFor !== undefined) return false;
      if (question.resource === resource.name && (id === undefined || !canBeRead(resource))) return true;
      const isPartOfIt = id !== undefined && question.operation !== 'view' && question.params[resource.param] === id;
      return isPartOfIt || (rowsOf === resource.name && question.operation !== 'list');
    });
  }

  /** Some actions change rows that their event does not name. */
  function refreshByAction({ action }: Event, named: readonly Named[]): void {
    const changed = resources.filter(
      (resource) =>
        !named.some((one) => one.resource === resource) && resource.events?.some((prefix) => action.startsWith(prefix)),
    );
    if (changed.length === 0) return;
    refresher.invalidate(
      ({ resource, params }) =>
        changed.some(({ name }) => name === resource) && named.every((one) => isNotBeside(one, params)),
    );
  }

  return {
    follow,
    stop: () => {
      for (const timer of later) clearTimeout(timer);
      waiting.clear();
    },
  };
}

/** Whether an event says enough to read a row alone: those under others need their parents, too. */
const canBeRead = ({ view, under }: Resource): boolean => view !== undefined && under === undefined;

const listKey = ({ name }: Resource): string => keyOf({ resource: name, operation: 'list', params: {} });

/** Whether a question with these parameters is about the row, or may be. */
const isNotBeside = ({ resource, id }: Named, params: Params): boolean =>
  id === undefined || (params[resource.param] ?? id) === id;

/** The rows that an event names, of resources that are known. */
function namedBy(event: Event): readonly Named[] {
  return ['entity', 'secondary_entity'].flatMap((name) => {
    const type = at(event, `${name}.type`);
    const id = at(event, `${name}.id`);
    const resource = typeof type === 'string' ? resources.find(({ entity }) => entity === type) : undefined;
    return resource ? [{ resource, id: id === undefined || id === null ? undefined : String(id) }] : [];
  });
}
