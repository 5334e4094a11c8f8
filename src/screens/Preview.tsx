import { Box } from 'ink';
import { memo, useMemo } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import { Line, Lines } from '../components/Line.tsx';
import { fitSpans, painted } from '../components/spans.ts';
import { type Theme, useTheme } from '../components/theme.ts';
import { paramsOf } from '../resources/identity.ts';
import { problemsAbout } from '../resources/problems/problem.ts';
import type { Params, Resource, Row } from '../resources/resource.ts';
import { ownEvents } from '../store/history/history.ts';
import { clean, cut } from '../text/cells.ts';
import { useCardLines } from './Card.tsx';
import type { DrawContext } from './home/tile.ts';
import type { ListPage } from './list/listModel.ts';
import type { PlacedRowColumn } from './list/rowLines.ts';
import { graphsBlock } from './overview/graphsBlock.ts';
import { fitted } from './overview/layout.ts';
import { relatedBlock } from './overview/relatedBlock.ts';
import { eventsBlock, problemsBlock } from './overview/smallBlocks.ts';
import { useGraphs, useRelations } from './overview/useOverview.ts';
import { type CustomProps, useStores } from './useStores.ts';

/** The preview of the rows of a list that is drawn in this height. */
export const previewIn =
  (resource: Resource, params: Params, height: number) =>
  (row: Row, width: number, { operations, placed }: Pick<ListPage, 'operations' | 'placed'>) => (
    <Preview {...{ resource, row, params, width, height, placed }} reads={operations} />
  );

/** The parameters are those of the list. */
interface PreviewProps extends CustomProps {
  /** The operations that the list reads about its rows. */
  reads?: readonly string[];
  /** The columns that the list shows. */
  placed?: readonly PlacedRowColumn[];
  /** The titles of those that are told beside it otherwise. */
  tells?: readonly string[];
}

/** No cursor stands before the lines of a preview, so they have its two cells. */
const penOf = (theme: Theme, now: number, width: number): DrawContext => ({ theme, now, width: width + 2 });

/** A row beside its list: its graphs of the day, as many of its fields as fit that the list does not show, and what is known about it. */
export const Preview = memo(function Preview(props: PreviewProps) {
  const { resource, row, params, width, height, reads, placed = [], tells = [] } = props;
  const theme = useTheme();
  const { now } = useStores();
  const own = useMemo(() => paramsOf(resource, row, params), [resource, row, params]);
  const graphs = useGraphs(resource, row, own, true);
  const rows = height >= 34 ? 3 : height >= 24 ? 2 : 1;
  const { tell = [] } = resource.overview?.graphs ?? {};
  const { lines = [], figures = [] } = graphs ? graphsBlock({ ...graphs, rows }) : {};
  const pen = penOf(theme, now(), width);
  const drawn = lines.map((line) => painted(theme, line.draw(pen, false)));
  // Graphs that are being read keep their place, so that nothing moves when they come.
  const awaited = graphs && !graphs.graphs ? tell.flatMap(() => Array<string>(rows).fill('')) : [];
  const above = drawn.length > 0 ? drawn : awaited.map((line, nth) => (nth === 0 ? painted(theme, figures) : line));
  if (above.length > 0) above.push('');
  const room = Math.max(0, height - 2 - above.length);
  const told = [...tells, ...placed.map(({ column }) => column.title)];
  if (above.length > 0) told.push(...tell);
  const facts = useCardLines(resource, row, width, { height: room, told, reads });
  const left = room - facts.length;
  return (
    <Box flexDirection="column" width={width} height={height}>
      <Line text={theme.paint('title', cut(clean(resource.label(row)), width))} />
      <Line text="" />
      <Lines of={[...above, ...facts.slice(0, room)]} />
      {left > leastAround ? <Around resource={resource} row={row} params={own} width={width} height={left} /> : null}
    </Box>
  );
});

/** In fewer lines it tells too little for the bytes that it takes at each row. */
const leastAround = 16;

/** The problems of a row, what it is related to and its newest events, as far as they are known; nothing is read for them. */
const Around = memo(function Around({ resource, row, params, width, height }: Omit<PreviewProps, 'reads' | 'placed'>) {
  const theme = useTheme();
  const { view, events: poller, problems, now } = useStores();
  const { events } = ownEvents(resource, params, useStore(poller), undefined);
  const relations = useRelations(resource, row, params);
  const its = useStore(
    problems,
    useShallow((state) => problemsAbout(state.problems, resource.name, params)),
  );
  const blocks = [
    problemsBlock(its, () => false, width),
    relatedBlock({ subject: resource, label: resource.label(row), params, relations, readings: [], view, events }),
    events.length > 0 ? eventsBlock(events, resource, params, '', width) : undefined,
  ].filter((block) => block !== undefined);
  const pen = penOf(theme, now(), width);
  const lines: string[] = [];
  for (const own of fitted(blocks, height - 1)) {
    // A heading alone tells nothing.
    if (height - lines.length < 3) break;
    lines.push('', ...own.map((line) => painted(theme, fitSpans(line.draw(pen, false), width))));
  }
  return <Lines of={lines.slice(0, height)} />;
});
