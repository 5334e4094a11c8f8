import type { StoreApi } from 'zustand/vanilla';
import { isSecretName } from '../../api/redact.ts';
import type { Configuration } from '../../config/configuration.ts';
import { resourceCalled, resourceNamed } from '../../resources/index.ts';
import { type CacheView, isRow, isText } from '../../resources/row.ts';
import { attempt } from '../../text/errno.ts';
import type { Cache } from '../cache.ts';
import { cachedRow } from '../changes/change.ts';
import type { StoredValues } from '../kept/accountState.ts';
import { allOf } from '../listeners.ts';
import {
  createNavigation,
  type ListView,
  type Navigation,
  type NavigationState,
  type Place,
  parentOf,
  placeOf,
  type StateBefore,
} from '../navigation.ts';
import type { Notices } from '../notices.ts';
import { listQuery, queryKey, viewQuery } from '../queries.ts';
import type { ChosenColumn } from './columns.ts';
import { applyView, userView } from './userViews.ts';

/** The part of a list that comes back: not its cursor and marks, which are about rows. */
type KeptList = Pick<ListView, 'filter' | 'sort' | 'section'>;

/** Where the user was, and how the lists were seen. */
export interface StoredViews extends Pick<NavigationState, 'columns' | 'preset' | 'homeLines'> {
  place?: Place;
  /** By the keys of their views, the last changed last. */
  lists: Readonly<Record<string, KeptList>>;
}

/** The names of values that are kept alone, which are those of the state of the navigation. */
const singles = ['preset', 'homeLines'] as const;

const nothing: StoredViews = { lists: {}, columns: {} };

/** Of lists that were seen in a way of their own, so many come back. */
const maxLists = 200;

/** A change is written after so long, with those that follow it. */
const delayMs = 2_000;

/** The keys under which it is kept: of the place, and before those of lists and of columns. */
const placeName = 'place';
const [listPrefix, columnsPrefix] = ['list ', 'columns '];

/** Reads what is kept; what is not as it was written is left out, and `onTrouble` is told a sentence where nothing can be read. */
export const readStoredViews = (kept: StoredValues, onTrouble: (says: string) => void): StoredViews =>
  attempt(() => keptIn(kept.read()), onTrouble) ?? nothing;

/** The navigation state with what is kept. */
export const restored = ({ lists, place: _, ...rest }: StoredViews): StateBefore => ({
  listViews: Object.fromEntries(Object.entries(lists).map(([key, list]) => [key, { marks: [], ...list }])),
  ...rest,
});

/**
 * Keeps the place and the views of the lists, soon after they change and at the end. What another session has kept
 * meanwhile about other lists stays.
 * @param onTrouble told why it cannot be kept, a sentence
 * Returns a function that ends this.
 */
export function keepViews(navigation: Navigation, kept: StoredValues, onTrouble: (says: string) => void): () => void {
  /** Reads the values that are not kept yet, by the keys under which they are kept. */
  const fresh = new Map<string, (state: NavigationState) => unknown>();
  let timer: NodeJS.Timeout | undefined;

  function write(): void {
    clearTimeout(timer);
    timer = undefined;
    if (fresh.size === 0) return;
    const changed = [...fresh].map(([key, valueIn]) => [key, valueIn(navigation.getState())] as const);
    attempt(() => {
      const values = kept.read();
      kept.put([...outlived(values, listPrefix), ...outlived(values, columnsPrefix), ...changed]);
      fresh.clear();
    }, onTrouble);
  }

  const unsubscribe = navigation.subscribe((after, before) => {
    if (placeOf(after) !== placeOf(before)) fresh.set(placeName, (state) => placeToKeep(placeOf(state)));
    for (const name of singles) if (after[name] !== before[name]) fresh.set(name, (state) => state[name]);
    if (after.listViews !== before.listViews)
      for (const key in after.listViews)
        if (!isOfUserView(key) && !areAlike(after.listViews[key], before.listViews[key]))
          fresh.set(listPrefix + key, ({ listViews }) => keptOf(listViews[key]));
    if (after.columns !== before.columns)
      for (const key of new Set([...Object.keys(after.columns), ...Object.keys(before.columns)]))
        if (!isOfUserView(key) && after.columns[key] !== before.columns[key])
          fresh.set(columnsPrefix + key, ({ columns }) => columns[key]);
    if (fresh.size > 0) timer ??= setTimeout(write, delayMs).unref();
  });
  return () => {
    unsubscribe();
    write();
  };
}

/** The values of a kind that were changed longest ago, where there are too many. */
const outlived = (values: ReadonlyMap<string, unknown>, prefix: string): readonly [string, undefined][] =>
  [...values.keys()]
    .filter((key) => key.startsWith(prefix))
    .slice(0, -maxLists)
    .map((key) => [key, undefined]);

/** Whether a key is that of a list as one of the user's own views shows it, which begins anew each time. */
const isOfUserView = (key: string): boolean => /^[^:]+:list:\{\} (?!\/ )/.test(key);

const areAlike = (one: ListView | undefined, other: ListView | undefined): boolean =>
  one === other ||
  ((one?.filter ?? '') === (other?.filter ?? '') && one?.sort === other?.sort && one?.section === other?.section);

const keptOf = ({ filter = '', sort, section }: Partial<ListView> = {}): KeptList | undefined =>
  filter === '' && sort === undefined && section === undefined ? undefined : { filter, sort, section };

function placeToKeep(place: Place): Place {
  if (place.screen !== 'detail') return place.screen === 'compare' ? parentOf(place) : place;
  const { moment: _, ...rest } = place;
  return Object.keys(place.params).some(isSecretName) ? parentOf(place) : rest;
}

/** The views among values that were kept; whatever is not as it was written is left out. */
function keptIn(values: ReadonlyMap<string, unknown>): StoredViews {
  const under = <T>(prefix: string, isOne: (value: unknown) => value is T): Readonly<Record<string, T>> =>
    Object.fromEntries(
      [...values].flatMap(([key, value]) =>
        key.startsWith(prefix) && isOne(value) ? [[key.slice(prefix.length), value]] : [],
      ),
    );
  const [preset, homeLines] = singles.map((name) => values.get(name));
  return {
    place: placeIn(values.get(placeName)),
    ...(isText(preset) && { preset }),
    ...(isCounts(homeLines) && { homeLines }),
    lists: under(listPrefix, isKeptList),
    columns: under(columnsPrefix, isColumns),
  };
}

const isTextOrNone = (value: unknown): boolean => value === undefined || isText(value);

const isRecordOfTexts = (value: unknown): value is Readonly<Record<string, string>> =>
  isRow(value) && Object.values(value).every(isText);

const isCounts = (value: unknown): value is Readonly<Record<string, number>> =>
  isRow(value) && Object.values(value).every(Number.isSafeInteger);

const isKeptList = (value: unknown): value is KeptList =>
  isRow(value) && isText(value.filter) && isTextOrNone(value.sort) && isTextOrNone(value.section);

const isColumns = (value: unknown): value is readonly ChosenColumn[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every(
    (one) =>
      isRow(one) &&
      isText(one.value) &&
      one.value !== '' &&
      isTextOrNone(one.title) &&
      (one.width === undefined || (Number.isInteger(one.width) && Number(one.width) > 0 && Number(one.width) <= 200)),
  );

/** A place that exists; undefined for any other. */
function placeIn(value: unknown): Place | undefined {
  if (!isRow(value)) return undefined;
  const { screen, resource: name, params, tab, view } = value;
  if (screen === 'home' || screen === 'fleet') return { screen };
  const resource = isText(name) ? resourceCalled(name) : undefined;
  if (resource?.name !== name || resource === undefined || !isRecordOfTexts(params)) return undefined;
  if (screen === 'list' && (resource.list ?? resource.local))
    return { screen, resource: resource.name, params, ...(isText(view) && { view }) };
  if (screen !== 'detail' || !isText(tab)) return undefined;
  const place: Place = { screen, resource: resource.name, params, tab };
  // The rows of the program itself do not outlive it.
  return resource.local ? { screen: 'list', resource: resource.name, params: {} } : place;
}

interface NavigationParts {
  parts: Omit<LastPlaceParts, 'navigation'>;
  /** Where to begin; the last place by default, else home. */
  start: Place | undefined;
  /** The last place and views; without it they begin anew. */
  views: StoredValues | undefined;
  configuration: StoreApi<Configuration>;
  /** Told sentences about what is not kept. */
  onTrouble: (says: string) => void;
}

/** The navigation as the last session left it, which is kept from now on; `leave` ends this. */
export function openNavigation({ parts, start, views, configuration, onTrouble }: NavigationParts) {
  const kept = views && readStoredViews(views, onTrouble);
  const wanted = start ?? kept?.place ?? { screen: 'home' };
  const name = wanted.screen === 'list' ? wanted.view : undefined;
  const view = name === undefined ? undefined : userView(configuration.getState().views, name);
  const isGone = name !== undefined && view === undefined;
  const place = isGone ? { ...wanted, view: undefined } : wanted;
  const navigation = createNavigation(place, kept && restored(kept));
  if (view) applyView(navigation, view);
  const endKeeping = views ? keepViews(navigation, views, onTrouble) : undefined;
  const stay = start === undefined ? leaveGoneRow({ ...parts, navigation }, place) : undefined;
  return { navigation, leave: allOf([stay, endKeeping]) };
}

interface LastPlaceParts {
  cache: Cache;
  view: CacheView;
  navigation: Navigation;
  notices: Notices;
}

/**
 * Goes to the list of the row at which the last session ended, where that row is there no more.
 * Returns a function that ends this.
 */
function leaveGoneRow(stores: LastPlaceParts, place: Place): () => void {
  if (place.screen !== 'detail') return () => {};
  const { cache, navigation, notices } = stores;
  const { params } = place;
  const resource = resourceNamed(place.resource);
  const key = queryKey(resource.view ? viewQuery(resource, params) : listQuery(resource, params));
  const isHere = (now: Place) =>
    now.screen === 'detail' && now.resource === place.resource && JSON.stringify(now.params) === JSON.stringify(params);
  let end = cache.subscribe(({ answers, collections }) => {
    const { loadedAt, loading, error } = (resource.view ? answers[key] : collections[key]) ?? {};
    const here = placeOf(navigation.getState());
    if (!isHere(here) || cachedRow(stores.view, resource, params)) return end();
    if (loading || (loadedAt === undefined && error?.isGone !== true)) return;
    end();
    const parent = parentOf(here);
    navigation.replace(parent);
    const name = [resource.one, params[resource.param]].filter(Boolean).join(' ');
    notices.say('plain', `The ${name} of the last session is gone; this is where it was.`);
    end = leaveGoneRow(stores, parent);
  });
  return () => end();
}
