import { idOf } from '../../src/resources/identity.ts';
import { resourceNamed } from '../../src/resources/index.ts';
import { rules } from '../../src/resources/problems/index.ts';
import { problemsBy } from '../../src/resources/problems/problem.ts';
import { findIn } from '../../src/resources/problems/rowIndex.ts';
import { type Facts, hasWhole, type LoadedList, type Problem, type Usage } from '../../src/resources/problems/rule.ts';
import type { Params, Row } from '../../src/resources/resource.ts';

/** Lists that are loaded in a test, by resource; plain rows where they lie under nothing. */
interface Loaded {
  lists?: Readonly<Record<string, readonly Row[] | readonly LoadedList[]>>;
  /** Lists that are not loaded to their end. */
  partly?: readonly string[];
  /** Answers by resource, operation and the values of the parameters, with spaces between them. */
  answers?: Readonly<Record<string, unknown>>;
  events?: readonly Row[];
  usage?: Readonly<Record<string, Usage>>;
  gone?: Readonly<Record<string, readonly Row[]>>;
  now?: number;
}

/** The present moment in tests of rules, unless they choose another one: in ms since the epoch. */
export const present = Date.UTC(2024, 4, 1, 12);

/** The facts of a test. */
export function factsOf({
  lists = {},
  partly = [],
  answers = {},
  events = [],
  usage = {},
  gone = {},
  now = present,
}: Loaded): Facts {
  const listsOf = (resource: string): readonly LoadedList[] => {
    const given = lists[resource];
    if (!given) return [];
    const isList = (one: Row | LoadedList): one is LoadedList => Array.isArray(one.rows) && 'whole' in one;
    const [first] = given;
    if (first && isList(first)) return given as readonly LoadedList[];
    return [{ params: {}, rows: given as readonly Row[], whole: !partly.includes(resource) }];
  };
  const rows = (resource: string, under: Params = {}) => {
    const found = listsOf(resource).filter(({ params }) =>
      Object.entries(under).every(([name, value]) => params[name] === value),
    );
    const [only] = found;
    return only && found.length === 1 ? only.rows : found.flatMap((list) => list.rows);
  };
  return {
    now,
    events,
    lists: listsOf,
    rows,
    row: (resource, id) => rows(resource).find((row) => idOf(resourceNamed(resource), row) === String(id)),
    gone: (resource) => gone[resource] ?? [],
    answer: (resource, operation, params) => answers[[resource, operation, ...Object.values(params)].join(' ')],
    usage: (serverId) => usage[serverId],
    measured: () => Object.keys(usage),
    isWhole: (resource, under) => hasWhole(listsOf(resource), under),
    find: (resource, index, value) => findIn(resource === 'events' ? events : rows(resource), index, value),
  };
}

/** Runs the rule of this name. Throws when there is no such rule. */
export function foundBy(name: string, loaded: Loaded): readonly Problem[] {
  const rule = rules.find((rule) => rule.name === name);
  if (!rule) throw new Error(`no rule is called ${name}`);
  return [...problemsBy(rule, factsOf(loaded))].flat();
}
