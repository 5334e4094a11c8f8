import { Box, useWindowSize } from 'ink';
import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { Line, Lines } from '../../components/Line.tsx';
import { painted, type Span } from '../../components/spans.ts';
import { marksOf, type Theme, useTheme } from '../../components/theme.ts';
import type { Accounts } from '../../store/accounts/accounts.ts';
import { type Query, queryKey } from '../../store/cache.ts';
import { allOf } from '../../store/listeners.ts';
import type { Stores } from '../../store/stores.ts';
import { userView } from '../../store/views/userViews.ts';
import { clean, cut, widthOf } from '../../text/cells.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { clockTime, type Timestamp } from '../../text/times.ts';
import { closedRow, openRow } from '../accounts/accountRows.ts';
import { Banner, bannerLines, Footer } from '../Footer.tsx';
import { withProfile } from '../Header.tsx';
import { severityCounts } from '../home/problemTile.ts';
import { fittingSpans, type HomeData, widthOfSpans } from '../home/tile.ts';
import { useHomeData } from '../home/useHomeData.ts';
import { useKeys, useShownKeys } from '../keyboard.tsx';
import { keymap } from '../keymap.ts';
import { isTooSmall, TooSmall } from '../terminal/window.tsx';
import { noQueries, useAppContext, useRowAnswers, useStores, useTicks } from '../useStores.ts';
import { bigBoard } from './bigBoard.ts';
import type { AccountPart, Board } from './board.ts';
import { boards } from './boards.ts';
import { createRotation, currentBoard, type Rotation, type WatchOptions } from './rotation.ts';
import { viewBoard } from './rowsBoard.ts';
import {
  accountParts,
  allFreshness,
  allProblems,
  freshnessLines,
  haveTurns,
  type Interruption,
  newProblemsText,
  ownFreshness,
  sharedFreshness,
  type Wall,
} from './wall.ts';

/** The wall monitor: one board after the other, and the age of the data. */
export function WatchApp({ wall, ...options }: WatchOptions & { wall: Wall }) {
  const { columns, rows } = useWindowSize();
  const { stores, accounts } = useAppContext();
  const theme = useTheme();
  const own = useHomeData();
  const [since] = useState(stores.now);
  // The other accounts are drawn anew so often.
  useTicks(wall.isShared ? stripMs : undefined);
  const parts = wall.isShared ? accountParts(accounts, theme.glyphs) : noParts;
  const data = wall.isShared ? { ...own, problems: allProblems(parts, accounts.profiles().length) } : own;
  const chosen = useMemo(() => boardsOf(options.boards, stores), [options.boards, stores]);
  const rotation = useRotation(chosen, wall, options);
  const state = useStore(rotation);
  const hasKeys = useShownKeys().keys.length > 0;

  const board = currentBoard(state, chosen);
  const told = wall.isShared
    ? sharedFreshness(allFreshness(accounts, since, stores.now()))
    : ownFreshness(state.freshness);
  const freshness = freshnessLines(told, theme, columns, rows);
  const banner = state.interruption ? bannerLines(interruptionText(state.interruption), columns) : [];
  const strip = wall.isShared ? 1 : 0;
  const height = Math.max(1, rows - 1 - strip - banner.length - freshness.length - (hasKeys ? 1 : 0));
  const showsAll = wall.isShared && board.showsAll;
  const isPartial = showsAll && parts.length < accounts.profiles().length;
  const context = { theme, now: stores.now(), width: columns, height, page: state.page, isPartial };
  const { profile } = stores.settings;
  const [first = { profile, hue: undefined, data: own }, ...more] = showsAll ? parts : noParts;
  const { lines, queriesOf = noneOf, pages = 1 } = board.draw([first, ...more], context);
  useRowAnswers(queriesOf[profile] ?? noQueries);
  useOtherAnswers(queriesOf);
  useEffect(() => rotation.setPages(pages), [rotation, pages]);
  const others = chosen.filter((one) => one !== board && (options.boards || !wall.isEmpty(one, stores.view)));
  const isOnly = others.length === 0 && !state.interruption && !haveTurns(wall, chosen);
  // Any of the keys that turn ends what interrupts.
  useWatchKeys(rotation, { boards: chosen.length, pages, isOnly });
  if (isTooSmall(columns, rows)) return <TooSmall columns={columns} rows={rows} />;
  const place = `${chosen.indexOf(board) + 1} of ${chosen.length}`;
  const turn = state.interruption ? 'on hold' : state.paused ? `${place}  paused` : place;
  return (
    <Box flexDirection="column" width={columns} height={rows}>
      <Heading
        owner={showsAll ? allAccounts : undefined}
        title={board.title}
        turn={turn}
        clock={clockTime(state.minuteAt)}
        data={data}
        width={columns}
      />
      {strip > 0 ? <Line text={accountsStrip(theme, accounts, since, stores.now(), columns)} /> : null}
      <Banner tone="bad" lines={banner} />
      <Box flexDirection="column" width={columns} height={height}>
        <Lines of={lines} />
      </Box>
      <Lines of={freshness} />
      {hasKeys ? <Footer width={columns} /> : null}
    </Box>
  );
}

const noParts: readonly AccountPart[] = [];
const noneOf: Readonly<Record<string, readonly Query[]>> = {};
const allAccounts = 'all accounts';

const stripMs = 5000;

const usualBoards = boards.filter((board) => board !== bigBoard);

const boardsOf = (names: readonly string[] | undefined, { configuration }: Stores): readonly Board[] =>
  names?.flatMap((wanted) => {
    const view = userView(configuration.getState().views, wanted);
    return boards.find(({ name }) => name === wanted) ?? (view ? viewBoard(view) : []);
  }) ?? usualBoards;

const interruptionText = ({ problems, since, until }: Interruption): string =>
  `New at ${clockTime(since)}, on hold until ${clockTime(until)}: ${newProblemsText(problems)}`;

/** Turns the boards while the component is mounted. */
function useRotation(
  chosen: ReturnType<typeof boardsOf>,
  wall: Wall,
  { boards: named, everyMs, onCritical }: WatchOptions,
): Rotation {
  const stores = useStores();
  const skipsEmpty = named === undefined;
  const rotation = useMemo(
    () => createRotation({ stores, wall, boards: chosen, skipsEmpty, everyMs, onCritical }),
    [stores, wall, chosen, skipsEmpty, everyMs, onCritical],
  );
  useEffect(() => rotation.start(), [rotation]);
  useEffect(() => stores.events.start(), [stores]);
  return rotation;
}

interface WatchKeys {
  /** The number of chosen boards. */
  boards: number;
  pages: number;
  /** There is no other board to turn to. */
  isOnly: boolean;
}

/** The keys of the wall; those that would change nothing say so. */
function useWatchKeys(rotation: Rotation, { boards, pages, isOnly }: WatchKeys): void {
  const { suspend, quit } = useAppContext();
  const nth = (key: string) => {
    if (Number(key) > boards) return `There are ${boards} boards.`;
    rotation.show(Number(key) - 1);
    return undefined;
  };
  useKeys('watch', {
    pause: isOnly && pages === 1 ? 'Nothing turns: there is one board of one page.' : rotation.pause,
    next: isOnly ? onlyBoard : () => rotation.step(1),
    previous: isOnly ? onlyBoard : () => rotation.step(-1),
    nextPage: pages === 1 ? onlyPage : () => rotation.turnPage(1),
    previousPage: pages === 1 ? onlyPage : () => rotation.turnPage(-1),
    nth: boards > 1 ? nth : onlyBoard,
    help: keysOfWall,
    suspend,
    quit,
  });
}

/** The keys of the wall on one line: it has no room for a page of them. */
const keysOfWall = () =>
  `Keys: ${Object.entries(keymap.watch.keys)
    .filter(([name]) => !['help', 'suspend', 'previousPage'].includes(name))
    .map(([name, { keys, help }]) => `${keyLabel(`watch.${name}`, keys[0])} ${help}`)
    .join(', ')}.`;

const onlyBoard = 'There is no other board.';
const onlyPage = 'This board has one page.';

interface HeadingProps {
  /** Whose board it is, where it is not the account's on the screen alone. */
  owner: string | undefined;
  title: string;
  turn: string;
  clock: string;
  data: HomeData;
  width: number;
}

/** The first line: profile, board and turn at the left, the number of problems and the time at the right. */
function Heading({ owner, title, turn, clock, data, width: whole }: HeadingProps) {
  const width = whole - widthOf(clock) - 2;
  const { settings, configuration } = useStores();
  const profile = settings.host ?? settings.profile;
  const hue = useStore(configuration, ({ color }) => color);
  const theme = useTheme();
  const name = 'skydeck';
  const place = clean(`${owner ?? profile} ${marksOf(theme).within} ${title}`);
  const room = width - widthOf(name) - widthOf(turn) - 6;
  const counts = severityCounts(data);
  // The first count, that of the worst, is always whole.
  const least = widthOfSpans(fittingSpans(counts.slice(0, 1), room));
  const shown = fittingSpans(counts, Math.max(least, room - widthOf(place)));
  const right = widthOfSpans(shown);
  const crumb = cut(place, Math.max(8, room - right));
  const blank = ' '.repeat(Math.max(0, room - right - widthOf(crumb)));
  const brand = ` ${theme.paint('title', theme.paint('accent', name))} `;
  return (
    <Line
      text={`${brand} ${owner ? crumb : withProfile(theme, hue, clean(profile), crumb)}  ${theme.paint('dim', turn)}${blank}${painted(theme, shown)}  ${clock}`}
    />
  );
}

/** Keeps the answers of queries fresh in the accounts of a wall that are in the background. */
function useOtherAnswers(queriesOf: Readonly<Record<string, readonly Query[]>>): void {
  const { accounts, stores } = useAppContext();
  const { current } = accounts.getState();
  const others = Object.entries(queriesOf).filter(([profile]) => profile !== current);
  const joined = others.map(([profile, queries]) => `${profile} ${queries.map(queryKey).join(' ')}`).join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the keys say which queries there are
  useEffect(() => {
    const { opened } = accounts.getState();
    return allOf(others.map(([profile, queries]) => opened[profile]?.scheduler.subscribe(queries, 'row')));
  }, [accounts, stores, joined]);
}

/**
 * The accounts of a wall in one line: what is wrong with each, or why nothing is known of it.
 * @param since when they were asked first, in ms since the epoch
 */
function accountsStrip(theme: Theme, accounts: Accounts, since: Timestamp, now: Timestamp, width: number): string {
  const { opened, failures } = accounts.getState();
  let line = ' ';
  let room = width - 1;
  for (const profile of accounts.profiles()) {
    const stores = opened[profile];
    const { cells } = stores ? openRow(profile, stores, since, now) : closedRow(profile, failures[profile]);
    const state: readonly Span[] =
      cells.STATE.text === 'ok'
        ? [
            { ...cells.CRITICAL, text: `${cells.CRITICAL.text} critical` },
            { ...cells.WARNINGS, text: `${cells.WARNINGS.text} warnings` },
          ]
        : [cells.STATE];
    const name = clean(profile);
    const plain = `${name} ${state.map(({ text }) => text).join(' ')}`;
    if (widthOf(plain) > room) return line + cut(plain, room);
    const hue = stores?.configuration.getState().color;
    const said = state.map(({ text, role }) => theme.paint(role, text)).join(' ');
    line += `${hue ? theme.hue(hue, name) : theme.paint('title', name)} ${said}   `;
    room -= widthOf(plain) + 3;
  }
  return line.slice(0, line.trimEnd().length);
}
