import { Box } from 'ink';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { Line } from '../../components/Line.tsx';
import { useTheme } from '../../components/theme.ts';
import { resourceNamed } from '../../resources/index.ts';
import type { ProblemRow } from '../../resources/problems/problems.ts';
import type { Params, Resource, Row } from '../../resources/resource.ts';
import { cut } from '../../text/cells.ts';
import { Card } from '../Card.tsx';
import { ListPane } from '../list/ListPane.tsx';
import { useSections } from '../list/useSections.ts';
import { placeOfRow } from '../places.ts';
import { useStores } from '../useStores.ts';
import { unexaminedText } from './unexamined.ts';
import { useProblemKeys } from './useProblemKeys.ts';

interface ProblemsScreenProps {
  resource: Resource;
  params: Params;
  width: number;
  height: number;
}

/** In cells; on narrower terminals the sentences need all of the room. */
const minPreviewWidth = 200;

/** All problems, and what was not examined. */
export function ProblemsScreen({ resource, params, width, height }: ProblemsScreenProps) {
  const { problems, ruleQueries, navigation } = useStores();
  const theme = useTheme();
  const shown = useSections(resource, params);
  const unexamined = unexaminedText(useStore(ruleQueries));
  useEffect(() => problems.watch(), [problems]);
  const open = (row: Row) => {
    const { resource: name, params: own } = row as ProblemRow;
    return () => navigation.go(placeOfRow(resourceNamed(name), own));
  };
  const list = unexamined ? height - 1 : height;
  return (
    <Box flexDirection="column" width={width} height={height}>
      <ListPane
        key={shown.viewKey}
        {...shown}
        width={width}
        height={list}
        open={open}
        preview={
          width >= minPreviewWidth
            ? (row, room) => <Card resource={resource} row={row} width={room} height={list} />
            : undefined
        }
        keys={ProblemKeys}
      />
      {unexamined ? <Line text={theme.paint('dim', cut(` ${unexamined}`, width))} /> : null}
    </Box>
  );
}

/** The keys for the chosen problems of the list. */
function ProblemKeys({ row, chosen }: { row: Row | undefined; chosen: readonly Row[] }) {
  useProblemKeys(row as ProblemRow | undefined, chosen as readonly ProblemRow[]);
  return null;
}
