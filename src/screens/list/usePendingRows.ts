import { useMemo } from 'react';
import { useStore } from 'zustand';
import { marksOf, useTheme } from '../../components/theme.ts';
import { resourceNamed } from '../../resources/index.ts';
import type { Params, Resource } from '../../resources/resource.ts';
import { partOf } from '../../store/plans/plan.ts';
import { mayBeIn } from '../../store/queries.ts';
import { progressive } from '../../text/words.ts';
import { useStores } from '../useStores.ts';
import { branchId } from './listTree.ts';

/**
 * The text of each pending change on a row of a list, by the id of its line; what changes nothing leaves the state of its
 * row in sight.
 * @param branches the resource of the lines above its rows
 */
export function usePendingRows(shown: Resource, params: Params, branches?: Resource): ReadonlyMap<string, string> {
  const theme = useTheme();
  const stores = useStores();
  const changes = useStore(stores.changes, (state) => state.changes);
  const { run, rolling, steps } = useStore(stores.plans);
  return useMemo(() => {
    const { busy, waiting } = marksOf(theme);
    const { name, standsFor } = shown;
    // A row that stands for one of another list has the names of both.
    const lineOf = (of: Resource, rowId: string, own: Params) =>
      of === branches ? branchId(of, rowId) : of.name === name ? rowId : `${of.name} ${Object.values(own).join('/')}`;
    // Steps of a rolling action wait for their turns.
    const ahead = run && rolling !== undefined ? partOf(steps, rolling) : [];
    const turns = ahead.flatMap(({ record, result }): [string, string][] => {
      const of = resourceNamed(record.resource);
      const own = record.params as Params;
      const id = (of.name === name || standsFor) && !result ? own[of.param] : undefined;
      return id !== undefined && mayBeIn(own, params) ? [[lineOf(of, id, own), `${waiting} waiting`]] : [];
    });
    const sent = changes
      .filter(({ action, isOver }) => !isOver && !action.harmless)
      .filter(({ resource }) => standsFor || resource.name === name || resource.name === branches?.name)
      .flatMap(({ action, results, resource }) =>
        results.flatMap((result): [string, string][] => {
          if (result.rowId === undefined || !mayBeIn(result.params, params)) return [];
          const id = lineOf(resource, result.rowId, result.params);
          if (result.state === 'running') return [[id, `${busy} ${progressive(action.help)}`]];
          return result.state === 'waiting' ? [[id, `${waiting} waiting`]] : [];
        }),
      );
    return turns.length + sent.length > 0 ? new Map([...turns, ...sent]) : none;
  }, [changes, run, rolling, steps, theme, shown, params, branches]);
}

const none: ReadonlyMap<string, string> = new Map();
