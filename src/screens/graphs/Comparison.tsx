import { useMemo } from 'react';
import { Line } from '../../components/Line.tsx';
import { useTheme } from '../../components/theme.ts';
import { loadNames, loadPoints, loads } from '../../resources/compute/load.ts';
import type { SeriesGroup } from '../../resources/compute/statistics.ts';
import { resourceNamed } from '../../resources/index.ts';
import { cut } from '../../text/cells.ts';
import { GraphBoard, graphHeader } from '../custom/GraphBoard.tsx';
import { monthOf } from '../custom/months.ts';
import { periodWindow } from '../custom/periods.ts';
import { hasPoints, newestTime, useGraphBoard } from '../custom/useGraphBoard.ts';
import { useKeys } from '../keyboard.tsx';
import { useCollection, useRowAnswers, useStores, useView } from '../useStores.ts';
import { fleetView } from './FleetScreen.tsx';

const servers = resourceNamed('servers');

interface FleetChartProps {
  /** The ids of the servers. */
  ids: readonly string[];
  width: number;
  height: number;
}

/** Several servers over the past 24 hours: one graph a load, one line a server. */
export function FleetChart({ ids, width, height }: FleetChartProps) {
  const { now, view, fleet } = useStores();
  const theme = useTheme();
  const [{ section }] = useView(fleetView);
  useCollection({ resource: servers.name, operation: 'list', params: {} });
  const rows = ids.map((id) => view.row(servers.name, id) ?? { [servers.id]: id });
  const bodies = useRowAnswers(
    ids.map((id) => ({ resource: servers.name, operation: 'stats', params: { [servers.param]: id } })),
  );
  const labels = rows.map((row, index) => String(row.label ?? ids[index]));
  const names = labels.join(', ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the names identify the servers
  const groups = useMemo(
    () =>
      loads.map((load): SeriesGroup => {
        const series = bodies.map((body, index) => ({ name: labels[index] ?? '', points: loadPoints(body, load) }));
        return { ...loadNames[load], series };
      }),
    [bodies, names],
  );
  const window = periodWindow('day', monthOf(now()), newestTime(groups, now()));
  const { board, keys } = useGraphBoard(groups, window, width, height, {
    focus: Math.max(
      0,
      groups.findIndex(({ name }) => name === section),
    ),
    alone: true,
  });
  useKeys('graphs', keys);
  const failure = ids.flatMap((id) => fleet.failureOf(id) ?? [])[0];
  const says = hasPoints(groups) ? undefined : (failure?.message ?? 'Reading statistics …');
  const isStale = failure !== undefined && !says;
  const title = cut(`Last 24 hours of ${names}`, width - 3);
  return <GraphBoard board={board} text={says} head={<Line text={graphHeader(theme, title, isStale)} />} />;
}
