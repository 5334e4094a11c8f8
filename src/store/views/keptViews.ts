import { resourceCalled } from '../../resources/index.ts';
import { isRow } from '../../resources/row.ts';
import { type ListView, type Navigation, type NavigationState, placeOf } from '../navigation.ts';
import { type Place, parentOf } from '../place.ts';
import type { StateFile } from '../problems/acknowledgements.ts';
import type { ChosenColumn } from './columns.ts';

/** The part of a list that comes back: not its cursor and marks, which are about rows. */
type KeptList = Pick<ListView, 'filter' | 'sort' | 'section'>;

/** Where the user was, and how the lists were seen. */
export interface KeptViews {
  place?: Place;
  /** By the keys of their views, the last changed last. */
  lists: Readonly<Record<string, KeptList>>;
  /** By kind of list. */
  columns: Readonly<Record<string, readonly ChosenColumn[]>>;
}

const nothing: KeptViews = { lists: {}, columns: {} };

/** Of lists that were seen in a way of their own, so many come back. */
const maxLists = 200;

/** A change is written after so long, with those that follow it. */
const delayMs = 2_000;

/** Reads what is kept; a file that is damaged or cannot be read counts as empty, and `onTrouble` is told a sentence. */
export function readKeptViews(file: StateFile, onTrouble: (says: string) => void): KeptViews {
  let text: string | undefined;
  try {
    text = file.read();
  } catch (error) {
    onTrouble(`${(error as Error).message} Lists begin as usual.`);
    return nothing;
  }
  if (text === undefined) return nothing;
  const kept = keptIn(text);
  if (!kept) onTrouble('The file of the last views is damaged; lists begin as usual, and it is written anew.');
  return kept ?? nothing;
}

/** The navigation state with what is kept. */
export const restored = ({ lists, columns }: KeptViews): Pick<NavigationState, 'listViews' | 'columns'> => ({
  listViews: Object.fromEntries(Object.entries(lists).map(([key, list]) => [key, { marks: [], ...list }])),
  columns,
});

/**
 * Keeps the place and the views of the lists in a file, soon after they change and at the end. What another program has
 * written meanwhile about other lists stays.
 * @param onTrouble told once why it cannot be written
 * Returns a function that ends this.
 */
export function keepViews(navigation: Navigation, file: StateFile, onTrouble: (says: string) => void): () => void {
  const lists = new Set<string>();
  const columns = new Set<string>();
  let isPlaceNew = false;
  let isTold = false;
  let timer: NodeJS.Timeout | undefined;

  function write(): void {
    clearTimeout(timer);
    timer = undefined;
    if (!isPlaceNew && lists.size === 0 && columns.size === 0) return;
    try {
      const before = keptIn(file.read() ?? '') ?? nothing;
      file.write(`${JSON.stringify(withChanges(before, navigation.getState()))}\n`);
      lists.clear();
      columns.clear();
      isPlaceNew = false;
    } catch (error) {
      if (!isTold) onTrouble(`${(error as Error).message} Views do not come back at the next start.`);
      isTold = true;
    }
  }

  function withChanges(before: KeptViews, state: NavigationState): KeptViews {
    const kept = new Map(Object.entries(before.lists));
    for (const key of lists) {
      const list = keptOf(state.listViews[key]);
      kept.delete(key);
      if (list) kept.set(key, list);
    }
    const chosen = new Map(Object.entries(before.columns));
    for (const key of columns) {
      const own = state.columns[key];
      if (own) chosen.set(key, own);
      else chosen.delete(key);
    }
    return {
      place: isPlaceNew ? placeToKeep(placeOf(state)) : before.place,
      lists: Object.fromEntries([...kept].slice(-maxLists)),
      columns: Object.fromEntries([...chosen].slice(-maxLists)),
    };
  }

  const unsubscribe = navigation.subscribe((after, before) => {
    if (placeOf(after) !== placeOf(before)) isPlaceNew = true;
    if (after.listViews !== before.listViews)
      for (const key in after.listViews)
        if (!isOfOwnView(key) && !areAlike(after.listViews[key], before.listViews[key])) lists.add(key);
    if (after.columns !== before.columns)
      for (const key of new Set([...Object.keys(after.columns), ...Object.keys(before.columns)]))
        if (!isOfOwnView(key) && after.columns[key] !== before.columns[key]) columns.add(key);
    if (isPlaceNew || lists.size > 0 || columns.size > 0) timer ??= setTimeout(write, delayMs).unref();
  });
  return () => {
    unsubscribe();
    write();
  };
}

/** Whether a key is that of a list as one of the user's own views shows it, which begins anew each time. */
const isOfOwnView = (key: string): boolean => /^[^:]+:list:\{\} (?!\/ )/.test(key);

const areAlike = (one: ListView | undefined, other: ListView | undefined): boolean =>
  one === other ||
  ((one?.filter ?? '') === (other?.filter ?? '') && one?.sort === other?.sort && one?.section === other?.section);

function keptOf({ filter = '', sort, section }: Partial<ListView> = {}): KeptList | undefined {
  return filter === '' && sort === undefined && section === undefined ? undefined : { filter, sort, section };
}

function placeToKeep(place: Place): Place {
  if (place.screen === 'compare') return parentOf(place);
  if (place.screen !== 'detail') return place;
  const { moment: _, ...rest } = place;
  return rest;
}

/** The content of the file; undefined where it is not what was written. */
function keptIn(text: string): KeptViews | undefined {
  let kept: unknown;
  try {
    kept = text === '' ? {} : JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isRow(kept)) return undefined;
  const { lists = {}, columns = {}, place } = kept;
  if (!isRecordOf(lists, isKeptList) || !isRecordOf(columns, isColumns)) return undefined;
  return { lists, columns, place: placeIn(place) };
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isTextOrNone = (value: unknown): boolean => value === undefined || isText(value);

const isRecordOf = <T>(value: unknown, isOne: (one: unknown) => one is T): value is Readonly<Record<string, T>> =>
  isRow(value) && Object.values(value).every(isOne);

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
  if (resource?.name !== name || resource === undefined || !isRecordOf(params, isText)) return undefined;
  if (screen === 'list' && (resource.list ?? resource.local))
    return { screen, resource: resource.name, params, ...(isText(view) && { view }) };
  if (screen !== 'detail' || !isText(tab)) return undefined;
  const place: Place = { screen, resource: resource.name, params, tab };
  // The rows of the program itself do not outlive it.
  return resource.local ? { screen: 'list', resource: resource.name, params: {} } : place;
}
