import { useMemo } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import type { Params, Resource, Section } from '../../resources/resource.ts';
import { type Collection, type Query, queryKey } from '../../store/cache.ts';
import { placeKey } from '../../store/navigation.ts';
import { useKeys } from '../keyboard.tsx';
import { useStores, useView } from '../useStores.ts';
import type { ShownSection } from './listTitle.ts';

/** The shown section of a list, or the whole list. */
export interface SectionView {
  query: Query;
  /** The resource with the columns and words of the section. */
  resource: Resource;
  viewKey: string;
  only?: Section['only'];
  sections?: readonly ShownSection[];
}

/** The shown section of a list, and the keys that switch to the others. */
export function useSections(resource: Resource, params: Params, ownView?: string): SectionView {
  const { cache } = useStores();
  const placed = placeKey({ screen: 'list', resource: resource.name, params, view: ownView });
  const [view, setView] = useView(placed);
  const { sections = noSections } = resource;
  const section = sections.find(({ title }) => title === view.section) ?? sections[0];
  const queries = sections.map((one) => queryOf(resource, one, params));
  const counts = useStore(
    cache,
    useShallow(({ collections }) =>
      sections.map((one, index) => countIn(one, collections[queryKey(queries[index] as Query)])),
    ),
  );
  const step = (by: number) => () => {
    const index = section ? sections.indexOf(section) : 0;
    setView({ section: sections[(index + by + sections.length) % sections.length]?.title });
  };
  useKeys('sections', sections.length > 1 ? { next: step(1), previous: step(-1) } : {});
  const shown = useMemo(() => withSection(resource, section), [resource, section]);
  if (!section) return { query: queryOf(resource, undefined, params), resource, viewKey: placed };
  return {
    query: queryOf(resource, section, params),
    resource: shown,
    viewKey: section === sections[0] ? placed : `${placed} / ${section.title}`,
    only: section.only,
    sections: sections.map((one, index) => ({ title: one.title, isShown: one === section, count: counts[index] })),
  };
}

const noSections: readonly Section[] = [];

const queryOf = ({ name }: Resource, section: Section | undefined, params: Params): Query => ({
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
function withSection(resource: Resource, section: Section | undefined): Resource {
  if (!section) return resource;
  const { columns: titles, empty = resource.empty } = section;
  const columns = titles?.flatMap((title) => resource.columns.filter((column) => column.title === title));
  return { ...resource, columns: columns ?? resource.columns, empty };
}
