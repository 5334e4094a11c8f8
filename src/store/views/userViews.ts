import type { StoreApi } from 'zustand/vanilla';
import type { Configuration } from '../../config/configuration.ts';
import type { ConfigFile } from '../../config/schema.ts';
import { isArea, isSingle, resourceCalled, resourceNamed } from '../../resources/index.ts';
import { overAll } from '../../resources/relations.ts';
import type { Resource, Section } from '../../resources/resource.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { titled } from '../filter/fields.ts';
import {
  type ListView,
  listViewOf,
  type Navigation,
  type NavigationState,
  type Place,
  placeKey,
} from '../navigation.ts';
import { columnOf } from '../sorting.ts';
import { type ChosenColumn, columnCalled, columnsKey, type ViewConfig, withChosen } from './columns.ts';

/** A view of the user's own: a list, and how it is seen. */
export interface UserView extends Pick<ListView, 'filter' | 'sort'> {
  name: string;
  /** With the columns of the view, and all others behind them. */
  resource: Resource;
  /** Where the list has several. */
  section?: Section;
  columns?: readonly ChosenColumn[];
}

type ListPlace = Extract<Place, { screen: 'list' }>;

/** The list that a word names, which can be seen by a view: one that lies under no row. */
export function listCalled(word: string): Resource | undefined {
  const resource = resourceCalled(word);
  if (!resource || isSingle(resource) || !(isArea(resource) || resource.local)) return undefined;
  return overAll(resource);
}

/** The section of a list by its title. */
export const sectionCalled = ({ sections = [] }: Resource, title: string): Section | undefined =>
  sections.find((one) => one.title.toLowerCase() === title.toLowerCase());

/** The view of this name; undefined where there is none, or where its area is no list. */
export function userView(views: ConfigFile['views'], name: string): UserView | undefined {
  const view = Object.hasOwn(views, name) ? views[name] : undefined;
  const area = view && listCalled(view.area);
  return view && area ? viewIn(area, view, name) : undefined;
}

/** A list as a view shows it. */
export function viewIn(area: Resource, view: Omit<ViewConfig, 'area'>, name: string): UserView {
  const columns = view.columns?.map((column) => (typeof column === 'string' ? { value: column } : column));
  const resource = columns ? withChosen(area, area.columns, columns) : area;
  const sorted = view.sort === undefined ? undefined : columnCalled(resource.columns, view.sort.replace(/^-/, ''));
  return {
    name,
    resource,
    section: (view.section === undefined ? undefined : sectionCalled(area, view.section)) ?? area.sections?.[0],
    filter: view.filter ?? '',
    sort: sorted && (view.sort?.startsWith('-') ? `-${sorted.title}` : sorted.title),
    columns,
  };
}

/** The place of a view. */
export const placeOfView = ({ name, resource }: Pick<UserView, 'name' | 'resource'>): ListPlace => ({
  screen: 'list',
  resource: resource.name,
  params: {},
  view: name,
});

/** The key of the view state of a list, or of the section of it that is shown. */
export function shownKey(place: Place, { sections = [] }: Resource, shown: Section | undefined): string {
  const placed = placeKey(place);
  return shown === undefined || shown === sections[0] ? placed : `${placed} / ${shown.title}`;
}

/** Sees the list of a view as the view has it, whatever was changed there since. */
export function applyView(navigation: Navigation, view: UserView): void {
  const { resource, section, filter, sort, columns } = view;
  const place = placeOfView(view);
  const key = shownKey(place, resource, section);
  navigation.setListView(placeKey(place), { section: section?.title });
  navigation.setListView(key, { filter, sort });
  navigation.chooseColumns(key, columns);
}

function shownOf(state: NavigationState, place: ListPlace): { section: Section | undefined; key: string } {
  const resource = resourceNamed(place.resource);
  const title = listViewOf(state, placeKey(place)).section;
  const section = resource.sections?.find((one) => one.title === title) ?? resource.sections?.[0];
  return { section, key: shownKey(place, resource, section) };
}

/** Whether a list differs from the view by which it is seen. */
export function isChanged(state: NavigationState, place: ListPlace, view: UserView): boolean {
  const { section, key } = shownOf(state, place);
  const { filter, sort } = listViewOf(state, key);
  return (
    view.section?.title !== section?.title ||
    filter !== view.filter ||
    sort !== view.sort ||
    JSON.stringify(state.columns[columnsKey(key)]) !== JSON.stringify(view.columns)
  );
}

/** The list on the screen as a view to be kept; undefined where the place is no list of an area. */
export function viewOfPlace(state: NavigationState, place: Place): ViewConfig | undefined {
  if (place.screen !== 'list' || !listCalled(place.resource) || Object.keys(place.params).length > 0) return undefined;
  const { section, key } = shownOf(state, place);
  const { filter, sort } = listViewOf(state, key);
  const resource = resourceNamed(place.resource);
  const columns = state.columns[columnsKey(key)];
  const all = columns ? withChosen(resource, resource.columns, columns) : resource;
  const sorted = columnOf(all.columns, sort);
  return {
    area: resource.name,
    ...(section && section !== resource.sections?.[0] && { section: section.title }),
    ...(filter !== '' && { filter }),
    ...(sorted && { sort: `${sort?.startsWith('-') ? '-' : ''}${titled(sorted)}` }),
    ...(columns && { columns: columns.map((one) => ((one.title ?? one.width) === undefined ? one.value : one)) }),
  };
}

/** Goes to a view as it is kept, or on in it. */
export function openView(navigation: Navigation, view: UserView | undefined, way: 'go' | 'replace' = 'go'): void {
  if (!view) return;
  applyView(navigation, view);
  navigation[way](placeOfView(view));
}

/** Words of the command line and of the palette that name something else. */
const taken: ReadonlySet<string> = new Set([
  ...['home', 'fleet', 'problems', 'requests', 'activity', 'managed', 'accounts', 'views'],
  ...['watch', 'snapshot', 'export', 'doctor', 'demo-api', 'config', 'completion', 'ssh', 'plan', 'cache', 'help'],
  ...['version', 'save', 'forget', 'profile', 'reload', 'theme', 'notify'],
]);

/** Says why a view cannot be called that, as the end of a sentence; undefined where it can. */
export function wrongName(name: string): string | undefined {
  if (!/^[A-Za-z0-9][\w-]{0,39}$/.test(name))
    return 'is no name of a view: it takes letters, digits, - and _, at most 40, the first a letter or digit';
  const area = resourceCalled(name);
  if (area) return `is the name of an area, ${area.many}; choose another`;
  return taken.has(name.toLowerCase()) ? 'is a word of the command line or the palette; choose another' : undefined;
}

type Views = Readonly<Record<string, ViewConfig>>;

/** The file of the views that are saved while the program runs. */
export interface ViewsFile {
  path: string;
  /** Replaces the views in the file. Rejects with an Error of one sentence; what `alter` throws is passed on. */
  change(alter: (views: Views) => Views): Promise<void>;
}

/** A view of this name was saved before. */
export class ViewExistsError extends Error {}

/** Saves the user's own views and forgets them. */
export function createSavedViews(configuration: StoreApi<Configuration>, file: ViewsFile | undefined) {
  let session: Views = {};

  async function change(name: string, view: ViewConfig | undefined, mayReplace: boolean): Promise<void> {
    const changed = ({ [name]: _, ...others }: Views): Views => (view ? { ...others, [name]: view } : others);
    const altered = (own: Views): Views => {
      if (Object.hasOwn(configuration.getState().views, name) && !Object.hasOwn(own, name))
        throw new Error(`${name} is a view of the configuration file itself; change it there, or choose another name.`);
      if (!mayReplace && Object.hasOwn(own, name)) {
        const again = keyLabel('saveView.save', 'enter');
        throw new ViewExistsError(`There is a view ${name} already; ${again} once more replaces it.`);
      }
      return changed(own);
    };
    if (file) await file.change(altered);
    else session = altered(session);
    configuration.setState(({ views }) => ({ views: changed(views) }));
  }

  return {
    /** Where they are saved; undefined where they last for the session. */
    path: file?.path,
    /** Rejects with an Error of one sentence: a ViewExistsError where it would replace another one without leave. */
    save: (name: string, view: ViewConfig, mayReplace: boolean = true) => {
      const key = configuration.getState().views[name]?.key;
      return change(name, { ...view, ...(key !== undefined && { key }) }, mayReplace);
    },
    /** Rejects with an Error of one sentence. */
    forget: (name: string) => change(name, undefined, true),
  };
}
