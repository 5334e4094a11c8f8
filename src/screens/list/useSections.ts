import { useMemo } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import type { Params, Resource, Section, Tab } from '../../resources/resource.ts';
import { type Collection, type Query, queryKey } from '../../store/cache.ts';
import { listViewOf, type Place, placeKey } from '../../store/navigation.ts';
import { isChanged, shownKey, userView } from '../../store/views/userViews.ts';
import { useKeys } from '../keyboard.tsx';
import { useNavigation, useStores } from '../useStores.ts';

/** The name of the view by which a list is seen, with a mark where the list differs from what is kept. */
function useViewTitle(place: Extract<Place, { screen: 'list' }>): string | undefined {
  const { navigation, configuration } = useStores();
  const views = useStore(configuration, (state) => state.views);
  const view = useMemo(() => (place.view === undefined ? undefined : userView(views, place.view)), [views, place.view]);
  const differs = useStore(navigation, (state) => view !== undefined && isChanged(state, place, view));
  return view && `${view.name}${differs ? ' (changed)' : ''}`;
}

/** The shown section of a list, and the keys that switch to the others. */
export function useSections(resource: Resource, params: Params, viewName?: string) {
  const { cache, navigation } = useStores();
  const place = { screen: 'list' as const, resource: resource.name, params, view: viewName };
  const placed = placeKey(place);
  const wanted = useNavigation((state) => listViewOf(state, placed).section);
  const { sections = noSections } = resource;
  const section = sections.find(({ title }) => title === wanted) ?? sections[0];
  const queries = sections.map((one) => queryOfSection(resource, one, params));
  const counts = useStore(
    cache,
    useShallow(({ collections }) =>
      sections.map((one, index) => countIn(one, collections[queryKey(queries[index] as Query)])),
    ),
  );
  const step = (by: number) => () => {
    const index = section ? sections.indexOf(section) : 0;
    navigation.setListView(placed, { section: sections[(index + by + sections.length) % sections.length]?.title });
  };
  useKeys('sections', sections.length > 1 ? { next: step(1), previous: step(-1) } : {});
  const shown = useMemo(() => withSection(resource, section), [resource, section]);
  const name = useViewTitle(place);
  return {
    query: queryOfSection(resource, section, params),
    /** The resource with the columns and words of the section. */
    resource: shown,
    viewKey: shownKey(place, resource, section),
    /** The view of the user's own by which it is seen, with a mark where it was changed since. */
    name,
    only: section?.only,
    says: section?.says,
    sections:
      section && sections.map((one, index) => ({ title: one.title, isShown: one === section, count: counts[index] })),
  };
}

const noSections: readonly Section[] = [];

/** The query for the rows of a section, or of all. */
export const queryOfSection = ({ name }: Resource, section: Section | undefined, params: Params): Query => ({
  resource: name,
  operation: section?.operation ?? 'list',
  params,
});

/** The number of rows of a section, if known without a request. */
function countIn({ only }: Section, collection: Collection | undefined): number | undefined {
  if (collection?.loadedAt === undefined) return undefined;
  return collection.more === undefined ? collection.rows.filter(only).length : collection.results;
}

/** The resource as a section shows it. */
export function withSection(resource: Resource, section: Section | undefined): Resource {
  if (!section) return resource;
  const { columns: titles, empty = resource.empty } = section;
  const columns = titles?.flatMap((title) => resource.columns.filter((column) => column.title === title));
  return { ...resource, columns: columns ?? resource.columns, empty };
}

/** The description without columns, tabs and parts of the overview whose operations the API does not have. */
export function useSupportedParts(resource: Resource): Resource {
  const absent = useStore(useStores().cache, (state) => state.absent);
  return useMemo(() => supportedParts(resource, absent), [resource, absent]);
}

function supportedParts(resource: Resource, absent: readonly string[]): Resource {
  const isThere = (operation: string | undefined) =>
    operation === undefined || !absent.includes(`${resource.name}.${operation}`);
  if (absent.length === 0 || !absent.some((name) => name.startsWith(`${resource.name}.`))) return resource;
  return {
    ...resource,
    columns: resource.columns.filter(({ fetches }) => isThere(fetches)),
    tabs: resource.tabs?.filter((tab) => isThere(operationOf(tab))),
    overview: resource.overview && {
      ...resource.overview,
      graphs: isThere(resource.overview.graphs?.operation) ? resource.overview.graphs : undefined,
      related: resource.overview.related?.filter(({ operation }) => isThere(operation)),
    },
  };
}

const operationOf = (tab: Tab): string | undefined =>
  'answer' in tab ? tab.answer : 'operation' in tab ? tab.operation : undefined;
