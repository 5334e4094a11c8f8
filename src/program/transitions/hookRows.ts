import type { HookConfig } from '../../config/schema.ts';
import { idIn, idOf } from '../../resources/identity.ts';
import { resourceCalled, rowOfEntity } from '../../resources/index.ts';
import type { Row } from '../../resources/resource.ts';
import { cachedRow } from '../../store/changes/change.ts';
import { parseFilter } from '../../store/filter/filter.ts';
import type { Transition } from '../../store/problems/transitions.ts';
import type { Stores } from '../../store/stores.ts';

/** Tells which hooks are about the rows of transitions. */
export interface HookRows {
  /**
   * Whether a hook is about the row of a transition, as it is or was last: at once where it is known, else once it was
   * read. It is about none that nobody knows.
   */
  isAbout(hook: HookConfig, transition: Transition): boolean | Promise<boolean>;
  stop(): void;
}

type Account = Pick<Stores, 'configuration' | 'problems' | 'view' | 'cache'>;

export function createHookRows({ configuration, problems, view, cache }: Account): HookRows {
  /** The rows of open problems as they were last, by problem. */
  let last: ReadonlyMap<string, Row> = new Map();

  // A row that goes takes its problem along; then its last state is that of the time before.
  const stop = problems.subscribe((state) => {
    if (!configuration.getState().hooks.some(({ where }) => where !== undefined)) return;
    const rows = state.problems.flatMap(({ id, resource, params }) => {
      const of = resourceCalled(resource);
      const row = (of && cachedRow({ view }, of, params)) ?? last.get(id);
      return row ? [[id, row] as const] : [];
    });
    last = new Map(rows);
  });

  return {
    stop,
    isAbout({ for: area, where }, transition) {
      if (area === undefined) return true;
      const about = transition.on === 'job-ended' ? rowOfEntity(transition.job.entity) : transition.problem;
      const resource = resourceCalled(area);
      if (!resource || about?.resource !== resource.name) return false;
      if (where === undefined) return true;
      const { params } = about;
      const isFound = (row: Row | undefined) => {
        const filter = parseFilter(where, resource.columns, view);
        return row !== undefined && !('error' in filter) && filter.matches(row);
      };
      const gone = () => view.deleted(resource.name).findLast((row) => idOf(resource, row) === idIn(resource, params));
      const row =
        cachedRow({ view }, resource, params) ??
        (transition.on === 'job-ended' ? undefined : last.get(transition.problem.id)) ??
        gone();
      if (row || !resource.view) return isFound(row);
      return cache.readRow(resource, params).then(() => isFound(cachedRow({ view }, resource, params)));
    },
  };
}
