import { Box, Text } from 'ink';
import { useMemo, useState } from 'react';
import { Line } from '../../components/Line.tsx';
import { TextField } from '../../components/TextField.tsx';
import { marksOf, useTheme } from '../../components/theme.ts';
import { clean, wrapCells } from '../../text/cells.ts';
import { useKeys, useTextGuard } from '../keyboard.tsx';
import { Pane, placeIn } from '../Pane.tsx';
import { useRegion } from '../terminal/mouse.tsx';
import { moveHandlers, useScroll } from '../useScroll.ts';
import { columnsOf, itemLine, type MenuItem, reasonLines } from './itemLine.ts';

export type { MenuItem } from './itemLine.ts';

interface MenuProps {
  title: string;
  items: readonly MenuItem[];
  width: number;
  height: number;
  close: () => void;
  /** Nothing is beneath it: closing it quits. */
  isAlone?: boolean;
  /** Typed characters narrow the choice, or are a note that does not. */
  search?: { query: string; setQuery: (query: string) => void; placeholder: string; isNote?: true };
  /** Shown where there are no items. */
  none?: string;
  /** All items, while those that are shown are not all: enter takes the first of them where the cursor was not moved. */
  settled?: () => readonly MenuItem[];
  /** The id first under the cursor; by default that of the first item. */
  start?: string;
  /** A sentence above the choice. */
  note?: string;
  /** The count of the items, in the title. */
  count?: string;
  /** Ticks or unticks an item. */
  tick?: (item: MenuItem) => void;
  /** Leaves the menu by a key other than enter. */
  leave?: (item: MenuItem | undefined, key: string) => void;
}

const nothing = 'There is nothing to choose.';
const planLater = 'It opens first; ctrl-a is there where a plan can hold it.';

/** A choice of one thing, by cursor, by letter or by typing. */
export function Menu({
  title,
  items,
  width,
  height,
  close,
  isAlone = false,
  search,
  none = 'Nothing matches.',
  settled,
  start,
  note,
  count,
  tick,
  leave,
}: MenuProps) {
  const theme = useTheme();
  const [wanted, setWanted] = useState(start);
  const guard = useTextGuard();
  const found = items.findIndex(({ id }) => id === wanted);
  const cursor = Math.max(0, found);
  const current = items[cursor];
  const columns = useMemo(() => columnsOf(items), [items]);
  const [refusedId, setRefused] = useState<string>();
  const reason = current ? reasonLines(current, { width, columns, isTried: current.id === refusedId }) : [];
  /** Runs an item, or says under the menu why it cannot be run. */
  const choose = (item: MenuItem) => {
    setWanted(item.id);
    setRefused(item.refusal === undefined ? undefined : item.id);
    if (item.refusal === undefined) item.run();
  };
  function chooseCurrent(): void {
    const item = settled && wanted === undefined ? settled()[0] : current;
    if (item) choose(item);
  }
  const lettered = search?.query === '' ? items.filter(({ letter }) => letter !== undefined) : [];
  const type = guard((query) => {
    if (!search) return;
    if (!search.isNote) setWanted(undefined);
    search.setQuery(query);
  });
  const noteLines = note ? wrapCells(clean(note), width - 4) : [];
  const body = Math.max(1, height - 1 - (search ? 1 : 0) - noteLines.length - reason.length);
  const top = useScroll(items.length, cursor, body);
  const moves = moveHandlers(cursor, items.length, body, (index) => setWanted(items[index]?.id));
  useKeys(
    'menu',
    {
      up: moves.up,
      down: moves.down,
      pageUp: moves.pageUp,
      pageDown: moves.pageDown,
      ...(isAlone ? { quit: close } : { close }),
      choose: current || settled ? chooseCurrent : nothing,
      // The letters come as text; this line of the footer tells that there are some.
      ...(lettered.length > 0 && { letter: () => {} }),
      ...(search && { clear: () => search.setQuery('') }),
      ...(items.some(({ plan }) => plan) && { plan: current?.plan ?? planLater }),
      ...(tick && { tick: current && !current.refusal ? () => tick(current) : (current?.refusal ?? nothing) }),
      ...(leave && { leave: (key: string) => leave(current, key) }),
    },
    {
      typing: search !== undefined,
      commands: tick && ['space'],
      onPaste: search && ((text) => search.setQuery(search.query + text.trim())),
    },
  );
  const region = useRegion('menu', {
    onClick: ({ line }) => {
      const item = items[top + line];
      if (item) choose(item);
    },
  });
  return (
    <Pane title={title} note={placeIn(theme, top, body, items.length, count)} width={width} height={height}>
      {search ? (
        <Box height={1}>
          <Text>{theme.paint('accent', ` ${marksOf(theme).pointer} `)}</Text>
          <TextField
            value={search.query}
            onChange={(text) => {
              const item = lettered.find(({ letter }) => letter === text);
              if (item) choose(item);
              return item === undefined && type(text);
            }}
            focus
            placeholder={search.placeholder}
            width={width - 4}
          />
        </Box>
      ) : null}
      {noteLines.map((line, index) => (
        <Line key={`note ${index}`} text={theme.paint('dim', `   ${line}`)} />
      ))}
      <Box ref={region} flexDirection="column" flexShrink={0}>
        {items.slice(top, top + body).map((item, index, shown) => (
          <Line
            key={item.id}
            text={itemLine(theme, item, {
              current: top + index === cursor,
              heading: item.group === shown[index - 1]?.group ? '' : (item.group ?? ''),
              width,
              columns,
            })}
          />
        ))}
      </Box>
      {items.length === 0
        ? wrapCells(clean(none), width - 4).map((line, index) => (
            <Line key={`none ${index}`} text={theme.paint('dim', `   ${line}`)} />
          ))
        : null}
      {reason.map((line, index) => (
        <Line key={`reason ${index}`} text={theme.paint('warn', `   ${line}`)} />
      ))}
    </Pane>
  );
}
