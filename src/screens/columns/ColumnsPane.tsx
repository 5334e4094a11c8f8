import { useState } from 'react';
import { marksOf, pointerOf, type Theme, useTheme } from '../../components/theme.ts';
import { resourceNamed } from '../../resources/index.ts';
import { columnsKey } from '../../store/views/columns.ts';
import { cell, clean, cut, widthOf } from '../../text/cells.ts';
import { Page } from '../page/Page.tsx';
import type { OverlayProps } from '../props.ts';
import { useStores } from '../useStores.ts';
import { type ColumnItem, chosenOf, columnItems, moved, widthAfter } from './columnItems.ts';
import { PathMenu } from './PathMenu.tsx';

/** Which columns a list shows, in which order and how wide; the list follows at once. */
export function ColumnsPane({ overlay, ...size }: OverlayProps<'columns'>) {
  const { navigation } = useStores();
  const theme = useTheme();
  const { viewKey, columns, usual, shown } = overlay;
  const resource = resourceNamed(overlay.resource);
  const [items, setItems] = useState(() =>
    columnItems(columns, navigation.getState().columns[columnsKey(viewKey)], shown),
  );
  const [cursor, setCursor] = useState(items.find(({ isOn }) => isOn)?.value);
  const [isAdding, setAdding] = useState(false);
  const itemOf = (id: string | undefined) => items.find(({ value }) => value === id);

  function choose(next: readonly ColumnItem[]): void {
    setItems(next);
    navigation.chooseColumns(viewKey, chosenOf(next));
  }

  function add(path: string): void {
    setAdding(false);
    setCursor(path);
    const known = itemOf(path);
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
    setItems(
      columnItems(
        columns,
        undefined,
        usual.map(({ title }) => ({ title, width: 0 })),
      ),
    );
    return 'The list has its usual columns again, as many as have room.';
  }

  function keysOf(at: number) {
    const current = items[at];
    const change = (part: Partial<ColumnItem>) =>
      choose(items.map((one) => (one === current ? { ...one, ...part } : one)));
    const toggle = () => {
      if (current?.isOn && items.filter(({ isOn }) => isOn).length === 1) return 'One column stays.';
      return change({ isOn: !current?.isOn });
    };
    const move = (by: 1 | -1) => () => {
      if (!items[at + by]) return by < 0 ? 'This is the first column.' : 'This is the last column.';
      return choose(moved(items, at, at + by));
    };
    const resize = (by: 1 | -1) => () => {
      const { width: own, shownAs = '' } = current ?? {};
      const present = own ?? (shown.find(({ title }) => title === shownAs)?.width || Math.max(widthOf(shownAs), 12));
      change({ isOn: true, width: widthAfter(present, by) });
    };
    return {
      toggle,
      earlier: move(-1),
      later: move(1),
      wider: resize(1),
      narrower: resize(-1),
      fitting: () => change({ width: undefined }),
      path: () => setAdding(true),
      reset,
      close: () => navigation.dismiss(overlay),
    };
  }

  if (isAdding) return <PathMenu resource={resource} choose={add} close={() => setAdding(false)} {...size} />;
  return (
    <Page
      {...size}
      layer="columns"
      title={`Columns of ${resource.many.toLowerCase()}`}
      head={(current) => [theme.paint('dim', cut(`   ${says(itemOf(current))}`, size.width))]}
      lines={items.map((item) => ({
        id: item.value,
        text: (isCurrent) => itemText(theme, item, isCurrent, size.width),
      }))}
      cursor={cursor}
      setCursor={setCursor}
      again="enter"
      keys={(current) => keysOf(items.findIndex(({ value }) => value === current))}
    />
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
