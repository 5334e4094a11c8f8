import { trackingView } from '../../store/problems/trackingView.ts';
import { isSame } from '../../store/rows.ts';
import { ageStepMs, type HomeData, type QueryState, type Tile } from './tile.ts';

/** Makes one tile; undefined where it is not shown. */
type TileBuilder = (data: HomeData) => Tile | undefined;

/** A value that a tile was made from. */
interface Dependency {
  read: (data: HomeData) => unknown;
  value: unknown;
  isSame: (one: unknown, other: unknown) => boolean;
}

/** Makes tiles from data; each is made again only when a value that it was made from has changed. */
export function memoizeTiles(builders: readonly TileBuilder[]): (data: HomeData) => readonly Tile[] {
  const memoized = builders.map(memoizeTile);
  return (data) => memoized.map((build) => build(data)).filter((tile) => tile !== undefined);
}

function memoizeTile(build: TileBuilder): TileBuilder {
  let last: { tile: Tile | undefined; dependencies: readonly Dependency[] } | undefined;
  return (data) => {
    if (last?.dependencies.every(({ read, value, isSame }) => isSame(read(data), value))) return last.tile;
    const dependencies: Dependency[] = [];
    last = { tile: build(trackedData(data, (dependency) => dependencies.push(dependency))), dependencies };
    return last.tile;
  };
}

/** The same data; each value that is read from it is recorded. */
function trackedData(data: HomeData, record: (dependency: Dependency) => void): HomeData {
  function track<T>(read: (data: HomeData) => T, isSame: (one: T, other: T) => boolean = Object.is): T {
    const value = read(data);
    record({ read, value, isSame: isSame as Dependency['isSame'] });
    return value;
  }
  const view = trackingView(data.view, ({ kind }, value, again) =>
    // The time differs at every read; only steps of it count.
    kind === 'now'
      ? track(({ view: { now } }) => Math.floor(now / ageStepMs))
      : record({ read: ({ view }) => again(view), value, isSame: Object.is }),
  );
  return {
    view,
    queryState: (resource) => track(({ queryState }) => queryState(resource), isSameState),
    get problems() {
      return track(({ problems }) => problems);
    },
    get unexamined() {
      return track(({ unexamined }) => unexamined);
    },
    get isExamining() {
      return track(({ isExamining }) => isExamining);
    },
    get isLoading() {
      return track(({ isLoading }) => isLoading);
    },
    get fleet() {
      return track(({ fleet }) => fleet);
    },
    get noEventsReason() {
      return track(({ noEventsReason }) => noEventsReason);
    },
    get eventsReach() {
      return track(({ eventsReach }) => eventsReach, isSame);
    },
    get readOnly() {
      return track(({ readOnly }) => readOnly);
    },
    get glyphs() {
      return track(({ glyphs }) => glyphs);
    },
  };
}

/** Compares all but the times at which data was read. */
const isSameState = (one: QueryState | undefined, other: QueryState | undefined): boolean =>
  one === other ||
  (one?.loading === other?.loading &&
    one?.keptAt === other?.keptAt &&
    (one?.loadedAt === undefined) === (other?.loadedAt === undefined) &&
    one?.error === other?.error &&
    one?.results === other?.results);
