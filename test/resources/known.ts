import { idOf } from '../../src/resources/identity.ts';
import { resourceNamed } from '../../src/resources/index.ts';
import { findIn } from '../../src/resources/problems/rowIndex.ts';
import type { CacheView, LoadedList, Params, Row, Usage } from '../../src/resources/resource.ts';
import type { Day } from '../../src/resources/row.ts';

/** Lists that are loaded in a test, by resource; plain rows lie under whatever is asked for. */
export type Lists = Readonly<Record<string, readonly Row[] | readonly LoadedList[]>>;

/** Further things that are loaded in a test. */
export interface Further {
  /** Lists that are not loaded to their end. */
  partly?: readonly string[];
  /** Answers by resource, operation and the values of the parameters, with spaces between them. */
  answers?: Readonly<Record<string, unknown>>;
  events?: readonly Row[];
  usage?: Readonly<Record<string, Usage>>;
  days?: Readonly<Record<string, Day>>;
  /** Shares of transfer quotas, in percent. */
  transfers?: Readonly<Record<string, number>>;
  deleted?: Readonly<Record<string, readonly Row[]>>;
  now?: number;
}

/** The present moment in tests of rules, unless they choose another one: in ms since the epoch. */
export const present = Date.UTC(2024, 4, 1, 12);

const isList = (one: Row | LoadedList): one is LoadedList => Array.isArray(one.rows) && 'whole' in one;

/** A view of the cache in which this is loaded. */
export function knowing(loaded: Lists = {}, further: Further = {}): CacheView {
  const {
    partly = [],
    answers = {},
    events = [],
    usage = {},
    days = {},
    transfers = {},
    deleted = {},
    now = present,
  } = further;

  function lists(resource: string, under: Params = {}): readonly LoadedList[] {
    const given = loaded[resource];
    if (!given) return [];
    const [first] = given;
    if (!first || !isList(first))
      return [{ params: {}, rows: given as readonly Row[], whole: !partly.includes(resource) }];
    return (given as readonly LoadedList[]).filter(({ params }) =>
      Object.entries(under).every(([name, value]) => params[name] === value),
    );
  }

  function rows(resource: string, under?: Params): readonly Row[] {
    const [only, ...others] = lists(resource, under);
    return only && others.length === 0 ? only.rows : lists(resource, under).flatMap((list) => list.rows);
  }

  return {
    now,
    events,
    rows,
    lists,
    loaded: lists,
    row: (resource, id) => rows(resource).find((row) => idOf(resourceNamed(resource), row) === String(id)),
    find: (resource, index, value) => findIn(resource === 'events' ? events : rows(resource), index, value),
    isRead: (resource, under) => lists(resource, under).some(({ whole }) => whole),
    deleted: (resource) => deleted[resource] ?? [],
    answer: (resource, operation, params) => answers[[resource, operation, ...Object.values(params)].join(' ')],
    usage: (serverId) => usage[serverId],
    day: (serverId) => days[serverId],
    transferShare: (serverId) => transfers[serverId],
    measured: () => Object.keys(usage),
  };
}
