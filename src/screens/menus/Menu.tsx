import { Box, Text } from 'ink';
import { useState } from 'react';
import { Line } from '../../components/Line.tsx';
import { TextField } from '../../components/TextField.tsx';
import { marksOf, pointerOf, type Theme, useTheme } from '../../components/theme.ts';
import { cell, clean, cut, cutMiddle, widthOf, wrapCells } from '../../text/cells.ts';
import { useKeys, useTextGuard } from '../keyboard.tsx';
import { Pane } from '../Pane.tsx';
import { moveHandlers, useScroll } from '../useScroll.ts';

/** One line of a menu. */
export interface MenuItem {
  id: string;
  label: string;
  /** Dimmed, beside the label. */
  detail?: string;
  /** A heading, shown beside the first item of each group. */
  group?: string;
  /** A capital letter that chooses it while nothing is typed; small letters narrow the choice. */
  letter?: string;
  /** Something is lost or stops. */
  isDanger?: boolean;
  /** Why it cannot be chosen. */
  refusal?: string;
  ticked?: boolean;
  run: () => void;
}

interface MenuProps {
  title: string;
  items: readonly MenuItem[];
  width: number;
  height: number;
  close: () => void;
  /** Typed characters narrow the choice, or are a note that does not. */
  search?: { query: string; setQuery: (query: string) => void; placeholder: string; isNote?: true };
  /** Shown where there are no items. */
  none?: string;
  /** The id first under the cursor; by default that of the first item. */
  start?: string;
  /** A sentence above the choice. */
  note?: string;
  /** Ticks or unticks an item. */
  tick?: (item: MenuItem) => void;
  /** Leaves the menu by a key other than enter. */
  leave?: (item: MenuItem | undefined, key: string) => void;
}

/** A choice of one thing, by cursor, by letter or by typing. */
export function Menu({
  title,
  items,
  width,
  height,
  close,
  search,
  none = 'Nothing matches.',
  start,
  note,
  tick,
  leave,
}: MenuProps) {
  const theme = useTheme();
  const [wanted, setWanted] = useState(start);
  const guard = useTextGuard();
  const found = items.findIndex(({ id }) => id === wanted);
  const cursor = Math.max(0, found);
  const current = items[cursor];
  const longest = Math.max(0, ...items.map(({ label }) => widthOf(clean(label))));
  const [refusedId, setRefused] = useState<string>();
  const reason = current ? reasonLines(current, { width, longest, isTried: current.id === refusedId }) : [];
  /** Runs an item, or says under the menu why it cannot be run. */
  const choose = (item: MenuItem) => {
    setWanted(item.id);
    setRefused(item.refusal === undefined ? undefined : item.id);
    if (item.refusal === undefined) item.run();
  };
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
      close,
      choose: () => current && choose(current),
      // The letters come as text; this line of the footer tells that there are some.
      ...(lettered.length > 0 && { letter: () => {} }),
      ...(search && { clear: () => search.setQuery('') }),
      ...(tick && { tick: () => current && !current.refusal && tick(current) }),
      ...(leave && { leave: (key: string) => leave(current, key) }),
    },
    {
      typing: search !== undefined,
      commands: tick && ['space'],
      onPaste: search && ((text) => search.setQuery(search.query + text.trim())),
    },
  );
  return (
    <Pane title={title} note={placeIn(top, body, items.length)} width={width} height={height}>
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
      {items.slice(top, top + body).map((item, index, shown) => (
        <Line
          key={item.id}
          text={itemLine(theme, item, {
            current: top + index === cursor,
            heading: item.group === shown[index - 1]?.group ? '' : (item.group ?? ''),
            width,
            longest,
          })}
        />
      ))}
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

/** Cells for the heading beside an item, where there are any. */
const headingWidth = 12;

/** The visible part of a menu, where that is not all of it. */
const placeIn = (top: number, body: number, count: number) =>
  count > body ? `${top + 1}–${Math.min(count, top + body)} of ${count}` : '';

/**
 * Cells for the label of an item and for its detail.
 * @param longest cells of the longest label
 */
function roomOf(item: MenuItem, width: number, longest: number): { label: number; detail: number } {
  const { group, letter, ticked, refusal, detail } = item;
  const room = width - 3 - (group === undefined ? 0 : headingWidth) - (letter ? 3 : 0) - (ticked === undefined ? 0 : 2);
  const wanted = Math.min(longest, Math.floor(room * 0.6));
  const label = (refusal ?? detail) ? Math.min(Math.max(24, Math.floor(room / 3), wanted), room) : room;
  return { label, detail: Math.max(0, room - label - 2) };
}

/**
 * Why an item cannot be chosen, over several lines, where it does not fit beside the label or the item was tried.
 */
function reasonLines(
  item: MenuItem,
  { width, longest, isTried }: { width: number; longest: number; isTried: boolean },
): readonly string[] {
  const reason = clean(item.refusal ?? '');
  if (reason === '') return [];
  if (isTried) return wrapCells(`${item.label} is not possible: ${reason}.`, width - 4);
  return widthOf(reason) > roomOf(item, width, longest).detail ? wrapCells(reason, width - 4) : [];
}

interface ItemPlace {
  current: boolean;
  heading: string;
  width: number;
  longest: number;
}

function itemLine(theme: Theme, item: MenuItem, { current: isCurrent, heading, width, longest }: ItemPlace): string {
  const pointer = pointerOf(theme, isCurrent);
  const beside = item.group === undefined ? '' : theme.paint('dim', cell(heading, headingWidth));
  const tick = item.ticked === undefined ? '' : `${item.ticked ? theme.paint('mark', marksOf(theme).mark) : ' '} `;
  const letter = item.letter ? `${theme.paint(item.isDanger ? 'bad' : 'key', item.letter)}  ` : '';
  const says = clean(item.refusal ?? item.detail ?? '');
  const room = roomOf(item, width, longest);
  const label = cell(cutMiddle(item.label, room.label), room.label);
  const detail = says ? `  ${cut(says, room.detail)}` : '';
  const written = item.refusal
    ? theme.paint('dim', label)
    : isCurrent
      ? theme.paint('cursor', says ? label : label.trimEnd())
      : label;
  return `${pointer} ${beside}${tick}${letter}${written}${theme.paint(item.refusal ? 'warn' : 'dim', detail)}`;
}
