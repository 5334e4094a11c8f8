import { useMemo } from 'react';
import { useStore } from 'zustand';
import { marksOf, useTheme } from '../../components/theme.ts';
import type { Params, Resource } from '../../resources/resource.ts';
import { mayBeIn } from '../../store/queries.ts';
import { progressive } from '../../text/words.ts';
import { useStores } from '../useStores.ts';

/** The text of each pending change on a row of a list, by row id; what changes nothing leaves the state of its row in sight. */
export function usePendingRows({ name }: Resource, params: Params): ReadonlyMap<string, string> {
  const theme = useTheme();
  const changes = useStore(useStores().changes, (state) => state.changes);
  return useMemo(() => {
    const { busy, waiting } = marksOf(theme);
    const rows = changes
      .filter(({ action, isOver, resource }) => !isOver && !action.harmless && resource.name === name)
      .flatMap(({ action, results }) =>
        results.flatMap((result): [string, string][] => {
          if (result.rowId === undefined || !mayBeIn(result.params, params)) return [];
          if (result.state === 'running') return [[result.rowId, `${busy} ${progressive(action.help)}`]];
          return result.state === 'waiting' ? [[result.rowId, `${waiting} waiting`]] : [];
        }),
      );
    return rows.length > 0 ? new Map(rows) : none;
  }, [changes, theme, name, params]);
}

const none: ReadonlyMap<string, string> = new Map();
