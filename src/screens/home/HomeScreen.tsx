import { Box } from 'ink';
import { useMemo, useRef } from 'react';
import { useStore } from 'zustand';
import { cell, cut, wrapCells } from '../../components/cells.ts';
import { Line } from '../../components/Line.tsx';
import { useTheme } from '../../components/theme.ts';
import { type Event, isInProgress } from '../../store/events.ts';
import { type Place, placeKey } from '../../store/navigation.ts';
import type { Collection } from '../../store/records.ts';
import { useKeys } from '../keyboard.tsx';
import { useCollection, useDeck, useEvents, useView } from '../useDeck.ts';
import { movesOf, useScroll } from '../useScroll.ts';
import {
  type Board,
  boards,
  type Count,
  countsOf,
  type Destination,
  type Problem,
  problemsOf,
  towardsCount,
  towardsEvent,
  towardsProblem,
} from './home.ts';
import {
  activityLine,
  boardHead,
  boardSentence,
  countLine,
  type HomePen,
  problemLine,
  progressLine,
  sectionLine,
} from './homeLines.ts';

/** A line that the cursor can stand on. */
interface Item {
  id: string;
  towards: Destination;
  draw: (pen: HomePen, isCurrent: boolean) => string;
}

/** One board with what it shows: a heading and counts that can be chosen, or a sentence. */
interface ShownBoard {
  items: readonly Item[];
  says: string;
}

/** The whole account on one screen: what is wrong, how much there is, what goes on and what happened. */
export function HomeScreen({ width, height }: { width: number; height: number }) {
  const deck = useDeck();
  const theme = useTheme();
  // Every poll counts the ages on.
  const polledAt = useStore(deck.events, (state) => state.polledAt);
  const unread = polledAt === undefined ? (deck.events.getState().error?.message ?? 'Reading events …') : undefined;
  const { troubled, shownBoards, counted, happening, going, activity, wrong } = useParts(width, height);
  const items = [...troubled, ...counted, ...happening, ...activity];
  const [view, setView] = useView(placeKey({ screen: 'home' }));
  const cursor = useCursor(items, view.cursor);

  const blank = height >= 24 ? [''] : [];
  const pen: HomePen = { theme, now: deck.now(), width };
  const quietLine = (says: string) => theme.paint('dim', `  ${cut(says, width - 3)}`);
  const drawn = (item: Item) => item.draw(pen, item === items[cursor]);
  const above = [
    ...(troubled.length > 0 ? [sectionLine(pen, `Problems  ${wrong}`), ...troubled.map(drawn), ...blank] : []),
    ...boardLines(shownBoards, pen, items[cursor]),
    ...blank,
    sectionLine(pen, going > 0 ? `Happening now  ${going}` : 'Happening now'),
    ...(happening.length > 0 ? happening.map(drawn) : [quietLine(unread ?? 'Nothing is in progress.')]),
    ...blank,
    sectionLine(pen, 'Activity'),
  ];
  const body = Math.max(1, height - above.length);
  const top = useScroll(activity.length, Math.max(0, cursor - (items.length - activity.length)), body);
  const lines = [
    ...above,
    ...(activity.length > 0
      ? activity.slice(top, top + body).map(drawn)
      : [quietLine(unread ?? 'Nothing has happened on this account in the last 90 days.')]),
  ];

  const chosen = items[cursor];
  useKeys('home', {
    ...movesOf(cursor, items.length, body, (index) => setView({ cursor: items[index]?.id })),
    open: chosen && (() => open(chosen.towards)),
    related: related(chosen?.towards.place),
  });
  return (
    <Box flexDirection="column" width={width} height={height}>
      {lines.slice(0, height).map((line, index) => (
        <Line key={index} text={line} />
      ))}
    </Box>
  );

  function related(place: Place | undefined) {
    if (place?.screen !== 'detail') return undefined;
    return () => deck.navigation.open({ kind: 'related', resource: place.resource, params: place.params });
  }

  function open({ place, filter }: Destination): void {
    if (filter !== undefined) deck.navigation.setView(placeKey(place), { filter });
    deck.navigation.go(place);
  }
}

/** Where the cursor is: on the line of its id; where that has gone, at the place it had. */
function useCursor(items: readonly Item[], wanted: string | undefined): number {
  const last = useRef(0);
  const found = wanted === undefined ? 0 : items.findIndex(({ id }) => id === wanted);
  last.current = found >= 0 ? found : Math.max(0, Math.min(last.current, items.length - 1));
  return last.current;
}

/** Everything the cursor can stand on, by part, and how much there is of what is not shown in full. */
function useParts(width: number, height: number) {
  const events = useEvents();
  const most = limitsOf(height);
  const shownBoards = useBoards(width >= 120 ? 3 : 2, most.counts);
  const problems = useProblems();
  const [current, past] = useMemo(
    () => [events.filter(isInProgress), events.filter((event) => !isInProgress(event)).slice(0, mostActivity)],
    [events],
  );
  return {
    troubled: problems.slice(0, most.problems).map(problemItem),
    wrong: problems.reduce((sum, { rows }) => sum + rows.length, 0),
    shownBoards,
    counted: shownBoards.flatMap(({ items }) => items),
    happening: current.slice(0, most.progress).map((event) => eventItem(event, progressLine)),
    going: current.length,
    activity: past.map((event) => eventItem(event, activityLine)),
  };
}

const mostActivity = 200;

/** How many lines each part takes at most, so that the newest events are in sight as well. */
function limitsOf(height: number): { problems: number; counts: number; progress: number } {
  if (height >= 30) return { problems: 8, counts: 8, progress: 10 };
  return height >= 20 ? { problems: 3, counts: 5, progress: 4 } : { problems: 2, counts: 3, progress: 2 };
}

const problemItem = (problem: Problem): Item => ({
  id: `problem:${problem.resource.name}:${problem.status}`,
  towards: towardsProblem(problem),
  draw: (pen, isCurrent) => problemLine(pen, problem, isCurrent),
});

const eventItem = (event: Event, draw: (pen: HomePen, event: Event, isCurrent: boolean) => string): Item => ({
  id: `event:${event.id}`,
  towards: towardsEvent(event),
  draw: (pen, isCurrent) => draw(pen, event, isCurrent),
});

/** What is wrong among all that is loaded. */
function useProblems(): readonly Problem[] {
  const { records, known } = useDeck();
  const collections = useStore(records, ({ collections }) => collections);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is known is read from the collections
  return useMemo(() => problemsOf(known), [collections, known]);
}

/** The first so many boards, with at most so many counts each. */
function useBoards(wanted: number, most: number): readonly ShownBoard[] {
  const { known, api } = useDeck();
  const servers = useCollection(listOf('servers'));
  const volumes = useCollection(listOf('volumes'));
  return useMemo(() => {
    const loaded: Readonly<Record<string, Collection | undefined>> = { servers, volumes };
    return boards.slice(0, wanted).map((board): ShownBoard => {
      const collection = loaded[board.resource.name];
      const rows = collection?.rows ?? [];
      const counts = countsOf(rows, board.column, known).slice(0, most);
      const says = rows.length > 0 ? '' : boardSentence(board.resource, collection, api.readOnly);
      return { items: boardItems(board, counts, rows.length, collection), says };
    });
  }, [wanted, most, servers, volumes, known, api.readOnly]);
}

const listOf = (resource: string) => ({ resource, operation: 'list', params: {} });

function boardItems(board: Board, counts: readonly Count[], total: number, collection: Collection | undefined): Item[] {
  const id = `board:${board.resource.name}:${board.column.title}`;
  return [
    {
      id,
      towards: towardsCount(board),
      draw: (pen, isCurrent) => boardHead(pen, board, collection, isCurrent),
    },
    ...counts.map(
      (count): Item => ({
        id: `${id}:${count.value}`,
        towards: towardsCount(board, count.value),
        draw: (pen, isCurrent) => countLine(pen, board, count, total, isCurrent),
      }),
    ),
  ];
}

/** Boards beside each other. */
function boardLines(shown: readonly ShownBoard[], pen: HomePen, current: Item | undefined): readonly string[] {
  const width = Math.floor(pen.width / shown.length);
  const columns = shown.map(({ items, says }) => [
    ...items.map((item) => item.draw({ ...pen, width }, item === current)),
    ...(says ? wrapCells(says, width - 4).map((line) => pen.theme.paint('dim', `  ${cell(line, width - 2)}`)) : []),
  ]);
  const height = Math.max(...columns.map(({ length }) => length));
  return Array.from({ length: height }, (_, index) =>
    columns.map((lines) => lines[index] ?? ' '.repeat(width)).join(''),
  );
}
