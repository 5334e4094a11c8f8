import { Box } from 'ink';
import { wrapCells } from '../../components/cells.ts';
import { Graph } from '../../components/Graph.tsx';
import { Line } from '../../components/Line.tsx';
import { type Theme, useTheme } from '../../components/theme.ts';
import type { SeriesGroup } from '../../resources/compute/statistics.ts';
import type { OwnProps } from './index.ts';
import { MonthInput } from './MonthInput.tsx';
import { alertOf, axisUnit, stripLines } from './serverGraphLines.ts';
import { type DrawnGraphs, type GraphLayout, useServerGraphs } from './useServerGraphs.ts';

/** The statistics of a server: processor, disk and network of the past 24 hours or of any month. */
export function ServerGraphs(props: OwnProps) {
  const { width, height } = props;
  const theme = useTheme();
  const { room, layout, drawn, says, input, title, isStale } = useServerGraphs(props);
  return (
    <Box flexDirection="column" width={width} height={height}>
      {input ? <MonthInput {...input} width={width} /> : <Line text={headLine(theme, title, isStale)} />}
      <Box paddingLeft={1} paddingTop={says ? 1 : 0} flexDirection="column">
        {says ? (
          wrapCells(says, room.width).map((line, index) => <Line key={index} text={theme.paint('dim', line)} />)
        ) : layout ? (
          <AllGraphs {...drawn} {...layout} {...room} />
        ) : (
          <OneGraph {...drawn} {...room} />
        )}
      </Box>
    </Box>
  );
}

function headLine(theme: Theme, title: string, isStale: boolean): string {
  const stale = isStale ? '  not up to date: the last reading failed' : '';
  return ` ${theme.paint('title', title)}${theme.paint('warn', stale)}`;
}

interface GraphsProps extends DrawnGraphs {
  width: number;
  height: number;
}

function AllGraphs({ groups, focus, across, down, ...graph }: GraphsProps & GraphLayout) {
  const theme = useTheme();
  const pointer = theme.glyphs === 'ascii' ? '> ' : '❯ ';
  const gap = across > 1 ? 2 : 0;
  const width = Math.floor((graph.width - gap) / across);
  return (
    <>
      {Array.from({ length: down }, (_, line) => (
        <Box key={line} columnGap={gap}>
          {groups.slice(line * across, (line + 1) * across).map((group, place) => {
            const title = `${line * across + place === focus ? pointer : ''}${group.name}`;
            const height = Math.floor(graph.height / down);
            return <GroupGraph key={group.name} {...graph} {...{ group, title, width, height }} />;
          })}
        </Box>
      ))}
    </>
  );
}

function OneGraph({ groups, focus, width, height, ...graph }: GraphsProps) {
  const theme = useTheme();
  const group = groups[focus];
  const strip = height >= 12 ? stripLines(theme, groups, focus, width) : [];
  return (
    <>
      {group ? <GroupGraph {...graph} {...{ group, title: group.name, width, height: height - strip.length }} /> : null}
      {strip.map((line, index) => (
        <Line key={groups[index]?.name} text={line} />
      ))}
    </>
  );
}

interface GroupGraphProps extends Pick<GraphsProps, 'window' | 'crosshair' | 'width' | 'height'> {
  group: SeriesGroup;
  title: string;
}

const GroupGraph = ({ group, title, window, crosshair, width, height }: GroupGraphProps) => (
  <Graph
    title={title}
    series={group.series}
    unit={axisUnit(group.unit)}
    {...{ width, height, crosshair }}
    from={window.from}
    to={window.to}
    threshold={alertOf(group)}
  />
);
