import { Box } from 'ink';
import type { ReactElement, ReactNode } from 'react';
import { Line, Lines } from '../../components/Line.tsx';
import { useTheme } from '../../components/theme.ts';
import { clean, wrapCells } from '../../text/cells.ts';
import { type HandlersOf, useKeys } from '../keyboard.tsx';
import type { LayerName } from '../keymap.ts';
import type { KeyOptions } from '../keys/keyboard.ts';
import { Pane, placeIn } from '../Pane.tsx';
import type { Size } from '../props.ts';
import { useRegion } from '../terminal/mouse.tsx';
import { withPosition } from './PositionedTitle.tsx';
import { type PageOptions, type PagePart, usePage } from './usePage.ts';

/** A finished line, or an element that is one line high. */
export type OneLine = string | ReactElement;

interface PageProps<L extends LayerName> extends PageOptions, Size {
  /** That of its keys: those that move, which are the page's own, and `keys`. */
  layer: L;
  keys?: HandlersOf<L> | ((page: PagePart) => HandlersOf<L>);
  options?: KeyOptions;
  /** It is a pane with this title; else it fills its place. */
  title?: string;
  isDanger?: boolean;
  /** Always in sight, above and below the lines. */
  head?: readonly OneLine[];
  foot?: readonly OneLine[];
  /** A sentence in place of the lines where there are none. */
  none?: string;
  /** The key that a second click on the item under the cursor presses; by default enter where it opens the item. */
  again?: string | undefined;
}

/** Lines with a cursor over those that have ids, or that scroll: with keys, clicks, and a title that tells the position. */
export function Page<L extends LayerName>({ head = [], foot = [], none, layer, options, ...props }: PageProps<L>) {
  const theme = useTheme();
  const { title, lines, width, height, isDanger = false } = props;
  const room = height - (title === undefined ? 0 : 1) - head.length - foot.length;
  // Without a title and a head the position has a line of its own.
  const isBare = title === undefined && head.length === 0 && lines.length > room;
  const body = Math.max(1, isBare ? room - 1 : room);
  const page = usePage(props, body);
  const keys = typeof props.keys === 'function' ? props.keys(page) : props.keys;
  const { again = keys && 'open' in keys ? 'enter' : undefined } = props;
  useKeys(layer, { ...page.moves, ...keys } as HandlersOf<L>, options);
  const place = placeIn(theme, page.top, body, lines.length);
  const above = head.map((line, index) => {
    const isTold = title === undefined && index === head.length - 1 && typeof line === 'string';
    return isTold ? withPosition(theme, line, { top: page.top, body, count: lines.length }, width) : line;
  });
  const content = (
    <>
      <OneLines of={above} />
      <PageLines page={page} layer={layer} again={again} />
      {lines.length === 0 && none !== undefined ? (
        <Lines of={wrapCells(clean(none), width - 4).map((line) => theme.paint('dim', `  ${line}`))} />
      ) : null}
      <OneLines of={isBare ? [...foot, theme.paint('dim', ` ${place}`)] : foot} />
    </>
  );
  if (title !== undefined) return <Pane {...{ title, note: place, width, height, isDanger }}>{content}</Pane>;
  return (
    <Box flexDirection="column" width={width} height={height}>
      {content}
    </Box>
  );
}

interface PageLinesProps {
  page: PagePart;
  layer: LayerName;
  /** As in `PageProps`. */
  again?: string | undefined;
  /** Before each line. */
  lead?: string;
}

/** The visible lines of a page, which take clicks. */
function PageLines({ page, layer, again, lead = '' }: PageLinesProps) {
  const region = useRegion(layer, {
    onClick: ({ line, press }) => {
      if (page.pointAt(line) && again !== undefined) press(again);
    },
  });
  return (
    <Box ref={region} flexDirection="column" flexShrink={0}>
      <Lines of={lead === '' ? page.visible : page.visible.map((line) => lead + line)} />
    </Box>
  );
}

/** Lines and elements of one line each. */
const OneLines = ({ of }: { of: readonly OneLine[] }): ReactNode =>
  of.map((line, index) =>
    typeof line === 'string' ? <Line key={index} text={line} /> : <Box key={index}>{line}</Box>,
  );
