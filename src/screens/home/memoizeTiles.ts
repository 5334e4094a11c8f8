import { watchedView } from '../../store/attention/watchedView.ts';
import type { HomeData, QueryState, Tile } from './tile.ts';

/** Makes one tile; undefined where it is not shown. */
type TileBuilder = (data: HomeData) => Tile | undefined;

/** Something that a tile was made from: how it is looked at, and whether it still is the same. */
interface Dependency {
  again: (data: HomeData) => unknown;
  value: unknown;
  isSame: (one: unknown, other: unknown) => boolean;
}

/** Ages in tiles are told anew after so many milliseconds. */
const agesLast = 5_000;

/** The tiles as the data change: each is made anew only when something that it was made from is another. */
export function memoizeTiles(drafts: readonly TileBuilder[]): (data: HomeData) => readonly Tile[] {
  const kept = drafts.map((draft) => memoizeTile(draft));
  return (data) => kept.map((tile) => tile(data)).filter((tile) => tile !== undefined);
}

function memoizeTile(draft: TileBuilder): TileBuilder {
  let last: { tile: Tile | undefined; looks: readonly Dependency[] } | undefined;
  return (data) => {
    if (last?.looks.every(({ again, value, isSame }) => isSame(again(data), value))) return last.tile;
    const looks: Dependency[] = [];
    last = { tile: draft(trackedData(data, (look) => looks.push(look))), looks };
    return last.tile;
  };
}

/** The same data, telling what of them is looked at. */
function trackedData(data: HomeData, tell: (look: Dependency) => void): HomeData {
  function look<T>(again: (data: HomeData) => T, isSame: (one: T, other: T) => boolean = Object.is): T {
    const value = again(data);
    tell({ again, value, isSame: isSame as Dependency['isSame'] });
    return value;
  }
  const view = watchedView(data.view, ({ kind }, value, again) =>
    // Ages go on by themselves, now and then.
    kind === 'now'
      ? look(({ view: { now } }) => Math.floor(now / agesLast))
      : tell({ again: ({ view }) => again(view), value, isSame: Object.is }),
  );
  return {
    view,
    queryState: (resource) => look(({ queryState }) => queryState(resource), isSameState),
    get problems() {
      return look(({ problems }) => problems);
    },
    get unexamined() {
      return look(({ unexamined }) => unexamined);
    },
    get fleet() {
      return look(({ fleet }) => fleet);
    },
    get noEventsReason() {
      return look(({ noEventsReason }) => noEventsReason);
    },
    get readOnly() {
      return look(({ readOnly }) => readOnly);
    },
    get glyphs() {
      return look(({ glyphs }) => glyphs);
    },
  };
}

/** Whether two readings stand the same, whenever they ended. */
const isSameState = (one: QueryState | undefined, other: QueryState | undefined): boolean =>
  one === other ||
  (one?.loading === other?.loading &&
    (one?.loadedAt === undefined) === (other?.loadedAt === undefined) &&
    one?.error === other?.error &&
    one?.results === other?.results);
