import { Box } from 'ink';
import { type ReactElement, type ReactNode, type Ref, useImperativeHandle, useRef } from 'react';
import { Line, Lines } from '../../components/Line.tsx';
import { saidLines } from '../../components/spans.ts';
import { useTheme } from '../../components/theme.ts';
import type { Overlay } from '../../store/navigation.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { type HandlersOf, useKeys } from '../keyboard.tsx';
import type { LayerName } from '../keymap.ts';
import type { KeyOptions } from '../keys/keyboard.ts';
import { useRegion } from '../terminal/mouse.tsx';
import { type Size, useStores } from '../useStores.ts';
import { Pane, placeIn, withPosition } from './Pane.tsx';
import {
  type PageCursor,
  type PageLine,
  type PageOptions,
  type PagePart,
  usePageCursor,
  usePagePart,
} from './usePage.ts';

/** A finished line, or an element that is one line high. */
export type OneLine = string | ReactElement;

/** A value, or one by the id under the cursor. */
type OfCurrent<T> = T | ((current: string | undefined) => T);

interface PageProps<L extends LayerName> extends PageOptions, Size {
  ref?: Ref<PagePart>;
  /** That of its keys: those that move, which are the page's own, and `keys`. */
  layer: L;
  keys?: HandlersOf<L> | ((current: string | undefined, page: PagePart) => HandlersOf<L>);
  options?: KeyOptions;
  /** It is a pane with this title; else it fills its place. */
  title?: string;
  /** Instead of the position in the title: the number of items. */
  count?: string | undefined;
  isDanger?: boolean;
  /** Always in sight, above and below the lines. */
  head?: OfCurrent<readonly OneLine[]>;
  foot?: OfCurrent<readonly OneLine[]>;
  /** More lines of the item under the cursor. */
  below?: (current: string) => readonly string[];
  /** Drawn while the last line is in sight. */
  atEnd?: ReactNode;
  /** A sentence in place of the lines where there are none. */
  none?: string | undefined;
  /** Carried out by a click on an item; by default the cursor goes there. */
  click?: (id: string) => void;
  /** The key that a click on the item under the cursor presses; by default enter where it opens the item. */
  again?: string;
}

/** Lines with a cursor over those that have ids, or that scroll: with keys, clicks, and a title that tells the position. */
export function Page<L extends LayerName>({ layer, none, options, ...props }: PageProps<L>) {
  const theme = useTheme();
  const { title, width, height, isDanger = false } = props;
  const cursorOf = usePageCursor(props);
  const [lines, cursor] = withMore(props.lines, cursorOf, props.below);
  const of = <T,>(value: OfCurrent<T>): T =>
    typeof value === 'function' ? (value as (current: string | undefined) => T)(cursor.current?.id) : value;
  const [head, foot] = [of(props.head ?? []), of(props.foot ?? [])];
  const room = height - (title === undefined ? 0 : 1) - head.length - foot.length;
  // Without a title and a head the position has a line of its own.
  const isBare = title === undefined && head.length === 0 && lines.length > room;
  const body = Math.max(1, isBare ? room - 1 : room);
  const page = usePagePart({ ...props, lines }, cursor, body);
  const keys = typeof props.keys === 'function' ? props.keys(cursor.current?.id, page) : props.keys;
  // A popup does not shrink under what is read.
  const highest = useRef(0);
  highest.current = Math.min(height, Math.max(highest.current, height - room + Math.min(body, lines.length)));
  useImperativeHandle(props.ref, () => page);
  useKeys<LayerName>(layer, { ...page.moves, ...keys } as HandlersOf<LayerName>, options);
  const { again = keys && 'open' in keys ? keyLabel(`${layer}.open`, 'enter') : undefined } = props;
  const region = useRegion(layer, {
    onClick: ({ line, press }) => {
      const item = cursor.items.find(({ id }) => id === page.idAt(line));
      if (!item) return;
      if (props.click) props.click(item.id);
      else if (item !== cursor.current) cursor.choose(item);
      else if (again !== undefined) press(again);
    },
  });
  const place = placeIn(theme, page.place, props.count);
  const isTold = title === undefined && typeof head.at(-1) === 'string';
  const content = (
    <>
      <OneLines of={isTold ? head.slice(0, -1) : head} />
      {isTold ? <Line text={withPosition(theme, head.at(-1) as string, page.place, width)} /> : null}
      <Box ref={region} flexDirection="column" flexShrink={0}>
        <Lines of={page.visible} />
      </Box>
      {lines.length === 0 && none !== undefined ? <Lines of={saidLines(theme, none, width - 4, 'dim', 3)} /> : null}
      {page.below === 0 ? props.atEnd : null}
      <OneLines of={isBare ? [...foot, theme.paint('dim', ` ${place}`)] : foot} />
    </>
  );
  if (title !== undefined)
    return <Pane {...{ title, note: place, width, height, minHeight: highest.current, isDanger }}>{content}</Pane>;
  return (
    <Box flexDirection="column" width={width} height={height}>
      {content}
    </Box>
  );
}

/** The lines with those that belong to the item under the cursor. */
function withMore(
  lines: readonly PageLine[],
  cursor: PageCursor,
  below: ((current: string) => readonly string[]) | undefined,
): readonly [readonly PageLine[], PageCursor] {
  const { current, items } = cursor;
  const more = current && below ? below(current.id) : [];
  if (!current || more.length === 0) return [lines, cursor];
  const shifted = items.map((item) => {
    const by = item.from > current.from ? more.length : 0;
    return { ...item, from: item.from + by, end: item.end + (item === current ? more.length : by) };
  });
  return [lines.toSpliced(current.end + 1, 0, ...more), { ...cursor, items: shifted, current: shifted[cursor.at] }];
}

/** Lines and elements of one line each. */
export const OneLines = ({ of }: { of: readonly OneLine[] }): ReactNode =>
  of.map((line, index) =>
    typeof line === 'string' ? <Line key={index} text={line} /> : <Box key={index}>{line}</Box>,
  );

interface ClosedPaneProps extends Size {
  title: string;
  /** Why there is nothing to fill in or confirm. */
  text: string;
  overlay: Overlay;
}

/** Stands in for a form or confirmation that is not ready, or not possible any more. */
export function ClosedPane({ text, overlay, ...pane }: ClosedPaneProps) {
  const { navigation } = useStores();
  return <Page {...pane} layer="pane" lines={[]} none={text} keys={{ close: () => navigation.dismiss(overlay) }} />;
}
