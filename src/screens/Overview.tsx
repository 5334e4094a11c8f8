import { Box } from 'ink';
import { useState } from 'react';
import { Line } from '../components/Line.tsx';
import { useTheme } from '../components/theme.ts';
import type { Params, Resource, Row } from '../resources/resource.ts';
import { cardOperations, useCardLines } from './Card.tsx';
import { useKeys } from './keyboard.tsx';
import { useLazyAnswers } from './list/useLazyAnswers.ts';
import { moveHandlers } from './useScroll.ts';

interface OverviewProps {
  resource: Resource;
  /** The path parameters of the row. */
  params: Params;
  row: Row;
  width: number;
  height: number;
}

/** All fields of one row; they scroll where they do not fit. */
export function Overview({ resource, params, row, width, height }: OverviewProps) {
  const theme = useTheme();
  const lazyAnswer = useLazyAnswers(resource, [row], params, cardOperations(resource));
  const lines = useCardLines(resource, row, width - 2, lazyAnswer);
  const [wanted, setWanted] = useState(0);
  const fits = lines.length < height;
  const body = fits ? height - 1 : height - 2;
  const lowest = Math.max(0, lines.length - body);
  const top = Math.min(wanted, lowest);
  useKeys('overview', fits ? {} : moveHandlers(top, lowest + 1, body, setWanted));
  const hidden = lines.length - top - body;
  return (
    <Box flexDirection="column" width={width} height={height} paddingLeft={1} paddingTop={1}>
      {lines.slice(top, top + body).map((line, index) => (
        <Line key={index} text={line} />
      ))}
      {hidden > 0 ? <Line text={theme.paint('dim', `… ${hidden} more below`)} /> : null}
    </Box>
  );
}
