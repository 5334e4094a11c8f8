import { createStore } from 'zustand/vanilla';
import type { Edits } from '../resources/edits.ts';
import { resourceNamed } from '../resources/index.ts';
import { isAcross } from '../resources/relations.ts';
import type { Complaint, Params } from '../resources/resource.ts';
import type { Overlay } from './overlay.ts';
import { viewQuery } from './queries.ts';
import { isSame } from './rows.ts';
import { type ChosenColumn, columnsKey } from './views/columns.ts';

/** Where the user is. */
export type Place =
  | { screen: 'home' }
  /** The loads of all servers. */
  | { screen: 'fleet' }
  /** The accounts of all profiles. */
  | { screen: 'accounts' }
  /** The statistics of some rows beside each other. */
  | { screen: 'compare'; resource: string; ids: readonly string[] }
  /** `view` is the name of one of the user's own, which the list is seen by. */
  | { screen: 'list'; resource: string; params: Params; view?: string }
  /** `moment` is where the crosshair of its graphs begins, in ms since the epoch. */
  | { screen: 'detail'; resource: string; params: Params; tab: string; moment?: number };

/** The parent of a place: the list or parent row of a row, the list of what is compared, home of a list and of the fleet. */
export function parentOf(place: Place): Place {
  if (!('resource' in place)) return { screen: 'home' };
  if (place.screen === 'compare') return { screen: 'list', resource: place.resource, params: {} };
  const { under, list, name } = resourceNamed(place.resource);
  if (under && !(place.screen === 'list' && isAcross(resourceNamed(place.resource), place.params))) {
    const parent = resourceNamed(under);
    return { screen: 'detail', resource: under, params: viewQuery(parent, place.params).params, tab: 'overview' };
  }
  return place.screen === 'detail' && list ? { screen: 'list', resource: name, params: {} } : { screen: 'home' };
}

export type { ComparedSide, FormOverlay, Overlay, TakesBack } from './overlay.ts';

/** The entries of a form that is not sent yet. */
interface SavedDraft extends Edits {
  /** The action of the form, and its rows: "Edit api-1". */
  title: string;
}

/** The view state of a list; it stays while the user is elsewhere. */
export interface ListView {
  /** The time that is looked at, in ms since the epoch. */
  moment?: number;
  /** The id under the cursor. */
  cursor?: string;
  marks: readonly string[];
  filter: string;
  /** A column's title, `-` before it for descending. */
  sort?: string;
  /** The title of the section that is shown; the first by default. */
  section?: string;
  /** Without preview, also where there is room for it. */
  alone?: boolean;
}

/** A place that was left, and the filter that its list had. */
export interface Visit {
  place: Place;
  filter: string;
}

export interface NavigationState {
  /** The places visited; `at` is the index of the present one. */
  trail: readonly Place[];
  at: number;
  /** The last places left, the newest first, each once. */
  visits: readonly Visit[];
  overlays: readonly Overlay[];
  /** The rows whose marks were taken away last. */
  unmarked?: { resource: string; ids: readonly string[] };
  listViews: Readonly<Record<string, ListView>>;
  /** The columns that the user has chosen, by kind of list. */
  columns: Readonly<Record<string, readonly ChosenColumn[]>>;
  /** The keys to begin with, where the configuration does not name them. */
  preset?: string;
  /** The lines of the parts of home as they were last. */
  homeLines?: Readonly<Record<string, number>>;
  /** Entries of forms that are not sent yet, by form. */
  drafts: Readonly<Record<string, SavedDraft>>;
  /** Refusals of the API, by form; they stay as long as the draft. */
  refusals: Readonly<Record<string, readonly Complaint[]>>;
  /** The filters of this session by resource, the newest first, each once. */
  filters: Readonly<Record<string, readonly string[]>>;
}

export type Navigation = ReturnType<typeof createNavigation>;

/** Filters remembered of each resource. */
const maxFilters = 100;

const noView: ListView = { marks: [], filter: '' };

/** The present place. */
export const placeOf = ({ trail, at }: NavigationState): Place => trail[at] ?? { screen: 'home' };

/** Where the crosshair of the place's graphs begins. */
export const momentOf = (place: Place): number | undefined => (place.screen === 'detail' ? place.moment : undefined);

/** The key of a place for its view state; it begins with the resource of its rows and a colon. */
export function placeKey(place: Place): string {
  if (!('resource' in place)) return place.screen;
  if (place.screen === 'compare') return `${place.resource}:compare:${place.ids.join(' ')}`;
  const view = place.screen === 'list' && place.view !== undefined ? ` ${place.view}` : '';
  return `${place.resource}:${place.screen}:${JSON.stringify(place.params)}${view}`;
}

/** The key of a list in a tab of a place. */
export const tabKey = (list: string, resource: string, params: Params): string =>
  `${list}:${resource}:${JSON.stringify(params)}`;

/** The view state of a list; the initial one where there is none. */
export const listViewOf = (state: NavigationState, key: string): ListView => state.listViews[key] ?? noView;

/** The views and columns of the lists, the keys, and the lines of home, from the last session. */
export type StateBefore = Partial<Pick<NavigationState, 'listViews' | 'columns' | 'preset' | 'homeLines'>>;

export function createNavigation(start: Place, before: StateBefore = {}) {
  const empty = { visits: [], overlays: [], listViews: {}, columns: {}, drafts: {}, refusals: {}, filters: {} };
  const store = createStore<NavigationState>(() => ({ trail: [start], at: 0, ...empty, ...before }));
  const { setState, getState } = store;

  const step = (by: 1 | -1): boolean => {
    const { at, trail } = getState();
    if (!trail[at + by]) return false;
    setState({ visits: visitsFrom(getState()), at: at + by, overlays: shownOnce(getState()) });
    return true;
  };

  const changeViews = (resource: string, change: (view: ListView) => ListView) =>
    setState(({ listViews }) => ({
      listViews: Object.fromEntries(
        Object.entries(listViews).map(([key, view]) => [key, key.startsWith(`${resource}:`) ? change(view) : view]),
      ),
    }));

  const open = (overlay: Overlay, before?: readonly Overlay[]) =>
    setState(({ overlays }) => {
      const others = overlays.filter((one) => !isSame(one, overlay));
      const at = before ? others.findLastIndex((other) => before.includes(other)) + 1 : others.length;
      return { overlays: others.toSpliced(at, 0, overlay) };
    });
  const dismiss = (overlay: Overlay, next?: Overlay) =>
    setState(({ overlays }) => ({
      overlays: overlays.flatMap((other) => (other !== overlay ? [other] : next ? [next] : [])),
    }));

  return {
    ...store,
    /** Goes to a place, and forgets the places ahead. */
    go: (place: Place) =>
      setState((state) => {
        const { trail, at } = state;
        if (JSON.stringify(trail[at]) === JSON.stringify(place)) return { overlays: shownOnce(state) };
        return {
          visits: visitsFrom(state),
          trail: [...trail.slice(0, at + 1), place].slice(-50),
          at: Math.min(at + 1, 49),
          overlays: shownOnce(state),
        };
      }),
    /** Changes the present place without a step in the trail, e.g. its tab. */
    replace: (place: Place) => setState(({ trail, at }) => ({ trail: trail.with(at, place) })),
    /** Closes the topmost overlay, else goes back; from the first place to its parent, and at last home. */
    up: () => {
      const { overlays, trail, at } = getState();
      if (overlays.length > 0) setState({ overlays: overlays.slice(0, -1) });
      else if (at > 0) step(-1);
      else if (placeOf(getState()).screen !== 'home')
        setState({ visits: visitsFrom(getState()), trail: [parentOf(placeOf(getState())), ...trail] });
    },
    back: () => step(-1),
    forward: () => step(1),
    /** Opens an overlay, below those that were opened since `before`: they keep the keys. One that is open comes to the top. */
    open,
    /** Remembers where the user is; tells later whether they are there still, with nothing opened or closed since. */
    here: () => {
      const before = getState();
      return () => {
        const { trail, at, overlays } = getState();
        return trail === before.trail && at === before.at && overlays === before.overlays;
      };
    },
    /** Closes the topmost overlay. */
    close: () => setState(({ overlays }) => ({ overlays: overlays.slice(0, -1) })),
    /** Closes this overlay only; another may come in its place, below those opened since. */
    dismiss,
    /**
     * Takes the keys by a layer while `work` reads what is opened in its place, and returns its result.
     * @param work given what opens that, unless the layer was left; it tells whether it did
     */
    behind: async <T>(title: string, text: string, work: (open: (next?: Overlay) => boolean) => Promise<T>) => {
      const layer: Overlay = { kind: 'reading', title, text };
      open(layer);
      try {
        return await work((next) => {
          const isThere = getState().overlays.includes(layer);
          if (next) dismiss(layer, next);
          return isThere;
        });
      } finally {
        dismiss(layer);
      }
    },
    setListView: (key: string, change: Partial<ListView>) =>
      setState((state) => {
        const before = listViewOf(state, key);
        const view = { ...before, ...change };
        return isSame(view, before) ? state : { listViews: { ...state.listViews, [key]: view } };
      }),
    /** Shows these columns in the list of this key and in those of the same kind; undefined shows those of the description. */
    chooseColumns: (key: string, chosen: readonly ChosenColumn[] | undefined) =>
      setState(({ columns }) => {
        const of = columnsKey(key);
        return { columns: chosen ? { ...columns, [of]: chosen } : without(columns, of) };
      }),
    /** Unmarks rows of a resource in all lists, and remembers them; returns whether there were any. */
    unmark: (resource: string, ids: readonly string[]) => {
      const gone = new Set(ids);
      const unmarked = new Set<string>();
      changeViews(resource, (view) => {
        const marks = view.marks.filter((mark) => !gone.has(mark));
        if (marks.length === view.marks.length) return view;
        for (const mark of view.marks) if (gone.has(mark)) unmarked.add(mark);
        return { ...view, marks };
      });
      if (unmarked.size > 0) setState({ unmarked: { resource, ids: [...unmarked] } });
      return unmarked.size > 0;
    },
    /** Moves the cursor to a row of a resource in all lists, and shows its section. */
    pointAt: (resource: string, id: string, section?: string) => {
      const place = placeOf(getState());
      const here = place.screen === 'detail' ? tabKey(resource, place.resource, place.params) : placeKey(place);
      setState(({ listViews }) => ({ listViews: { [here]: noView, ...listViews } }));
      changeViews(resource, (view) => ({ ...view, cursor: id, ...(section !== undefined && { section }) }));
    },
    /** Keeps what was entered; undefined forgets it. */
    keepDraft: (key: string, draft: SavedDraft | undefined) =>
      setState(({ drafts, refusals }) =>
        draft
          ? { drafts: { ...drafts, [key]: draft } }
          : { drafts: without(drafts, key), refusals: without(refusals, key) },
      ),
    keepRefusal: (key: string, complaints: readonly Complaint[]) =>
      setState(({ refusals }) => {
        if (complaints.length > 0) return { refusals: { ...refusals, [key]: complaints } };
        return key in refusals ? { refusals: without(refusals, key) } : {};
      }),
    /** Remembers a filter until the program ends. */
    keepFilter: (resource: string, filter: string) => {
      const kept = filter.trim();
      if (kept === '') return;
      setState(({ filters }) => {
        const others = (filters[resource] ?? []).filter((other) => other !== kept);
        return { filters: { ...filters, [resource]: [kept, ...others].slice(0, maxFilters) } };
      });
    },
  };
}

/** The overlays that go along to another place: what is lost with them is never shown again. */
const shownOnce = ({ overlays }: NavigationState) => overlays.filter(({ kind }) => kind === 'secret');

/** The most that a palette shows. */
const maxVisits = 20;

/** The visits when the present place is left. A place with another filter is another one, with another tab it is not. */
function visitsFrom(state: NavigationState): readonly Visit[] {
  const place = placeOf(state);
  const visit = { place, filter: listViewOf(state, placeKey(place)).filter };
  const key = visitKey(visit);
  return [visit, ...state.visits.filter((other) => visitKey(other) !== key)].slice(0, maxVisits);
}

const visitKey = ({ place, filter }: Visit): string => `${placeKey(place)} ${filter}`;

function without<T>(entries: Readonly<Record<string, T>>, key: string): Readonly<Record<string, T>> {
  const { [key]: _, ...others } = entries;
  return others;
}
