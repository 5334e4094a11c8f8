import type { Api } from '../api/client.ts';
import type { ApiError } from '../api/error.ts';
import { redacted } from '../api/redact.ts';
import { paramsOf } from '../resources/identity.ts';
import { isSingle, resourceNamed } from '../resources/index.ts';
import { byUrgency, problemsBy } from '../resources/problems/problem.ts';
import type { Problem, Rule, Severity } from '../resources/problems/rule.ts';
import { ancestorsOf } from '../resources/relations.ts';
import type { Params, Resource, Row } from '../resources/resource.ts';
import { plural } from '../resources/wording.ts';
import { unexaminedPart } from '../screens/problems/unexamined.ts';
import { type Collection, createCache } from '../store/cache.ts';
import { createCacheChanges } from '../store/cacheChanges.ts';
import { entriesOf, isWhole } from '../store/entries.ts';
import { createPoller } from '../store/events.ts';
import { createFleet, isWithoutReadings } from '../store/fleet.ts';
import type { Pace } from '../store/paces.ts';
import { createRuleQueries, type Unexamined } from '../store/problems/ruleQueries.ts';
import { listQuery, listsUnder, operationOf, type Query, queryKey, viewQuery } from '../store/queries.ts';
import { createScheduler } from '../store/scheduler.ts';
import { createView } from '../store/view.ts';
import { capitalized } from '../text/words.ts';

/** Something of one account, whose profile is told where several are printed. */
export type Owned<T> = T & { account?: string };

/** The problems that rules have found, and the rows that were too many to be examined. */
export interface ProblemReport {
  /** Unacknowledged problems, the most urgent first. */
  problems: readonly Owned<Problem>[];
  unexamined: readonly Owned<Unexamined>[];
  /** The sentence where a filter leaves no problem. */
  none?: string;
}

/** Reads everything at most once, and keeps a sentence for each part that could not be read. */
export type SnapshotReader = ReturnType<typeof createSnapshotReader>;

/** Everything is read once; so much waits for its answer or to be asked again, and the transport sends less at once. */
const once: Pace = { maxInflight: 16, freshMs: () => Number.POSITIVE_INFINITY };
const paces = { screen: once, account: once, row: once, next: once, background: once, unseen: once };

/**
 * A reader in front of an API.
 * @param now the time for the rules, in ms since the epoch
 * @param fails whether a problem fails the run, so that rules which find such ones must be examined wholly
 */
export function createSnapshotReader(
  api: Api,
  now: number,
  isAcknowledged: (problem: Problem) => boolean,
  fails: (severity: Severity) => boolean = () => false,
) {
  const cache = createCache(api, Date.now);
  const events = createPoller(api, Date.now, () => {});
  const fleet = createFleet(cache, Date.now);
  const cacheView = createView({ cache, events, fleet, now: () => now });
  const scheduler = createScheduler({ cache, now: Date.now, paces });
  const notes: string[] = [];
  let report: ProblemReport | undefined;
  let polling: Promise<unknown> | undefined;

  /** Reads queries, and all else that is subscribed to; what `take` returns is taken while they are kept. */
  async function read<T>(queries: readonly Query[], take: () => T): Promise<T> {
    const unsubscribe = scheduler.subscribe(queries);
    await scheduler.whenIdle();
    const taken = take();
    unsubscribe();
    return taken;
  }

  /** The list of an area, or of a row with `params`, as far as it could be read; undefined where nothing of it could. */
  const list = ({ name }: Resource, params: Query['params'] = {}): Promise<readonly Row[] | undefined> => {
    const query = { resource: name, operation: 'list', params };
    return read([query], () => {
      const collection = cache.getState().collections[queryKey(query)];
      return collection && (isWhole(collection) || collection.rows.length > 0) ? collection.rows : undefined;
    });
  };

  /** One row, or a single resource like the account; undefined where it could not be read. */
  const view = (resource: Resource, params: Query['params']): Promise<Row | undefined> => {
    const query = viewQuery(resource, params);
    return read([query], () => cache.getState().answers[queryKey(query)]?.body as Row | undefined);
  };

  function readKept(resource: string, operation: string, all: readonly Query['params'][]): Promise<void> {
    const queries = all.map((params) => ({ resource, operation, params }));
    // Columns look at the answers only when all is read.
    cache.retain(queries);
    return read(queries, () => {});
  }

  /** Reads the events of the last day, 1,000 at most, into the cache; undefined where they could not be read. */
  async function newestEvents(): Promise<readonly Row[] | undefined> {
    polling ??= events.poll().then(() => events.readOn());
    await polling;
    const { events: newest, error } = events.getState();
    return error ? undefined : newest.map((event) => redacted(event) as Row);
  }

  /** Reads the data of these rules, within the limit of queries about single rows, and reports the included problems. */
  async function examine(
    rules: readonly Rule[],
    isIncluded: (problem: Problem) => boolean = () => true,
  ): Promise<ProblemReport> {
    const ruleQueries = createRuleQueries({
      rules,
      view: cacheView,
      cache,
      cacheChanges: createCacheChanges(cache, events),
      scheduler,
      events,
    });
    await newestEvents();
    const stop = ruleQueries.start();
    await scheduler.whenIdle();
    const found = rules.flatMap((rule) => [...problemsBy(rule, cacheView)].flat());
    const open = found.filter((problem) => !isAcknowledged(problem) && isIncluded(problem));
    const { unexamined } = ruleQueries.getState();
    stop();
    notes.push(...unexamined.flatMap((one) => (one.own && fails(one.own) ? [unexaminedSentence(one)] : [])));
    report = { problems: open.sort(byUrgency), unexamined };
    return report;
  }

  function failures(): readonly Failure[] {
    return Object.values(entriesOf(cache.getState())).flatMap(({ query, error, ...entry }) => {
      const isQuiet = error?.status === 404 && operationOf(query).undocumented === true;
      return error && !isQuiet && !isWithoutReadings(error)
        ? [{ query, error, entry: 'rows' in entry ? entry : undefined }]
        : [];
    });
  }

  /** Forgets the parts that are not found because their row went away meanwhile: the lists of such rows are read again. */
  async function forgetGone(): Promise<void> {
    const read = new Set<string>();
    for (;;) {
      const lists = failures().flatMap(({ query, error }) => (error.status === 404 ? listsOfRow(query) : []));
      const next = lists.find((list) => !read.has(queryKey(list)));
      if (!next) return;
      read.add(queryKey(next));
      await cache.readCollection(next);
    }
  }

  /** One sentence for each part that could not be read. */
  async function missing(): Promise<readonly string[]> {
    await forgetGone();
    const kinds = Map.groupBy(failures(), ({ query: { resource, operation } }) => `${resource}.${operation}`);
    const { error } = events.getState();
    return [
      ...notes,
      ...(error ? [unreadSentence(resourceNamed('events').many, error)] : []),
      ...[...kinds.values()].flatMap(failureSentence),
    ];
  }

  return {
    /** The data that was read, as rules see it. */
    cache: cacheView,
    list,
    view,
    /** Reads a further operation about rows into the cache. */
    readAbout: (resource: Resource, operation: string, rows: readonly Row[]) =>
      readKept(
        resource.name,
        operation,
        rows.map((row) => paramsOf(resource, row)),
      ),
    /** Reads the lists of this resource below the rows that were read, or those of them that are wanted. */
    readBelow: (name: string, isWanted: (params: Params) => boolean = () => true) =>
      readKept(name, 'list', (listsUnder(name, {}, cacheView) ?? []).filter(isWanted)),
    newestEvents,
    examine,
    /** The lists of resources that were read to their end. */
    completeLists: () => wholeLists(cache.getState().collections),
    /** The last report; undefined where nothing was examined. */
    report: () => report,
    /** Adds a sentence about a part that was read elsewhere. */
    noteMissing: (sentence: string) => void notes.push(sentence),
    missing,
  };
}

/** Something that could not be read. */
interface Failure {
  query: Query;
  error: ApiError;
  /** The list, which may have been read in part. */
  entry?: Pick<Collection, 'rows' | 'results'>;
}

const isAboutRow = ({ params }: Query): boolean => Object.keys(params).length > 0;

/** The lists that hold the row which an answer or a list is about, and the rows it lies under, from the top. */
function listsOfRow({ resource: name, operation, params }: Query): readonly Query[] {
  if (operation === 'view' || !isAboutRow({ resource: name, operation, params })) return [];
  const resource = resourceNamed(name);
  const holders = operation === 'list' ? ancestorsOf(resource) : [resource, ...ancestorsOf(resource)];
  return holders.toReversed().flatMap((one) => (one.list ? [listQuery(one, params)] : []));
}

const unexaminedSentence = (part: Unexamined): string =>
  `A rule of the configuration was not examined wholly: ${unexaminedPart(part)} would be too many requests; narrow its filter.`;

/** Tells that something could not be read, and why. */
export const unreadSentence = (what: string, { message }: ApiError): string => `${what} could not be read: ${message}`;

/** The sentence for all failures of one kind, with the reason of the first. */
function failureSentence([first, ...others]: readonly Failure[]): readonly string[] {
  if (!first) return [];
  const { query, error, entry } = first;
  const resource = resourceNamed(query.resource);
  if (entry?.rows.length && !isAboutRow(query)) {
    const read = `${entry.rows.length}${entry.results === undefined ? '' : ` of ${entry.results}`}`;
    return [`Only ${read} ${plural(resource)} could be read: ${error.message}`];
  }
  const isPart = isAboutRow(query) && query.operation !== 'view';
  if (isPart) return [unreadSentence(capitalized(unexaminedPart({ ...query, count: others.length + 1 })), error)];
  return [unreadSentence(isAboutRow(query) && !isSingle(resource) ? `The ${resource.one}` : resource.many, error)];
}

function wholeLists(collections: Readonly<Record<string, Collection>>): ReadonlyMap<string, readonly Row[]> {
  const own = Object.values(collections).filter(
    (collection) => collection.query.operation === 'list' && !isAboutRow(collection.query) && isWhole(collection),
  );
  return new Map(own.map(({ resource, rows }) => [resource, rows]));
}
