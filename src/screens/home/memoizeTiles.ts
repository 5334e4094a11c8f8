import { type Depend, dependingView, memoizeBy, observe, readAgain } from '../../store/problems/observe.ts';
import { isSame } from '../../store/rows.ts';
import { ageStepMs, type HomeData, type QueryState, type Tile } from './tile.ts';

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

/** Compares all but the times at which data was read. */
const isSameState = (one: QueryState | undefined, other: QueryState | undefined): boolean =>
  one === other ||
  (one?.loading === other?.loading &&
    one?.keptAt === other?.keptAt &&
    (one?.loadedAt === undefined) === (other?.loadedAt === undefined) &&
    one?.error === other?.error &&
    one?.results === other?.results);

/** Tells for each part of the data whether two values make the same tile. */
const areSame: { readonly [Name in Part]-?: (one: unknown, other: unknown) => boolean } = {
  queryState: isSameState as (one: unknown, other: unknown) => boolean,
  problems: Object.is,
  unexamined: Object.is,
  isExamining: Object.is,
  isLoading: Object.is,
  fleet: Object.is,
  noEventsReason: Object.is,
  eventsReach: isSame,
  readOnly: Object.is,
  glyphs: Object.is,
};
