import { Line } from '../../components/Line.tsx';
import { useTheme } from '../../components/theme.ts';
import type { CustomProps } from '../customProps.ts';
import { GraphBoard, graphHeader } from './GraphBoard.tsx';
import { MonthInput } from './MonthInput.tsx';
import { useServerGraphs } from './useServerGraphs.ts';

/** The statistics of a server: CPU, disk and network of the last 24 hours or of any month. */
export function ServerGraphs(props: CustomProps) {
  const theme = useTheme();
  const { board, text, input, title, isStale } = useServerGraphs(props);
  const head = input ? (
    <MonthInput {...input} width={props.width} />
  ) : (
    <Line text={graphHeader(theme, title, isStale)} />
  );
  return <GraphBoard board={board} text={text} head={head} />;
}
