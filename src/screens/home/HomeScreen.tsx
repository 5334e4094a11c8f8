import { Box } from 'ink';
import { useContext, useEffect, useMemo, useState } from 'react';
import { shallow } from 'zustand/shallow';
import { Lines } from '../../components/Line.tsx';
import { useTheme } from '../../components/theme.ts';
import { type Depend, dependingView, memoizeBy, observe, readAgain } from '../../resources/observe.ts';
import { isFold } from '../../resources/problems/rule.ts';
import { type Place, placeKey } from '../../store/navigation.ts';
import { isSame } from '../../store/rows.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { momentWords } from '../../text/times.ts';
import { useKeys } from '../keyboard.tsx';
import { createListWindow, scrollTop } from '../page/listWindow.ts';
import { CoveredContext } from '../page/usePage.ts';
import { subjectOf, useProblemKeys } from '../problems/problemKeys.tsx';
import { placeOfObject } from '../problems/remedies.ts';
import { useRegion } from '../terminal/mouse.tsx';
import { type Size, useStores, useView } from '../useStores.ts';
import { drawTiles, followLink, type LineCache, lineAt, lineCounts, type PlacedTile, placeTiles } from './drawTiles.ts';
import { type LineCounts, reservedLines } from './layout.ts';
import { ageStepMs, type HomeData, type QueryState, type Tile, type TileLine } from './tile.ts';
import { tileBuilders, tileResources, useHomeData } from './useHomeData.ts';

/** The whole account on one screen: problems, events in progress, totals and past events. */
export function HomeScreen({ width, height }: Size) {
  const covered = useContext(CoveredContext);
  const stores = useStores();
  const theme = useTheme();
  const data = useHomeData();
  const [tilesFrom] = useState(() => memoizeTiles(tileBuilders));
  const [cache] = useState((): LineCache => new WeakMap());
  const [place] = useState(() => createSteadyPlaces(stores.navigation.getState().homeLines ?? reservedLines));
  const tiles = useMemo(() => withAges(tilesFrom(data), data), [tilesFrom, data]);
  const placed = useMemo(
    () => place(tiles, width, height, data.isLoading === true),
    [place, tiles, data.isLoading, width, height],
  );
  const { navigation } = stores;
  useEffect(() => {
    if (data.isLoading === true) return;
    const homeLines = lineCounts(tiles);
    if (!isSame(homeLines, navigation.getState().homeLines ?? {})) navigation.setState({ homeLines });
  }, [navigation, tiles, data.isLoading]);
  const items = placed.flatMap(({ lines }) => lines.filter(({ link }) => link));
  const [view, setView] = useView(placeKey({ screen: 'home' }));
  const [windowOf] = useState(createListWindow<TileLine>);
  const { current, movesTo } = windowOf(items, view.cursor, ({ id }) => id, Math.max(1, height - 1));
  // Each poll makes new data, so ages count on.
  const draw = useMemo(
    () => drawTiles(placed, { theme, now: stores.now(), width, height, cache }),
    [placed, theme, stores, width, height, cache],
  );

  const { link, problem } = current ?? {};
  const pointAt = (line: TileLine | undefined) => line && setView({ cursor: line.id });
  const jump = (by: number) => () => {
    const line = headingBeside(placed, current, by);
    pointAt(line);
    return line === current || line === undefined ? 'There is no other part.' : undefined;
  };
  const handlers = {
    ...movesTo(pointAt),
    nextTile: jump(1),
    previousTile: jump(-1),
    open: link ? () => followLink(stores, link) : 'This line leads nowhere.',
    related: related(problem ? (isFold(problem) ? undefined : placeOfObject(stores, problem)) : link?.place),
  };
  const row = !problem && link?.place.screen === 'detail' ? link.place : undefined;
  useKeys('home', handlers, { subject: row && subjectOf(stores, row) });
  const region = useRegion('home', {
    onClick: ({ line, column, press }) => {
      const item = lineAt(placed, line, column);
      if (!item?.link) return;
      if (item === current) press(keyLabel('home.open', 'enter'));
      else pointAt(item);
    },
  });
  useProblemKeys(problem, problem ? [problem] : [], true);
  const tile = covered > 0 ? placed.find(({ lines }) => lines.some((one) => one === current)) : undefined;
  const cursor = tile && current ? tile.region.top + tile.lines.indexOf(current) : 0;
  return (
    <Box ref={region} flexDirection="column" width={width} height={height}>
      <Lines of={draw(current).slice(scrollTop(0, height, cursor, height - covered))} />
    </Box>
  );

  function related(place: Place | undefined) {
    if (place?.screen !== 'detail') return 'Nothing is related to this line.';
    return () => stores.navigation.open({ kind: 'related', resource: place.resource, params: place.params });
  }
}

/** The first line with a link, `step` tiles after the tile of a line, going round. */
function headingBeside(placed: readonly PlacedTile[], line: TileLine | undefined, step: number): TileLine | undefined {
  const linked = placed.map(({ lines }) => lines.filter(({ link }) => link)).filter(({ length }) => length > 0);
  const at = linked.findIndex((lines) => lines.some((one) => one === line));
  return linked[(at + step + linked.length) % linked.length]?.[0];
}

/** The tiles, each with the age of its list where an earlier session has read that. */
const withAges = (tiles: readonly Tile[], { queryState, view }: HomeData): readonly Tile[] =>
  tiles.map((tile) => {
    const { place } = tile.link;
    const isOfList = place.screen === 'list' && tileResources.includes(place.resource);
    const keptAt = isOfList ? queryState(place.resource)?.keptAt : undefined;
    if (keptAt === undefined) return tile;
    const age = { text: `kept ${momentWords(keptAt, view.now)}`, role: 'dim' } as const;
    return { ...tile, figures: [...tile.figures, age], summary: [...(tile.summary ?? tile.figures), age] };
  });

/**
 * Places tiles so that nothing moves while the first lists are still to come: tiles have their room of last time, and
 * lines but problems, the worst first, the rows on which they stood. What comes later takes free rows; once all is there,
 * everything takes its own place.
 */
function createSteadyPlaces(reserved: LineCounts) {
  let isSettled = false;
  let before: ReadonlyMap<string, readonly TileLine[]> = new Map();
  return (tiles: readonly Tile[], width: number, height: number, isLoading: boolean): readonly PlacedTile[] => {
    isSettled ||= !isLoading;
    if (isSettled) return placeTiles(tiles, width, height);
    const placed = placeTiles(tiles, width, height, reserved).map(({ region, lines }) => ({
      region,
      lines: lines.some(({ problem }) => problem) ? lines : inPlace(lines, before.get(lines[0]?.id ?? '') ?? []),
    }));
    before = new Map(placed.map(({ lines }) => [lines[0]?.id ?? '', lines]));
    return placed;
  };
}

/** Lines on the rows on which they stood before, the others in order on the rows between and below. */
function inPlace(lines: readonly TileLine[], before: readonly TileLine[]): readonly TileLine[] {
  const isBefore = new Set(before.map(({ id }) => id));
  const others = lines.filter(({ id }) => !isBefore.has(id));
  const kept = before.map((line) => lines.find(({ id }) => id === line.id) ?? others.shift());
  return [...kept, ...others].filter((line) => line !== undefined);
}

/** Makes one tile; undefined where it is not shown. */
type TileBuilder = (data: HomeData) => Tile | undefined;

/** Makes tiles from data; each is made again only when a value that it was made from has changed. */
export function memoizeTiles(builders: readonly TileBuilder[]): (data: HomeData) => readonly Tile[] {
  const memoized = builders.map((build) => memoizeBy((data: HomeData, depend) => build(dependingData(data, depend))));
  return (data) => memoized.map((build) => build(data)).filter((tile) => tile !== undefined);
}

/** The same data, depending on each value that is read of it. */
const dependingData = (data: HomeData, depend: Depend<HomeData>): HomeData =>
  Object.assign(
    observe(data, Object.keys(areSame) as readonly Part[], (read) => {
      const [name, , value] = read;
      if (name !== 'view') depend((next) => areSame[name](readAgain(next, read), value));
    }),
    { view: dependingView(data, depend, ageStepMs) },
  );

type Part = Exclude<keyof HomeData, 'view'>;

/** All that tiles tell of a list, but the times at which it was read. */
const toldOf = (state: unknown) => {
  const { loading, keptAt, loadedAt, error, results } = (state ?? {}) as Partial<QueryState>;
  return [state === undefined, loading, keptAt, loadedAt === undefined, error, results];
};

/** Tells for each part of the data whether two values make the same tile. */
const areSame: { readonly [Name in Part]-?: (one: unknown, other: unknown) => boolean } = {
  queryState: (one, other) => one === other || shallow(toldOf(one), toldOf(other)),
  problems: Object.is,
  unexamined: Object.is,
  isExamining: Object.is,
  examinedPercent: Object.is,
  isLoading: Object.is,
  fleet: Object.is,
  noEventsReason: Object.is,
  eventsReach: isSame,
  readOnly: Object.is,
  glyphs: Object.is,
};
