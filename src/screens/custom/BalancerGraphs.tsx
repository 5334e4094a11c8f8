import { useMemo } from 'react';
import { Line } from '../../components/Line.tsx';
import { useTheme } from '../../components/theme.ts';
import { balancerStatisticsOf } from '../../resources/networking/balancerStatistics.ts';
import type { Answer } from '../../store/cache.ts';
import { isWithoutReadings } from '../../store/fleet.ts';
import type { CustomProps } from '../customProps.ts';
import { useKeys } from '../keyboard.tsx';
import { useAnswer, useStores } from '../useStores.ts';
import { GraphBoard, graphHeader } from './GraphBoard.tsx';
import { monthOf } from './months.ts';
import { periodWindow } from './periods.ts';
import { hasPoints, newestTime, useGraphBoard } from './useGraphBoard.ts';

/** The statistics of a NodeBalancer in the last 24 hours: connections and traffic (document 3, 4.2). */
export function BalancerGraphs({ resource, params, width, height }: CustomProps) {
  const { now } = useStores();
  const theme = useTheme();
  const answer = useAnswer({ resource: resource.name, operation: 'stats', params });
  const groups = useMemo(() => balancerStatisticsOf(answer?.body), [answer?.body]);
  const window = periodWindow('day', monthOf(now()), newestTime(groups, answer?.loadedAt ?? now()));
  const { board, keys } = useGraphBoard(groups, window, width, height);
  useKeys('graphs', keys);
  const text = hasPoints(groups) ? undefined : emptyText(answer);
  const isStale = answer?.error !== undefined && answer.body !== undefined;
  return <GraphBoard board={board} text={text} head={<Line text={graphHeader(theme, 'Last 24 hours', isStale)} />} />;
}

/** A sentence in place of the graphs. */
function emptyText(answer: Answer | undefined): string {
  const { error, body } = answer ?? {};
  if (body === undefined && !error) return 'Reading statistics …';
  if (error && !isWithoutReadings(error)) return `${error.message} r tries again.`;
  return 'No statistics yet. The first readings of a NodeBalancer come some minutes after it is created.';
}
