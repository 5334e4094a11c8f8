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
export function usePendingRows({ name }: Resource, params: Params, branches?: Resource): ReadonlyMap<string, string> {
  const theme = useTheme();
  const stores = useStores();
  const changes = useStore(stores.changes, (state) => state.changes);
  const { run, rolling, steps } = useStore(stores.plans);
  return useMemo(() => {
    const { busy, waiting } = marksOf(theme);
    // Steps of a rolling action wait for their turns.
    const ahead = run && rolling !== undefined ? partOf(steps, rolling) : [];
    const turns = ahead.flatMap(({ record, result }): [string, string][] => {
      const id = record.resource === name && !result ? record.params[resourceNamed(name).param] : undefined;
      return typeof id === 'string' && mayBeIn(record.params as Params, params) ? [[id, `${waiting} waiting`]] : [];
    });
    const sent = changes
      .filter(({ action, isOver }) => !isOver && !action.harmless)
      .filter(({ resource }) => resource.name === name || resource.name === branches?.name)
      .flatMap(({ action, results, resource }) =>
        results.flatMap((result): [string, string][] => {
          if (result.rowId === undefined || !mayBeIn(result.params, params)) return [];
          const id = resource.name === name ? result.rowId : branchId(resource, result.rowId);
          if (result.state === 'running') return [[id, `${busy} ${progressive(action.help)}`]];
          return result.state === 'waiting' ? [[id, `${waiting} waiting`]] : [];
        }),
      );
    return turns.length + sent.length > 0 ? new Map([...turns, ...sent]) : none;
  }, [changes, run, rolling, steps, theme, name, params, branches]);
}

const none: ReadonlyMap<string, string> = new Map();
