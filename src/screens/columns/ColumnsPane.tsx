import { useMemo, useState } from 'react';
import { formatValue } from '../../components/format.ts';
import { marksOf, pointerOf, type Theme, useTheme } from '../../components/theme.ts';
import { resourceNamed } from '../../resources/index.ts';
import { type Column, isEmpty, type Resource, type Row } from '../../resources/resource.ts';
import { titled } from '../../store/filter/fields.ts';
import { type ChosenColumn, columnCalled, columnsKey } from '../../store/views/columns.ts';
import { cell, clean, cut, widthOf } from '../../text/cells.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { matching } from '../form/picker.tsx';
import { Menu, type MenuItem } from '../menus/Menu.tsx';
import { Page } from '../page/Page.tsx';
import { type OverlayProps, type Size, useStores } from '../useStores.ts';

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
    setItems(columnItems(columns, undefined, usual));
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
      if (!current || !items[at + by]) return by < 0 ? 'This is the first column.' : 'This is the last column.';
      return choose(items.toSpliced(at, 1).toSpliced(at + by, 0, current));
    };
    const resize = (by: 1 | -1) => () => {
      const { width: own, shownAs = '' } = current ?? {};
      const present = own ?? (shown.find(({ title }) => title === shownAs)?.width || Math.max(widthOf(shownAs), 12));
      change({ isOn: true, width: Math.max(1, Math.min(maxWidth, present + by)) });
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
      again={keyLabel('columns.toggle', 'space')}
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

interface PathMenuProps extends Size {
  resource: Resource;
  choose: (path: string) => void;
  close: () => void;
}

/** A path of the rows for a column of its own, typed or found among those of the loaded rows. */
function PathMenu({ resource, choose, close, ...size }: PathMenuProps) {
  const { view } = useStores();
  const { glyphs } = useTheme();
  const [query, setQuery] = useState('');
  const typed = query.trim();
  const paths = useMemo(() => pathsOf(view.rows(resource.name)), [view, resource]);
  const all = paths.map(({ path, sample }): MenuItem => {
    const detail = formatValue(sample, 'any', { glyphs }).text;
    return { id: path, label: path, detail, run: () => choose(path) };
  });
  const items = matching(all, typed.toLowerCase());
  const isKnown = all.some(({ id }) => id === typed);
  const other: MenuItem = {
    id: ' typed',
    label: typed,
    detail: 'none of the loaded rows has it',
    run: () => choose(typed),
  };
  return (
    <Menu
      title="Another path of the row"
      items={typed === '' || isKnown || /\s/.test(typed) ? items : [...items, other]}
      search={{ query, setQuery, placeholder: 'specs.gpus, ipv4.0, alerts.cpu' }}
      leave={(item) => item && setQuery(item.label)}
      close={close}
      {...size}
    />
  );
}

interface ColumnItem extends ChosenColumn {
  shownAs: string;
  isOn: boolean;
  /** One request about each row fills it. */
  isRequested: boolean;
}

/** The columns in the order of the list: those that are chosen, or else shown, are on. */
function columnItems(
  columns: readonly Column[],
  chosen: readonly ChosenColumn[] | undefined,
  shown: readonly Pick<Column, 'title'>[],
): readonly ColumnItem[] {
  const itemOf = (column: Column, isOn: boolean): ColumnItem => ({
    value: titled(column),
    shownAs: column.title,
    isOn,
    isRequested: column.fetches !== undefined,
  });
  const isShown = (column: Column) => !chosen && shown.some(({ title }) => title === column.title);
  const isChosen = (column: Column) => chosen?.some(({ value }) => columnCalled(columns, value) === column);
  const own = (chosen ?? []).map((one): ColumnItem => {
    const column = columnCalled(columns, one.value);
    const known = column && itemOf(column, true);
    return { isRequested: false, ...known, isOn: true, ...one, shownAs: one.title ?? column?.title ?? one.value };
  });
  return [...own, ...columns.filter((column) => !isChosen(column)).map((column) => itemOf(column, isShown(column)))];
}

/** The columns that are on, as they are kept. */
const chosenOf = (items: readonly ColumnItem[]): readonly ChosenColumn[] =>
  items
    .filter(({ isOn }) => isOn)
    .map(({ value, title, width }) => ({ value, ...(title !== undefined && { title }), ...(width && { width }) }));

/** The widest that a column can be made, in cells. */
const maxWidth = 200;

/** So many rows are looked at, evenly spread. */
const maxRows = 100;
const maxPaths = 500;
/** Deeper values are not offered; they can be typed. */
const maxDepth = 5;
/** Of a list, so many items are offered one by one. */
const maxItems = 3;

/** The paths at which rows have a value that one cell can show, with one of their values, in the order of the rows' fields. */
export function pathsOf(rows: readonly Row[]): readonly { path: string; sample: unknown }[] {
  const samples = new Map<string, unknown>();
  const step = Math.max(1, Math.floor(rows.length / maxRows));

  function collect(value: unknown, path: string, depth: number): void {
    if (samples.size >= maxPaths && !samples.has(path)) return;
    const isLeaf = typeof value !== 'object' || value === null || ArrayBuffer.isView(value);
    if (isLeaf || (Array.isArray(value) && value.every((item) => typeof item !== 'object'))) note(path, value);
    if (isLeaf || depth >= maxDepth) return;
    for (const [key, inner] of Object.entries(value).slice(0, Array.isArray(value) ? maxItems : maxPaths)) {
      // A key with a dot in it cannot be told from two.
      if (key !== '' && !key.includes('.') && clean(key) === key)
        collect(inner, path === '' ? key : `${path}.${key}`, depth + 1);
    }
  }

  function note(path: string, value: unknown): void {
    const isBlank = isEmpty(value);
    if (!samples.has(path) || (samples.get(path) === undefined && !isBlank))
      samples.set(path, isBlank ? undefined : value);
  }

  for (let at = 0; at < rows.length; at += step) collect(rows[at], '', 0);
  return [...samples].map(([path, sample]) => ({ path, sample }));
}
