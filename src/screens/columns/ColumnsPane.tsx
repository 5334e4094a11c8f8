import { Box } from 'ink';
import { useState } from 'react';
import { Line } from '../../components/Line.tsx';
import { marksOf, pointerOf, type Theme, useTheme } from '../../components/theme.ts';
import { resourceNamed } from '../../resources/index.ts';
import type { Overlay } from '../../store/navigation.ts';
import { columnsKey, type ShownColumn } from '../../store/views/columns.ts';
import { cell, clean, cut, widthOf } from '../../text/cells.ts';
import { useKeys } from '../keyboard.tsx';
import { Pane, placeIn } from '../Pane.tsx';
import { useRegion } from '../terminal/mouse.tsx';
import { moveHandlers, useScroll } from '../useScroll.ts';
import { useStores } from '../useStores.ts';
import { type ColumnItem, chosenOf, columnItems, moved, widthAfter } from './columnItems.ts';
import { PathMenu } from './PathMenu.tsx';

interface ColumnsPaneProps {
  overlay: Extract<Overlay, { kind: 'columns' }>;
  width: number;
  height: number;
}

/** Which columns a list shows, in which order and how wide; the list follows at once. */
export function ColumnsPane({ overlay, ...size }: ColumnsPaneProps) {
  const { navigation } = useStores();
  const { viewKey, shown } = overlay;
  const resource = resourceNamed(overlay.resource);
  const [items, setItems] = useState(() =>
    columnItems(resource.columns, navigation.getState().columns[columnsKey(viewKey)], shown),
  );
  const [cursor, setCursor] = useState(items.find(({ isOn }) => isOn)?.value);
  const [isAdding, setAdding] = useState(false);

  function choose(next: readonly ColumnItem[]): void {
    setItems(next);
    navigation.chooseColumns(viewKey, chosenOf(next));
  }

  function add(path: string): void {
    setAdding(false);
    setCursor(path);
    const known = items.find(({ value }) => value === path);
    // Behind the cursor it is seen at once.
    const place = items.findIndex(({ value }) => value === cursor) + 1;
    choose(
      known
        ? items.map((one) => (one === known ? { ...one, isOn: true } : one))
        : items.toSpliced(place, 0, { value: path, shownAs: path, isOn: true, isRequested: false }),
    );
  }

  function reset(): string {
    navigation.chooseColumns(viewKey, undefined);
    const usual = resource.columns.filter(({ keep }) => keep !== 3).map(({ title }) => ({ title, width: 0 }));
    setItems(columnItems(resource.columns, undefined, usual));
    return 'The list has its usual columns again, as many as have room.';
  }

  if (isAdding) return <PathMenu resource={resource} choose={add} close={() => setAdding(false)} {...size} />;
  return (
    <ColumnList
      title={`Columns of ${resource.many.toLowerCase()}`}
      items={items}
      shown={shown}
      cursor={cursor}
      setCursor={setCursor}
      choose={choose}
      path={() => setAdding(true)}
      reset={reset}
      close={() => navigation.dismiss(overlay)}
      {...size}
    />
  );
}

interface ColumnListProps {
  title: string;
  items: readonly ColumnItem[];
  shown: readonly ShownColumn[];
  /** The value of the column under the cursor. */
  cursor: string | undefined;
  setCursor: (value: string | undefined) => void;
  choose: (items: readonly ColumnItem[]) => void;
  path: () => void;
  reset: () => string;
  close: () => void;
  width: number;
  height: number;
}

function ColumnList({ title, items, shown, cursor, setCursor, choose, width, height, ...keys }: ColumnListProps) {
  const theme = useTheme();
  const at = Math.max(
    0,
    items.findIndex(({ value }) => value === cursor),
  );
  const current = items[at];
  const body = Math.max(1, height - 2);
  const top = useScroll(items.length, at, body);
  const change = (part: Partial<ColumnItem>) =>
    choose(items.map((one) => (one === current ? { ...one, ...part } : one)));

  function toggle(): string | undefined {
    if (current?.isOn && items.filter(({ isOn }) => isOn).length === 1) return 'One column stays.';
    change({ isOn: !current?.isOn });
    return undefined;
  }

  function move(by: 1 | -1): string | undefined {
    if (!items[at + by]) return by < 0 ? 'This is the first column.' : 'This is the last column.';
    choose(moved(items, at, at + by));
    return undefined;
  }

  function resize(by: 1 | -1): void {
    const { width: own, shownAs = '' } = current ?? {};
    const present = own ?? (shown.find(({ title }) => title === shownAs)?.width || Math.max(widthOf(shownAs), 12));
    change({ isOn: true, width: widthAfter(present, by) });
  }

  useKeys('columns', {
    ...moveHandlers(at, items.length, body, (index) => setCursor(items[index]?.value)),
    toggle,
    earlier: () => move(-1),
    later: () => move(1),
    wider: () => resize(1),
    narrower: () => resize(-1),
    fitting: () => change({ width: undefined }),
    ...keys,
  });
  const region = useRegion('columns', { onClick: ({ line }) => setCursor(items[top + line]?.value) });
  return (
    <Pane title={title} note={placeIn(theme, top, body, items.length)} width={width} height={height}>
      <Line text={theme.paint('dim', cut(`   ${says(current)}`, width))} />
      <Box ref={region} flexDirection="column" flexShrink={0}>
        {items.slice(top, top + body).map((item, index) => (
          <Line key={item.value} text={itemText(theme, item, top + index === at, width)} />
        ))}
      </Box>
    </Pane>
  );
}

/** Tells about the column under the cursor where it comes from. */
function says(item: ColumnItem | undefined): string {
  if (!item) return '';
  const width = item.width === undefined ? 'as wide as its values' : `${item.width} cells`;
  return `${item.value}, ${width}${item.isRequested ? ', read for each row on the screen' : ''}`;
}

function itemText(theme: Theme, item: ColumnItem, isCurrent: boolean, width: number): string {
  const tick = item.isOn ? theme.paint('mark', marksOf(theme).mark) : ' ';
  const size = item.width === undefined ? '' : String(item.width);
  const room = Math.max(1, width - 5 - 5);
  const name = cell(clean(item.shownAs), room);
  const role = isCurrent ? 'cursor' : item.isOn ? 'plain' : 'dim';
  return `${pointerOf(theme, isCurrent)} ${tick} ${theme.paint(role, name.trimEnd())}${' '.repeat(
    widthOf(name) - widthOf(name.trimEnd()),
  )} ${theme.paint('dim', size.padStart(4))}`;
}
