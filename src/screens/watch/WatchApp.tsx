import { Box, useApp, useWindowSize } from 'ink';
import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { Line } from '../../components/Line.tsx';
import { painted } from '../../components/spans.ts';
import { marksOf, useTheme } from '../../components/theme.ts';
import type { Query } from '../../store/cache.ts';
import { clean, cut, widthOf } from '../../text/cells.ts';
import { Banner, bannerLines, Footer } from '../Footer.tsx';
import { severityCounts } from '../home/problemTile.ts';
import { fittingSpans, type HomeData, widthOfSpans } from '../home/tile.ts';
import { useHomeData } from '../home/useHomeData.ts';
import { useKeys, useShownKeys } from '../keyboard.tsx';
import { isTooSmall, TooSmall } from '../TooSmall.tsx';
import { useAppContext, useRowAnswers, useStores } from '../useStores.ts';
import type { BoardName } from './boardNames.ts';
import { boards } from './boards.ts';
import { clockTime, freshnessLines } from './freshnessLines.ts';
import { createRotation, currentBoard, type Interruption, newProblemsText, type Rotation } from './rotation.ts';

export interface WatchOptions {
  /** The chosen boards in their order; by default all that are not empty. */
  boards?: readonly BoardName[];
  /** The time of each board. */
  everyMs: number;
  /** Called with a sentence about new critical problems. */
  onCritical: (says: string) => void;
}

/** The wall monitor: one board after the other, and the age of the data. */
export function WatchApp(options: WatchOptions) {
  const { columns, rows } = useWindowSize();
  const stores = useStores();
  const theme = useTheme();
  const data = useHomeData();
  const chosen = useMemo(() => boardsOf(options.boards), [options.boards]);
  const rotation = useRotation(chosen, options);
  const state = useStore(rotation);
  const hasKeys = useShownKeys().keys.length > 0;

  const board = currentBoard(state, chosen);
  const freshness = freshnessLines(state.freshness, theme, columns, rows);
  const banner = state.interruption ? bannerLines(interruptionText(state.interruption), columns) : [];
  const height = Math.max(1, rows - 1 - banner.length - freshness.length - (hasKeys ? 1 : 0));
  const context = { theme, now: stores.now(), width: columns, height, page: state.page };
  const { lines, queries = none, pages = 1 } = board.draw(data, context);
  useRowAnswers(queries);
  useEffect(() => rotation.setPages(pages), [rotation, pages]);
  if (isTooSmall(columns, rows)) return <TooSmall columns={columns} rows={rows} />;
  const place = `${chosen.indexOf(board) + 1} of ${chosen.length}`;
  const turn = state.interruption ? 'on hold' : state.paused ? `${place}  paused` : place;
  return (
    <Box flexDirection="column" width={columns} height={rows}>
      <Heading title={board.title} turn={turn} clock={clockTime(state.minuteAt)} data={data} width={columns} />
      <Banner tone="bad" lines={banner} />
      <Box flexDirection="column" width={columns} height={height}>
        {lines.map((line, index) => (
          <Line key={index} text={line} />
        ))}
      </Box>
      {freshness.map((line, index) => (
        <Line key={index} text={line} />
      ))}
      {hasKeys ? <Footer width={columns} /> : null}
    </Box>
  );
}

const none: readonly Query[] = [];

const boardsOf = (names: readonly BoardName[] | undefined) =>
  names?.flatMap((wanted) => boards.find(({ name }) => name === wanted) ?? []) ?? boards;

const interruptionText = ({ problems, since, until }: Interruption): string =>
  `New at ${clockTime(since)}, on hold until ${clockTime(until)}: ${newProblemsText(problems)}`;

/** Turns the boards while the component is mounted, by itself and by keys. */
function useRotation(
  chosen: ReturnType<typeof boardsOf>,
  { boards: named, everyMs, onCritical }: WatchOptions,
): Rotation {
  const { exit } = useApp();
  const { stores, suspend } = useAppContext();
  const rotation = useMemo(
    () => createRotation({ stores, boards: chosen, skipsEmpty: named === undefined, everyMs, onCritical }),
    [stores, chosen, named, everyMs, onCritical],
  );
  useEffect(() => rotation.start(), [rotation]);
  useEffect(() => {
    stores.events.start();
    return () => stores.close();
  }, [stores]);
  useKeys('watch', {
    pause: rotation.pause,
    next: () => rotation.step(1),
    previous: () => rotation.step(-1),
    nextPage: () => rotation.turnPage(1),
    previousPage: () => rotation.turnPage(-1),
    nth: (key) => rotation.show(Number(key) - 1),
    suspend,
    quit: () => exit(),
  });
  return rotation;
}

interface HeadingProps {
  title: string;
  turn: string;
  clock: string;
  data: HomeData;
  width: number;
}

/** The first line: profile, board and turn at the left, the number of problems and the time at the right. */
function Heading({ title, turn, clock, data, width: whole }: HeadingProps) {
  const width = whole - widthOf(clock) - 2;
  const { settings } = useStores();
  const theme = useTheme();
  const name = ' skydeck ';
  const place = clean(`${settings.profile} ${marksOf(theme).within} ${title}`);
  const room = width - widthOf(name) - widthOf(turn) - 4;
  const counts = severityCounts(data);
  // The first count, that of the worst, is always whole.
  const least = widthOfSpans(fittingSpans(counts.slice(0, 1), room));
  const shown = fittingSpans(counts, Math.max(least, room - widthOf(place)));
  const right = widthOfSpans(shown);
  const crumb = cut(place, Math.max(8, room - right));
  const blank = ' '.repeat(Math.max(0, room - right - widthOf(crumb)));
  const brand = theme.paint('title', theme.paint('accent', name));
  return <Line text={`${brand} ${crumb}  ${theme.paint('dim', turn)}${blank}${painted(theme, shown)}  ${clock}`} />;
}
