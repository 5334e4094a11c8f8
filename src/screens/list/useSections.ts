import { useMemo } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import type { Params, Resource, Section } from '../../resources/resource.ts';
import { placeKey } from '../../store/navigation.ts';
import { type Collection, keyOf, type Question } from '../../store/records.ts';
import { useKeys } from '../keyboard.tsx';
import { useDeck, useView } from '../useDeck.ts';
import type { ShownSection } from './listTitle.ts';

/** A list as it is shown: one of its views where it has several. */
export interface SectionView {
  question: Question;
  /** The resource with the columns and words of the view. */
  resource: Resource;
  viewKey: string;
  only?: Section['only'];
  sections?: readonly ShownSection[];
}

/** The view of a list that is shown, and the keys that go through the others. */
export function useSections(resource: Resource, params: Params): SectionView {
  const { records } = useDeck();
  const placed = placeKey({ screen: 'list', resource: resource.name, params });
  const [view, setView] = useView(placed);
  const { sections = noSections } = resource;
  const section = sections.find(({ title }) => title === view.section) ?? sections[0];
  const questions = sections.map((one) => questionOf(resource, one, params));
  const counts = useStore(
    records,
    useShallow(({ collections }) =>
      sections.map((one, index) => countIn(one, collections[keyOf(questions[index] as Question)])),
    ),
  );
  const step = (by: number) => () => {
    const index = section ? sections.indexOf(section) : 0;
    setView({ section: sections[(index + by + sections.length) % sections.length]?.title });
  };
  useKeys('sections', sections.length > 1 ? { next: step(1), previous: step(-1) } : {});
  const shown = useMemo(() => inSection(resource, section), [resource, section]);
  if (!section) return { question: questionOf(resource, undefined, params), resource, viewKey: placed };
  return {
    question: questionOf(resource, section, params),
    resource: shown,
    viewKey: section === sections[0] ? placed : `${placed} ${section.title}`,
    only: section.only,
    sections: sections.map((one, index) => ({ title: one.title, isShown: one === section, count: counts[index] })),
  };
}

const noSections: readonly Section[] = [];

const questionOf = ({ name }: Resource, section: Section | undefined, params: Params): Question => ({
  resource: name,
  operation: section?.operation ?? 'list',
  params,
});

/** Counts the rows of a view, as far as that is known without asking. */
function countIn({ only }: Section, collection: Collection | undefined): number | undefined {
  if (collection?.loadedAt === undefined) return undefined;
  return collection.more === undefined ? collection.rows.filter(only).length : collection.results;
}

/** The resource as one of its views shows it. */
function inSection(resource: Resource, section: Section | undefined): Resource {
  if (!section) return resource;
  const { columns: titles, empty = resource.empty } = section;
  const columns = titles?.flatMap((title) => resource.columns.filter((column) => column.title === title));
  return { ...resource, columns: columns ?? resource.columns, empty };
}
