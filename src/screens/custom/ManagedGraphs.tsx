import { useMemo } from 'react';
import { Line } from '../../components/Line.tsx';
import { useTheme } from '../../components/theme.ts';
import { managedGraphs, managedMessage } from '../../resources/managed/statistics.ts';
import { viewQuery } from '../../store/cache.ts';
import type { CustomProps } from '../customProps.ts';
import { useKeys } from '../keyboard.tsx';
import { useAnswer, useStores } from '../useStores.ts';
import { GraphBoard, graphHeader } from './GraphBoard.tsx';
import { monthOf } from './months.ts';
import { periodWindow } from './periods.ts';
import { hasPoints, newestTime, useGraphBoard } from './useGraphBoard.ts';

/** The combined statistics of all managed servers in the last 24 hours (document 3, 4.4). */
export function ManagedGraphs({ resource, params, row, width, height }: CustomProps) {
  const { now } = useStores();
  const theme = useTheme();
  const answer = useAnswer(viewQuery(resource, params));
  const groups = useMemo(() => managedGraphs(row), [row]);
  const window = periodWindow('day', monthOf(now()), newestTime(groups, answer?.loadedAt ?? now()));
  const { board, keys } = useGraphBoard(groups, window, width, height);
  useKeys('graphs', keys);
  const text = hasPoints(groups) ? undefined : (managedMessage(row) ?? 'No statistics yet: no server has readings.');
  const title = 'All managed servers, last 24 hours';
  return (
    <GraphBoard
      board={board}
      text={text}
      head={<Line text={graphHeader(theme, title, answer?.error !== undefined)} />}
    />
  );
}
