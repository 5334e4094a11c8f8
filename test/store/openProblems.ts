import { onTestFinished, vi } from 'vitest';
import type { ResourceName } from '../../src/resources/names.ts';
import { type Problem, type Rule, rule } from '../../src/resources/problems/rule.ts';
import type { Row, Usage } from '../../src/resources/resource.ts';
import { createCache, type Query } from '../../src/store/cache.ts';
import { createCacheChanges } from '../../src/store/cacheChanges.ts';
import { createPoller } from '../../src/store/events.ts';
import { pacesFor } from '../../src/store/paces.ts';
import { createProblems } from '../../src/store/problems/problems.ts';
import { createRuleQueries } from '../../src/store/problems/ruleQueries.ts';
import { createScheduler } from '../../src/store/scheduler.ts';
import { createView } from '../../src/store/view.ts';
import { type Asked, fakeApi } from './fakeApi.ts';

/** A rule that finds nothing unless it is told how. */
export const ruleOf = (of: ResourceName, further: Partial<Rule> = {}): Rule =>
  rule<Row>(of)({ name: `rule-of-${of}`, severity: 'warning', find: () => undefined, ...further });

/** The query for a list. */
export const listOf = (resource: string, params: Query['params'] = {}): Query => ({
  resource,
  operation: 'list',
  params,
});

/** So many rows, the first of which has the id 1. */
export const rowsTo = (count: number, further: Row = {}): readonly Row[] =>
  Array.from({ length: count }, (_, index) => ({ id: index + 1, ...further }));

/** Examines problems with rules of the test's own, on fake timers; lists are read again every 60 seconds. */
export function openProblems(
  rules: readonly Rule[],
  isAcknowledged: (problem: Problem) => boolean = () => false,
  usage: ReadonlyMap<string, Usage> = new Map(),
) {
  const api = fakeApi();
  const now = Date.now;
  const cache = createCache(api, now);
  const scheduler = createScheduler({ cache, now, paces: pacesFor(60_000) });
  const events = createPoller(api, now, () => {});
  const fleet = {
    usageOf: (id: string) => usage.get(id),
    recentDayOf: () => undefined,
    transferShareOf: () => undefined,
    requested: () => usage.keys(),
  };
  const view = createView({ cache, events, fleet, now });
  const cacheChanges = createCacheChanges(cache, events);
  const ruleQueries = createRuleQueries({
    ...{ rules, view, cache, cacheChanges, scheduler, events },
    found: () => problems.getState().problems,
  });
  const problems = createProblems({ rules, view, cacheChanges, ruleQueries, isAcknowledged });
  onTestFinished(() => {
    problems.stop();
    scheduler.stop();
  });
  /** Lets everything under way go on for a moment: turns of the event loop take a millisecond here. */
  const moment = () => vi.advanceTimersByTimeAsync(50);
  return {
    api,
    cache,
    scheduler,
    view,
    events,
    ruleQueries,
    problems,
    moment,
    /** Reads a list as a screen would; it has these rows. */
    load: async (query: Query, rows: readonly Row[]) => {
      void cache.readCollection(query);
      await api.next(`${query.resource}.${query.operation}`).page(rows);
      await moment();
    },
    /** Answers all that is asked for, and what follows from that; lists as `rowsOf` says, all else with an empty object. */
    answerAll: async (rowsOf: (asked: Asked) => readonly Row[] = () => []) => {
      await moment();
      while (api.open.length > 0) {
        for (const asked of api.open)
          await (asked.name.endsWith('.list') ? asked.page(rowsOf(asked)) : asked.answer({}));
        await moment();
      }
    },
  };
}
