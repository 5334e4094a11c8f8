import { useContext, useMemo, useRef, useState } from 'react';
import { saidLines } from '../../components/spans.ts';
import { marksOf, useTheme } from '../../components/theme.ts';
import { widthOf } from '../../text/cells.ts';
import { Page } from '../page/Page.tsx';
import { PopupContext, popupWidth } from '../page/Pane.tsx';
import { PromptLine } from '../page/Prompt.tsx';
import type { Size } from '../useStores.ts';
import { columnsOf, itemLine, type MenuItem, restLines, widthOfItems } from './itemLine.ts';

export type { MenuItem } from './itemLine.ts';

interface MenuProps extends Size {
  title: string;
  items: readonly MenuItem[];
  close: () => void;
  /** Nothing is beneath it: closing it quits. */
  isAlone?: boolean;
  /** Typed characters narrow the choice, or are a note that does not. */
  search?: { query: string; setQuery: (query: string) => void; placeholder: string; isNote?: true };
  /** Shown where there are no items. */
  none?: string | undefined;
  /** All items, while those that are shown are not all: enter takes the first of them where the cursor was not moved. */
  settled?: () => readonly MenuItem[];
  /** The id first under the cursor; by default that of the first item. */
  start?: string | undefined;
  /** A sentence above the choice. */
  note?: string | undefined;
  /** The count of the items, in the title. */
  count?: string | undefined;
  tick?: (item: MenuItem) => void;
  /** Leaves the menu by a key other than enter. */
  leave?: (item: MenuItem | undefined, key: string) => void;
}

/** Cells, also where the items are shorter. */
const leastWidth = 40;

const nothing = 'There is nothing to choose.';
const planLater = 'It opens first; ctrl-a is there where a plan can hold it.';

/** A choice of one thing, by cursor, by letter or by typing. */
export function Menu({
  items,
  close,
  isAlone = false,
  search,
  none,
  settled,
  start,
  note,
  tick,
  leave,
  ...pane
}: MenuProps) {
  const theme = useTheme();
  const screen = useContext(PopupContext);
  const [wanted, setWanted] = useState(start);
  // A line that only tells of other things may be cut; its rest stands below it.
  const columns = useMemo(() => columnsOf(items.map((item) => (item.isDim ? { ...item, detail: '' } : item))), [items]);
  const texts = [pane.title, search?.placeholder ?? '', none ?? '', note ?? ''];
  const wide = Math.max(leastWidth, widthOfItems(items, columns), ...texts.map((text) => widthOf(text) + 10));
  // While one types it becomes no narrower, so that what lies below holds still, and a box stays one.
  const widest = useRef(0);
  if (screen !== undefined && wide + 2 <= screen) widest.current = Math.max(widest.current, wide);
  const most = widest.current > 0 && screen !== undefined && search?.query ? screen - 2 : wide;
  const steady = Math.max(Math.min(wide, most), widest.current);
  const width = screen === undefined ? pane.width : Math.min(pane.width, popupWidth(steady, screen));
  const lines = useMemo(
    () =>
      items.map((item, index) => {
        const { id, group = '' } = item;
        const text = (current: boolean, isFirst: boolean) =>
          itemLine(theme, item, {
            current,
            heading: isFirst || group !== items[index - 1]?.group ? group : '',
            width,
            columns,
          });
        return { id, text };
      }),
    [items, theme, width, columns],
  );
  const [refusedId, setRefused] = useState<string>();
  /** Runs an item, or says under the menu why it cannot be run. */
  const choose = (item: MenuItem | undefined) => {
    if (!item) return;
    setWanted(item.id);
    setRefused(item.refusal === undefined ? undefined : item.id);
    if (item.refusal === undefined) item.run();
  };
  const lettered = search?.query === '' ? items.filter(({ letter }) => letter !== undefined) : [];
  /** Takes the letter of an item, else what is searched for; a letter is no part of that. */
  const type = (text: string) => {
    const item = lettered.find(({ letter }) => letter === text);
    if (item) choose(item);
    else if (!search?.isNote) setWanted(undefined);
    if (!item) search?.setQuery(text);
    return !item;
  };
  const itemOf = (id: string | undefined) => items.find((item) => item.id === id);
  const keysOf = (current: MenuItem | undefined) => ({
    ...(isAlone ? { quit: close } : { close }),
    choose: current || settled ? () => choose(settled && wanted === undefined ? settled()[0] : current) : nothing,
    // The letters come as text; this line of the footer tells that there are some.
    ...(lettered.length > 0 && { letter: () => {} }),
    ...(search && { clear: () => search.setQuery('') }),
    ...(items.some(({ plan }) => plan) && { plan: current?.plan ?? planLater }),
    ...(tick && { tick: current && !current.refusal ? () => tick(current) : (current?.refusal ?? nothing) }),
    ...(leave && { leave: (key: string) => leave(current, key) }),
  });
  /** The rest of the chosen line, which is not cut. */
  const restOf = (id: string) => {
    const item = itemOf(id);
    const lines = item ? restLines(item, { width, columns, isTried: id === refusedId }) : [];
    return lines.map((line) => theme.paint(item?.refusal === undefined ? 'plain' : 'warn', `   ${line}`));
  };
  return (
    <Page
      {...pane}
      width={width}
      layer="menu"
      head={[
        ...(search
          ? [
              <PromptLine
                key="search"
                label={` ${marksOf(theme).pointer} `}
                value={search.query}
                change={type}
                placeholder={search.placeholder}
                width={width - 1}
              />,
            ]
          : []),
        ...(note ? saidLines(theme, note, width - 4, 'dim', 3) : []),
      ]}
      lines={lines}
      none={none ?? 'Nothing matches.'}
      below={restOf}
      cursor={wanted}
      setCursor={setWanted}
      order={search?.query}
      click={(id) => choose(itemOf(id))}
      keys={(id) => keysOf(itemOf(id))}
      options={{
        typing: search !== undefined,
        commands: tick && ['space'],
        onPaste: search && ((text) => search.setQuery(search.query + text.trim())),
      }}
    />
  );
}
