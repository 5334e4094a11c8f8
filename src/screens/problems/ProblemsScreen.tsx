import { Box } from 'ink';
import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { Lines } from '../../components/Line.tsx';
import { saidLines } from '../../components/spans.ts';
import { useTheme } from '../../components/theme.ts';
import { knownResource } from '../../resources/index.ts';
import type { ProblemRow } from '../../resources/problems/problems.ts';
import { isFold } from '../../resources/problems/rule.ts';
import type { Params, Resource, Row } from '../../resources/resource.ts';
import { foldedProblems } from '../../resources/rules/index.ts';
import { cachedRow } from '../../store/changes/change.ts';
import { ListPane } from '../list/ListPane.tsx';
import { useSections } from '../list/useSections.ts';
import { Preview } from '../Preview.tsx';
import { type ListProps, type Size, useStores, useView } from '../useStores.ts';
import { useProblemKeys } from './problemKeys.tsx';
import { openFold } from './remedies.ts';
import { unexaminedText } from './unexamined.ts';

/** In cells; on narrower terminals the sentences need all of the room. */
const minPreviewWidth = 200;

/** All problems, and what was not examined. */
export function ProblemsScreen({ resource, params, view, width, height }: ListProps) {
  const stores = useStores();
  const { problems, ruleQueries } = stores;
  const theme = useTheme();
  const shown = useSections(resource, params, view);
  const unexamined = unexaminedText(useStore(ruleQueries), stores.now());
  useEffect(() => problems.watch(), [problems]);
  const only = useFolding(shown);
  const open = (row: Row) => (isFold(row as ProblemRow) ? () => openFold(stores, row as ProblemRow) : undefined);
  const said = unexamined ? saidLines(theme, unexamined, width - 2, 'dim') : [];
  const list = height - said.length;
  return (
    <Box flexDirection="column" width={width} height={height}>
      <ListPane
        key={shown.viewKey}
        {...shown}
        only={only}
        open={open}
        width={width}
        height={list}
        preview={
          width >= minPreviewWidth
            ? (row, room) => <ProblemPreview {...{ resource, row, params }} width={room} height={list} />
            : undefined
        }
        keys={({ current, chosen }) => <ProblemKeys row={current} chosen={chosen} />}
      />
      <Lines of={said} />
    </Box>
  );
}

/** The row that a problem is of, as its own list shows it; the problem itself where that is not loaded, or several are. */
function ProblemPreview(own: Size & { resource: Resource; row: Row; params: Params }) {
  const stores = useStores();
  const problem = own.row as ProblemRow;
  const of = isFold(problem) ? undefined : knownResource(problem.resource);
  const row = useStore(stores.cache, () => of && cachedRow(stores.view, of, problem.params));
  return <Preview {...own} {...(of && row && { resource: of, row, params: problem.params })} />;
}

/** Leaves either the folds and what is in none of them or, where a filter looks for single problems, these alone. */
function useFolding({ only, viewKey }: ReturnType<typeof useSections>): (row: Row) => boolean {
  const found = useStore(useStores().problems, (state) => state.problems);
  const [{ filter }] = useView(viewKey);
  const isFiltered = filter !== '';
  return useMemo(() => {
    const inFolds = new Set(
      foldedProblems(found)
        .filter(isFold)
        .flatMap(({ of }) => of.map(({ id }) => id)),
    );
    const belongs = (row: Row | undefined) => row !== undefined && (only?.(row) ?? true);
    return (row) => {
      const { id, of } = row as ProblemRow;
      if (of) return !isFiltered && belongs(of[0] as unknown as Row);
      return belongs(row) && (isFiltered || !inFolds.has(id));
    };
  }, [found, isFiltered, only]);
}

function ProblemKeys({ row, chosen }: { row: Row | undefined; chosen: readonly Row[] }) {
  useProblemKeys(row as ProblemRow | undefined, chosen as readonly ProblemRow[], true);
  return null;
}
