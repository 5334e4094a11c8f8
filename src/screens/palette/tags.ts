import { knownResource, resources } from '../../resources/index.ts';
import type { CacheView } from '../../resources/resource.ts';
import { textsOf } from '../../resources/row.ts';
import { plural } from '../../resources/wording.ts';
import { placeKey } from '../../store/navigation.ts';
import type { Stores } from '../../store/stores.ts';
import { grouped } from '../../text/numbers.ts';
import { filterText } from '../../text/words.ts';
import { placeOfArea, placeOfRow } from '../places.ts';
import type { Thing } from './match.ts';

/** Resources whose rows have tags. */
const taggable = () => resources.filter(({ fields, under }) => fields.tags && !under);
const tags = knownResource('tags');

/** Counts the rows of each resource with each tag. */
function countTags(view: CacheView): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const counts = new Map<string, Map<string, number>>(
    tags ? view.rows(tags.name).map((row) => [tags.label(row), new Map()]) : [],
  );
  for (const { name } of taggable())
    for (const row of view.rows(name))
      for (const tag of textsOf(row.tags)) {
        const of = counts.get(tag) ?? new Map<string, number>();
        of.set(name, (of.get(name) ?? 0) + 1);
        counts.set(tag, of);
      }
  return counts;
}

/** The page of each tag, and the lists of what has it. */
export function tagThings({ navigation, view }: Stores): readonly Thing[] {
  return [...countTags(view)].flatMap(([tag, counts]) => {
    const filter = /^[\w.-]+$/.test(tag) ? `tag:${tag}` : `tag:${filterText(tag)}`;
    const lists = taggable().flatMap((resource): readonly Thing[] => {
      const count = counts.get(resource.name);
      if (count === undefined) return [];
      const place = placeOfArea(resource);
      return [
        {
          id: `tagged ${resource.name} ${tag}`,
          label: `${resource.many} tag:${tag}`,
          names: [`tag:${tag}`],
          kind: 'filter',
          detail: `${grouped(count)} ${count === 1 ? resource.one : plural(resource)}`,
          run: () => {
            navigation.setListView(placeKey(place), { filter });
            navigation.go(place);
          },
        },
      ];
    });
    const page: Thing | undefined = tags && {
      id: `tag ${tag}`,
      label: tag,
      names: [`tag:${tag}`],
      kind: tags.one,
      detail: 'all that have it',
      run: () => navigation.go(placeOfRow(tags, { [tags.param]: tag })),
    };
    return [...lists, ...(page ? [page] : [])];
  });
}
